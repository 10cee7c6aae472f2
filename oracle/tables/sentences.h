// The inventory of sentences: what the two texts state, each sentence with a number that programs name.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace plumbline::tables {

/// One sentence, list item or code comment that states behaviour.
struct Sentence {
  std::string id;      ///< "F-07" (rfc-0011-final) or "D-03" (inference-mode-docs); never renumbered
  std::string lines;   ///< of the text: "70", "94-95, 101-104"
  std::string says;    ///< the behaviour, in our own words
  std::string reason;  ///< why no program names it; empty where one is to
};

/// What is wrong with the inventory: which file, which entry, what, what to do.
struct SentencesError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Reads and checks an inventory, {"sentences": [{"id", "lines", "says", "reason"}]}; `reason` may be left out. In the
/// order of the file. Throws SentencesError for a file that is not there or anything else than that form, an id that is
/// none, two entries of one id, and entries that are not in the order of their ids.
std::vector<Sentence> load_sentences(const std::string& path);

}  // namespace plumbline::tables
