// Raising the program's own operators: their libraries, schemas and kernels.
#include <map>
#include <memory>
#include <utility>

#include "language/observe.h"
#include "language/raiser.h"
#include "spec/vocabulary/schema.h"

namespace plumbline::program {
namespace {

Expression text(std::string words) { return {std::move(words), {}}; }

/// "mine" and "f" of "mine::f".
std::pair<std::string, std::string> parts(const std::string& name) {
  const std::size_t colons = name.find("::");
  if (colons == std::string::npos) cannot(0, "the operator " + name + " has no namespace");
  return {name.substr(0, colons), name.substr(colons + 2)};
}

}  // namespace

Block raised_operators(const Script& script, const std::function<std::string(const std::string&)>& fresh,
                       const std::function<Function(const CustomKernel&)>& kernel) {
  Block block;
  const auto add = [&](decltype(Line::node) node) { block.push_back(Line{std::move(node), {}, ""}); };
  std::map<std::string, std::string> libraries;
  for (const CustomOperator& op : script.operators) {
    const std::string space = parts(op.name).first;
    if (libraries.contains(space)) continue;
    const std::string lib = libraries.emplace(space, fresh("lib")).first->second;
    add(Assign{{lib}, false, call_of("torch.library.Library", {text(space), text("FRAGMENT")})});
  }
  for (const CustomOperator& op : script.operators)
    add(Assign{{}, false, call_of(libraries.at(parts(op.name).first) + ".define", {text(schema_text(op))})});
  for (const CustomOperator& op : script.operators)
    for (const CustomKernel& one : op.kernels) {
      const auto [space, name] = parts(op.name);
      Expression written = dotted("torch.library.fallthrough_kernel");
      if (!one.falls_through) {
        Function function = kernel(one);
        function.name = fresh(name + "_" + one.key);
        written = {Name{function.name}, {}};
        add(Define{std::make_shared<const Function>(std::move(function))});
      }
      Expression impl = call_of(libraries.at(space) + ".impl", {text(name), std::move(written), text(one.key)});
      if (one.with_keyset) std::get<Invocation>(impl.node).keywords.push_back({"with_keyset", {true, {}}});
      add(Assign{{}, false, std::move(impl)});
    }
  return block;
}

}  // namespace plumbline::program
