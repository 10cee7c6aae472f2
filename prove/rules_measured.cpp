// Reading the files of docs/measured/.
#include "prove/rules_measured.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <ranges>

#include "adapters/protocol/cursor.h"

namespace plumbline::prove {

namespace {

using protocol::Cursor;

/// Calls `read` for each member of an object.
template <class Item>
void each(const Cursor& c, Item item) {
  if (!c.json().is_object()) c.expected("an object");
  for (const auto& [key, value] : c.json().items()) item(key, c.at(key.c_str()));
}

std::string some_text(const Cursor& c) {
  std::string text = c.text();
  if (text.find_first_not_of(' ') == std::string::npos) c.expected("a string that is not empty");
  return text;
}

std::int64_t count(const Cursor& c) { return c.integer(0, std::int64_t{1} << 53); }

Profile profile_of(const Cursor& c, const std::string& name) {
  if (const auto profile = profile_named(name)) return *profile;
  c.expected(fmt::format("the name of a profile instead of '{}'", name));
}

proofs::Verdict verdict_of(const Cursor& c) {
  constexpr std::array<std::string_view, 3> kWords{"proved", "refuted", "unknown"};
  return c.one_of<proofs::Verdict>(kWords);
}

How how_of(const Cursor& c) {
  How how;
  each(c, [&](const std::string& key, const Cursor& value) {
    how.emplace_back(key, value.json().is_string() ? some_text(value) : std::to_string(count(value)));
  });
  if (how.empty()) c.expected("how it was measured (a command, a date, …)");
  return how;
}

MeasuredProof proof_of(const Cursor& c) {
  c.object({"verdict", "except", "vacuous"});
  MeasuredProof proof;
  proof.verdicts.fill(verdict_of(c.at("verdict")));
  if (c.has("except"))
    each(c.at("except"), [&](const std::string& key, const Cursor& value) {
      proof.verdicts.at(static_cast<std::size_t>(profile_of(value, key))) = verdict_of(value);
    });
  if (c.has("vacuous"))
    for (const Profile profile : c.at("vacuous").list([](const Cursor& item) { return profile_of(item, item.text()); }))
      proof.vacuous.at(static_cast<std::size_t>(profile)) = true;
  return proof;
}

MeasuredFuzzing fuzzing_of(const Cursor& c) {
  c.object({"programs", "seed", "rules"});
  MeasuredFuzzing fuzzing{count(c.at("programs")), count(c.at("seed")), {}};
  each(c.at("rules"), [&](const std::string& rule, const Cursor& value) {
    value.object({"hit", "out_of_reach"});
    MeasuredHits hits{count(value.at("hit")), ""};
    if (value.has("out_of_reach")) hits.out_of_reach = some_text(value.at("out_of_reach"));
    fuzzing.rules.emplace(rule, std::move(hits));
  });
  return fuzzing;
}

MeasuredFlip flip_of(const Cursor& c) {
  c.object({"asked", "fallen"});
  return {count(c.at("asked")), c.at("fallen").list([](const Cursor& item) { return some_text(item); })};
}

MeasuredMutants mutants_of(const Cursor& c) {
  c.object({"mutants", "killed", "falls", "misreading", "explained"});
  const MeasuredMutants one{count(c.at("mutants")), count(c.at("killed")), count(c.at("falls")),
                            count(c.at("misreading")), count(c.at("explained"))};
  if (one.open() < 0) c.expected("no more killed, failed, misreading and explained mutants than mutants");
  return one;
}

MeasuredVerdicts verdicts_of(const Cursor& c) {
  MeasuredVerdicts verdicts;
  each(c, [&](const std::string& word, const Cursor& value) {
    if (std::ranges::find(kVerdictWords, word) == kVerdictWords.end())
      c.expected(fmt::format("verdicts from {}", fmt::join(kVerdictWords, ", ")));
    verdicts.emplace(word, value.integer(1, std::int64_t{1} << 53));
  });
  return verdicts;
}

Unproved unproved_of(const Cursor& c) {
  const std::string name = some_text(c);
  const auto found = std::ranges::find(kUnproved, name, &UnprovedText::name);
  if (found != kUnproved.end()) return static_cast<Unproved>(found - kUnproved.begin());
  c.expected(fmt::format("one of \"{}\" instead of \"{}\"",
                         fmt::join(std::views::transform(kUnproved, &UnprovedText::name), "\", \""), name));
}

Reason reason_of(const Cursor& c) {
  c.object({"rules", "columns", "reason", "unproved"});
  const auto texts = [&](const char* key) {
    auto all = c.at(key).list([](const Cursor& item) { return some_text(item); });
    if (all.empty()) c.at(key).expected("at least one");
    return all;
  };
  if (c.has("unproved")) {
    if (c.has("columns") || c.has("reason")) c.expected("\"unproved\" alone, or \"columns\" and \"reason\"");
    const Unproved unproved = unproved_of(c.at("unproved"));
    const auto& [name, sentence] = text_of(unproved);
    return {texts("rules"),
            {kUnprovedColumns.begin(), kUnprovedColumns.end()},
            fmt::format("{}. {}", name, sentence),
            unproved};
  }
  Reason reason{texts("rules"), texts("columns"), some_text(c.at("reason")), {}};
  for (const std::string_view column : kUnprovedColumns)
    if (std::ranges::find(reason.columns, column) != reason.columns.end())
      c.expected(fmt::format("\"unproved\" with a name instead of a sentence about \"{}\"", column));
  return reason;
}

/// Passes a file's JSON to `read`.
template <class Read>
void with_file(const std::string& folder, const std::string& name, Read read) {
  const std::string path = folder + "/" + name;
  std::ifstream file(path);
  if (!file) throw MeasuredError(fmt::format("cannot read {}; docs/measured/refresh.py makes it", path));
  try {
    const nlohmann::json json = nlohmann::json::parse(file);
    read(Cursor(json));
  } catch (const nlohmann::json::exception& error) {
    throw MeasuredError(fmt::format("{}: it is not JSON: {}", path, error.what()));
  } catch (const ProtocolError& error) {
    throw MeasuredError(fmt::format("{}: {}", path, error.what()));
  }
}

}  // namespace

Measured read_measured(const std::string& folder) {
  Measured measured;
  with_file(folder, "proofs.json", [&](const Cursor& c) {
    c.object({"how", "obligations"});
    measured.how["proofs.json"] = how_of(c.at("how"));
    each(c.at("obligations"),
         [&](const std::string& name, const Cursor& value) { measured.proofs.emplace(name, proof_of(value)); });
  });
  with_file(folder, "flips.json", [&](const Cursor& c) {
    c.object({"how", "rules"});
    measured.how["flips.json"] = how_of(c.at("how"));
    each(c.at("rules"),
         [&](const std::string& rule, const Cursor& value) { measured.flips.emplace(rule, flip_of(value)); });
  });
  with_file(folder, "fuzz.json", [&](const Cursor& c) {
    c.object({"how", "tensors", "dispatcher", "transforms", "functionalize"});
    measured.how["fuzz.json"] = how_of(c.at("how"));
    measured.tensors = fuzzing_of(c.at("tensors"));
    measured.dispatcher = fuzzing_of(c.at("dispatcher"));
    measured.transforms = fuzzing_of(c.at("transforms"));
    measured.functionalize = fuzzing_of(c.at("functionalize"));
  });
  with_file(folder, "mutants.json", [&](const Cursor& c) {
    c.object({"how", "rules"});
    measured.how["mutants.json"] = how_of(c.at("how"));
    each(c.at("rules"),
         [&](const std::string& rule, const Cursor& value) { measured.mutants.emplace(rule, mutants_of(value)); });
  });
  with_file(folder, "verdicts.json", [&](const Cursor& c) {
    c.object({"how", "implementations"});
    measured.how["verdicts.json"] = how_of(c.at("how"));
    each(c.at("implementations"), [&](const std::string& name, const Cursor& rules) {
      std::map<std::string, MeasuredVerdicts> by_rule;
      each(rules, [&](const std::string& rule, const Cursor& value) { by_rule.emplace(rule, verdicts_of(value)); });
      measured.verdicts.emplace_back(name, std::move(by_rule));
    });
  });
  with_file(folder, "reasons.json", [&](const Cursor& c) { measured.reasons = c.list(reason_of); });
  return measured;
}

}  // namespace plumbline::prove
