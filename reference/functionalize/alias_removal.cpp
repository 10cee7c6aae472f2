// Pass (a): views become copies, and writes reach every alias.
#include <algorithm>

#include "reference/functionalize/storage.h"
#include "reference/memory.h"
#include "reference/raise.h"
#include "spec/op_ids.h"

namespace plumbline::reference::functionalize {
namespace {

/// The view op that an op which is a view and a mutation is, besides.
std::optional<OpId> view_of_layout_change(OpId id) {
  switch (id) {
    case OpId::transpose_:
      return OpId::transpose_int;
    case OpId::t_:
      return OpId::t;
    case OpId::squeeze_:
      return OpId::squeeze;
    case OpId::squeeze__dim:
      return OpId::squeeze_dim;
    case OpId::unsqueeze_:
      return OpId::unsqueeze;
    default:
      return std::nullopt;
  }
}

bool is_view(OpId id) {
  return op(id).kind == OpKind::View || id == OpId::_unsafe_view || id == OpId::unsafe_split_Tensor;
}
/// Whether it takes the place of all elements, whatever they were.
bool overwrites(OpId id) {
  return op(id).kind == OpKind::Out || id == OpId::copy_ || id == OpId::fill__Scalar || id == OpId::zero_;
}
/// Whether it writes the same into elements that are one.
bool writes_one_value(OpId id) { return id == OpId::fill__Scalar || id == OpId::zero_; }

}  // namespace

Program AliasRemoval::run() {
  add_outside();
  for (const Step& one : body_.steps) {
    writer_.set_line(one.line);
    step(one);
  }
  writer_.set_line(0);
  epilogue();
  remove_unused(program_);
  return std::move(program_);
}

void AliasRemoval::step(const Step& one) {
  if (one.made) {
    const Slot variable = one.made->result;
    MakeTensor made = *one.made;
    made.result = writer_.fresh(name(variable), {one.facts[0].sizes, one.facts[0].dtype, true});
    program_.core.push_back({made, one.line});
    tensor(variable) = owning(made.result, one.facts[0], name(variable));
    return;
  }
  if (is_view(one.call.op)) return view(one);
  switch (op(one.call.op).kind) {
    case OpKind::Inplace:
    case OpKind::Out:
      return write(one);
    case OpKind::InplaceView:
      return relayout(one);
    default:
      return functional(one);
  }
}

/// The arguments, in which tensors are their values as of now. `all`: what is written is read too.
std::vector<plumbline::Value> AliasRemoval::values_of(const Step& step, bool all) {
  const int written = written_argument(op(step.call.op));
  auto arguments = step.call.arguments;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (auto* slot = std::get_if<Slot>(&arguments[i]))
      *slot = static_cast<int>(i) == written && !all ? tensor(*slot).value : read(*slot);
    if (auto* slots = std::get_if<std::vector<Slot>>(&arguments[i]))
      for (Slot& slot : *slots) slot = read(slot);
  }
  return arguments;
}

void AliasRemoval::functional(const Step& step) {
  Call call{step.call.op, values_of(step, true), {}, step.call.requires_grad};
  for (std::size_t i = 0; i < step.call.results.size(); ++i) {
    const Slot variable = step.call.results[i];
    const Slot made = writer_.fresh(
        name(variable), {step.facts[i].sizes, step.facts[i].dtype, writer_.gives_row_major(call, step.facts[i].sizes)});
    call.results.push_back(made);
    tensor(variable) = owning(made, step.facts[i], name(variable));
  }
  writer_.add(std::move(call));
}

void AliasRemoval::view(const Step& step) {
  const Slot source = std::get<Slot>(step.call.arguments.at(0));
  if (step.call.results == std::vector<Slot>{source}) return;  // view(dtype) in the dtype that it has
  const Facts from = tensor(source).facts;
  const Slot value = read(source);
  const bool own = !follows(judge_, FUN_01) || (step.composite && !follows(judge_, FUN_19)) ||
                   ((step.call.op == OpId::alias || step.call.op == OpId::detach) && !follows(judge_, FUN_17));
  if (step.call.op == OpId::as_strided) {
    Facts seen = step.facts[0];
    seen.offset = strided_offset<Concrete>(judge_, seen.offset, from.offset).v;
    FunctionalTensor made = tensor(source);
    FunctionalStorage& of = storage(made);
    apply_updates(of);
    made.chain.clear();
    made.of_memory = true;
    made.facts = made.seen = seen;
    made.value = from_memory(writer_, memory_as(of, seen.dtype), seen, name(step.call.results[0]));
    made.generation = of.generation;
    made.outside = false;
    tensor(step.call.results[0]) = std::move(made);
    return;
  }
  const std::vector<Link> links = links_of(judge_, step, from, value);
  std::vector<Slot> values;
  for (std::size_t i = 0; i < links.size(); ++i)
    values.push_back(op(step.call.op).many_results
                         ? writer_.fresh(name(step.call.results[i]), {links[i].to.sizes, links[i].to.dtype, true})
                         : forward(writer_, links[i], value, name(step.call.results[i])));
  if (op(step.call.op).many_results) {
    const OpId whole = step.call.op == OpId::unsafe_split_Tensor ? OpId::split_Tensor : step.call.op;
    Call call{*copy_of_view(whole), step.call.arguments, values};
    call.arguments[0] = value;
    writer_.add(std::move(call));
  }
  for (std::size_t i = 0; i < links.size(); ++i) {
    const Slot variable = step.call.results[i];
    if (own) {
      tensor(variable) = owning(values[i], step.facts[i], name(variable));
      continue;
    }
    FunctionalTensor made = tensor(source);
    made.chain.push_back(links[i]);
    made.value = values[i];
    made.facts = step.facts[i];
    made.outside = false;
    tensor(variable) = std::move(made);
  }
}

void AliasRemoval::check_written(const Step& step, Slot variable) const {
  const FunctionalTensor& one = tensors_[static_cast<std::size_t>(variable)];
  const auto is_captured = [&](Slot slot) { return std::ranges::find(body_.captured, slot) != body_.captured.end(); };
  if (one.root && is_captured(*one.root) && follows(judge_, FUN_26))
    throw NotFunctional(FUN_26, step.line,
                        text(qualified_name(op(step.call.op)), " writes the memory of '", name(*one.root),
                             "', which the body captures and is not given"));
  const Facts& facts = step.facts.empty() ? one.facts : step.facts[0];
  if (!writes_one_value(step.call.op) && repeats_places(geometry_of(facts.sizes, facts.strides, facts.offset)))
    throw ReferenceLimit(text(qualified_name(op(step.call.op)),
                              " writes a tensor that has elements twice: what it then holds is not specified"));
}

void AliasRemoval::write(const Step& step) {
  const auto place = static_cast<std::size_t>(written_argument(op(step.call.op)));
  const Slot variable = std::get<Slot>(step.call.arguments.at(place));
  check_written(step, variable);
  Call call{step.call.op, values_of(step, !overwrites(step.call.op)), {}};
  if (step.facts.at(0).sizes != tensor(variable).facts.sizes && follows(judge_, FUN_32))
    resize(step, variable, step.facts[0]);
  FunctionalTensor& one = tensor(variable);
  if (one.of_memory && one.outside && one.value == variable) one.value = regenerated(one);
  call.arguments[place] = one.value;
  writer_.add(std::move(call));
  wrote(variable);
}

void AliasRemoval::relayout(const Step& step) {
  const Slot variable = std::get<Slot>(step.call.arguments.at(0));
  const Slot changed = step.call.op == OpId::resize_ ? tensor(variable).root.value_or(variable) : variable;
  const bool captured = std::ranges::find(body_.captured, changed) != body_.captured.end();
  if (captured && follows(judge_, FUN_26))
    throw NotFunctional(FUN_26, step.line,
                        text(qualified_name(op(step.call.op)), " changes '", name(variable),
                             "', which the body captures and is not given"));
  if (step.call.op == OpId::set__source_Tensor)
    throw ReferenceLimit("set_ in a functionalized body: a tensor would change its storage");
  if (tensor(variable).outside && step.call.op != OpId::resize_)
    layouts_.push_back({variable, Statement{step.call, step.line}});
  if (step.call.op == OpId::detach_) return;
  if (step.call.op == OpId::resize_) return resize(step, variable, step.facts.at(0));
  const Slot value = read(variable);
  const auto link_view = view_of_layout_change(step.call.op);
  if (!link_view) {  // as_strided_
    FunctionalTensor& one = tensor(variable);
    FunctionalStorage& of = storage(one);
    apply_updates(of);
    Facts seen = step.facts.at(0);
    const Slot flat = memory_as(of, seen.dtype);
    one.value = from_memory(writer_, flat, seen, name(variable));
    if (follows(judge_, FUN_18)) {
      one.chain.clear();
      one.of_memory = true;
      one.seen = seen;
    }
    one.facts = std::move(seen);
    one.generation = of.generation;
    return;
  }
  Step as_view = step;
  as_view.call.op = *link_view;
  const Link link = links_of(judge_, as_view, tensor(variable).facts, value).at(0);
  FunctionalTensor& one = tensor(variable);
  one.value = forward(writer_, link, value, name(variable));
  if (follows(judge_, FUN_18)) one.chain.push_back(link);
  one.facts = step.facts[0];
}

/// Within the memory that there is, new sizes are a view of it; beyond, the memory grows.
void AliasRemoval::resize(const Step& step, Slot variable, const Facts& facts) {
  if (facts == tensor(variable).facts) return;
  if (tensor(variable).outside) {
    Call call{OpId::as_strided_, {variable, facts.sizes, facts.strides, facts.offset}, {}};
    layouts_.emplace_back(variable, Statement{std::move(call), step.line});
  }
  const std::int32_t number = tensor(variable).storage;
  apply_updates(storages_[static_cast<std::size_t>(number)]);
  const std::int64_t count = element_count(facts.sizes);
  const std::int64_t bytes = count == 0 ? 0 : (facts.offset + count) * item_size(facts.dtype);
  flatten(number);
  FunctionalStorage& memory = storages_[static_cast<std::size_t>(number)];
  const Dtype dtype = memory.facts.dtype;
  if (const std::int64_t needed = (bytes + item_size(dtype) - 1) / item_size(dtype); needed > memory.elements) {
    if (dtype != facts.dtype) throw ReferenceLimit("memory that grows through a view in another dtype");
    const Sizes more{needed - memory.elements};
    const Slot behind = writer_.call(OpId::empty_memory_format, {more, dtype, None{}, None{}, None{}, None{}},
                                     memory.stem, {more, dtype, true});
    const Slot kept = follows(judge_, FUN_31)
                          ? memory.base
                          : writer_.call(OpId::zeros_like, {memory.base, None{}, None{}, None{}, None{}, None{}},
                                         memory.stem, writer_.value(memory.base));
    memory.elements = needed;
    memory.facts.sizes = {needed};
    memory.base = writer_.call(OpId::cat, {std::vector<Slot>{kept, behind}, std::int64_t{0}}, memory.stem,
                               {{needed}, dtype, true});
    ++memory.generation;
  }
  FunctionalTensor& one = tensor(variable);
  one.chain.clear();
  one.of_memory = true;
  one.facts = one.seen = facts;
  one.value = regenerated(one);
  one.generation = memory.generation;
}

Program remove_aliases(const Judge& judge, const Body& body) { return AliasRemoval(judge, body).run(); }

}  // namespace plumbline::reference::functionalize
