// An operator as an implementation registers it: its schema, taken apart, and which kernels it has.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace plumbline::sweep {

/// An argument or a result of a schema.
struct Parameter {
  std::string name;       ///< empty for most results
  std::string type;       ///< without alias sets, `?` and `[]`: "Tensor", "Scalar", "int", "str", …
  bool optional = false;  ///< `?`
  bool list = false;      ///< `[]`
  bool keyword_only = false;
  bool has_default = false;
  std::vector<std::string> aliases;  ///< the names of its alias set: "a" of `Tensor(a!)`, "*" of a wildcard
  bool written = false;              ///< `!`

  bool is_tensor() const { return type == "Tensor"; }
  bool is_out() const { return written && keyword_only; }  ///< `out=`
};

struct Operator {
  std::string name;      ///< "aten::add_"
  std::string overload;  ///< "Tensor", or empty
  std::string schema;    ///< as the implementation prints it
  std::vector<Parameter> arguments;
  std::vector<Parameter> results;
  std::vector<std::string> kernels;  ///< of "CPU", "CompositeImplicitAutograd", …: those that a call on the CPU may run
  std::vector<std::string> tags;     ///< "nondeterministic_seeded", …

  /// "aten::add_.Tensor".
  std::string full_name() const { return overload.empty() ? name : name + "." + overload; }
  bool writes() const;        ///< an argument is annotated as written
  bool is_out() const;        ///< a keyword-only argument is written: `out=`
  bool is_in_place() const;   ///< it writes its first argument and nothing else
  bool gives_a_view() const;  ///< a result is in an alias set of an argument that is not written
  bool has_tag(const std::string& tag) const;
};

/// Whether an operator's name begins with `_`: only PyTorch itself calls it, and it may trust its arguments.
bool is_private(const std::string& name);

/// The functional operator that computes what `one` writes, among `all`: the same arguments, without `out=`. Null:
/// none.
const Operator* twin_of(const Operator& one, const std::vector<Operator>& all);

/// The operator whose results `one`, named "{view}_copy", copies. Null: none.
const Operator* view_of(const Operator& one, const std::vector<Operator>& all);

}  // namespace plumbline::sweep
