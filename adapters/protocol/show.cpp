// Writing the request `show`, and reading its answer.
#include "adapters/protocol/show.h"

#include "adapters/protocol/cursor.h"
#include "adapters/protocol/protocol.h"

namespace plumbline {

namespace {

using protocol::Cursor;

constexpr std::size_t kMostSections = 16;

Section section(const Cursor& c) {
  c.object({"title", "text"});
  return {protocol::label(c.at("title").text(), c.at("title")), c.at("text").text()};
}

/// The file and what became of it, or why there is none.
void read_file(const Cursor& c, Exhibit& exhibit) {
  if (c.at("file").json().is_null()) {
    c.object({"id", "file", "why", "sections", "restart"});
    exhibit.why = c.at("why").text();
    if (exhibit.why.empty()) c.at("why").expected("why there is no file");
    return;
  }
  c.object({"id", "file", "fails", "output", "sections", "restart"});
  exhibit.file = c.at("file").text();
  if (exhibit.file.empty()) c.at("file").expected("the text of a file, or null");
  exhibit.fails = c.at("fails").truth();
  exhibit.output = c.at("output").text();
}

}  // namespace

bool decode_shows(std::string_view description) {
  const auto json = protocol::parsed(description);
  return Cursor(json).optional_truth("shows");
}

std::string encode_show(std::int64_t id, const Script& script, std::size_t statement, const std::string& found) {
  const std::string text = nlohmann::json(found).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  return fmt::format(R"({{"cmd":"show","id":{},"script":{},"statement":{},"found":{}}})", id, encode(script), statement,
                     text);
}

ExhibitReply decode_exhibit(std::string_view line) {
  const auto json = protocol::parsed(line);
  const Cursor c(json);
  if (!json.is_object()) c.expected("an object");
  ExhibitReply reply;
  reply.id = c.at("id").integer();
  read_file(c, reply.exhibit);
  reply.exhibit.sections = c.at("sections").list(section);
  if (reply.exhibit.sections.size() > kMostSections)
    c.at("sections").expected(fmt::format("at most {} sections", kMostSections));
  reply.restart = c.optional_truth("restart");
  return reply;
}

}  // namespace plumbline
