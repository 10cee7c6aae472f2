// The schema parser: recursive descent over one line.
#include "spec/opgen/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace plumbline::opgen {

SchemaError::SchemaError(std::size_t where, std::string what_is_wrong, std::string what_to_do)
    : std::runtime_error(what_is_wrong + "; " + what_to_do),
      offset(where),
      problem(std::move(what_is_wrong)),
      advice(std::move(what_to_do)) {}

namespace {

constexpr std::string_view kCopy = "copy the line from PyTorch's native_functions.yaml";

struct TypeName {
  std::string_view name;
  ArgType type;
};
constexpr std::array kTypes{
    TypeName{"Tensor", ArgType::Tensor},    TypeName{"int", ArgType::Int},
    TypeName{"SymInt", ArgType::Int},       TypeName{"Scalar", ArgType::Scalar},
    TypeName{"bool", ArgType::Bool},        TypeName{"float", ArgType::Float},
    TypeName{"ScalarType", ArgType::Dtype}, TypeName{"Layout", ArgType::Layout},
    TypeName{"Device", ArgType::Device},    TypeName{"MemoryFormat", ArgType::MemoryFormat},
    TypeName{"str", ArgType::String},       TypeName{"Generator", ArgType::Generator},
};

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

template <class Number>
bool is_number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

bool is_identifier(std::string_view text) {
  return !text.empty() && !(text[0] >= '0' && text[0] <= '9') && std::ranges::all_of(text, is_word);
}

bool is_int_list(std::string_view text) {
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') return false;
  text = text.substr(1, text.size() - 2);
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    std::string_view item = text.substr(0, comma);
    while (item.starts_with(' ')) item.remove_prefix(1);
    if (!is_number<std::int64_t>(item)) return false;
    if (comma == std::string_view::npos) return true;
    text.remove_prefix(comma + 1);
    if (text.empty()) return false;
  }
  return true;
}

/// Whether `text` can be the default of an argument of that type.
bool is_default_for(const Type& type, std::string_view text) {
  if (text == "None") return type.optional;
  switch (type.type) {
    case ArgType::Int:
      return is_number<std::int64_t>(text);
    case ArgType::IntList:
      return is_int_list(text) || (type.sized && is_number<std::int64_t>(text));
    case ArgType::Scalar:
    case ArgType::Float:
      return is_number<double>(text);
    case ArgType::Bool:
      return text == "True" || text == "False";
    case ArgType::Dtype:
    case ArgType::Layout:
    case ArgType::MemoryFormat:
      return is_identifier(text) && text != "True" && text != "False";
    case ArgType::String:
      return text.size() >= 2 && text.front() == '"' && text.back() == '"';
    case ArgType::Device:
    case ArgType::Tensor:
    case ArgType::TensorList:
    case ArgType::FloatList:
    case ArgType::Generator:
      return false;
  }
  return false;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Schema schema() {
    Schema schema;
    schema.name = word("the operator's name");
    if (accept(".")) schema.overload = word("the overload's name after '.'");
    expect("(", "after the name");
    arguments(schema);
    expect(" -> ", "between arguments and results");
    schema.results_offset = at_;
    results(schema);
    if (at_ != text_.size()) fail(at_, fmt::format("'{}' after the results", text_.substr(at_)), kCopy);
    return schema;
  }

 private:
  [[noreturn]] static void fail(std::size_t offset, std::string problem, std::string_view advice) {
    throw SchemaError(offset, std::move(problem), std::string(advice));
  }

  bool sees(std::string_view token) const { return text_.substr(at_).starts_with(token); }
  bool accept(std::string_view token) {
    if (!sees(token)) return false;
    at_ += token.size();
    return true;
  }
  std::string found() const { return at_ < text_.size() ? fmt::format("'{}'", text_[at_]) : "the end of the schema"; }
  void expect(std::string_view token, std::string_view where) {
    if (!accept(token)) fail(at_, fmt::format("expected '{}' {}, found {}", token, where, found()), kCopy);
  }
  std::string word(std::string_view what) {
    const std::size_t start = at_;
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    if (at_ == start) fail(at_, fmt::format("expected {}, found {}", what, found()), kCopy);
    return std::string(text_.substr(start, at_ - start));
  }

  void arguments(Schema& schema) {
    if (accept(")")) return;
    bool keyword_only = false;
    do {
      const std::size_t start = at_;
      if (accept("*")) {
        if (keyword_only) fail(start, "a second '*' among the arguments", "keep only one '*'");
        if (!sees(", ")) fail(start, "no argument after '*'", "name a keyword-only argument after it, or remove '*'");
        keyword_only = true;
        continue;
      }
      Parameter argument = parameter();
      argument.keyword_only = keyword_only;
      const auto same_name = [&](const Parameter& other) { return other.name == argument.name; };
      if (std::ranges::any_of(schema.arguments, same_name))
        fail(start, fmt::format("two arguments are called '{}'", argument.name), kCopy);
      schema.arguments.push_back(std::move(argument));
    } while (accept(", "));
    expect(")", "after the arguments");
  }

  Parameter parameter() {
    Parameter parameter;
    parameter.offset = at_;
    parameter.type = type();
    expect(" ", "between an argument's type and its name");
    parameter.name = word("an argument's name");
    if (accept("=")) {
      const std::size_t start = at_;
      parameter.default_value = default_text();
      if (!is_default_for(parameter.type, *parameter.default_value))
        fail(start, fmt::format("'{}' is not a default for '{}'", *parameter.default_value, parameter.name),
             "give a value of the argument's type ('None' needs a type with '?')");
    }
    return parameter;
  }

  std::string default_text() {
    const std::size_t start = at_;
    int depth = 0;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (depth == 0 && (c == ',' || c == ')')) break;
      if (c == '[') ++depth;
      if (c == ']') --depth;
    }
    return std::string(text_.substr(start, at_ - start));
  }

  Type type() {
    const std::size_t start = at_;
    const std::string name = word("a type");
    const auto* known = std::ranges::find(kTypes, name, &TypeName::name);
    if (known == kTypes.end())
      fail(start, fmt::format("unknown type '{}'", name),
           "add it to ArgType in spec/ops/ops.h and to spec/opgen/schema.cpp");
    Type type{known->type, false, false, {}};
    if (type.type == ArgType::Tensor && sees("(")) type.alias = alias_set();
    type.optional = accept("?");  // of a list's items: 'Tensor?[]'
    if (accept("[")) {
      if (type.type != ArgType::Tensor && type.type != ArgType::Int && type.type != ArgType::Float)
        fail(start, fmt::format("unknown list type '{}[]'", name),
             "add them to ArgType in spec/ops/ops.h and to spec/opgen/schema.cpp");
      type.sized = !sees("]");
      if (type.sized && !is_number<unsigned>(word("a length or ']'")))
        fail(start, "the length of a list is not a number", kCopy);
      expect("]", "after a list's length");
      type.type = type.type == ArgType::Tensor ? ArgType::TensorList
                  : type.type == ArgType::Int  ? ArgType::IntList
                                               : ArgType::FloatList;
      type.optional = accept("?");
    }
    return type;
  }

  AliasSet alias_set() {
    AliasSet alias;
    expect("(", "before an alias annotation");
    alias.name = word("the name of an alias set, as in '(a)'");
    alias.write = accept("!");
    if (accept(" -> ")) {
      expect("*", "after '->' in an alias annotation");
      alias.wildcard = true;
    }
    expect(")", "after an alias annotation");
    return alias;
  }

  void results(Schema& schema) {
    const auto result = [&] {
      Parameter parameter;
      parameter.offset = at_;
      parameter.type = type();
      if (accept(" ")) parameter.name = word("a result's name");
      schema.results.push_back(std::move(parameter));
    };
    if (!accept("(")) return result();
    if (accept(")")) return;
    do {
      result();
    } while (accept(", "));
    expect(")", "after the results");
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

Schema parse_schema(std::string_view text) { return Parser(text).schema(); }

}  // namespace plumbline::opgen
