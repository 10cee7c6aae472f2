// Random bodies for validation: views of views, and writes through any of them, in every order.
#pragma once

#include <cstdint>
#include <optional>

#include "functionalization/validate/machine.h"

namespace plumbline::validate {

/// A small fast generator of random numbers (splitmix64); the same seed gives the same bodies.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  /// A number from 0 to `bound` - 1; 0 if `bound` is 0.
  std::int64_t below(std::int64_t bound);
  bool one_in(std::int64_t n) { return below(n) == 0; }

 private:
  std::uint64_t state_;
};

class Validator;

/// Makes a body by running its steps on the validator's machine, which is then in the state after the last step.
class BodyMaker {
 public:
  explicit BodyMaker(Validator& validator) : validator_(validator) {}

  /// Forgets the last body.
  void restart();
  /// Adds an input or a captured tensor, and its view of memory. Add the memory first, with `add_memory`.
  Slot add_outside(const Facts& facts, bool captured = false);
  std::int32_t add_memory(std::int64_t elements);
  /// Call it after the last outside tensor: gives them to the machine.
  void begin();
  /// Runs a call that gives this many new variables. An op that raises, or whose result depends on an order, is not a
  /// step.
  bool perform(Call call, std::size_t results, bool composite = false);

  reference::functionalize::Body& body() { return body_; }
  /// Valid until the next step.
  const Facts& facts(Slot slot) const {
    const Known& known = now_[static_cast<std::size_t>(slot)];
    return known.step < 0 ? body_.outside[known.place]
                          : body_.steps[static_cast<std::size_t>(known.step)].facts[known.place];
  }
  std::size_t variables() const { return now_.size(); }
  /// Whether only captured tensors use the memory, so a body may only read it.
  bool is_captured(std::int32_t storage) const;
  /// The size of a tensor's memory, in its elements.
  std::int64_t capacity(Slot slot) const;

 private:
  Slot add_variable();

  /// Where to find a variable's facts: in a step's, or (-1) in the outside tensors'.
  struct Known {
    std::int64_t step = -1;
    std::size_t place = 0;
  };

  Validator& validator_;
  reference::functionalize::Body body_;
  std::vector<Known> now_;  ///< by variable, after the last step
};

/// Makes random bodies.
class Generator {
 public:
  explicit Generator(Validator& validator) : maker_(validator) {}

  /// A body with this many steps, valid until the next one is made. The same seed gives the same body.
  const reference::functionalize::Body& next(std::uint64_t seed, int steps);

 private:
  void add_outside();
  bool attempt();
  bool perform(Call call, std::size_t results);
  bool view();
  bool copy_of_view();
  bool scatter();
  bool write();
  bool layout();
  bool functional();
  bool out();
  bool factory();

  Slot any();
  /// A tensor that an op can probably write in place: no stride of 0 repeats an element.
  std::optional<Slot> writable();
  /// Whether PyTorch refuses to write `target` while it reads `other`; a quick check that may miss cases.
  bool overlaps(const Facts& target, const Facts& other) const;
  const Facts& facts(Slot slot) const { return maker_.facts(slot); }
  std::int64_t dim_of(const Facts& facts);
  reference::Sizes shape();
  reference::Sizes regrouped(const Facts& facts);
  Facts strided(std::int64_t most);
  /// Whether a tensor's memory is large enough for a view.
  bool reaches(Slot source, const Facts& seen) const;
  Value operand(const Facts& target);

  BodyMaker maker_;
  Random random_{0};
  bool copies_ = false;  ///< make a view op's copy instead of the view op
};

}  // namespace plumbline::validate
