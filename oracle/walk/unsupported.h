// How an adapter says that it cannot run a script.
#pragma once

#include <string>

namespace plumbline::walk {

/// The script asks for what the adapter or its implementation cannot do; the run has no trace.
struct Unsupported {
  std::string why;
};

}  // namespace plumbline::walk
