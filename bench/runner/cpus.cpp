// On which CPUs the calling thread runs.
#include "bench/runner/cpus.h"

#include <sched.h>

namespace plumbline::bench {

namespace {

const cpu_set_t& at_start() {
  static const cpu_set_t set = [] {
    cpu_set_t found;
    CPU_ZERO(&found);
    sched_getaffinity(0, sizeof found, &found);
    return found;
  }();
  return set;
}

}  // namespace

bool pin_to_one_cpu() {
  const cpu_set_t& all = at_start();
  int last = CPU_SETSIZE - 1;
  while (last > 0 && !CPU_ISSET(last, &all)) --last;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(last, &one);
  return sched_setaffinity(0, sizeof one, &one) == 0;
}

void unpin() { sched_setaffinity(0, sizeof(cpu_set_t), &at_start()); }

int cpus() { return CPU_COUNT(&at_start()); }

}  // namespace plumbline::bench
