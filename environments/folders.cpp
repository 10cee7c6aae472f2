// Folders of environments: one lock, a link to each environment, and what was installed.
#include "environments/folders.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <vector>

namespace plumbline::environments {

namespace fs = std::filesystem;

namespace {

/// The folders `NAME.1`, `NAME.2` that are there. Names have no point, so no other environment has such a folder.
std::vector<fs::path> numbered(const fs::path& all, const std::string& name) {
  std::vector<fs::path> found;
  if (!fs::exists(all)) return found;
  for (const auto& entry : fs::directory_iterator(all))
    if (entry.path().filename().string().starts_with(name + ".")) found.push_back(entry.path());
  return found;
}

void remove_leftovers(const fs::path& all, const std::string& name) {
  const auto present = folder_of(all, name);
  for (const fs::path& one : numbered(all, name))
    if (one != present) fs::remove_all(one);
}

/// What a person has put there stays.
void refuse_foreign(const fs::path& path) {
  if (fs::exists(fs::symlink_status(path)) && !fs::is_symlink(path))
    throw std::runtime_error(fmt::format(
        "{} was not made by plumbline env; move it away, or set PLUMBLINE_ENVS to another folder", path.string()));
}

}  // namespace

Lock::Lock(const fs::path& all) {
  constexpr int kOwnerWrites = 0644;
  std::error_code error;
  fs::create_directories(all, error);
  const fs::path path = all / ".lock";
  if (!error) file_ = Descriptor(open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, kOwnerWrites));
  if (error || file_.get() < 0)
    throw std::runtime_error(fmt::format("cannot write {}: {}; set PLUMBLINE_ENVS to a folder that you can write to",
                                         all.string(), error ? error.message() : std::strerror(errno)));
  if (flock(file_.get(), LOCK_EX | LOCK_NB) != 0)
    throw std::runtime_error(
        fmt::format("another plumbline env is at work in {}; wait until it has ended", all.string()));
}

std::optional<fs::path> folder_of(const fs::path& all, const std::string& name) {
  const fs::path path = all / name;
  if (!fs::is_directory(path)) return std::nullopt;
  return fs::is_symlink(path) ? all / fs::read_symlink(path) : path;
}

NewFolder::NewFolder(const fs::path& all, const std::string& name) : all_(all), name_(name) {
  refuse_foreign(all / name);
  remove_leftovers(all, name);
  const auto present = folder_of(all, name);
  path_ = all / (name + (present && present->extension() == ".1" ? ".2" : ".1"));
  fs::create_directories(path_);
}

NewFolder::~NewFolder() {
  std::error_code none;  // what cannot be removed now is removed by the next `add`
  if (!in_place_) fs::remove_all(path_, none);
}

void NewFolder::put_in_place() {
  const fs::path link = all_ / (name_ + ".link");
  fs::remove(link);
  fs::create_symlink(path_.filename(), link);
  fs::rename(link, all_ / name_);  // replaces the link before it in one step
  in_place_ = true;
  remove_leftovers(all_, name_);
}

bool remove(const fs::path& all, const std::string& name) {
  refuse_foreign(all / name);
  const bool was_here = folder_of(all, name).has_value();
  fs::remove(all / name);
  remove_leftovers(all, name);
  return was_here;
}

std::uintmax_t size_of(const fs::path& folder) {
  std::uintmax_t bytes = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && !entry.is_symlink()) bytes += entry.file_size();
  return bytes;
}

std::optional<Versions> installed_in(const fs::path& folder) {
  std::ifstream in(folder / kInstalled);
  if (!in) return std::nullopt;
  Versions versions;
  for (std::string line; std::getline(in, line);) {
    const std::size_t equals = line.find("==");
    if (equals != std::string::npos) versions[normal(line.substr(0, equals))] = line.substr(equals + 2);
  }
  return versions;
}

std::string normal(std::string_view package) {
  std::string name;
  for (const char c : package) {
    const bool is_mark = c == '-' || c == '_' || c == '.';
    if (is_mark && name.ends_with('-')) continue;
    name += is_mark ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return name;
}

}  // namespace plumbline::environments
