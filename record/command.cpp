// Running the recorder, and writing the program.
#include "record/command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>

#include "adapters/protocol/protocol.h"
#include "language/print.h"
#include "record/recording.h"
#include "spec/ops/ops.h"
#include "support/conversation.h"
#include "support/exit_codes.h"
#include "support/files.h"
#include "support/interrupt.h"

namespace plumbline::record {

namespace {

constexpr const char* kRecorder = PLUMBLINE_SOURCE "/record/python/record.py";
constexpr const char* kSavedModule = PLUMBLINE_SOURCE "/record/python/saved_module.py";
constexpr std::size_t kMostOutput = std::size_t{64} << 20;
constexpr double kStartAndEnd_s = 120;  // of Python, beside the script's own time

std::string op_names() {
  nlohmann::json names = nlohmann::json::array();
  for (const Op& op : op_table()) names.push_back(qualified_name(op));
  return names.dump();
}

/// A file that is there after Ctrl-C: the recorder then stops the script, and says what it did until then.
class StopFile {
 public:
  StopFile() : path_(std::filesystem::temp_directory_path() / fmt::format("plumbline-record-stop-{}", getpid())) {}
  StopFile(const StopFile&) = delete;
  StopFile& operator=(const StopFile&) = delete;
  ~StopFile() {
    std::error_code none;
    std::filesystem::remove(path_, none);
  }

  const std::filesystem::path& path() const { return path_; }
  /// For `converse`: never kills the recorder.
  bool follow() {
    if (cli::interrupted() && !there_) there_ = std::ofstream(path_).good();
    return false;
  }

 private:
  std::filesystem::path path_;
  bool there_ = false;
};

Recording run_recorder(const Options& options) {
  StopFile stop;
  std::vector<std::string> words{options.python, kRecorder,
                                 "--statements", std::to_string(options.statements),
                                 "--seconds",    fmt::format("{}", options.seconds),
                                 "--until",      stop.path()};
  for (const std::string& test : options.only) words.insert(words.end(), {"--only", test});
  if (options.module) words.emplace_back(kSavedModule);
  words.push_back(options.script);
  words.insert(words.end(), options.arguments.begin(), options.arguments.end());
  const Conversation said =
      converse(words, op_names(), options.seconds + kStartAndEnd_s, kMostOutput, [&] { return stop.follow(); });
  if (!said.end || said.end->signal != 0 || said.end->code != 0)
    throw std::runtime_error(
        fmt::format("the recorder failed. Is {} a Python that imports PyTorch?\n{}", options.python, said.errors));
  return read_recording(said.output);
}

/// What a person reads of the recording, on stderr.
void summarise(const Options& options, const Recording& recording, std::size_t statements, std::size_t notes) {
  const std::string where = recording.line == 0 ? "" : fmt::format(" (line {})", recording.line);
  if (!recording.ended_by_itself()) {
    fmt::print(stderr, "{}: {}{}\n", options.script, recording.ended, where);
    if (!recording.output.empty()) fmt::print(stderr, "what it printed last:\n{}\n", recording.output);
  }
  if (statements == 0) {
    fmt::print(stderr, "{}: it did nothing with tensors that can be recorded, so there is no program\n",
               options.script);
    return;
  }
  const std::size_t tests = recording.tests.size();
  fmt::print(stderr, "{}: {} statement{} in {} test{}, recorded with PyTorch {}; {}\n", options.script, statements,
             statements == 1 ? "" : "s", tests, tests == 1 ? "" : "s", recording.torch,
             notes == 0 ? "the program says everything that it did"
                        : fmt::format("{} thing{} that it did {} not said, or said otherwise: see the comments", notes,
                                      notes == 1 ? "" : "s", notes == 1 ? "is" : "are"));
}

}  // namespace

int record_command(const Options& options) {
  const Recording recording = run_recorder(options);
  std::size_t statements = 0, notes = 0;
  for (const RecordedTest& one : recording.tests) {
    statements += one.test.script.statements.size();
    notes += one.notes.size();
  }
  if (statements > 0) {
    const std::string text = program::print(program_of(recording, options.script)) + "\n";
    if (options.out.empty())
      fmt::print("{}", text);
    else
      write_file(options.out, text);
  }
  if (!options.quiet || statements == 0) summarise(options, recording, statements, notes);
  if (recording.ended.starts_with("it was interrupted")) return kExitInterrupted;
  if (statements == 0) return kExitNothing;
  return notes == 0 && recording.ended_by_itself() ? 0 : kExitUnknown;
}

}  // namespace plumbline::record
