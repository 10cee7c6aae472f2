// A program as written: the syntax tree of the pytest-runnable subset, with the places it came from.
#pragma once

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace plumbline::program {

/// A place in a file; lines and columns count from 1.
struct Place {
  int line = 0;
  int column = 0;
};

struct Expression;
using Expressions = std::vector<Expression>;

struct NoneLiteral {};
/// `...` needs no node; numbers keep Python's distinction between int and float.
struct Name {
  std::string id;
};
struct List {
  Expressions items;
};
struct Tuple {
  Expressions items;
};
/// `value.name`.
struct Attribute {
  std::shared_ptr<const Expression> value;
  std::string name;
};
/// `callee(positional…, keyword=…)`.
struct Invocation {
  std::shared_ptr<const Expression> callee;
  Expressions positional;
  std::vector<std::pair<std::string, Expression>> keywords;
};

struct Expression {
  std::variant<NoneLiteral, bool, std::int64_t, double, std::string, Name, List, Tuple, Attribute, Invocation> node;
  Place place;
};

struct Line;
using Block = std::vector<Line>;

/// `a, b = value`, or a bare `value` where there are no targets.
struct Assign {
  std::vector<std::string> targets;
  bool unpack = false;  ///< `a, = value`: the targets take the items of a list
  Expression value;
};
/// `object.attribute = value`.
struct SetAttribute {
  std::string object;
  std::string attribute;
  Expression value;
};
enum class Relation : std::uint8_t { equal, is, is_not };
/// `assert left relation right`.
struct Assert {
  Expression left;
  Relation relation;
  Expression right;
};
/// `with item:`; `pytest.raises` is one of the items a block may have.
struct With {
  Expression item;
  Block body;
};
struct Return {
  std::optional<Expression> value;
};
struct Pass {};

/// One statement, with the comment behind it.
struct Line {
  std::variant<Assign, SetAttribute, Assert, With, Return, Pass> node;
  Place place;
  std::string comment;  ///< without `#`; empty: none
};

/// `def name(parameters):`, with the comments above it and behind its colon.
struct Function {
  std::string name;
  std::vector<std::string> parameters;
  Block body;
  Place place;
  std::vector<std::string> comments_above;
  std::string comment;
};

/// A file: comments, imports, functions; those named `test_…` are tests.
struct Program {
  std::string file;
  std::vector<std::string> header;   ///< the comment lines at the top, without `#`
  std::vector<std::string> imports;  ///< "pytest", "torch", …, in order
  std::vector<Function> functions;
};

/// What is wrong with a program: where, what was found, what was expected and what to do.
struct ProgramError : std::runtime_error {
  ProgramError(std::string file, Place place, std::string what_is_wrong, std::string what_to_do);
  std::string file;
  Place place;
  std::string problem;
  std::string advice;
};

}  // namespace plumbline::program
