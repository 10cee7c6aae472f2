// Reads and writes the schemas of custom operators.
#include "spec/vocabulary/schema.h"

#include <algorithm>
#include <cctype>

namespace plumbline {

namespace {

constexpr std::string_view kTensor = "Tensor";

std::string text_of(const SchemaValue& value) {
  std::string text(kSchemaKindTexts[static_cast<std::size_t>(value.kind)]);
  if (!value.alias.empty()) text.insert(kTensor.size(), "(" + value.alias + (value.written ? "!" : "") + ")");
  return value.name.empty() ? text : text + " " + value.name;
}

std::string joined(const std::vector<SchemaValue>& values) {
  std::string text;
  for (const SchemaValue& value : values) text += (text.empty() ? "" : ", ") + text_of(value);
  return text;
}

/// Reads a schema from left to right. After a failure every further step fails.
class SchemaReader {
 public:
  explicit SchemaReader(std::string_view text) : rest_(text) {}

  std::optional<CustomOperator> run() {
    CustomOperator op{name(), {}, {}};
    op.arguments = listed(true);
    expect("->");
    if (next_is("(")) {
      op.returns = listed(false);
    } else {
      op.returns.push_back(value(false));
    }
    skip();
    if (!fits_ || !rest_.empty()) return std::nullopt;
    return op;
  }

 private:
  void skip() {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
  }
  bool next_is(std::string_view token) {
    skip();
    return rest_.starts_with(token);
  }
  bool take(std::string_view token) {
    if (!next_is(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }
  void expect(std::string_view token) { fits_ = take(token) && fits_; }

  std::string name() {
    skip();
    const auto letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    const auto* const end = std::ranges::find_if_not(rest_, letter);
    std::string found(rest_.begin(), end);
    fits_ = fits_ && !found.empty() && std::isdigit(static_cast<unsigned char>(found[0])) == 0;
    rest_.remove_prefix(found.size());
    return found;
  }

  SchemaValue value(bool named) {
    using enum SchemaValue::Kind;
    SchemaValue made;
    const std::string type = name();
    const auto kind = std::ranges::find(kSchemaKindTexts, type);
    fits_ = fits_ && kind != kSchemaKindTexts.end();
    if (fits_) made.kind = static_cast<SchemaValue::Kind>(kind - kSchemaKindTexts.begin());
    if (made.kind == tensor && rest_.starts_with('(')) {
      expect("(");
      made.alias = name();
      made.written = take("!");
      expect(")");
    }
    if (made.kind == tensor && rest_.starts_with('?')) expect("?"), made.kind = optional;
    if (made.kind == tensor && rest_.starts_with("[]")) expect("[]"), made.kind = list;
    fits_ = fits_ && (named || made.kind == tensor);
    if (named) made.name = name();
    return made;
  }

  std::vector<SchemaValue> listed(bool named) {
    std::vector<SchemaValue> values;
    expect("(");
    if (take(")")) return values;
    do values.push_back(value(named));
    while (fits_ && take(","));
    expect(")");
    return values;
  }

  std::string_view rest_;
  bool fits_ = true;
};

}  // namespace

std::string space_of(std::string_view name) { return std::string(name.substr(0, name.find("::"))); }
std::string own_name(std::string_view name) {
  const std::size_t colons = name.find("::");
  return std::string(colons == std::string_view::npos ? name : name.substr(colons + 2));
}

std::string schema_text(const CustomOperator& op) {
  const bool one = op.returns.size() == 1;
  const std::string returns = one ? text_of(op.returns[0]) : "(" + joined(op.returns) + ")";
  return own_name(op.name) + "(" + joined(op.arguments) + ") -> " + returns;
}

Value as_real(Value number, bool real) {
  const auto* integer = std::get_if<std::int64_t>(&number);
  return real && integer != nullptr ? Value(static_cast<double>(*integer)) : number;
}

bool takes(SchemaValue::Kind kind, const Value& value) {
  const bool slot = std::holds_alternative<Slot>(value), given = std::holds_alternative<NumberOf>(value);
  switch (kind) {
    case SchemaValue::Kind::tensor:
      return slot;
    case SchemaValue::Kind::optional:
      return slot || std::holds_alternative<None>(value);
    case SchemaValue::Kind::list:
      return std::holds_alternative<std::vector<Slot>>(value);
    case SchemaValue::Kind::integer:
      return given || std::holds_alternative<std::int64_t>(value);
    case SchemaValue::Kind::real:
      return given || std::holds_alternative<double>(value);
    case SchemaValue::Kind::truth:
      return given || std::holds_alternative<bool>(value);
  }
  return false;
}

std::optional<CustomOperator> schema_of(std::string_view text) { return SchemaReader(text).run(); }

}  // namespace plumbline
