// The language of programs, as the parser's own tables have it.
#pragma once

#include <string>

namespace plumbline::tables {

/// `docs/LANGUAGE.md`: what a program can contain, and what it cannot, with what to write instead.
std::string language_markdown();

}  // namespace plumbline::tables
