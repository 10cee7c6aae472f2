// Python's `re.search`, as far as `pytest.raises(match=…)` needs it: its pattern is rewritten for std::regex.
#include "support/python_regex.h"

#include <fmt/format.h>

#include <cctype>
#include <limits>
#include <locale>
#include <regex>
#include <stdexcept>

namespace plumbline {

namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

class Rewriting {
 public:
  explicit Rewriting(std::string_view pattern) : in_(pattern) {}

  std::string run() {
    while (at_ < in_.size()) {
      const char c = in_[at_];
      if (c == '\\')
        escape(false);
      else if (c == '[')
        set();
      else if (c == '(')
        group();
      else if (c == '{' && !is_count())
        literal(c);
      else if (c == '}' && !in_count_)
        literal(c);
      else
        copy();
    }
    return std::move(out_);
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw std::invalid_argument(fmt::format(
        "match='{}' cannot be compared here: {}. Use plain words, '.', '*' and escapes such as '\\('", in_, why));
  }

  void copy() {
    if (in_[at_] == '{') in_count_ = true;
    if (in_[at_] == '}') in_count_ = false;
    out_ += in_[at_++];
  }

  void literal(char c) {
    out_ += '\\';
    out_ += c;
    ++at_;
  }

  /// Whether a '{' opens a count, as in `{2,3}`; to Python, every other '{' is a plain brace.
  bool is_count() const {
    std::size_t i = at_ + 1;
    if (i >= in_.size() || !is_digit(in_[i])) return false;
    while (i < in_.size() && (is_digit(in_[i]) || in_[i] == ',')) ++i;
    return i < in_.size() && in_[i] == '}';
  }

  void escape(bool in_set) {
    if (at_ + 1 == in_.size()) refuse("it ends in a backslash");
    const char c = in_[at_ + 1];
    if (c == 'A' && !in_set)
      out_ += '^';
    else if (c == 'Z' && !in_set)
      out_ += '$';
    else if (is_letter(c) &&
             std::string_view(in_set ? "dDwWsSntrfv" : "dDwWsSbBntrfv").find(c) == std::string_view::npos)
      refuse(fmt::format("unknown escape '\\{}'", c));
    else if (is_letter(c) || is_digit(c))
      out_.append(in_.substr(at_, 2));
    else if (std::string_view("^$\\.*+?()[]{}|/-").find(c) != std::string_view::npos)
      out_.append(in_.substr(at_, 2));
    else
      out_ += c;  // re.escape also escapes ' ', '#' and others
    at_ += 2;
  }

  void set() {
    out_ += in_[at_++];
    if (at_ < in_.size() && in_[at_] == '^') out_ += in_[at_++];
    bool first = true;
    for (; at_ < in_.size(); first = false) {
      const char c = in_[at_];
      if (c == ']' && !first) {
        out_ += c;
        ++at_;
        return;
      }
      if (c == '\\')
        escape(true);
      else if (c == '[' || c == ']')
        literal(c);
      else
        copy();
    }
    refuse("a '[' is not closed");
  }

  void group() {
    const std::string_view rest = in_.substr(at_);
    if (!rest.starts_with("(?")) return copy();
    for (const std::string_view same : {"(?:", "(?=", "(?!"}) {
      if (!rest.starts_with(same)) continue;
      out_.append(same);
      at_ += same.size();
      return;
    }
    const std::size_t close = rest.find('>');
    if (!rest.starts_with("(?P<") || close == std::string_view::npos)
      refuse(fmt::format("only Python supports '{}'", rest.substr(0, 4)));
    out_ += '(';
    at_ += close + 1;
  }

  std::string_view in_;
  std::size_t at_ = 0;
  std::string out_;
  bool in_count_ = false;
};

/// std::regex narrows characters, and libstdc++ keeps each answer in a table without a lock
/// (https://gcc.gnu.org/PR77704). Fills that table before threads may read it.
bool narrow_every_character() {
  const auto& characters = std::use_facet<std::ctype<char>>(std::locale());
  for (int c = 0; c <= std::numeric_limits<unsigned char>::max(); ++c) characters.narrow(static_cast<char>(c), '\0');
  return true;
}

}  // namespace

std::string ecmascript_from_python(std::string_view pattern) { return Rewriting(pattern).run(); }

bool python_search(std::string_view pattern, const std::string& text) {
  [[maybe_unused]] static const bool narrowed = narrow_every_character();
  const std::string rewritten = ecmascript_from_python(pattern);
  try {
    return std::regex_search(text, std::regex(rewritten, std::regex::ECMAScript));
  } catch (const std::regex_error& error) {
    throw std::invalid_argument(fmt::format("match='{}' is not a valid regular expression: {}", pattern, error.what()));
  }
}

}  // namespace plumbline
