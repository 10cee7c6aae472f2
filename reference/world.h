// The reference's state as the world that spec/machine runs on.
#pragma once

#include <functional>
#include <string>

#include "reference/call.h"
#include "reference/raise.h"
#include "spec/machine/guards.h"
#include "spec/machine/kernels.h"
#include "spec/machine/made.h"

namespace plumbline::reference {

/// What a statement's errors and new nodes depend on.
struct Occasion {
  NodeId writing = kNoNode;          ///< the node of the call that wrote
  const Op* op = nullptr;            ///< the op that is called
  std::optional<bool> setting = {};  ///< what requires_grad is set to
  /// The text of an error that only the caller can write; nothing: it is an error like any other.
  std::function<std::optional<std::string>(ErrorClass)> message = {};
};

/// A state as the machine reads it.
class Seen {
 public:
  using Domain = Concrete;
  using Name = TensorId;

  Seen(const Judge& judge, const State& state) : judge_(judge), seen_(state) {}

  const Judge& judge() const { return judge_; }
  const Tls& tls() const { return seen_.tls; }
  const Meta& meta(TensorId x) const { return seen_.tensors[static_cast<std::size_t>(x)].meta; }
  TensorId base(TensorId x) const { return seen_.tensors[static_cast<std::size_t>(x)].base; }

 private:
  const Judge& judge_;
  const State& seen_;
};
static_assert(machine::Readable<Seen>);

/// One statement's view of the state; errors leave as Raise.
class World : public Seen {
 public:
  World(const Judge& judge, State& state, const Occasion& occasion = {})
      : Seen(judge, state), state_(state), occasion_(occasion) {}

  void set_meta(TensorId x, const Meta& meta, Here here = Here::current());
  Bool<Concrete> floating(TensorId x) const { return is_inexact(at(state_, x).dtype); }
  Num<Concrete> elements(TensorId x) const { return element_count(sizes_of(at(state_, x).geometry)); }
  /// Throws ReferenceLimit for a piece of unsafe_split that was recorded at an unspecified version.
  Bool<Concrete> history_is_current(TensorId x) const;

  void set_tls(const Tls& tls) { state_.tls = tls; }
  void open_frame(const machine::Found<Concrete>& found) { state_.frames.push_back({found.tls, {}, found.whole.v}); }
  machine::Found<Concrete> frame() const { return {state_.frames.back().found, state_.frames.back().whole}; }
  /// Hooks of saved tensors that the frame changed are again what it found.
  void close_frame();

  template <class Then>
  void when(const Bool<Concrete>& condition, const Then& then, Here here = Here::current()) {
    if (!machine::is_dropped(here) && machine::path_condition(condition, here).v) then();
  }
  /// Runs `then`; if it raises an error, runs `failed` before the error goes on.
  template <class Then, class Failed>
  void attempt(const Then& then, const Failed& failed) {
    try {
      then();
    } catch (const Raise&) {
      failed();
      throw;
    }
  }
  /// Raises the error, if it is one, with the text that PyTorch has for this tensor.
  void raise(const Error<Concrete>& error, TensorId about, Here here = Here::current()) const;
  /// The same. What a composite op by schema wrote before one of the ops that it calls raised is not known.
  void raise_after_write(const Error<Concrete>& error, TensorId about, Here here = Here::current());
  void count(TensorId x, const Num<Concrete>& versions, Here here = Here::current());
  void regenerate_history(TensorId x, Here here = Here::current());
  /// The histories become those of `Occasion::writing`.
  void record_write(TensorId x, Here here = Here::current());
  void record_write_of_view(TensorId x, Here here = Here::current());

 private:
  State& state_;
  Occasion occasion_;
};
static_assert(machine::World<World> && machine::Frames<World>);

/// A tensor made as the machine says, with the elements, geometry and device of `made`, whose storage is set; `source`:
/// what it is made from, or kNoTensor. Raises the error that the machine says. Returns the tensor.
TensorId add_made(const Judge& judge, State& state, const machine::Made<Concrete>& what, Tensor made, TensorId source);

}  // namespace plumbline::reference
