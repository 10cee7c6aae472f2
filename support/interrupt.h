// Ctrl-C: the first ends a run at the next test, the second ends the process.
#pragma once

namespace plumbline::cli {

void catch_interrupt();
bool interrupted();

}  // namespace plumbline::cli
