// Registers operators and kernels by the rules, and removes them.
#include "reference/dispatcher/registry.h"

#include "reference/dispatcher/shipped.h"
#include "reference/raise.h"
#include "spec/rules/dsp_entry.h"
#include "spec/vocabulary/error_texts.h"

namespace plumbline::reference {

RegistrationKey Registry::key_of(const Judge& judge, const std::string& name) const {
  const auto key = registration_key_named(*layout_, name);
  const bool named =
      key &&
      (key->alias ||
       can_be_named<Concrete>(judge, place_of(*layout_, key->key), Bool<Concrete>(parses(*layout_, key->key))).v);
  if (!named) raise_class(ErrorClass::unknown_key, {name});
  return *key;
}

Operator& Registry::made(const Judge& judge, const std::string& name) {
  const auto [at, added] = operators_.try_emplace(name, *layout_);
  if (added) at->second.table.fill(judge, at->second.registrations(), fallbacks_);
  return at->second;
}
const Operator* Registry::defined(const std::string& name) const {
  const auto found = operators_.find(name);
  return found == operators_.end() || !found->second.schema ? nullptr : &found->second;
}
void Registry::drop_unused(const std::string& name) {
  const auto found = operators_.find(name);
  if (found != operators_.end() && !found->second.schema && found->second.registrations().empty())
    operators_.erase(found);
}

bool Registry::answer(const Judge& judge, const QueryKernel& query) const {
  if (query.what == QueryKernel::What::has_kernel) key_of(judge, query.key);  // this function of Python reads it first
  const auto known = operators_.find(query.op);
  if (known == operators_.end()) raise(ErrorClass::unknown_operator, "operator " + query.op + " does not exist");
  const Operator& op = known->second;
  const RegistrationKey key = key_of(judge, query.key);
  const auto found = op.registrations().find(key);
  const bool has = found != op.registrations().end();
  switch (query.what) {
    case QueryKernel::What::has_kernel:
      return has;
    case QueryKernel::What::has_computed:
      if (key.alias) raise_class(ErrorClass::alias_query);
      return op.table.at(key.key).source != EntrySource::missing;
    case QueryKernel::What::falls_through:
      break;
  }
  if (!has)
    raise(ErrorClass::no_kernel, message_beginning(ErrorClass::no_kernel, "no kernel for", {query.key, query.op}));
  const auto count = static_cast<std::int64_t>(found->second.size());
  return found->second[static_cast<std::size_t>(used_kernel<Concrete>(judge, count).v)] == kFallthrough;
}

bool Registry::is_stale(const Judge& judge, const Operator& op) const {
  DispatchTable right(*layout_);
  right.fill(judge, op.registrations(), fallbacks_);
  return right.entries() != op.table.entries();
}

void Registry::make(const MakeLibrary& make) {
  if (make.kind == MakeLibrary::Kind::DEF)
    for (const auto& [name, other] : libraries_)
      if (other.kind == MakeLibrary::Kind::DEF && other.space == make.space)
        raise(ErrorClass::defined_twice, message_beginning(ErrorClass::defined_twice, "Only a single", {make.space}));
  libraries_.insert_or_assign(make.library, OpenLibrary{make.kind, make.space, {}, {}});
}

void Registry::define(const Judge& judge, const std::string& library, const std::string& op, int schema,
                      const std::string& twice) {
  OpenLibrary& into = this->library(library);
  if (into.kind == MakeLibrary::Kind::IMPL)
    raise(ErrorClass::library_kind, "Cannot define an operator inside of a TORCH_LIBRARY_IMPL block");
  const std::string name = into.space + "::" + op;
  const auto found = operators_.find(name);
  if (found != operators_.end() && found->second.schema) raise(ErrorClass::defined_twice, twice);
  made(judge, name).schema = schema;
  into.defined.push_back(name);
}

void Registry::add(const Judge& judge, const std::string& library, const std::string& op, const std::string& key,
                   KernelId kernel) {
  OpenLibrary& into = this->library(library);
  const RegistrationKey at = key_of(judge, key);
  const std::string name = into.space + "::" + op;
  Operator& gets = made(judge, name);
  gets.add(at, kernel, ++serial_);
  gets.table.update(judge, gets.registrations(), fallbacks_, at);
  into.registered.push_back({name, at, serial_});
}

void Registry::add_fallback(const Judge& judge, const std::string& library, const std::string& key, KernelId kernel) {
  OpenLibrary& into = this->library(library);
  if (into.space != "_")
    raise(
        ErrorClass::library_kind,
        "Fallback can only be registered using library fragment on the global namespace \"_\" but it is " + into.space);
  const RegistrationKey at = key_of(judge, key);
  if (at.alias) throw ReferenceLimit("a fallback for an alias key");
  KernelId& place = fallbacks_[static_cast<std::size_t>(index_of(*layout_, at.key))];
  if (place != kNoKernel)
    raise(ErrorClass::fallback_twice, "Tried to register multiple backend fallbacks for the same dispatch key " + key +
                                          "; previous registration …, new registration …");
  place = kernel;
  into.registered.push_back({"", at});
  for (auto& [name, op] : operators_) op.table.update(judge, op.registrations(), fallbacks_, at);
}

void Registry::drop(const Judge& judge, const std::string& name) {
  const OpenLibrary ended = library(name);
  libraries_.erase(name);
  const bool goes = follows_departure<Concrete>(judge).v;
  for (const Registration& one : ended.registered) {
    if (one.op.empty()) {
      fallbacks_[static_cast<std::size_t>(index_of(*layout_, one.key->key))] = kNoKernel;
      for (auto& [other, op] : operators_)
        if (goes) op.table.update(judge, op.registrations(), fallbacks_, *one.key);
      continue;
    }
    Operator& op = operators_.at(one.op);
    op.remove(*one.key, one.serial);
    if (goes) op.table.update(judge, op.registrations(), fallbacks_, *one.key);
  }
  for (const std::string& defined : ended.defined) operators_.at(defined).schema.reset();
  for (const Registration& one : ended.registered) drop_unused(one.op);
  for (const std::string& defined : ended.defined) drop_unused(defined);
}

}  // namespace plumbline::reference
