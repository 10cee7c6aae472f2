// The exception with which an adapter says that it cannot run a script.
#pragma once

#include <string>

namespace plumbline::walk {

/// The script needs something that the adapter or its implementation cannot do; the run has no trace.
struct Unsupported {
  std::string why;
};

}  // namespace plumbline::walk
