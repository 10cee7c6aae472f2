// The schemas of a program's own operators, as `lib.define` takes them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "spec/vocabulary/statement.h"

namespace plumbline {

/// "mine" and "f" of "mine::f"; a name without a namespace is both.
std::string space_of(std::string_view name);
std::string own_name(std::string_view name);

/// "add_one_(Tensor(a!) x) -> Tensor(a!)", without the namespace.
std::string schema_text(const CustomOperator& op);

/// The inverse: the operator's name without a namespace, its arguments and returns. Nothing for another schema.
std::optional<CustomOperator> schema_of(std::string_view text);

/// A number as an argument that may take a float: Python makes one of an int.
Value as_real(Value number, bool real);

/// The call with `number(n)` for each number `n` that a kernel was given.
template <class Number>
Call with_numbers(Call call, const Number& number) {
  for (std::size_t i = 0; i < call.arguments.size(); ++i)
    if (const auto* given = std::get_if<NumberOf>(&call.arguments[i]))
      call.arguments[i] = as_real(number(*given), op(call.op).arguments[i].type == ArgType::Float);
  return call;
}

/// Whether an argument of this kind takes the value.
bool takes(SchemaValue::Kind kind, const Value& value);

}  // namespace plumbline
