// Putting back a value that a body changes.
#pragma once

#include <algorithm>
#include <utility>

namespace plumbline::walk {

/// Restores a part of the walk when it ends: the names of a body, for example, end with it.
template <class Part>
class Restored {
 public:
  explicit Restored(Part& part) : part_(part), found_(part) {}
  Restored(const Restored&) = delete;
  Restored& operator=(const Restored&) = delete;
  ~Restored() { part_ = std::move(found_); }

 private:
  Part& part_;
  Part found_;
};

/// The same for a list of variables, which stays where it is in memory: a hook of saved tensors may run in a call that
/// looks at them.
template <class Variables>
class RestoredVariables {
 public:
  explicit RestoredVariables(Variables& variables) : variables_(variables), found_(variables) {}
  RestoredVariables(const RestoredVariables&) = delete;
  RestoredVariables& operator=(const RestoredVariables&) = delete;
  ~RestoredVariables() { std::ranges::move(found_, variables_.begin()); }

 private:
  Variables& variables_;
  Variables found_;
};

}  // namespace plumbline::walk
