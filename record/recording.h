// What the recorder says of a script: the tests that it performed, and what no program can say.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "language/lower.h"

namespace plumbline::record {

/// Something that the program does not say, or says otherwise.
struct Note {
  int line = 0;      ///< of the script; 0: unknown
  std::string text;  ///< "the op randn is not part of a program: its result is written as values"
};

struct RecordedTest {
  program::Test test;
  std::vector<Note> notes;
};

struct Recording {
  std::vector<RecordedTest> tests;
  std::string ended;   ///< how the script ended: "it ended", "it raised ValueError: …"
  int line = 0;        ///< where, if it did not end by itself; 0: unknown
  std::string torch;   ///< PyTorch's version; empty if the script never began
  std::string output;  ///< the end of what the script printed

  bool ended_by_itself() const { return ended == "it ended"; }
};

/// Reads the one JSON object that record/python/record.py prints. Throws ProtocolError.
Recording read_recording(std::string_view json);

/// The program that a recording is: one file with its tests, and its notes as comments. `script`: the recorded file.
/// Throws std::invalid_argument, which names the test and the line of the script, for a statement that no program can
/// say.
program::Program program_of(Recording recording, const std::string& script);

}  // namespace plumbline::record
