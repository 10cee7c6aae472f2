// The inventory of sentences: what the five texts state, each sentence with a number that programs name.
#pragma once

#include <array>
#include <stdexcept>
#include <string>
#include <vector>

namespace plumbline::tables {

/// What turns a program red if flipping the sentence's rules does not.
struct Otherwise {
  std::string program;  ///< "test_views.py::test_a"
  std::string profile;  ///< the program is red under this profile's variant of `rule` alone; empty: an edit
  std::string rule;
  std::string from;  ///< or it is red after the first `from` in the program is replaced by `to`
  std::string to;
};

/// One sentence, list item or code comment that states behaviour.
struct Sentence {
  std::string id;                    ///< the letter of its text (`kTexts`) and a number, "F-07"; never renumbered
  std::string lines;                 ///< of the text: "70", "94-95, 101-104"
  std::string says;                  ///< the behaviour, in our own words
  std::string reason;                ///< why no program names it; empty if one must
  std::vector<std::string> rules{};  ///< the rules that state it: misreading one turns its programs red
  std::vector<std::string> as{};     ///< the sentences of other texts that say the same, whose programs show it
  std::vector<Otherwise> otherwise{};
};

/// One of the texts that are restated.
struct Text {
  char letter;  ///< of its sentences' ids
  const char* name;
  const char* what;
  const char* link;
};

/// The texts in the order of the inventory.
inline constexpr std::array<Text, 5> kTexts{{
    {'F', "rfc-0011-final", "The final text of RFC-0011, 'InferenceMode'",
     "https://github.com/pytorch/rfcs/blob/02f6eeb830777a7d74f191522be685d781285aab/RFC-0011-InferenceMode.md"},
    {'D', "inference-mode-docs", "PyTorch's documentation, 'Inference Mode' in the C++ notes",
     "https://github.com/pytorch/pytorch/blob/v2.13.0/docs/cpp/source/notes/inference_mode.rst"},
    {'A', "rfc-0011-draft-1", "The earliest text of the RFC", "https://github.com/pytorch/rfcs/pull/17"},
    {'B', "rfc-0011-draft-2", "The middle text of the RFC, with its open ends",
     "https://github.com/pytorch/rfcs/pull/17"},
    {'P', "functionalization-pr-63048", "PyTorch's pull request 63048, which added functionalization",
     "https://github.com/pytorch/pytorch/pull/63048"},
}};

/// An error in the inventory: the file, the entry, what is wrong and what to do.
struct SentencesError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Reads and checks an inventory, {"sentences": [{"id", "lines", "says", "reason", "rules", "as", "otherwise"}]}; the
/// members after `says` may be left out. In the order of the file. Throws SentencesError for a missing file, another
/// form, an invalid id, two entries with one id, and entries that are not in the order of their ids.
std::vector<Sentence> load_sentences(const std::string& path);

}  // namespace plumbline::tables
