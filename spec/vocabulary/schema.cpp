// Reads and writes the schemas of custom operators.
#include "spec/vocabulary/schema.h"

#include <algorithm>
#include <cctype>

namespace plumbline {

namespace {

std::string text_of(const SchemaTensor& tensor) {
  std::string text = "Tensor";
  if (!tensor.alias.empty()) text += "(" + tensor.alias + (tensor.written ? "!" : "") + ")";
  return tensor.name.empty() ? text : text + " " + tensor.name;
}

std::string joined(const std::vector<SchemaTensor>& tensors) {
  std::string text;
  for (const SchemaTensor& tensor : tensors) text += (text.empty() ? "" : ", ") + text_of(tensor);
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
      op.returns.push_back(tensor(false));
    }
    skip();
    if (!fits_ || !rest_.empty() || op.arguments.empty()) return std::nullopt;
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

  SchemaTensor tensor(bool named) {
    SchemaTensor made;
    fits_ = name() == "Tensor" && fits_;
    if (rest_.starts_with('(')) {
      expect("(");
      made.alias = name();
      made.written = take("!");
      expect(")");
    }
    if (named) made.name = name();
    return made;
  }

  std::vector<SchemaTensor> listed(bool named) {
    std::vector<SchemaTensor> tensors;
    expect("(");
    if (take(")")) return tensors;
    do tensors.push_back(tensor(named));
    while (fits_ && take(","));
    expect(")");
    return tensors;
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

std::optional<CustomOperator> schema_of(std::string_view text) { return SchemaReader(text).run(); }

}  // namespace plumbline
