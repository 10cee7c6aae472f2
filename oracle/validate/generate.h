// Random bodies for validation: views of views, and writes through any of them, in every order.
#pragma once

#include <cstdint>
#include <optional>

#include "oracle/validate/machine.h"

namespace plumbline::validate {

/// A small fast generator of random numbers (splitmix64); the same seed gives the same bodies.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  /// A number from 0 to before `bound`; 0 where that is 0.
  std::int64_t below(std::int64_t bound);
  bool one_in(std::int64_t n) { return below(n) == 0; }

 private:
  std::uint64_t state_;
};

class Validator;

/// Makes a body by running its steps on the validator's machine, which then stands after the last one.
class BodyMaker {
 public:
  explicit BodyMaker(Validator& validator) : validator_(validator) {}

  /// Forgets the last body.
  void restart();
  /// Adds an input, or a captured tensor, and what it sees. Memory first, by `add_memory`.
  Slot add_outside(const Facts& facts, bool captured = false);
  std::int32_t add_memory(std::int64_t elements);
  /// After the last outside tensor: the machine has them now.
  void begin();
  /// Runs a call that gives so many new variables. An op that raises, or whose result depends on an order, is no step.
  bool perform(Call call, std::size_t results, bool composite = false);

  reference::functionalize::Body& body() { return body_; }
  /// Valid until the next step.
  const Facts& facts(Slot slot) const {
    const Known& known = now_[static_cast<std::size_t>(slot)];
    return known.step < 0 ? body_.outside[known.place]
                          : body_.steps[static_cast<std::size_t>(known.step)].facts[known.place];
  }
  std::size_t variables() const { return now_.size(); }
  /// Whether the memory is that of captured tensors alone, which a body may only read.
  bool is_captured(std::int32_t storage) const;
  /// How many of its elements the memory of a tensor holds.
  std::int64_t capacity(Slot slot) const;

 private:
  Slot add_variable();

  /// Where the facts of a variable stand: in those of a step, or (-1) of the outside tensors.
  struct Known {
    std::int64_t step = -1;
    std::size_t place = 0;
  };

  Validator& validator_;
  reference::functionalize::Body body_;
  std::vector<Known> now_;  ///< by variable, as of the last step
};

/// Makes random bodies.
class Generator {
 public:
  explicit Generator(Validator& validator) : maker_(validator) {}

  /// A body of so many steps, until the next one is made. The same seed gives the same body.
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
  /// A tensor that an op may write in place, as far as can be said at once: it repeats no element by a stride of 0.
  std::optional<Slot> writable();
  /// Whether PyTorch refuses to write `target` while it reads `other`, as far as can be said at once.
  bool overlaps(const Facts& target, const Facts& other) const;
  const Facts& facts(Slot slot) const { return maker_.facts(slot); }
  std::int64_t dim_of(const Facts& facts);
  reference::Sizes shape();
  reference::Sizes regrouped(const Facts& facts);
  Facts strided(std::int64_t most);
  /// Whether the memory of a tensor holds what is to be seen of it.
  bool reaches(Slot source, const Facts& seen) const;
  Value operand(const Facts& target);

  BodyMaker maker_;
  Random random_{0};
  bool copies_ = false;  ///< the view ops that are performed are made their copies
};

}  // namespace plumbline::validate
