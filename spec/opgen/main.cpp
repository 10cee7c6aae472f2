// plumbline-opgen: checks ops.yaml and writes the C++ that is generated from it.
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "spec/opgen/emit.h"
#include "spec/opgen/emit_entries.h"
#include "spec/opgen/table.h"
#include "support/command_line.h"

namespace {

constexpr int kWrong = 2;

int cannot(const std::string& verb, const std::string& path, const char* why) {
  fmt::print(stderr, "{}: cannot {} the file: {}; check the path and its permissions\n", path, verb, why);
  return kWrong;
}

bool write(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  return file.good();
}

int run(const std::string& path, const std::string& folder, const std::string& entries) {
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path)) return cannot("read", path, std::strerror(file ? EISDIR : errno));
  const std::string yaml(std::istreambuf_iterator<char>(file), {});

  const plumbline::opgen::Table table = plumbline::opgen::read_table(yaml);
  for (const auto& diagnostic : table.diagnostics) fmt::print(stderr, "{}\n", diagnostic.text(path));
  if (!table.diagnostics.empty()) return kWrong;
  if (folder.empty()) {
    fmt::print("{}: {} ops, no errors\n", path, table.entries.size());
    return 0;
  }
  for (const auto& [name, text] :
       {std::pair{"/op_ids.h", op_ids_header(table)}, std::pair{"/op_table.cpp", op_table_source(table)}})
    if (!write(folder + name, text)) return cannot("write", folder + name, std::strerror(errno));
  if (!entries.empty() && !write(entries, entries_header(table))) return cannot("write", entries, std::strerror(errno));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  plumbline::CommandLine line("plumbline-opgen",
                              "Checks Plumbline's op table and writes the C++ that is generated from it.");
  std::string path;
  std::string folder;
  std::string entries;
  bool check = false;
  line.argument("TABLE", path, "the op table, ops.yaml").required();
  line.argument("FOLDER", folder, "the folder for op_ids.h and op_table.cpp");
  line.option("--entries FILE", entries, "the file for the entry points of the optimized runtime");
  line.flag("--check", check, "check the table and write nothing");
  line.footer(
      "examples:\n"
      "  plumbline-opgen --check spec/ops/ops.yaml\n  plumbline-opgen spec/ops/ops.yaml build/generated/spec --entries "
      "build/generated/optimized/ops.h");
  line.check([&] { return check == folder.empty() ? "" : "Give either --check or a FOLDER to write to."; });
  if (const auto code = line.parse(argc, argv)) return *code;
  return run(path, folder, entries);
}
