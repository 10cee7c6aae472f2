// Strict access to the members of a JSON message.
#include "adapters/protocol/cursor.h"

#include <algorithm>
#include <cmath>

namespace plumbline {

ProtocolError::ProtocolError(std::string where, const std::string& expected, const std::string& found)
    : std::runtime_error(fmt::format("at {}: expected {}, found {}", where, expected, found)), path(std::move(where)) {}

namespace protocol {

namespace {

/// The beginning of a value as JSON, short enough for a message.
std::string excerpt(const Json& json) {
  constexpr std::size_t kLongest = 80;
  if (json.is_structured() && json.size() > kLongest)
    return fmt::format("an {} of {}", json.is_array() ? "array" : "object", json.size());
  if (json.is_string() && json.get_ref<const std::string&>().size() > kLongestText) return "a longer one";
  std::string text = json.dump(-1, ' ', true, Json::error_handler_t::replace);
  if (text.size() > kLongest) text = text.substr(0, kLongest) + "…";
  return text;
}

/// Throws if the tree would take gigabytes, or printing it would take all of the stack.
void check_size(std::string_view line) {
  int depth = 0, deepest = 0, values = 1;
  bool in_string = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (in_string) {
      if (c == '\\') ++i;
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
    } else if (c == ']' || c == '}') {
      --depth;
    } else if (c == ',') {
      ++values;
    }
  }
  if (deepest > kDeepest)
    throw ProtocolError("$", fmt::format("arrays and objects at most {} deep", kDeepest), std::to_string(deepest));
  if (values > kMostValues)
    throw ProtocolError("$", fmt::format("at most {} values in a message", kMostValues), std::to_string(values));
}

}  // namespace

Json parsed(std::string_view line) {
  check_size(line);
  try {
    return Json::parse(line);
  } catch (const Json::exception& e) {
    std::string start(line.substr(0, 80));
    start = Json(start).dump(-1, ' ', true, Json::error_handler_t::replace);
    throw ProtocolError("$", fmt::format("one JSON object on one line ({})", e.what()),
                        fmt::format("{} bytes that begin with {}", line.size(), start));
  }
}

std::string Cursor::path() const {
  if (parent_ == nullptr) return "$";
  return key_ != nullptr ? fmt::format("{}.{}", parent_->path(), key_) : fmt::format("{}[{}]", parent_->path(), index_);
}

void Cursor::expected(const std::string& what) const { throw ProtocolError(path(), what, excerpt(*json_)); }

const Cursor& Cursor::object(std::initializer_list<std::string_view> allowed) const {
  if (!json_->is_object()) expected("an object");
  for (const auto& [key, value] : json_->items())
    if (std::find(allowed.begin(), allowed.end(), key) == allowed.end())
      expected(fmt::format("no member \"{}\" (known: {})", key, fmt::join(allowed, ", ")));
  return *this;
}

Cursor Cursor::at(const char* key) const {
  if (!json_->is_object()) expected("an object");
  const auto found = json_->find(key);
  if (found == json_->end()) expected(fmt::format("a member \"{}\"", key));
  return {*found, this, key, 0};
}

std::int64_t Cursor::integer() const {
  if (!json_->is_number_integer() ||
      (json_->is_number_unsigned() && json_->get<std::uint64_t>() > std::numeric_limits<std::int64_t>::max()))
    expected("an integer of 64 bits");
  return json_->get<std::int64_t>();
}

std::int64_t Cursor::integer(std::int64_t low, std::int64_t high) const {
  const std::int64_t i = integer();
  if (i < low || i > high) expected(fmt::format("an integer from {} to {}", low, high));
  return i;
}

bool Cursor::truth() const {
  if (!json_->is_boolean()) expected("true or false");
  return json_->get<bool>();
}

double Cursor::number() const {
  if (json_->is_number()) return json_->get<double>();
  if (json_->is_string()) {
    const auto& text = json_->get_ref<const std::string&>();
    if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
    if (text == "inf") return std::numeric_limits<double>::infinity();
    if (text == "-inf") return -std::numeric_limits<double>::infinity();
  }
  expected(R"(a number, "nan", "inf" or "-inf")");
}

std::string Cursor::text() const {
  if (!json_->is_string()) expected("a string");
  if (json_->get_ref<const std::string&>().size() > kLongestText)
    expected(fmt::format("a string of at most {} KiB", kLongestText >> 10));
  return json_->get<std::string>();
}

std::string label(std::string text, const Cursor& c, std::size_t longest) {
  const auto control = [](char byte) { return static_cast<unsigned char>(byte) < ' ' || byte == 127; };
  if (text.empty() || text.size() > longest || std::ranges::any_of(text, control))
    c.expected(fmt::format("1 to {} bytes of text without control characters", longest));
  return text;
}

}  // namespace protocol

}  // namespace plumbline
