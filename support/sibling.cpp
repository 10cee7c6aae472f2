// Starting the executables beside the running one.
#include "support/sibling.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "support/siblings.h"

namespace plumbline::cli {

namespace {

std::vector<char*> argv_of(std::string& path, std::vector<std::string>& arguments) {
  std::vector<char*> argv{path.data()};
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  return argv;
}

}  // namespace

std::string sibling_path(const std::string& name) {
  const std::filesystem::path path = executable_folder() / name;
  if (access(path.c_str(), X_OK) == 0) return path;
  throw std::runtime_error(fmt::format("{} is not built (there is no {}); build it with: cmake --build {} --target {}",
                                       name, path.string(), path.parent_path().parent_path().string(), name));
}

int run_sibling(const std::string& name, const std::vector<std::string>& arguments,
                const std::function<void(std::string_view)>& take) {
  std::string path = sibling_path(name);
  std::vector<std::string> copies = arguments;
  const std::vector<char*> argv = argv_of(path, copies);
  std::array<int, 2> ends{};
  const auto refuse = [&](int error) {
    throw std::runtime_error(fmt::format("{} could not be started: {}", name, std::strerror(error)));
  };
  if (pipe2(ends.data(), O_CLOEXEC) != 0) refuse(errno);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  pid_t child = 0;
  const int error = posix_spawn(&child, path.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (error != 0) {
    close(ends[0]);
    refuse(error);
  }
  std::array<char, 4096> buffer{};
  for (;;) {
    const ssize_t count = read(ends[0], buffer.data(), buffer.size());
    if (count > 0) take({buffer.data(), static_cast<std::size_t>(count)});
    if (count == 0 || (count < 0 && errno != EINTR)) break;
  }
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void become_sibling(const std::string& name, const std::vector<std::string>& arguments) {
  std::string path = sibling_path(name);
  std::vector<std::string> copies = arguments;
  const std::vector<char*> argv = argv_of(path, copies);
  execv(argv[0], argv.data());
  throw std::runtime_error(fmt::format("{} could not be started: {}", path, std::strerror(errno)));
}

}  // namespace plumbline::cli
