// Random bodies for validation: views of views, and writes through any of them, in every order.
#pragma once

#include <cstdint>

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

/// Makes a body by running its steps on the validator's machine, which then stands behind the last one.
class BodyMaker {
 public:
  explicit BodyMaker(Validator& validator) : validator_(validator) {}

  /// Forgets the last body.
  void restart();
  /// Adds an input, or a captured tensor, and what it sees. Memory first, by `add_memory`.
  Slot add_outside(const Facts& facts, bool captured = false);
  std::int32_t add_memory(std::int64_t elements);
  /// Behind the last outside tensor: the machine has them now.
  void begin();
  /// Runs a call that gives so many new variables. An op that raises, or whose result depends on an order, is no step.
  bool perform(Call call, std::size_t results, bool composite = false);

  reference::functionalize::Body& body() { return body_; }
  const Facts& facts(Slot slot) const { return now_[static_cast<std::size_t>(slot)]; }
  std::size_t variables() const { return now_.size(); }

 private:
  Slot add_variable();

  Validator& validator_;
  reference::functionalize::Body body_;
  std::vector<Facts> now_;  ///< by variable, as of the last step
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
  bool write();
  bool layout();
  bool functional();
  bool out();
  bool factory();

  Slot any();
  const Facts& facts(Slot slot) const { return maker_.facts(slot); }
  std::int64_t dim_of(const Facts& facts);
  reference::Sizes shape();
  reference::Sizes regrouped(const Facts& facts);
  Value operand(const Facts& target);

  BodyMaker maker_;
  Random random_{0};
};

}  // namespace plumbline::validate
