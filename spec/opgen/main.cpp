// plumbline-opgen: checks ops.yaml and by_schema.yaml, and writes the C++ that is generated from it.
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
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

/// The file's text; nothing, after a message, if it cannot be read.
std::optional<std::string> text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path)) {
    cannot("read", path, std::strerror(file ? EISDIR : errno));
    return std::nullopt;
  }
  return std::string(std::istreambuf_iterator<char>(file), {});
}

/// Whether a table has no errors; prints them.
bool is_right(const plumbline::opgen::Table& table, const std::string& path, bool check) {
  for (const auto& diagnostic : table.diagnostics) fmt::print(stderr, "{}\n", diagnostic.text(path));
  if (check && table.diagnostics.empty()) fmt::print("{}: {} ops, no errors\n", path, table.entries.size());
  return table.diagnostics.empty();
}

int run(const std::string& path, const std::string& schemas, const std::string& folder, const std::string& entries) {
  const auto yaml = text_of(path);
  if (!yaml) return kWrong;
  const plumbline::opgen::Table whole = plumbline::opgen::read_table(*yaml);
  if (!is_right(whole, path, folder.empty())) return kWrong;
  plumbline::opgen::Table table = whole;
  if (!schemas.empty()) {
    const auto more = text_of(schemas);
    if (!more) return kWrong;
    const plumbline::opgen::Table by_schema = plumbline::opgen::read_schemas(*more, whole);
    if (!is_right(by_schema, schemas, folder.empty())) return kWrong;
    table.entries.insert(table.entries.end(), by_schema.entries.begin(), by_schema.entries.end());
  }
  if (folder.empty()) return 0;
  for (const auto& [name, text] :
       {std::pair{"/op_ids.h", op_ids_header(table)}, std::pair{"/op_table.cpp", op_table_source(table)}})
    if (!write(folder + name, text)) return cannot("write", folder + name, std::strerror(errno));
  if (!entries.empty() && !write(entries, entries_header(whole))) return cannot("write", entries, std::strerror(errno));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  plumbline::CommandLine line("plumbline-opgen",
                              "Checks Plumbline's op table and writes the C++ that is generated from it.");
  std::string path;
  std::string schemas;
  std::string folder;
  std::string entries;
  bool check = false;
  line.argument("TABLE", path, "the op table, ops.yaml").required();
  line.argument("FOLDER", folder, "the folder for op_ids.h and op_table.cpp");
  line.option("--by-schema FILE", schemas, "the table of ops of which only the schema is known, by_schema.yaml");
  line.option("--entries FILE", entries, "the file for the entry points of the optimized runtime");
  line.flag("--check", check, "check the table and write nothing");
  line.footer(
      "examples:\n"
      "  plumbline-opgen --check spec/ops/ops.yaml --by-schema spec/ops/by_schema.yaml\n"
      "  plumbline-opgen spec/ops/ops.yaml build/generated/spec --by-schema spec/ops/by_schema.yaml --entries "
      "build/generated/optimized/ops.h");
  line.check([&] { return check == folder.empty() ? "" : "Give either --check or a FOLDER to write to."; });
  if (const auto code = line.parse(argc, argv)) return *code;
  return run(path, schemas, folder, entries);
}
