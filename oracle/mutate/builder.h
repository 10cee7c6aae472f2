// Building the driver anew with one file changed, beside the tree and without touching it.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "oracle/mutate/sites.h"
#include "oracle/mutate/subject.h"

namespace plumbline::mutate {

/// Whether to stop what is going on.
using Stop = std::function<bool()>;

/// What became of the driver.
struct Built {
  enum class How : std::uint8_t {
    built,
    not_compiled,  ///< or not linked
    same_code,     ///< the compiler makes the very same objects of it: no program can tell
    stopped        ///< as was asked
  };
  How how = How::built;
  std::string driver;  ///< its path, once it is linked
  std::string why;     ///< the compiler's first error
};

/// The subject's executable, called its driver here, as Ninja built it: each object's command and what it includes, and
/// how it is linked. A mutant's objects are compiled as there, without warnings; what does not include the changed file
/// is linked as it is. For a second look all that includes the subject is compiled with AddressSanitizer and
/// UndefinedBehaviorSanitizer.
class Builder {
 public:
  /// `source`: the project's folder; `build`: Ninja's. Changes to that folder, from which the commands run. Throws
  /// std::runtime_error where the driver is not built, or not from the sources as they are now.
  Builder(const Subject& subject, std::string source, std::string build, const std::string& ninja);

  /// The files of the subject that the driver is made of, headers too, by name, from the top.
  std::vector<std::string> files() const;
  /// How many objects a file is in.
  std::size_t objects_with(const std::string& file) const;
  const std::string& driver() const { return driver_; }
  /// Whether the driver was built with a sanitizer in the first place.
  bool is_sanitized() const;

  /// Builds the mutant in the folder, which it empties. `text`: the file as it is. Throws std::runtime_error where no
  /// compiler can be started.
  Built build(const Site& site, const std::string& text, const std::filesystem::path& folder, const Stop& stop) const;
  /// The same with sanitizers, and the objects of the other files from `base`.
  Built build_sanitized(const Site& site, const std::string& text, const std::filesystem::path& folder,
                        const std::filesystem::path& base, const Stop& stop) const;

  /// How many objects the driver without a mutant needs with sanitizers; compiling one; linking them.
  std::size_t sanitized_objects() const { return shared_.size(); }
  Built compile_sanitized(std::size_t object, const std::filesystem::path& base, const Stop& stop) const;
  Built link_sanitized(const std::filesystem::path& base, const Stop& stop) const;

  /// Throws std::runtime_error where a source has changed since the driver was built.
  void check_sources() const;

 private:
  struct Object {
    std::vector<std::string> words;  ///< the command
    std::string source;              ///< the file that it compiles, from the top; of another folder: its path
  };
  using Places = std::map<std::string, std::string>;  ///< objects, by those of the build that they take the place of

  void read_commands(const std::string& ninja);
  void read_includes(const std::string& ninja);
  /// `overlay`: a folder that is looked at before others; empty: none. `more`: options.
  std::vector<std::string> compile_words(const Object& object, const std::filesystem::path& overlay,
                                         const std::filesystem::path& to, const std::vector<std::string>& more) const;
  /// Writes the changed file and compiles what includes it; the new objects are added to `places`.
  Built compile(const Site& site, const std::string& text, const std::filesystem::path& folder,
                const std::vector<std::string>& more, const Stop& stop, Places& places) const;
  Built link(Places places, const std::filesystem::path& folder, const std::vector<std::string>& more,
             const Stop& stop) const;
  Places sanitized_places(const std::filesystem::path& base) const;

  const Subject& subject_;
  std::string source_, build_, driver_;
  std::map<std::string, Object> objects_;                       ///< by path in the build folder
  std::map<std::string, std::vector<std::string>> objects_of_;  ///< by file of the subject
  std::vector<std::string> shared_;                             ///< objects that include such a file
  std::vector<std::string> sources_;                            ///< every file of the project that is in an object
  std::vector<std::string> link_;                               ///< the words of the link's command
};

}  // namespace plumbline::mutate
