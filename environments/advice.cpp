// A table from texts of Python and pip to what a person can do.
#include "environments/advice.h"

#include <array>
#include <charconv>
#include <utility>

namespace plumbline::environments {

namespace {

struct Advice {
  std::string_view printed, advice;
};

constexpr std::string_view kNetwork =
    "pip reached no package index. Check the network; behind a proxy, set HTTPS_PROXY; for another index, set "
    "PIP_INDEX_URL";
constexpr std::string_view kVenv =
    "this Python makes no virtual environments. On Debian and Ubuntu: apt-get install python3-venv; or name another "
    "Python with --python";

/// The first one that fits holds. pip says of an index that it cannot reach at last that no version fits, so the
/// network comes before the versions.
constexpr std::array kAdvice{
    Advice{"No space left on device",
           "the disk is full. Free some space, or set PLUMBLINE_ENVS to a folder on another disk"},
    Advice{"Disk quota exceeded",
           "your disk quota is used up. Free some space, or set PLUMBLINE_ENVS to a folder on another disk"},
    Advice{"ensurepip is not", kVenv},
    Advice{"No module named venv", kVenv},
    Advice{"No module named ensurepip", kVenv},
    Advice{"No module named pip", kVenv},
    Advice{"ResolutionImpossible",
           "the packages exclude each other. Correct their versions in adapters/implementations.json"},
    Advice{"after connection broken by", kNetwork},
    Advice{"Failed to establish a new connection", kNetwork},
    Advice{"Temporary failure in name resolution", kNetwork},
    Advice{"Read timed out", kNetwork},
    Advice{"ProxyError", kNetwork},
    Advice{"SSLError", kNetwork},
    Advice{"No matching distribution found",
           "no index that pip knows has this version for this Python and this machine. Name another Python with "
           "--python, or correct the version in adapters/implementations.json"},
    Advice{"Permission denied", "a file cannot be written. Set PLUMBLINE_ENVS to a folder that you can write to"},
};

std::pair<int, int> numbers_of(const std::string& version) {
  std::pair<int, int> numbers{0, 0};
  const char* const end = version.data() + version.size();
  const char* const point = std::from_chars(version.data(), end, numbers.first).ptr;
  if (point != end) std::from_chars(point + 1, end, numbers.second);
  return numbers;
}

}  // namespace

std::string advice_for(std::string_view printed) {
  for (const Advice& one : kAdvice)
    if (printed.find(one.printed) != std::string_view::npos) return std::string(one.advice);
  return "what it printed last says why. Correct that, then run the command again";
}

bool is_new_enough(const std::string& version, const std::string& oldest) {
  return oldest.empty() || numbers_of(version) >= numbers_of(oldest);
}

}  // namespace plumbline::environments
