// Running Ninja's commands with an overlay before the include folders.
#include "mutation/builder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "support/conversation.h"
#include "support/files.h"

namespace plumbline::mutate {

namespace {

namespace fs = std::filesystem;

constexpr double kNinjaSeconds = 60;
constexpr double kCompileSeconds = 600;
constexpr std::size_t kOutput = std::size_t{256} << 20U;

/// Ninja's answer. Throws std::runtime_error if Ninja fails.
std::string ask(const std::vector<std::string>& words) {
  Conversation said = converse(words, "", kNinjaSeconds, kOutput);
  if (said.end && said.end->signal == 0 && said.end->code == 0) return std::move(said.output);
  throw std::runtime_error(fmt::format("'{}' failed: {}", fmt::join(words, " "), said.errors));
}

std::string slurp(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  if (!file) throw std::runtime_error(fmt::format("cannot read {}", path.string()));
  return text.str();
}

/// The files that a source made by CMake includes, by their full paths.
std::vector<std::string> included_in(const fs::path& source) {
  std::istringstream lines(slurp(source));
  std::vector<std::string> files;
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("#include \"")) files.push_back(line.substr(10, line.rfind('"') - 10));
  return files;
}

/// The first line that contains an error.
std::string first_error(const Conversation& said) {
  std::istringstream lines(said.errors + "\n" + said.output);
  std::string first;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("error") != std::string::npos) return line;
    if (first.empty()) first = line;
  }
  return first;
}

Built run_compiler(const std::vector<std::string>& words, const Stop& stop) {
  const Conversation said = converse(words, "", kCompileSeconds, kOutput, stop);
  Built built;
  if (said.end && said.end->signal == 0 && said.end->code == 0) return built;
  built.how = said.stopped == Conversation::Stopped::asked ? Built::How::stopped : Built::How::not_compiled;
  built.why = said.end ? first_error(said) : "the compiler did not finish";
  return built;
}

/// Options that follow the build's own ones.
const std::vector<std::string>& sanitizers() {
  static const std::vector<std::string> options{"-O1", "-fsanitize=address,undefined",
                                                "-fno-sanitize-recover=undefined", "-D_GLIBCXX_ASSERTIONS"};
  return options;
}

}  // namespace

Builder::Builder(const Subject& subject, std::string source, std::string build, const std::string& ninja)
    : subject_(subject),
      source_(std::move(source)),
      build_(std::move(build)),
      driver_(fmt::format("{}/bin/{}", build_, subject.target)) {
  fs::current_path(build_);
  if (!fs::exists(driver_))
    throw std::runtime_error(
        fmt::format("{} is not built. Build it with: cmake --build {} --target {}", driver_, build_, subject_.target));
  read_commands(ninja);
  read_includes(ninja);
  check_sources();
}

void Builder::read_commands(const std::string& ninja) {
  std::istringstream lines(ask({ninja, "-C", build_, "--quiet", "-t", "commands", std::string(subject_.target)}));
  for (std::string line; std::getline(lines, line);) {
    if (line.find(" -c ") != std::string::npos && line.find(" -o ") != std::string::npos) {
      Object object{shell_words(line), {}, {}};
      const auto behind = [&](const char* option) {
        const auto found = std::ranges::find(object.words, option);
        return found == object.words.end() || found + 1 == object.words.end() ? std::string() : *(found + 1);
      };
      const fs::path compiled = behind("-c");
      object.source = in_project(compiled);
      if (compiled.parent_path().filename() == "Unity")
        for (const std::string& part : included_in(compiled)) object.parts.push_back(in_project(part));
      objects_.emplace(behind("-o"), std::move(object));
    } else if (line.starts_with(": && ") && line.ends_with(" && :") &&
               line.find(fmt::format(" -o bin/{} ", subject_.target)) != std::string::npos) {
      link_ = shell_words(line.substr(5, line.size() - 10));
    } else if (const std::size_t create = line.find(" qc "); create != std::string::npos) {
      read_archive(line, create);
    }
  }
  if (objects_.empty() || link_.empty())
    throw std::runtime_error(fmt::format("Ninja does not say in {} how {} is built", build_, subject_.target));
}

void Builder::read_archive(const std::string& line, std::size_t create) {
  const std::size_t begin = line.rfind("&& ", create) + 3;
  const std::vector<std::string> words = shell_words(line.substr(begin, line.find(" && ", create) - begin));
  archiver_ = words.at(0);
  archives_[words.at(2)] = {words.begin() + 3, words.end()};
}

void Builder::read_includes(const std::string& ninja) {
  std::vector<std::string> words{ninja, "-C", build_, "--quiet", "-t", "deps"};
  for (const auto& [object, command] : objects_) words.push_back(object);
  std::istringstream lines(ask(words));
  std::string object;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(' ')) {
      object = line.substr(0, line.find(": #deps"));
      continue;
    }
    const fs::path path = (fs::path(build_) / line.substr(line.find_first_not_of(' '))).lexically_normal();
    const std::string file = path.lexically_relative(source_).string();
    if (file.starts_with("..") || path.string().starts_with(build_ + "/")) continue;
    sources_.push_back(file);
    const Object& made = objects_.at(object);
    const auto compiled = [&](const std::string& source) { return source.starts_with(subject_.compiled); };
    if (subject_.has(file) && (compiled(made.source) || std::ranges::any_of(made.parts, compiled)))
      objects_of_[file].push_back(object);
  }
  for (const auto& [file, objects] : objects_of_) shared_.insert(shared_.end(), objects.begin(), objects.end());
  std::ranges::sort(shared_);
  shared_.erase(std::ranges::unique(shared_).begin(), shared_.end());
  std::ranges::sort(sources_);
  sources_.erase(std::ranges::unique(sources_).begin(), sources_.end());
}

void Builder::check_sources() const {
  const auto built = fs::last_write_time(driver_);
  for (const std::string& file : sources_)
    if (!fs::exists(fs::path(source_) / file) || fs::last_write_time(fs::path(source_) / file) > built)
      throw std::runtime_error(
          fmt::format("{} has changed since {} was built. Build it again with: cmake --build {} "
                      "--target {}",
                      file, driver_, build_, subject_.target));
}

std::vector<std::string> Builder::files() const {
  std::vector<std::string> files;
  for (const auto& [file, objects] : objects_of_) files.push_back(file);
  return files;
}

std::size_t Builder::objects_with(const std::string& file) const {
  const auto found = objects_of_.find(file);
  return found == objects_of_.end() ? 0 : found->second.size();
}

bool Builder::is_sanitized() const {
  return std::ranges::any_of(link_, [](const std::string& word) { return word.starts_with("-fsanitize"); });
}

std::string Builder::in_project(const fs::path& path) const { return path.lexically_relative(source_).string(); }

Built Builder::compile_one(const Object& object, const fs::path& source, const fs::path& overlay, const fs::path& to,
                           const std::vector<std::string>& more, const Stop& stop) const {
  return run_compiler(compile_words(object, source, overlay, to, more), stop);
}

fs::path Builder::part_path(const std::string& name, std::size_t part, const std::vector<std::string>& more) const {
  const std::size_t key = std::hash<std::string>{}(fmt::format("{} {}", name, fmt::join(more, " ")));
  return parts_ / fmt::format("{:x}.{}.o", key, part);
}

Built Builder::compile_parts(const std::string& name, const std::vector<std::string>& more, const Stop& stop) const {
  const std::scoped_lock lock(parts_mutex_);
  const std::string first = part_path(name, 0, more).string();
  if (compiled_parts_.contains(first)) return {};
  fs::create_directories(parts_);
  const Object& object = objects_.at(name);
  for (std::size_t i = 0; i < object.parts.size(); ++i) {
    const Built built =
        compile_one(object, fs::path(source_) / object.parts[i], {}, part_path(name, i, more), more, stop);
    if (built.how != Built::How::built) return built;
  }
  compiled_parts_.insert(first);
  return {};
}

Built Builder::compile_changed_part(const std::string& name, const std::string& file, const fs::path& overlay,
                                    const fs::path& to, const std::vector<std::string>& more, const Stop& stop,
                                    Places& places) const {
  Built built = compile_parts(name, more, stop);
  if (built.how != Built::How::built) return built;
  const Object& object = objects_.at(name);
  const fs::path changed = to.string() + ".part";
  built = compile_one(object, overlay / file, overlay, changed, more, stop);
  if (built.how != Built::How::built) return built;
  std::vector<std::string> words{link_.front(), "-r", "-nostdlib", "-o", to.string()};
  for (std::size_t i = 0; i < object.parts.size(); ++i) {
    const fs::path part = object.parts[i] == file ? changed : part_path(name, i, more);
    if (object.parts[i] == file && slurp(changed) == slurp(part_path(name, i, more))) return {};
    words.push_back(part.string());
  }
  built = run_compiler(words, stop);
  if (built.how == Built::How::built) places[name] = to.string();
  return built;
}

std::vector<std::string> Builder::compile_words(const Object& object, const fs::path& source, const fs::path& overlay,
                                                const fs::path& to, const std::vector<std::string>& more) {
  std::vector<std::string> words;
  bool first_folder = !overlay.empty();
  for (std::size_t i = 0; i < object.words.size(); ++i) {
    const std::string& word = object.words[i];
    if (word.starts_with("-W") || word == "-MD") continue;
    if (word == "-MT" || word == "-MF") {
      ++i;
      continue;
    }
    if (word.starts_with("-I") && std::exchange(first_folder, false)) words.push_back("-I" + overlay.string());
    words.push_back(word);
    if (word == "-o") words.push_back((++i, to.string()));
    if (word != "-c") continue;
    ++i;
    words.push_back(source.string());
  }
  words.insert(words.end(), more.begin(), more.end());
  words.emplace_back("-w");
  return words;
}

Built Builder::compile(const Site& site, const std::string& text, const fs::path& folder,
                       const std::vector<std::string>& more, const Stop& stop, Places& places) const {
  fs::remove_all(folder);
  const fs::path overlay = folder / "overlay";
  fs::create_directories((overlay / site.file).parent_path());
  write_file((overlay / site.file).string(), mutated(text, site));
  std::size_t files = 0;
  for (const std::string& name : objects_of_.at(site.file)) {
    const fs::path to = folder / fmt::format("{}.o", files++);
    const Object& object = objects_.at(name);
    const bool is_part = std::ranges::find(object.parts, site.file) != object.parts.end();
    const fs::path source = object.source == site.file ? overlay / site.file : fs::path(source_) / object.source;
    const Built built = is_part ? compile_changed_part(name, site.file, overlay, to, more, stop, places)
                                : compile_one(object, source, overlay, to, more, stop);
    if (built.how != Built::How::built) return built;
    if (!is_part) places[name] = to.string();
  }
  return {};
}

Built Builder::archive(const std::string& name, const Places& places, const fs::path& to, const Stop& stop) const {
  fs::remove(to);
  std::vector<std::string> words{archiver_, "qcsT", to.string()};
  for (const std::string& member : archives_.at(name)) {
    const auto found = places.find(member);
    words.push_back(fs::absolute(found == places.end() ? member : found->second).string());
  }
  return run_compiler(words, stop);
}

Built Builder::link(const Places& places, const fs::path& folder, const std::vector<std::string>& more,
                    const Stop& stop) const {
  const std::string driver = (folder / subject_.target).string();
  std::vector<std::string> words;
  const auto is_replaced = [&](const std::string& object) { return places.contains(object); };
  for (std::size_t i = 0; i < link_.size(); ++i) {
    const std::string& word = link_[i];
    if (const auto found = places.find(word); found != places.end()) {
      words.push_back(found->second);
    } else if (const auto library = archives_.find(word);
               library != archives_.end() && std::ranges::any_of(library->second, is_replaced)) {
      words.push_back((folder / fmt::format("{}.a", words.size())).string());
      const Built built = archive(word, places, words.back(), stop);
      if (built.how != Built::How::built) return built;
    } else {
      words.push_back(word);
      if (word == "-o") words.push_back((++i, driver));
    }
  }
  words.insert(words.end(), more.begin(), more.end());
  Built built = run_compiler(words, stop);
  built.driver = driver;
  return built;
}

Built Builder::build(const Site& site, const std::string& text, const fs::path& folder, const Stop& stop) const {
  Places places;
  Built built = compile(site, text, folder, {}, stop, places);
  if (built.how != Built::How::built) return built;
  std::erase_if(places, [](const auto& place) { return slurp(place.first) == slurp(place.second); });
  if (!places.empty()) return link(places, folder, {}, stop);
  built.how = Built::How::same_code;
  return built;
}

Builder::Places Builder::sanitized_places(const fs::path& base) const {
  Places places;
  for (std::size_t i = 0; i < shared_.size(); ++i) places[shared_[i]] = (base / fmt::format("{}.o", i)).string();
  return places;
}

Built Builder::build_sanitized(const Site& site, const std::string& text, const fs::path& folder, const fs::path& base,
                               const Stop& stop) const {
  Places places = sanitized_places(base);
  const Built built = compile(site, text, folder, sanitizers(), stop, places);
  return built.how == Built::How::built ? link(places, folder, sanitizers(), stop) : built;
}

Built Builder::compile_sanitized(std::size_t object, const fs::path& base, const Stop& stop) const {
  const std::string& name = shared_.at(object);
  const Object& object_of = objects_.at(name);
  return compile_one(object_of, fs::path(source_) / object_of.source, {}, sanitized_places(base).at(name), sanitizers(),
                     stop);
}

Built Builder::link_sanitized(const fs::path& base, const Stop& stop) const {
  return link(sanitized_places(base), base, sanitizers(), stop);
}

}  // namespace plumbline::mutate
