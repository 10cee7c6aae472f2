// A place in a JSON message: strict access to its members, and the path for error messages.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "adapters/protocol/names.h"
#include "adapters/protocol/protocol.h"

namespace plumbline::protocol {

using Json = nlohmann::json;

inline constexpr std::size_t kLongestText = std::size_t{64} << 10;
inline constexpr int kDeepest = 32;          // arrays and objects within one another; a trace has 9
inline constexpr int kMostValues = 1 << 22;  // in one message; the tree takes up to 80 bytes for each

/// The message as a tree. Throws ProtocolError if it is not JSON, or larger than the limits above.
Json parsed(std::string_view line);

/// Refers to a value inside a message. The path is only built when an error needs it, so a cursor must not outlive the
/// cursor that it came from.
class Cursor {
 public:
  explicit Cursor(const Json& json) : json_(&json) {}

  const Json& json() const { return *json_; }

  /// Throws ProtocolError for this place.
  [[noreturn]] void expected(const std::string& what) const;

  /// Requires an object with no members but `allowed`.
  const Cursor& object(std::initializer_list<std::string_view> allowed) const;
  bool has(const char* key) const { return json_->contains(key); }
  /// A required member.
  Cursor at(const char* key) const;

  std::int64_t integer() const;
  std::int64_t integer(std::int64_t low, std::int64_t high) const;
  bool truth() const;
  /// A truth that may be missing: false.
  bool optional_truth(const char* key) const { return has(key) && at(key).truth(); }
  /// A JSON number of either type, or "nan", "inf", "-inf".
  double number() const;
  /// A string of at most kLongestText bytes, because a report may show it.
  std::string text() const;
  Slot slot() const { return static_cast<Slot>(integer(0, std::numeric_limits<std::int32_t>::max())); }

  /// One value for each item of an array.
  template <class Item>
  auto list(Item item) const {
    if (!json_->is_array()) expected("an array");
    std::vector<decltype(item(*this))> all;
    all.reserve(json_->size());
    for (std::size_t i = 0; i < json_->size(); ++i) all.push_back(item(Cursor((*json_)[i], this, nullptr, i)));
    return all;
  }
  std::vector<std::int64_t> integers() const {
    return list([](const Cursor& c) { return c.integer(); });
  }

  /// A name from a closed list.
  template <class E, std::size_t N>
  E one_of(const std::array<std::string_view, N>& names) const {
    if (json_->is_string())
      if (const auto e = enumerator_named<E>(names, json_->get_ref<const std::string&>())) return *e;
    expected(fmt::format("one of \"{}\"", fmt::join(names, "\", \"")));
  }

 private:
  Cursor(const Json& json, const Cursor* parent, const char* key, std::size_t index)
      : json_(&json), parent_(parent), key_(key), index_(index) {}
  std::string path() const;

  const Json* json_;
  const Cursor* parent_ = nullptr;
  const char* key_ = nullptr;
  std::size_t index_ = 0;
};

/// A text of one line that reports print. Throws ProtocolError, with the place `c`, if it is empty, longer than
/// `longest` bytes, or has control characters.
std::string label(std::string text, const Cursor& c, std::size_t longest = 200);

/// The op of the table that is named here: "add_.Tensor".
OpId op_id(const Cursor& c);

/// The script at this place.
Script script(const Cursor& c);

}  // namespace plumbline::protocol
