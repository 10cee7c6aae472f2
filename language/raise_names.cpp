// The names in a program that is written from a script.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "language/raiser.h"
#include "language/refusal.h"

namespace plumbline::program {

std::set<std::string> taken_names(const std::vector<std::string>& names, const std::string& test) {
  std::set<std::string> taken{"device", "torch", "pytest", "threading", "ctx",        "list",
                              "tuple",  "float", "print",  "match",     "pytestmark", test};
  taken.insert("repr");
  taken.insert(kExceptions.begin(), kExceptions.end());
  taken.insert(names.begin(), names.end());
  return taken;
}

std::vector<std::string> python_names(const std::vector<std::string>& wanted, const std::string& test) {
  std::set<std::string> taken = taken_names({}, test);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    std::string name = wanted[i];
    if (!is_python_name(name) || taken.contains(name)) name = fmt::format("x{}", i);
    while (taken.contains(name)) name += "_";
    taken.insert(name);
    names.push_back(name);
  }
  return names;
}

}  // namespace plumbline::program
