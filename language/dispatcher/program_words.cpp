// Which operators a program about the dispatcher has defined at a statement, and which arguments they take.
#include "language/dispatcher/program_words.h"

#include <algorithm>

namespace plumbline::dispatcher {

std::string call_name(const std::string& op) {
  const std::size_t colons = op.find("::");
  return "torch.ops." + op.substr(0, colons) + "." + op.substr(colons + 2);
}

std::optional<std::string_view> misfit(ProbeSchema schema, const std::vector<ProbeTensor>& tensors) {
  const auto nones = std::ranges::count(tensors, ProbeTensor::none);
  const auto fits = [](bool right, std::string_view takes) { return right ? std::nullopt : std::optional(takes); };
  switch (schema) {
    case ProbeSchema::tensor:
      return fits(tensors.size() == 1 && nones == 0, "one tensor");
    case ProbeSchema::two:
      return fits(tensors.size() == 2 && nones == 0, "two tensors");
    case ProbeSchema::optional:
      return fits(tensors.size() == 2 && tensors[0] != ProbeTensor::none, "a tensor, and a tensor or None");
    case ProbeSchema::list:
      return fits(nones == 0, "a list of tensors");
    case ProbeSchema::number:
      return fits(tensors.empty(), "the number 1");
    case ProbeSchema::malformed:
      break;
  }
  return std::nullopt;
}

bool Definitions::defines(const std::string& space) const {
  return std::ranges::any_of(libraries_, [&](const auto& entry) {
    return entry.second.space == space && entry.second.kind == MakeLibrary::Kind::DEF;
  });
}

void Definitions::run(const DispatchStatement& statement) {
  if (const auto* made = std::get_if<MakeLibrary>(&statement)) {
    if (made->kind == MakeLibrary::Kind::DEF && defines(made->space)) return;
    libraries_[made->library] = Opened{made->space, made->kind, {}};
  } else if (const auto* define = std::get_if<DefineOp>(&statement)) {
    const auto found = libraries_.find(define->library);
    const bool refused = found == libraries_.end() || found->second.kind == MakeLibrary::Kind::IMPL ||
                         define->schema == ProbeSchema::malformed;
    if (refused || schema(found->second.space + "::" + define->op)) return;
    found->second.ops.emplace(define->op, define->schema);
  } else if (const auto* drop = std::get_if<DropLibrary>(&statement)) {
    libraries_.erase(drop->library);
  }
}

std::optional<ProbeSchema> Definitions::schema(const std::string& op) const {
  for (const auto& [variable, library] : libraries_)
    for (const auto& [name, schema] : library.ops)
      if (library.space + "::" + name == op) return schema;
  return std::nullopt;
}

}  // namespace plumbline::dispatcher
