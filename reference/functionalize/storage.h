// Functional storages: the bases of a body's tensors, and the writes that are not applied yet.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reference/functionalize/functionalize.h"
#include "reference/functionalize/views.h"
#include "reference/memory.h"
#include "spec/machine/functional.h"

namespace plumbline::reference::functionalize {

/// A chain of views from the base. Links are shared: a view of a view has its source's links.
using Chain = std::vector<std::shared_ptr<const Link>>;

/// A write through a chain of views, which is not applied to the base yet.
struct Update {
  std::int32_t storage = -1;
  Slot written{};
  Chain chain;
  bool through_memory = false;
  Facts facts;
};

/// What aliases share: a base, which is a value, and the writes since it was made
/// [aten/src/ATen/FunctionalStorageImpl.h].
struct FunctionalStorage {
  Slot base{};
  std::string stem;           ///< for the names of bases
  Facts facts;                ///< the base's
  std::int64_t elements = 0;  ///< how many the eager storage holds
  bool flat = false;          ///< the base is the memory itself, as one dimension; otherwise a tensor that fills it
  std::int64_t generation = 0;
  std::vector<Update> waiting;
  std::vector<Slot> owners;   ///< inputs and captured tensors that have this memory
  std::optional<Slot> input;  ///< the first input of them
  std::int64_t had = 0;       ///< how many elements their memory held when the body began
};

/// A tensor of the body [aten/src/ATen/FunctionalTensorWrapper.h].
struct FunctionalTensor {
  std::int32_t storage = -1;
  Chain chain;             ///< from the base; if it begins at memory, a view of that comes first
  bool of_memory = false;  ///< the chain begins at the memory, viewed as `seen`
  Facts seen;
  Slot value{};
  std::int64_t generation = 0;
  Facts facts;
  std::optional<Slot> root;  ///< the input or captured tensor that it is or is a view of
  bool outside = false;      ///< it is an input or captured tensor itself
};

/// The tensors and storages of a body, as the world that spec/machine/functional.h runs on: what it computes, the
/// writer emits.
class FunctionalState {
 public:
  using Domain = Concrete;
  using Tensor = Slot;    ///< a variable of the body
  using Contents = Slot;  ///< a value of the program
  using Update = functionalize::Update;

  /// Of a body with so many variables.
  FunctionalState(const Judge& judge, std::size_t variables) : judge_(judge), writer_(program_), tensors_(variables) {}

  const Judge& judge() const { return judge_; }
  template <class Then>
  void when(const Bool<Concrete>& condition, const Then& then, Here here = Here::current()) {
    if (!machine::is_dropped(here) && machine::path_condition(condition, here).v) then();
  }
  Num<Concrete> storage_of(Slot t) const { return one(t).storage; }
  Num<Concrete> new_storage() const { return storages_.size(); }
  Num<Concrete> generation_of(Slot t) const { return one(t).generation; }
  void set_generation_of(Slot t, const Num<Concrete>& generation, Here here = Here::current()) {
    if (!machine::is_dropped(here)) tensor(t).generation = generation.v;
  }
  Slot value_of(Slot t) const { return one(t).value; }
  void set_value_of(Slot t, Slot value, Here here = Here::current()) {
    if (!machine::is_dropped(here)) tensor(t).value = value;
  }
  Num<Concrete> chain_length(Slot t) const { return static_cast<std::int64_t>(one(t).chain.size()); }
  Bool<Concrete> is_whole(Slot t) const { return one(t).chain.empty() && !one(t).of_memory; }
  Bool<Concrete> has_elements(Slot t) const { return element_count(one(t).facts.sizes) > 0; }
  Bool<Concrete> one_to_one(Slot t) const {
    return std::ranges::all_of(one(t).chain, [](const auto& link) { return link->one_to_one; });
  }
  /// Without a link, the chain begins again: at the memory, with the tensor's present sizes and strides.
  void lengthen_chain(Slot t, const std::shared_ptr<const Link>& link);
  Slot through_chain(Slot t);
  Slot base(const Num<Concrete>& storage) const { return numbered(storage).base; }
  void set_base(const Num<Concrete>& storage, Slot value, Here here = Here::current()) {
    if (!machine::is_dropped(here)) numbered(storage).base = value;
  }
  Num<Concrete> generation(const Num<Concrete>& storage) const { return numbered(storage).generation; }
  void set_generation(const Num<Concrete>& storage, const Num<Concrete>& now, Here here = Here::current()) {
    if (!machine::is_dropped(here)) numbered(storage).generation = now.v;
  }
  /// The memory with `elements`; `keeps(had)`: whether a place of the old memory, or another one, keeps its element.
  template <class Keeps>
  Slot longer_base(const Num<Concrete>& storage, const Num<Concrete>& elements, const Keeps& keeps) {
    return longer_memory(numbered(storage), elements.v, keeps(Bool<Concrete>(true)).v);
  }
  void bind_owner(Slot made, const std::shared_ptr<const Link>& link, Slot value);
  void bind_view(Slot made, Slot source, const std::shared_ptr<const Link>& link, Slot value);

  void add_update(Slot t, const Bool<Concrete>& places, Here here = Here::current());
  /// Calls `apply(update, newest)` for each update that waits, oldest first. After it none waits.
  template <class Apply>
  void each_waiting(const Num<Concrete>& storage, const Apply& apply) {
    const std::vector<Update> waiting = std::exchange(numbered(storage).waiting, {});
    for (std::size_t i = 0; i < waiting.size(); ++i) apply(waiting[i], Bool<Concrete>(i + 1 == waiting.size()));
  }
  /// The base after the update.
  Slot applied(const Num<Concrete>& storage, const Update& update);
  /// Copies the base into the memory of an input, in the epilogue.
  void copy_back(const Num<Concrete>& storage, Here here = Here::current());

  // What write_back asks; a link is a place in the update's chain.
  struct Place {
    const Update* update;
    std::size_t link;
    std::string_view stem;
  };
  std::size_t links(const Update& update) const { return update.chain.size(); }
  Slot written(const Update& update) const { return update.written; }
  Place link(const Update& update, std::size_t i) const { return {&update, i, numbered(update.storage).stem}; }
  /// It is not kept whether the base was written since.
  Bool<Concrete> may_be_old(const Place& /*link*/) const { return true; }
  /// The view's value; nothing if no inverse of the chain needs it.
  Slot view_of(const Place& link, Slot source);
  Slot view_when_made(const Place& link) const;
  Slot inverse(const Place& link, Slot source, Slot written);

 protected:
  FunctionalTensor& tensor(Slot variable) { return tensors_[static_cast<std::size_t>(variable)]; }
  FunctionalStorage& storage(const FunctionalTensor& tensor) {
    return storages_[static_cast<std::size_t>(tensor.storage)];
  }
  /// Makes a storage whose base is `value`, and the tensor for it.
  FunctionalTensor owning(Slot value, const Facts& facts, const std::string& stem);
  Slot memory(FunctionalStorage& storage);
  Slot memory_as(FunctionalStorage& storage, Dtype dtype);
  Slot seen_as(Slot flat, Dtype dtype, const std::string& stem);
  /// Makes the memory itself the base; every tensor of the storage then begins there.
  void flatten(std::int32_t storage);

  const Judge& judge_;
  Program program_;
  Writer writer_;
  std::vector<FunctionalStorage> storages_;
  std::vector<FunctionalTensor> tensors_;  ///< by variable

 private:
  const FunctionalTensor& one(Slot variable) const { return tensors_[static_cast<std::size_t>(variable)]; }
  FunctionalStorage& numbered(const Num<Concrete>& storage) { return storages_[static_cast<std::size_t>(storage.v)]; }
  const FunctionalStorage& numbered(const Num<Concrete>& storage) const {
    return storages_[static_cast<std::size_t>(storage.v)];
  }
  Slot longer_memory(FunctionalStorage& storage, std::int64_t elements, bool kept);
};
static_assert(machine::FunctionalWorld<FunctionalState>);

/// Pass (a), step by step.
class AliasRemoval : FunctionalState {
 public:
  AliasRemoval(const Judge& judge, const Body& body);
  Program run();

 private:
  // outside.cpp: the inputs and captured tensors
  void add_outside();
  void add_outside(const std::vector<Slot>& owners);

  FunctionalState& world() { return *this; }
  /// The tensor's current value.
  Slot read(Slot variable) { return machine::read(world(), variable); }
  void apply_updates(std::int32_t storage) { machine::sync(world(), storage); }

  // alias_removal.cpp: the steps
  void step(const Step& step);
  std::vector<plumbline::Value> values_of(const Step& step, bool all);
  void functional(const Step& step);
  void bind_to_memory(Slot variable, Slot flat, const Facts& seen, Slot value);
  void strided(const Step& step);
  void seen_in_dtype(const Step& step);
  bool scatters_in_memory(const Step& step);
  void scattered(const Step& step);
  void view(const Step& step);
  void write(const Step& step);
  void relayout(const Step& step);
  void resize(const Step& step, Slot variable);
  void take_storage(const Step& step, Slot variable);
  void begin_at_memory(FunctionalTensor& tensor, const Facts& seen, const std::string& stem);
  void check_captured(const Step& step, std::string_view does, Slot variable) const;
  void check_written(const Step& step, Slot variable) const;
  void check_strided(const Step& step, Slot variable) const;
  bool is_captured(const FunctionalTensor& one) const;
  bool is_refused(bool captured) const;
  const std::string& name(Slot variable) const { return body_.names[static_cast<std::size_t>(variable)]; }

  // epilogue.cpp
  bool keeps_layout(Slot variable) const;
  void replay_layouts(const FunctionalStorage& storage);
  void results();
  bool is_caller_s(Slot variable);
  bool is_moved(Slot variable) const { return std::ranges::find(moved_, variable) != moved_.end(); }
  std::vector<std::optional<Slot>> values_of_results(const std::vector<Slot>& wanted);
  Slot real_result(Slot variable);
  Slot real_view(FunctionalTensor& tensor, Slot base, const std::string& stem);
  Slot with_strides(Slot value, const Facts& facts, const std::string& stem);
  Slot real_base(std::int32_t storage);

  const Body& body_;
  std::vector<std::pair<Slot, Call>> layouts_;        ///< the calls that changed an input's sizes or strides, in order
  std::vector<Slot> moved_;                           ///< inputs to which set_ gave another tensor's memory
  std::vector<std::optional<Slot>> real_bases_;       ///< in the epilogue: the tensors whose views the results are
  std::vector<std::pair<Slot, Facts>> with_strides_;  ///< values whose strides the epilogue makes
};

}  // namespace plumbline::reference::functionalize
