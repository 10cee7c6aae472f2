// Joining programs.
#include "language/join.h"

#include <algorithm>
#include <utility>

namespace plumbline::program {

void join(Program& file, Program one) {
  for (std::string& module : one.imports)
    if (std::ranges::find(file.imports, module) == file.imports.end()) file.imports.push_back(std::move(module));
  std::ranges::sort(file.imports);
  file.thread_errors = file.thread_errors || one.thread_errors;
  for (Class& definition : one.classes) {
    definition.before = file.functions.size();
    file.classes.push_back(std::move(definition));
  }
  for (Function& function : one.functions) file.functions.push_back(std::move(function));
}

}  // namespace plumbline::program
