// Functional storages: the bases of a body's tensors, and the writes that are not applied yet.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reference/functionalize/functionalize.h"
#include "reference/functionalize/views.h"

namespace plumbline::reference::functionalize {

/// A chain of views from the base. Links are shared: a view of a view has its source's links.
using Chain = std::vector<std::shared_ptr<const Link>>;

/// A write through a chain of views, which is not applied to the base yet.
struct Update {
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
  std::vector<Slot> owners;  ///< inputs and captured tensors that have this memory
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

/// Pass (a), step by step.
class AliasRemoval {
 public:
  AliasRemoval(const Judge& judge, const Body& body);
  Program run();

 private:
  // storage.cpp: storages, reading and writing
  FunctionalTensor& tensor(Slot variable) { return tensors_[static_cast<std::size_t>(variable)]; }
  FunctionalStorage& storage(const FunctionalTensor& tensor) {
    return storages_[static_cast<std::size_t>(tensor.storage)];
  }
  void add_outside();
  void add_outside(const std::vector<Slot>& owners);
  /// Makes a storage whose base is `value`, and the tensor for it.
  FunctionalTensor owning(Slot value, const Facts& facts, const std::string& stem);
  void apply_updates(FunctionalStorage& storage);
  void apply(FunctionalStorage& storage, const Update& update);
  Slot memory(FunctionalStorage& storage);
  Slot memory_as(FunctionalStorage& storage, Dtype dtype);
  Slot seen_as(Slot flat, Dtype dtype, const std::string& stem);
  /// The tensor's current value.
  Slot read(Slot variable);
  Slot regenerated(FunctionalTensor& tensor);
  void wrote(Slot variable);
  /// Makes the memory itself the base; every tensor of the storage then begins there.
  void flatten(std::int32_t storage);

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
  void resize(Slot variable, const Facts& facts);
  void take_storage(const Step& step, Slot variable);
  void begin_at_memory(FunctionalTensor& tensor, const Facts& seen, const std::string& stem);
  void check_captured(const Step& step, std::string_view does, Slot variable) const;
  void check_written(const Step& step, Slot variable) const;
  const std::string& name(Slot variable) const { return body_.names[static_cast<std::size_t>(variable)]; }

  // epilogue.cpp
  void copy_back(FunctionalStorage& storage);
  void replay_layouts(const FunctionalStorage& storage);
  void results();
  bool is_caller_s(Slot variable);
  bool is_moved(Slot variable) const { return std::ranges::find(moved_, variable) != moved_.end(); }
  std::vector<std::optional<Slot>> values_of_results(const std::vector<Slot>& wanted);
  Slot real_result(Slot variable);
  Slot real_view(FunctionalTensor& tensor, Slot base, const std::string& stem);
  Slot with_strides(Slot value, const Facts& facts, const std::string& stem);
  Slot real_base(std::int32_t storage);

  const Judge& judge_;
  const Body& body_;
  Program program_;
  Writer writer_;
  std::vector<FunctionalStorage> storages_;
  std::vector<FunctionalTensor> tensors_;             ///< by variable
  std::vector<std::int64_t> elements_;                ///< for eager storages
  std::vector<std::pair<Slot, Call>> layouts_;        ///< the calls that changed an input's sizes or strides, in order
  std::vector<Slot> moved_;                           ///< inputs to which set_ gave another tensor's memory
  std::vector<std::optional<Slot>> real_bases_;       ///< in the epilogue: the tensors whose views the results are
  std::vector<std::pair<Slot, Facts>> with_strides_;  ///< values whose strides the epilogue makes
};

}  // namespace plumbline::reference::functionalize
