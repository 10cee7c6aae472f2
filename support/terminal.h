// The screen that stdout is.
#pragma once

#include "support/screen.h"

namespace plumbline {

/// Colour only on a terminal, and not if NO_COLOR is set or TERM is "dumb". Elsewhere a screen is 80 columns wide.
Screen screen_of_stdout();

}  // namespace plumbline
