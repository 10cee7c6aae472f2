// Writing scripts in C++, statement by statement, and looking up results in their traces.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "spec/vocabulary/observation.h"

namespace plumbline {

/// Writes a script line by line; slots are numbers.
struct Writer {
  Script script;

  explicit Writer(int slots) {
    for (int i = 0; i < slots; ++i) script.names.push_back("x" + std::to_string(i));
  }
  std::size_t add(StatementKind kind) {
    script.statements.push_back({std::move(kind), 0});
    return script.statements.size() - 1;
  }
  std::size_t call(const char* name, const char* overload, std::vector<Value> arguments, std::vector<Slot> results) {
    return add(Call{*find_op(name, overload), std::move(arguments), std::move(results)});
  }
  std::size_t ones(int slot, std::vector<std::int64_t> sizes, bool requires_grad = false, Value dtype = None{}) {
    return add(Call{*find_op("ones", ""),
                    {std::move(sizes), std::move(dtype), None{}, None{}, None{}},
                    {Slot{slot}},
                    requires_grad});
  }
  std::size_t add_one(int slot) { return call("add_", "Tensor", {Slot{slot}, one, one}, {}); }
  std::size_t read(int slot, Field field) { return add(Read{Slot{slot}, field}); }

  const std::int64_t one = 1;
};

inline const Outcome& at(const Trace& trace, std::size_t statement) {
  for (const Outcome& o : trace.outcomes)
    if (o.statement == statement) return o;
  throw std::runtime_error("no outcome of statement " + std::to_string(statement));
}
template <class T>
T reading(const Trace& trace, std::size_t statement) {
  return std::get<T>(at(trace, statement).reading);
}
inline const Reading& field(const Outcome& snapshot, int slot, Field f) {
  for (const TensorReading& t : snapshot.tensors)
    if (t.tensor == Slot{slot}) return t.fields[static_cast<std::size_t>(f)];
  throw std::runtime_error("the slot is not in the snapshot");
}

}  // namespace plumbline
