// Pass (a), alias removal: views become copies, and writes reach every alias.
#include <algorithm>

#include "reference/functionalize/storage.h"
#include "reference/memory.h"
#include "reference/raise.h"
#include "spec/ops/op_ids.h"
#include "spec/vocabulary/call_slots.h"

namespace plumbline::reference::functionalize {
namespace {

/// The view op of an in-place view op.
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
/// Whether it replaces all elements, whatever they were.
bool overwrites(OpId id) {
  return op(id).kind == OpKind::Out || id == OpId::copy_ || id == OpId::fill__Scalar || id == OpId::zero_;
}
/// Whether it writes the same value to elements that share a place.
bool writes_one_value(OpId id) { return id == OpId::fill__Scalar || id == OpId::zero_; }

}  // namespace

Program AliasRemoval::run() {
  add_outside();
  for (const Step& one : body_.steps) {
    writer_.set_line(one.line);
    step(one);
  }
  writer_.set_line(0);
  results();
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

/// The arguments, with tensors replaced by their current values. `all`: the written tensor is read too.
std::vector<plumbline::Value> AliasRemoval::values_of(const Step& step, bool all) {
  const int written = written_argument(op(step.call.op));
  auto arguments = step.call.arguments;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const bool unread = static_cast<int>(i) == written && !all;
    each_slot_of(arguments[i], [&](Slot& slot) { slot = unread ? tensor(slot).value : read(slot); });
  }
  return arguments;
}

/// From here on the variable is `value`, viewed as `seen` in new memory.
void AliasRemoval::bind_to_memory(Slot variable, Slot flat, const Facts& seen, Slot value) {
  FunctionalTensor made = owning(flat, {writer_.value(flat).sizes, {1}, 0, seen.dtype, -1}, name(variable));
  storage(made).flat = true;
  made.of_memory = true;
  made.seen = made.facts = seen;
  made.value = value;
  tensor(variable) = std::move(made);
}

/// as_strided_copy and as_strided_scatter address the memory of their first argument, which its value does not have.
void AliasRemoval::strided(const Step& step) {
  const bool copies = step.call.op == OpId::as_strided_copy;
  const auto& given = step.call.arguments;
  const std::size_t sizes = copies ? 1 : 2;
  const Slot source = std::get<Slot>(given[0]);
  const std::string& stem = name(step.call.results[0]);
  const Slot value = read(source);
  FunctionalStorage& of = storage(tensor(source));
  apply_updates(tensor(source).storage);
  const Facts self = tensor(source).facts;
  const Facts& made = step.facts[0];
  // if the first argument has repeated elements, the result is dense
  const bool dense = !copies && (made.strides != self.strides || made.offset != self.offset);
  Facts seen = dense ? made : self;
  seen.sizes = std::get<Sizes>(given[sizes]);
  seen.strides = std::get<Sizes>(given[sizes + 1]);
  if (const auto* offset = std::get_if<std::int64_t>(&given[sizes + 2])) seen.offset = *offset;
  const auto filled = dense ? memory_of(made, element_count(made.sizes)) : std::nullopt;
  Slot flat = filled ? flattened(writer_, *filled, value, stem) : memory_as(of, self.dtype);
  if (!copies) flat = into_memory(writer_, flat, seen, read(std::get<Slot>(given[1])), stem);
  const Slot result = from_memory(writer_, flat, copies ? seen : made, stem);
  if (copies)
    tensor(step.call.results[0]) = owning(result, made, stem);
  else
    bind_to_memory(step.call.results[0], flat, made, result);
}

/// As the passes make their own views: without elements the strides do not matter.
void AliasRemoval::seen_in_dtype(const Step& step) {
  const Slot source = std::get<Slot>(step.call.arguments[0]), variable = step.call.results[0];
  const Link link{OpId::view_dtype, {step.call.arguments[1]}, tensor(source).facts, step.facts[0]};
  const Slot made = forward(writer_, link, read(source), name(variable));
  tensor(variable) = owning(made, step.facts[0], name(variable));
}

/// Whether the result of a *_scatter has memory besides its elements: it copies the whole storage of its first
/// argument.
bool AliasRemoval::scatters_in_memory(const Step& step) {
  if (step.call.op != OpId::slice_scatter && step.call.op != OpId::select_scatter &&
      step.call.op != OpId::diagonal_scatter)
    return false;
  const FunctionalTensor& self = tensor(std::get<Slot>(step.call.arguments[0]));
  if (step.facts[0].strides != self.facts.strides || step.facts[0].offset != self.facts.offset) return false;
  const FunctionalStorage& of = storage(self);
  return !memory_of(self.facts, of.elements * item_size(of.facts.dtype) / item_size(self.facts.dtype));
}

void AliasRemoval::scattered(const Step& step) {
  const Slot source = std::get<Slot>(step.call.arguments[0]);
  const std::string& stem = name(step.call.results[0]);
  const Facts self = tensor(source).facts;
  if (!is_dense(self.sizes, self.strides) && repeats_places(geometry_of(self.sizes, self.strides)))
    throw ReferenceLimit(
        text(qualified_name(op(step.call.op)), " of a tensor with repeated elements (the result is unspecified)"));
  FunctionalStorage& of = storage(tensor(source));
  const Slot value = writer_.call(step.call.op, values_of(step, true), stem, {self.sizes, self.dtype, false});
  apply_updates(tensor(source).storage);
  const Slot flat = into_memory(writer_, memory_as(of, self.dtype), self, value, stem);
  bind_to_memory(step.call.results[0], flat, step.facts[0], value);
}

void AliasRemoval::functional(const Step& step) {
  if (scatters_in_memory(step)) return scattered(step);
  if (step.call.op == OpId::as_strided_copy || step.call.op == OpId::as_strided_scatter) return strided(step);
  if (step.call.op == OpId::view_copy_dtype) return seen_in_dtype(step);
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
  if (step.call.results == std::vector<Slot>{source}) return;  // view(dtype) with the tensor's own dtype
  const Facts& from = tensor(source).facts;
  const Slot value = read(source);
  if (step.call.op == OpId::as_strided) {
    check_strided(step, source);
    Facts seen = step.facts[0];
    seen.offset = strided_offset<Concrete>(judge_, seen.offset, from.offset).v;
    FunctionalTensor made = tensor(source);
    begin_at_memory(made, seen, name(step.call.results[0]));
    made.outside = false;
    tensor(step.call.results[0]) = std::move(made);
    return;
  }
  std::vector<Link> links = links_of(judge_, step, from, value);
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
    const bool whole = step.call.op == OpId::alias || step.call.op == OpId::detach;
    machine::make_view(world(), source, variable, std::make_shared<const Link>(std::move(links[i])), values[i],
                       {.composite = step.composite, .whole = whole});
  }
}

/// From here on the tensor is the memory, viewed as `seen`.
void AliasRemoval::begin_at_memory(FunctionalTensor& tensor, const Facts& seen, const std::string& stem) {
  FunctionalStorage& of = storage(tensor);
  apply_updates(tensor.storage);
  tensor.chain.clear();
  tensor.of_memory = true;
  tensor.facts = tensor.seen = seen;
  tensor.value = from_memory(writer_, memory_as(of, seen.dtype), seen, stem);
  tensor.generation = of.generation;
}

/// A body may only read a tensor that it captures; `does`: what the step does to it.
void AliasRemoval::check_captured(const Step& step, std::string_view does, Slot variable) const {
  const FunctionalTensor& one = tensors_[static_cast<std::size_t>(variable)];
  if (one.outside && is_refused(is_captured(one)))
    throw NotFunctional(FUN_26, step.line,
                        text(qualified_name(op(step.call.op)), " ", does, " '", name(variable),
                             "', which the body captures and does not take as an input"));
}

bool AliasRemoval::is_refused(bool captured) const {
  return captured && static_cast<ErrorClass>(check_captured_write<Concrete>(judge_, true).v) != ErrorClass::none;
}

/// Whether the caller has its memory, and no input has it.
bool AliasRemoval::is_captured(const FunctionalTensor& one) const {
  const auto is_input = [&](Slot slot) { return std::ranges::find(body_.inputs, slot) != body_.inputs.end(); };
  const auto& owners = storages_[static_cast<std::size_t>(one.storage)].owners;
  return !owners.empty() && std::ranges::none_of(owners, is_input);
}

void AliasRemoval::check_strided(const Step& step, Slot variable) const {
  if (!is_captured(tensors_[static_cast<std::size_t>(variable)]) && refuses_as_strided(judge_))
    throw NotFunctional(
        FUN_15, step.line,
        text(op(step.call.op).name, " of '", name(variable), "' has no inverse, so it is not supported"));
}

void AliasRemoval::check_written(const Step& step, Slot variable) const {
  const FunctionalTensor& one = tensors_[static_cast<std::size_t>(variable)];
  if (one.root) check_captured(step, "writes the memory of", *one.root);
  const Facts& facts = step.facts.empty() ? one.facts : step.facts[0];
  if (!writes_one_value(step.call.op) && !is_dense(facts.sizes, facts.strides) &&
      repeats_places(geometry_of(facts.sizes, facts.strides, facts.offset)))
    throw ReferenceLimit(
        text(qualified_name(op(step.call.op)), " of a tensor with repeated elements (the result is unspecified)"));
}

void AliasRemoval::write(const Step& step) {
  const auto place = static_cast<std::size_t>(written_argument(op(step.call.op)));
  const Slot variable = std::get<Slot>(step.call.arguments.at(place));
  check_written(step, variable);
  Call call{step.call.op, values_of(step, !overwrites(step.call.op)), {}};
  if (const bool fits = step.facts.at(0).sizes == tensor(variable).facts.sizes;
      out_is_resized<Concrete>(judge_, fits).v)
    resize(step, variable);
  FunctionalTensor& one = tensor(variable);
  if (one.of_memory && one.outside && one.value == variable) one.value = through_chain(variable);
  call.arguments[place] = one.value;
  writer_.add(std::move(call));
  machine::after_functional_write(world(), variable);
}

void AliasRemoval::relayout(const Step& step) {
  const Slot variable = std::get<Slot>(step.call.arguments.at(0));
  check_captured(step, "changes", step.call.op == OpId::resize_ ? tensor(variable).root.value_or(variable) : variable);
  if (step.call.op == OpId::set__source_Tensor) return take_storage(step, variable);
  if (tensor(variable).outside && step.call.op != OpId::resize_)
    layouts_.emplace_back(variable, Call{step.call.op, step.call.arguments, {}});
  if (step.call.op == OpId::detach_) return;
  if (step.call.op == OpId::resize_) return resize(step, variable);
  const Slot value = read(variable);
  std::shared_ptr<const Link> link;  // nothing for as_strided_, whose chain begins again at the memory
  Slot changed{};
  if (const auto link_view = view_of_layout_change(step.call.op)) {
    Step as_view = step;
    as_view.call.op = *link_view;
    link = std::make_shared<const Link>(links_of(judge_, as_view, tensor(variable).facts, value).at(0));
    changed = forward(writer_, *link, value, name(variable));
  } else {
    check_strided(step, variable);
    FunctionalTensor seen = tensor(variable);
    begin_at_memory(seen, step.facts.at(0), name(variable));
    changed = seen.value;
  }
  tensor(variable).facts = step.facts.at(0);
  machine::change_layout(world(), variable, link, changed);
}

/// From here on the tensor is an alias of the source. If it is an input, the epilogue sets it to the source.
void AliasRemoval::take_storage(const Step& step, Slot variable) {
  const Slot source = std::get<Slot>(step.call.arguments.at(1));
  if (source == variable) return;
  Step as_alias = step;
  as_alias.call = {OpId::alias, {source}, {variable}};
  const bool outside = tensor(variable).outside || is_moved(variable);
  const Slot value = read(source);
  const Link link = links_of(judge_, as_alias, tensor(source).facts, value).at(0);
  machine::take_functional_storage(world(), variable, source, std::make_shared<const Link>(link),
                                   forward(writer_, link, value, name(variable)));
  if (!outside || is_moved(variable)) return;
  moved_.push_back(variable);
  std::erase_if(layouts_, [&](const auto& layout) { return layout.first == variable; });
}

/// New sizes within the memory are a view of it; beyond it, the memory grows.
void AliasRemoval::resize(const Step& step, Slot variable) {
  const Facts& facts = step.facts.at(0);
  if (step.call.op == OpId::resize_ && !std::holds_alternative<None>(step.call.arguments.at(2)))
    throw ReferenceLimit("resize_ with a memory format in a functionalized body");
  if (facts == tensor(variable).facts) return;
  if (tensor(variable).outside) {
    Call call{OpId::as_strided_, {variable, facts.sizes, facts.strides, facts.offset}, {}};
    layouts_.emplace_back(variable, std::move(call));
  }
  const std::int32_t number = tensor(variable).storage;
  apply_updates(number);
  const std::int64_t count = element_count(facts.sizes);
  const std::int64_t bytes = count == 0 ? 0 : (facts.offset + count) * item_size(facts.dtype);
  flatten(number);
  FunctionalStorage& memory = storages_[static_cast<std::size_t>(number)];
  const Dtype dtype = memory.facts.dtype;
  if (const std::int64_t needed = (bytes + item_size(dtype) - 1) / item_size(dtype); needed > memory.elements) {
    if (step.call.op == OpId::resize_ && refuses_longer_storage(judge_))
      throw NotFunctional(FUN_31, step.line,
                          text("resize_ makes the storage of '", name(variable), "' longer, which is not supported"));
    if (dtype != facts.dtype) throw ReferenceLimit("memory that grows through a view in another dtype");
    machine::grow_memory(world(), Num<Concrete>(number), Num<Concrete>(needed));
  }
  begin_at_memory(tensor(variable), facts, name(variable));
}

Program remove_aliases(const Judge& judge, const Body& body) { return AliasRemoval(judge, body).run(); }

}  // namespace plumbline::reference::functionalize
