// Matching text with `*`.
#include "support/glob.h"

namespace plumbline {

bool fits_glob(std::string_view text, std::string_view pattern) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return text == pattern;
  if (!text.starts_with(pattern.substr(0, star))) return false;
  text.remove_prefix(star);
  pattern.remove_prefix(star + 1);
  for (std::size_t skipped = 0; skipped <= text.size(); ++skipped)
    if (fits_glob(text.substr(skipped), pattern)) return true;
  return false;
}

}  // namespace plumbline
