// Raising what a script registers: libraries, the schemas of operators, and their kernels.
#include <fmt/format.h>

#include <utility>

#include "language/observe.h"
#include "language/raiser.h"
#include "language/refusal.h"
#include "spec/vocabulary/schema.h"

namespace plumbline::program {
namespace {

Expression text(std::string words) { return {std::move(words), {}}; }

std::string python_name_or(const std::string& name, const char* otherwise) {
  return is_python_name(name) ? name : otherwise;
}

}  // namespace

LibraryWriter::LibraryWriter(const Script& script, const std::function<std::string(const std::string&)>& fresh)
    : script_(script) {
  for (const Statement& statement : script.statements)
    if (const auto* make = std::get_if<MakeLibrary>(&statement.kind);
        make != nullptr && !libraries_.contains(make->library))
      libraries_[make->library] = {fresh(python_name_or(make->library, "lib")), make->space};
  for (const Statement& statement : script.statements) {
    const auto* of_operator = std::get_if<AddKernel>(&statement.kind);
    const auto* fallback = std::get_if<AddFallback>(&statement.kind);
    if (of_operator != nullptr && of_operator->kernel) of_operators_.emplace(*of_operator->kernel, of_operator->op);
    if (fallback != nullptr && fallback->kernel) fallbacks_.insert(*fallback->kernel);
  }
  for (const CustomKernel& kernel : script.kernels) kernels_.push_back(fresh(python_name_or(kernel.name, "kernel")));
}

const LibraryWriter::Library& LibraryWriter::library(const std::string& name, std::size_t at) const {
  const auto found = libraries_.find(name);
  if (found == libraries_.end()) cannot(at, fmt::format("no statement makes the library {}", name));
  return found->second;
}

const CustomOperator& LibraryWriter::operator_at(std::int32_t op, std::size_t at) const {
  const auto number = static_cast<std::size_t>(op);
  if (number >= script_.operators.size()) cannot(at, "its operator is missing");
  return script_.operators[number];
}

const CustomKernel& LibraryWriter::kernel(std::int32_t number, std::size_t at) const {
  if (static_cast<std::size_t>(number) >= script_.kernels.size()) cannot(at, "its kernel is missing");
  return script_.kernels[static_cast<std::size_t>(number)];
}

KernelNumbers LibraryWriter::numbers_of(std::int32_t number, std::size_t at) const {
  const std::vector<Slot>& parameters = kernel(number, at).parameters;
  const auto first = of_operators_.find(number);
  if (first == of_operators_.end()) return {};
  const std::vector<SchemaValue>& arguments = operator_at(first->second, at).arguments;
  KernelNumbers numbers;
  for (std::size_t i = 0; i < parameters.size() && i < arguments.size(); ++i)
    if (is_number(arguments[i].kind)) numbers.emplace(parameters[i], arguments[i].kind);
  return numbers;
}

bool LibraryWriter::is_fallback(std::int32_t number, std::size_t at) const {
  const bool fallback = fallbacks_.contains(number);
  if (fallback && of_operators_.contains(number))
    cannot(at, "its kernel is registered for an operator and as a fallback");
  return fallback;
}

std::string LibraryWriter::own_name(std::int32_t op, const Library& library, std::size_t at) const {
  const std::string& name = operator_at(op, at).name;
  if (space_of(name) != library.space)
    cannot(at, fmt::format("the operator {} is not of the library's namespace", name));
  return plumbline::own_name(name);
}

Assign LibraryWriter::line(const MakeLibrary& make, std::size_t at) const {
  const std::string kind(kLibraryKindNames[static_cast<std::size_t>(make.kind)]);
  return {{library(make.library, at).name}, false, call_of(std::string(kLibraryClass), {text(make.space), text(kind)})};
}

Assign LibraryWriter::line(const DefineOperator& define, std::size_t at) const {
  const Library& into = library(define.library, at);
  (void)own_name(define.op, into, at);
  return {{}, false, call_of(into.name + ".define", {text(schema_text(operator_at(define.op, at)))})};
}

Assign LibraryWriter::added(const std::string& method, Expressions before, const std::optional<std::int32_t>& number,
                            const std::string& key, std::size_t at) const {
  Expression function = dotted("torch.library.fallthrough_kernel");
  if (number) function = {Name{kernel_name(*number)}, {}};
  before.push_back(std::move(function));
  before.push_back(text(key));
  Expression call = call_of(method, std::move(before));
  if (number && kernel(*number, at).with_keyset)
    std::get<Invocation>(call.node).keywords.push_back({"with_keyset", {true, {}}});
  return {{}, false, std::move(call)};
}

Assign LibraryWriter::line(const AddKernel& add, std::size_t at) const {
  const Library& into = library(add.library, at);
  return added(into.name + ".impl", {text(own_name(add.op, into, at))}, add.kernel, add.key, at);
}

Assign LibraryWriter::line(const AddFallback& add, std::size_t at) const {
  return added(library(add.library, at).name + ".fallback", {}, add.kernel, add.key, at);
}

Assign LibraryWriter::line(const DropLibrary& drop, std::size_t at) const {
  return {{}, false, call_of(library(drop.library, at).name + "._destroy", {})};
}

}  // namespace plumbline::program
