// Building the driver again with one changed file, outside the source tree.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "mutation/sites.h"
#include "mutation/subject.h"

namespace plumbline::mutate {

/// Whether to stop the running work.
using Stop = std::function<bool()>;

/// The result of building a driver.
struct Built {
  enum class How : std::uint8_t {
    built,
    not_compiled,  ///< or not linked
    same_code,     ///< the compiler makes identical objects, so no program can notice
    stopped        ///< on request
  };
  How how = How::built;
  std::string driver;  ///< its path after linking
  std::string why;     ///< the compiler's first error
};

/// The subject's executable, called its driver here, as Ninja built it: each object's command and included files, and
/// the link command. A mutant's objects are compiled with the same commands, without warnings; objects that do not
/// include the changed file are linked as they are. For a second look, all objects that include the subject are
/// compiled with AddressSanitizer and UndefinedBehaviorSanitizer.
class Builder {
 public:
  /// `source`: the project's folder; `build`: Ninja's. Changes to that folder, because the commands run there.
  /// Throws std::runtime_error if the driver is not built, or not from the present sources.
  Builder(const Subject& subject, std::string source, std::string build, const std::string& ninja);

  /// The subject's files in the driver, including headers, as sorted paths in the project.
  std::vector<std::string> files() const;
  /// Where the parts of objects that CMake made of several files are kept; to be set before anything is built.
  void keep_parts_in(std::filesystem::path folder) { parts_ = std::move(folder); }
  /// How many objects include a file.
  std::size_t objects_with(const std::string& file) const;
  const std::string& driver() const { return driver_; }
  /// Whether the driver itself was built with a sanitizer.
  bool is_sanitized() const;

  /// Builds the mutant in the folder, which it empties first. `text`: the unchanged file. Throws std::runtime_error if
  /// the compiler cannot be started.
  Built build(const Site& site, const std::string& text, const std::filesystem::path& folder, const Stop& stop) const;
  /// The same with sanitizers; the objects of the other files come from `base`.
  Built build_sanitized(const Site& site, const std::string& text, const std::filesystem::path& folder,
                        const std::filesystem::path& base, const Stop& stop) const;

  /// The driver without a mutant, with sanitizers: the number of its objects; compiling one; linking them.
  std::size_t sanitized_objects() const { return shared_.size(); }
  Built compile_sanitized(std::size_t object, const std::filesystem::path& base, const Stop& stop) const;
  Built link_sanitized(const std::filesystem::path& base, const Stop& stop) const;

  /// Throws std::runtime_error if a source has changed since the driver was built.
  void check_sources() const;

 private:
  struct Object {
    std::vector<std::string> words;  ///< the command
    std::string source;              ///< the file that it compiles: its path in the project, or its full path
    std::vector<std::string>
        parts{};  ///< the same for the files that CMake made it of; empty: it stands in the project
  };
  using Places = std::map<std::string, std::string>;  ///< new objects, by the build's objects that they replace

  void read_commands(const std::string& ninja);
  /// Keeps the members of the static library that a line makes. `create`: where its " qc " is.
  void read_archive(const std::string& line, std::size_t create);
  /// The path of a file in the project; one outside it begins with "..".
  std::string in_project(const std::filesystem::path& path) const;
  void read_includes(const std::string& ninja);
  /// `source`: what to compile. `overlay`: a folder that is searched before others; may be empty. `more`: more options.
  static std::vector<std::string> compile_words(const Object& object, const std::filesystem::path& source,
                                                const std::filesystem::path& overlay, const std::filesystem::path& to,
                                                const std::vector<std::string>& more);
  /// Compiles `source` into `to` with the object's command.
  Built compile_one(const Object& object, const std::filesystem::path& source, const std::filesystem::path& overlay,
                    const std::filesystem::path& to, const std::vector<std::string>& more, const Stop& stop) const;
  /// The unchanged parts of an object that CMake made of several files, each compiled alone: in a folder that all
  /// mutants share. The first caller compiles them; others wait.
  Built compile_parts(const std::string& name, const std::vector<std::string>& more, const Stop& stop) const;
  std::filesystem::path part_path(const std::string& name, std::size_t part,
                                  const std::vector<std::string>& more) const;
  /// Compiles the changed part alone, and puts the object together again. Nothing is added if the code is the same.
  Built compile_changed_part(const std::string& name, const std::string& file, const std::filesystem::path& overlay,
                             const std::filesystem::path& to, const std::vector<std::string>& more, const Stop& stop,
                             Places& places) const;
  /// Writes the changed file, compiles the objects that include it, and adds them to `places`.
  Built compile(const Site& site, const std::string& text, const std::filesystem::path& folder,
                const std::vector<std::string>& more, const Stop& stop, Places& places) const;
  /// Makes a thin copy of a static library, with new objects in place of the old ones: a linker that finds both would
  /// take both.
  Built archive(const std::string& name, const Places& places, const std::filesystem::path& to, const Stop& stop) const;
  Built link(const Places& places, const std::filesystem::path& folder, const std::vector<std::string>& more,
             const Stop& stop) const;
  Places sanitized_places(const std::filesystem::path& base) const;

  const Subject& subject_;
  std::string source_, build_, driver_;
  std::map<std::string, Object> objects_;                       ///< by path in the build folder
  std::map<std::string, std::vector<std::string>> objects_of_;  ///< by file of the subject
  std::vector<std::string> shared_;                             ///< objects that include such a file
  std::vector<std::string> sources_;                            ///< every file of the project that an object includes
  std::vector<std::string> link_;                               ///< the words of the link command
  std::map<std::string, std::vector<std::string>> archives_;    ///< the members of each static library
  std::string archiver_;                                        ///< the command that makes static libraries
  std::filesystem::path parts_;                                 ///< the folder of the unchanged parts
  mutable std::mutex parts_mutex_;
  mutable std::set<std::string> compiled_parts_;  ///< the first path of each object's parts that are there
};

}  // namespace plumbline::mutate
