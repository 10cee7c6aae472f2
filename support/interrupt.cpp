// Ctrl-C: the first ends a run at the next test, the second ends the process.
#include "support/interrupt.h"

#include <csignal>
#include <ctime>

namespace plumbline::cli {

namespace {

constexpr std::time_t kTwice_s = 1;  // one signal may arrive twice: `timeout` sends it to the process and to its group

volatile std::sig_atomic_t stopped = 0;
volatile std::time_t stopped_at = 0;

extern "C" void stop(int number) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (stopped == 0) {
    stopped_at = now.tv_sec;
    stopped = 1;
  } else if (now.tv_sec - stopped_at > kTwice_s) {
    std::signal(number, SIG_DFL);
    std::raise(number);
  }
}

}  // namespace

void catch_interrupt() {
  struct sigaction action = {};
  action.sa_handler = stop;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() { return stopped != 0; }

}  // namespace plumbline::cli
