// The folders of the environments on disk: which are here, how a new one replaces an old one, and what is in them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "support/child.h"

namespace plumbline::environments {

/// Lets only one `plumbline env` change a folder of environments at a time, until it is destroyed. Makes the folder if
/// there is none. Throws std::runtime_error that says what to do if another one is at work, or if the folder cannot be
/// written.
class Lock {
 public:
  explicit Lock(const std::filesystem::path& all);

 private:
  Descriptor file_;
};

/// The folder of an environment; nothing if it is not here. As `plumbline env` makes it, `NAME` in the folder of all
/// environments is a link to it, because the scripts of a virtual environment contain its path, so that it cannot be
/// renamed when it is complete.
std::optional<std::filesystem::path> folder_of(const std::filesystem::path& all, const std::string& name);

/// A new folder for an environment beside the present one. The destructor removes it, unless it was put in place.
class NewFolder {
 public:
  /// Also removes what an `add` that was killed has left. Throws std::runtime_error if `NAME` is something that
  /// `plumbline env` did not make.
  NewFolder(const std::filesystem::path& all, const std::string& name);
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;
  ~NewFolder();

  const std::filesystem::path& path() const { return path_; }
  /// Makes it the environment, and removes the one before.
  void put_in_place();

 private:
  std::filesystem::path all_, path_;
  std::string name_;
  bool in_place_ = false;
};

/// Removes an environment, and what an `add` that was killed has left. False if it is not here. Throws
/// std::runtime_error as `NewFolder`.
bool remove(const std::filesystem::path& all, const std::string& name);

/// What the files below a folder take on disk, in bytes.
std::uintmax_t size_of(const std::filesystem::path& folder);

/// The file in an environment that has what `pip freeze` said when it was made.
inline constexpr std::string_view kInstalled = "installed.txt";
/// The version of each installed package, by its name as `normal` writes it; nothing without that file.
using Versions = std::map<std::string, std::string>;
std::optional<Versions> installed_in(const std::filesystem::path& folder);
/// The name of a package as pip compares it: in lower case, with - for each run of - _ and . [PEP 503].
std::string normal(std::string_view package);

}  // namespace plumbline::environments
