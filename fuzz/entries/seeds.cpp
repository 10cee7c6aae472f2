// Writes the fuzzing entries' first inputs: the curated programs test by test, and requests and answers of generated
// ones.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "adapters/protocol/protocol.h"
#include "fuzz/builder.h"
#include "language/parse.h"
#include "language/print.h"
#include "reference/machine.h"

namespace {

using namespace plumbline;

constexpr std::uint64_t kPrograms = 200;
constexpr std::size_t kGenes = 3;  // small inputs are run and mutated faster

/// Every optional member of docs/PROTOCOL.md, written by hand, because no other input has a member that the encoder
/// forgets.
constexpr std::string_view kByHand =
    R"({"cmd":"run","id":1,"script":{"names":["x","y","z","g","s"],"statements":[{"do":"make","line":3,"result":0,"dtype":"float32",)"
    R"("sizes":[2],"values":[1.0,"nan"],"requires_grad":true},{"do":"call","line":4,"op":"ones","arguments":)"
    R"([[2],"float64",null,null,null],"results":[1],"requires_grad":true},{"do":"read","line":5,"tensor":0,"field":"values"},)"
    R"({"do":"read_thread","field":"included"},{"do":"read","tensor":1,"field":"version"},)"
    R"({"do":"set_requires_grad","tensor":0,"value":false,"method":true},{"do":"backward","tensor":0,"gradient":1,)"
    R"("retain_graph":true},{"do":"set_grad","tensor":0,"grad":1},{"do":"set_grad","tensor":0},)"
    R"({"do":"retain_grad","tensor":0},{"do":"manual_seed","seed":3},{"do":"start_thread"},)"
    R"({"do":"call","op":"cat","arguments":[{"slots":[0,1]},0],"results":[1]},{"do":"join_thread"},)"
    R"({"do":"enter_forward","function":0,"inputs":[0,1]},{"do":"save_for_backward","tensors":[0]},)"
    R"({"do":"mark_dirty","tensors":[0]},{"do":"mark_non_differentiable","tensors":[]},)"
    R"({"do":"leave_forward","returned":[0],"results":[2]}],)"
    R"("functions":[{"name":"F","gradients":[3],"statements":[{"do":"load_saved","results":[4]}],"returned":[3,null]}]}})"
    "\n"
    R"({"id":1,"trace":{"completed":false,"outcomes":[{"statement":0},{"statement":2,"reading":{"floats":[1.0,"-inf"],)"
    R"("known":[true,false],"bounds":[0.5,0.0]}},{"statement":3,"reading":{"names":["BackendSelect"]}},{"statement":4,"error":)"
    R"({"class":"inference_version","message":"m","exception":"RuntimeError"},"reading":{"unspecified":"GEO-15"}}]}})";

void write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) throw std::runtime_error(path.string() + " cannot be written; see whether the disk is full");
}

/// Each test alone with the file's helpers, as it is printed; and the unchanged text of each file.
void write_programs(const std::filesystem::path& corpus, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  for (const auto& entry : std::filesystem::directory_iterator(corpus)) {
    const std::string name = entry.path().stem().string();
    if (!name.starts_with("test_") || entry.path().extension() != ".py") continue;
    std::filesystem::copy_file(entry.path(), folder / name, std::filesystem::copy_options::overwrite_existing);
    const program::Program whole = program::parse_file(entry.path().string());
    for (const program::Function& test : whole.functions) {
      if (!test.name.starts_with("test_")) continue;
      program::Program one = whole;
      std::erase_if(one.functions,
                    [&](const program::Function& f) { return f.name.starts_with("test_") && f.name != test.name; });
      write(folder / fmt::format("{}_{}", name, test.name), program::print(one));
    }
  }
}

/// A request on the first line, its answer on the second.
void write_messages(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  Description description;
  description.name = "libtorch";
  description.version = "2.13.0";
  description.profile = "torch-2.13";
  write(folder / "start", encode_start() + "\n" + encode(description));
  write(folder / "unsupported", encode_stop() + "\n" + encode_reply({7, CannotRun{"not today"}}));
  write(folder / "by_hand", std::string(kByHand));
  const reference::Judge sound;
  for (std::uint64_t i = 0; i < kPrograms; ++i) {
    fuzz::Genes genes = fuzz::genes_at(1, i).value();
    genes.resize(std::min(genes.size(), kGenes));
    const Script script = fuzz::build(genes, sound);
    const Trace trace = reference::run(sound, script);
    const auto id = static_cast<std::int64_t>(i);
    if (i % 2 == 0)
      write(folder / fmt::format("run_{}", i), encode_run(id, script) + "\n" + encode_reply({id, trace}));
    else
      write(folder / fmt::format("script_{}", i), encode(script) + "\n" + encode(trace));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: entry-seeds CORPUS FOLDER\n  writes FOLDER/parser from CORPUS, and FOLDER/protocol\n");
    return 2;
  }
  try {
    const std::filesystem::path folder = argv[2];
    write_programs(argv[1], folder / "parser");
    write_messages(folder / "protocol");
  } catch (const std::exception& error) {
    fmt::print(stderr, "entry-seeds: {}\n", error.what());
    return 3;
  }
  return 0;
}
