// Running a program once: its input, everything that it prints, and how it ended.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/child.h"

namespace plumbline {

struct Conversation {
  enum class Stopped : std::uint8_t { no, time, output, asked };  ///< whether it was killed, and why

  Stopped stopped = Stopped::no;
  std::string output;
  std::string errors;             ///< the beginning of its error stream
  std::optional<Child::End> end;  ///< nothing if it was killed
};

/// Starts `words`, writes `input` and closes it, and reads until the program ends. The program and all its children are
/// killed after `seconds`, after more than `limit` bytes of output, or soon after `stop` holds. `heard` gets each part
/// of both streams as it comes. Throws std::runtime_error if it cannot be started.
Conversation converse(const std::vector<std::string>& words, const std::string& input, double seconds,
                      std::size_t limit, const std::function<bool()>& stop = nullptr,
                      const std::function<void(std::string_view)>& heard = nullptr);

}  // namespace plumbline
