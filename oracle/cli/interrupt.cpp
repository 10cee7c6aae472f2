// Ctrl-C: the first ends a run at the next test, the second ends the process.
#include "oracle/cli/interrupt.h"

#include <csignal>

namespace plumbline::cli {

namespace {

volatile std::sig_atomic_t stopped = 0;

extern "C" void stop(int) { stopped = 1; }

}  // namespace

void catch_interrupt() {
  struct sigaction action = {};
  action.sa_handler = stop;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() { return stopped != 0; }

}  // namespace plumbline::cli
