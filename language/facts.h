// Facts about a program's text, which lowering asks for before it looks at what names stand for.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "language/ast.h"

namespace plumbline::program {

/// The text of a string; null if the expression is something else.
inline const std::string* string_in(const Expression& expression) { return std::get_if<std::string>(&expression.node); }

/// Whether a call gets `*args`, and whether a function takes it.
bool passes_arguments(const Invocation& call);
bool takes_any_arguments(const Function& function);

/// Whether a call of the function of this name makes a meta tensor: it is a factory that is given `device="meta"`.
bool makes_meta_tensor(std::string_view function, const Invocation& call);

/// Whether a file names the CPU beside the test's device: its programs are of two devices.
bool names_cpu(const Program& program);

/// Shows an expression and then every part of it; for lines, every expression in them, also in functions defined there.
using SeeExpression = std::function<void(const Expression&)>;
void each_expression(const Expression& expression, const SeeExpression& see);
void each_expression(const Block& lines, const SeeExpression& see);

/// Whether an expression is `x.data` or `x.grad`.
bool is_part(const Expression& expression);

/// The items of `[[1, 2], [3, 4]]` row-major, and the sizes that the nesting says. The literal stands in the program
/// or is bound to one of its names.
struct NestedList {
  std::vector<std::int64_t> sizes;
  Expressions numbers;
};
/// Nothing if a row differs from the first in length or depth.
std::optional<NestedList> flatten(const Expression& expression);

/// The namespaces of the operators that a test uses: it, a function or class that it names, or a kernel of such a
/// namespace names `torch.ops.mine`, "mine::f" or a library of "mine".
std::set<std::string> namespaces_of(const Program& program, const Function& test);
/// Every name that the program assigns, defines or imports.
std::set<std::string> names_in(const Program& program);
/// Whether a decorator of the function returns nothing, so that its name is None: `@torch.library.impl("mine::f", …)`.
bool is_none_once_decorated(const Function& function);

/// Whether a function of this name is a test.
bool is_test(std::string_view name);
/// Throws ProgramError if a file defines a name twice.
void require_distinct_names(const Program& program);
/// Throws ProgramError if a file has no test.
void require_tests(const Program& program);

}  // namespace plumbline::program
