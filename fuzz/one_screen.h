// What `plumbline fuzz` prints unless it is asked for everything.
#pragma once

#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "fuzz/report.h"
#include "support/screen.h"

namespace plumbline::fuzz {

/// The campaign on one implementation, by the name that the command line gave it.
struct Campaigned {
  std::string name;
  Report report;
  std::vector<Case> cases;
  std::vector<Shown> shown;
};

/// What one command prints, all of it and the parts that are printed in any case.
struct Printed {
  std::string name;    ///< of the report's files
  std::string whole;   ///< everything, with the end
  std::string json;    ///< the report's JSON
  std::string before;  ///< what stands before the line that names the files, if not everything is printed
  std::string end;     ///< the last lines
};

/// Prints everything, if it fits one screen or `everything` asks for it or the report's files cannot be written.
/// Otherwise writes the files and prints what `fitted` makes of a number of lines, and where the rest is.
void print_fitting(std::FILE* out, const Printed& printed, bool everything,
                   const std::function<std::string(std::size_t room, const Screen& screen)>& fitted);

/// A text's first line, with "..." for what does not fit the width.
std::string shortened(std::string text, std::size_t width);

inline constexpr std::size_t kNewLines = 16;  ///< for what is new, so that a program still fits

/// Something new, and the program that shows it.
struct News {
  std::string text;  ///< lines: what, in how many programs, where
  std::uint64_t programs = 0;
  std::string program;   ///< the text of a file; empty: there is none
  std::size_t size = 0;  ///< of the program, to find the shortest
};

/// Adds to a text that has at most `room` lines, and then too: what is new, most programs first, in the given order if
/// they are as many; how much more there is; and the shortest program, if it fits.
void add_news(std::string& text, const std::vector<News>& found, std::size_t room, const Screen& screen);

/// At most `room` lines: a row for each implementation; what is known; what is new, most programs first; and the
/// shortest program that shows something new, if it fits.
std::string screen_text(const std::vector<Campaigned>& all, std::uint64_t seed, std::size_t room, const Screen& screen);

}  // namespace plumbline::fuzz
