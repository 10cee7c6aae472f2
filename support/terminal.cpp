// Asking the system about the terminal.
#include "support/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace plumbline {

Screen screen_of_stdout() {
  Screen screen;
  screen.terminal = isatty(STDOUT_FILENO) == 1;
  if (!screen.terminal) return screen;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40) screen.width = size.ws_col;
  const char* const no_colour = std::getenv("NO_COLOR");
  const char* const kind = std::getenv("TERM");
  const bool refused = no_colour != nullptr && *no_colour != '\0';
  screen.colour = !refused && kind != nullptr && std::string_view(kind) != "dumb";
  return screen;
}

}  // namespace plumbline
