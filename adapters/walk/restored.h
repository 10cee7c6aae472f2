// Putting back a value that a body changes.
#pragma once

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

}  // namespace plumbline::walk
