// Naming the recorded sites.
#include "mutation/rules/place.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <stdexcept>

#include "spec/rules/catalogue.h"

namespace plumbline::mutants {

namespace {

std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream file(path);
  if (!file)
    throw std::runtime_error(fmt::format("cannot read {}: the mutants are named by the rules' source text", path));
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

/// "f" of "f<A, g<B>>"; an operator stays as it is.
std::string without_arguments(std::string_view name) {
  if (name.find("operator") != std::string_view::npos) return std::string(name);
  std::string bare;
  int depth = 0;
  for (const char c : name) {
    if (c == '<') ++depth;
    if (depth == 0) bare += c;
    if (c == '>') --depth;
  }
  return bare;
}

/// "is_recorded" of "constexpr plumbline::Bool<D> plumbline::is_recorded(const …) [with D = …]"; for a lambda, its
/// function.
std::string base_name(std::string_view pretty) {
  const std::string bare = without_arguments(pretty.substr(0, pretty.find('(')));
  std::string_view head = bare;
  const std::size_t space = head.rfind(' ');
  if (head.find("operator") == std::string_view::npos && space != std::string_view::npos) head = head.substr(space + 1);
  const std::size_t scope = head.rfind("::");
  return std::string(scope == std::string_view::npos ? head : head.substr(scope + 2));
}

std::string id_of(std::size_t index) {
  for (const Rule* rule : kAskedRules)
    if (rule->index() == index) return rule->id();
  return "";
}

void add_once(std::vector<std::size_t>& all, std::size_t one) {
  if (all.empty() || all.back() != one) all.push_back(one);
}

/// A file's text with comments, strings and directives blanked out, and the position of each character.
class Text {
 public:
  explicit Text(const std::vector<std::string>& lines) {
    bool comment = false;
    for (std::size_t l = 0; l < lines.size(); ++l) {
      bool string = false;
      const std::string& line = lines[l];
      for (std::size_t c = 0; c < line.size(); ++c) {
        const std::string_view two = std::string_view(line).substr(c, 2);
        if (!comment && !string && (two == "//" || (c == 0 && line[0] == '#'))) break;
        if (!comment && !string && two == "/*") comment = true;
        const bool ends = comment && two == "*/";
        if (!comment && line[c] == '"' && (c == 0 || line[c - 1] != '\\')) string = !string;
        put(comment || string ? ' ' : line[c], l, c);
        if (ends) {
          put(' ', l, ++c);
          comment = false;
        }
      }
      put('\n', l, line.size());
    }
  }
  const std::string& text() const { return text_; }
  At at(std::size_t i) const { return where_[i]; }
  /// The character at a place, or the next one. Throws std::runtime_error if the text ends before it.
  std::size_t index(At place) const {
    const auto found = std::ranges::lower_bound(where_, place);
    if (found == where_.end()) throw std::runtime_error("the text has changed since plumbline was built. Build again");
    return static_cast<std::size_t>(found - where_.begin());
  }

 private:
  void put(char c, std::size_t line, std::size_t column) {
    text_ += c;
    where_.push_back(mutants::at(static_cast<std::uint32_t>(line + 1), static_cast<std::uint32_t>(column + 1)));
  }

  std::string text_;
  std::vector<At> where_;
};

/// The statements of a text, which are the same however the text is broken into lines.
class Statements {
 public:
  explicit Statements(const std::vector<std::string>& lines) : text_(lines), ends_(text_.text().size(), false) {
    std::vector<bool> blocks;
    const std::string& text = text_.text();
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '{') blocks.push_back(opens_block(text, i));
      ends_[i] = text[i] == ';' || ((text[i] == '{' || text[i] == '}') && !blocks.empty() && blocks.back());
      if (text[i] == '}' && !blocks.empty()) blocks.pop_back();
    }
  }
  /// The statement at a place, with one space for each blank.
  std::string at(At place) const {
    const std::size_t here = text_.index(place);
    std::size_t begin = here, end = here;
    while (begin > 0 && !ends_[begin - 1]) --begin;
    while (end < ends_.size() && !ends_[end]) ++end;
    std::string statement;
    for (const char c : text_.text().substr(begin, end + 1 - begin)) {
      const bool blank = c == ' ' || c == '\n';
      if (!blank || (!statement.empty() && statement.back() != ' ')) statement += blank ? ' ' : c;
    }
    while (statement.ends_with(' ')) statement.pop_back();
    return statement;
  }

 private:
  /// Whether the brace at `i` opens a block, and not the members of a value.
  static bool opens_block(const std::string& text, std::size_t i) {
    const std::size_t before = text.find_last_not_of(" \n", i == 0 ? 0 : i - 1);
    if (i == 0 || before == std::string::npos) return true;
    const char c = text[before];
    if (c == ')' || c == ']' || c == ';' || c == '{' || c == '}') return true;
    static const std::regex named(R"(\b(else|((struct|class|namespace) [\w:<>, ]+))$)");
    constexpr std::size_t kLongest = 60;
    const std::size_t from = before < kLongest ? 0 : before - kLongest;
    return std::regex_search(text.substr(from, before + 1 - from), named);
  }

  Text text_;
  std::vector<bool> ends_;  ///< by character: a statement ends with it
};

/// The arguments of the call whose parenthesis opens at `open`, each as a half-open range.
std::vector<std::pair<std::size_t, std::size_t>> arguments_of(const std::string& text, std::size_t open) {
  std::vector<std::pair<std::size_t, std::size_t>> all;
  int depth = 0;
  std::size_t begin = open + 1;
  for (std::size_t i = open; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '(' || c == '{' || c == '[') ++depth;
    const bool closes = c == ')' || c == '}' || c == ']';
    if (closes) --depth;
    if ((depth == 1 && c == ',') || depth == 0) {
      all.emplace_back(begin, i);
      begin = i + 1;
    }
    if (depth == 0) break;
  }
  return all;
}

std::optional<Profile> profile_of_variant(const std::string& argument) {
  static const std::regex named(R"(^\s*In\{\s*Profile::(\w+))"), short_form(R"(^\s*in_(\d+_\d+)\()");
  std::smatch found;
  std::string name;
  if (std::regex_search(argument, found, named))
    name = found[1];
  else if (std::regex_search(argument, found, short_form))
    name = "torch_" + found[1].str();
  else
    return std::nullopt;
  for (const ProfileInfo& info : kProfiles) {
    std::string other(info.name);
    std::ranges::replace(other, '-', '_');
    std::ranges::replace(other, '.', '_');
    if (other == name) return info.profile;
  }
  return std::nullopt;
}

}  // namespace

std::vector<Argument> judge_arguments(const std::vector<std::string>& lines) {
  static const std::regex call(R"(\bjudge(\()\s*([A-Z]+)_(\d+))");
  const Text text(lines);
  std::vector<Argument> all;
  for (std::sregex_iterator it(text.text().begin(), text.text().end(), call), end; it != end; ++it) {
    const auto arguments = arguments_of(text.text(), static_cast<std::size_t>(it->position(1)));
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const auto& [from, to] = arguments[i];
      Argument one{(*it)[2].str() + "-" + (*it)[3].str(), text.at(from), text.at(to), {}, {}};
      one.is = i == 0   ? Argument::Is::rule
               : i == 1 ? Argument::Is::right
               : i == 2 ? Argument::Is::misread
                        : Argument::Is::variant;
      if (i > 2) one.profile = profile_of_variant(text.text().substr(from, to - from));
      all.push_back(std::move(one));
    }
  }
  return all;
}

namespace {

/// The judge's call, and the argument of it, that contain a place in the text.
void read_arguments(const std::vector<Argument>& arguments, Place& place) {
  const At here = at(place.site.line, place.site.column);
  for (const Argument& argument : arguments) {
    if (here < argument.begin || here >= argument.end) continue;
    if (place.rules.empty()) place.rules = {argument.rule};
    if (argument.is == Argument::Is::misread && place.misreading_of.empty()) place.misreading_of = argument.rule;
    if (argument.profile) place.variant_of = {*argument.profile};
  }
  if (!place.rule.empty()) place.rules = {place.rule};
}

}  // namespace

std::string Place::name() const {
  const std::string judge = rule.empty() ? "" : rule + " ";
  return fmt::format("{}:{}:{} {}{}", site.file, site.line, site.column, judge, change_of(site.token));
}
std::string Place::key() const {
  return fmt::format("{}|{}|{}|{}|{}", site.file, function, text, change_of(site.token), nth);
}

bool counts(const sites::Site& site) {
  const bool judged = site.token == Token::misread || site.token == Token::opposite;
  return site.file.starts_with("spec/rules/") || site.file.starts_with("spec/key_layout") ||
         site.file == "spec/vocabulary/geometry.h" || site.file == "spec/vocabulary/tensor_meta.h" ||
         (site.file.starts_with("spec/machine/") && site.file != "spec/machine/flow.h") ||
         (judged && site.file.starts_with("reference/") && !site.file.starts_with("reference/tests/"));
}

void Inventory::add(const sites::Recorder& recorder, const std::function<void(Place&, const sites::Met&)>& how) {
  recorder.each([&](const sites::Site& site, const sites::Met& met) {
    if (!counts(site)) return;
    Place& place = places_[site];
    if (place.function.empty()) {
      place.site = site;
      place.function = base_name(met.function);
      if (site.token == Token::misread || site.token == Token::opposite) place.rule = id_of(met.rule);
    }
    how(place, met);
  });
}
void Inventory::add_obligation(std::size_t index, const sites::Recorder& recorder) {
  add(recorder, [&](Place& place, const sites::Met& met) {
    add_once(place.obligations, index);
    if (met.conditions.empty()) return;
    auto& conditions = place.conditions[index];
    conditions.insert(conditions.end(), met.conditions.begin(), met.conditions.end());
    std::ranges::sort(conditions);
    const auto [first, last] = std::ranges::unique(conditions);
    conditions.erase(first, last);
  });
}
void Inventory::add_program(std::size_t index, const sites::Recorder& recorder) {
  add(recorder, [&](Place& place, const sites::Met& met) {
    add_once(place.programs, index);
    for (std::size_t side = 0; side < 2; ++side)
      if (met.seen[side] && place.seen[side].empty()) place.seen[side].push_back(index);
  });
}

std::vector<Place> Inventory::places() const {
  struct File {
    std::size_t lines = 0;
    std::vector<Argument> arguments;
    std::optional<Statements> statements;
  };
  std::map<std::string, File> files;
  std::map<std::string, int> counted;
  std::map<std::pair<std::string, std::string>, std::set<std::string>> asked;  // rules by file and function
  std::vector<Place> all;
  for (const auto& [site, found] : places_) {
    Place place = found;
    auto [file, fresh] = files.try_emplace(site.file);
    if (fresh) {
      const std::vector<std::string> lines = lines_of(source_ + "/" + site.file);
      file->second.lines = lines.size();
      file->second.arguments = judge_arguments(lines);
      file->second.statements.emplace(lines);
    }
    if (site.line > file->second.lines)
      throw std::runtime_error(fmt::format("{} has no line {}: it has changed since plumbline was built. Build again",
                                           site.file, site.line));
    place.text = file->second.statements->at(at(site.line, site.column));
    place.nth = 0;
    place.nth = ++counted[place.key()];
    read_arguments(file->second.arguments, place);
    if (!place.rule.empty()) asked[{site.file, place.function}].insert(place.rule);
    all.push_back(std::move(place));
  }
  for (Place& place : all)
    if (const auto found = asked.find({place.site.file, place.function}); place.rules.empty() && found != asked.end())
      place.rules.assign(found->second.begin(), found->second.end());
  return all;
}

std::vector<WrittenCall> written_calls(const std::string& source) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(source + "/spec/rules"))
    if (entry.path().extension() == ".h") paths.push_back(entry.path());
  std::ranges::sort(paths);
  std::vector<WrittenCall> calls;
  for (const auto& path : paths) {
    const std::vector<std::string> lines = lines_of(path.string());
    const Statements statements(lines);
    for (const Argument& argument : judge_arguments(lines)) {
      if (argument.is != Argument::Is::rule) continue;
      const std::uint32_t line = line_of(argument.begin);
      // The first argument begins after the parenthesis.
      calls.push_back({"spec/rules/" + path.filename().string(), line, column_of(argument.begin) - 1, argument.rule,
                       statements.at(argument.begin)});
    }
  }
  return calls;
}

}  // namespace plumbline::mutants
