// Finding an obligation or a program that kills a mutant.
#include "mutation/rules/hunt.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "prove/order.h"
#include "spec/rules/catalogue.h"

namespace plumbline::mutants {

namespace {

using proofs::Answer;
using proofs::Question;
using proofs::Term;
using proofs::Verdict;

constexpr int kProofLimit_s = 120;
constexpr int kProgramLimit_s = 20;
/// How many of the latest killers are asked first.
constexpr std::size_t kKillers = 8;
/// How many questions with a flipped rule are asked about a mutant of its misreading: the cheapest ones.
constexpr std::size_t kFlippedQuestions = 60;
constexpr std::string_view kProof = "proof ";
constexpr std::string_view kProgram = "program ";
constexpr std::string_view kFlipping = " with misread ";  ///< then the rule

/// During its lifetime the thread's rules are mutated.
class Mutated {
 public:
  explicit Mutated(const sites::Site& site) { sites::state().mutant = &site; }
  ~Mutated() { sites::state().mutant = nullptr; }
  Mutated(const Mutated&) = delete;
  Mutated& operator=(const Mutated&) = delete;
};

bool same_question(const Question& a, const Question& b) { return a.claim == b.claim && a.premises == b.premises; }

/// How rules are read during a question.
struct Reading {
  Profile profile = Profile::sound;
  const Rule* flipped = nullptr;

  friend auto operator<=>(const Reading&, const Reading&) = default;
};

/// The latest killers, the newest first, without duplicates.
class Killers {
 public:
  void add(std::size_t index, const Reading& reading) {
    const std::pair one{reading, index};
    std::erase(all_, one);
    all_.push_front(one);
    if (all_.size() > kKillers) all_.pop_back();
  }
  std::vector<std::size_t> in(const Reading& reading, const std::vector<std::size_t>& among) const {
    std::vector<std::size_t> found;
    for (const auto& [how, index] : all_)
      if (how == reading && std::ranges::binary_search(among, index)) found.push_back(index);
    return found;
  }

 private:
  std::deque<std::pair<Reading, std::size_t>> all_;
};

}  // namespace

class Hunter::Asker {
 public:
  Asker(const Suite& suite, const Announce& announce) : suite_(suite), announce_(announce) {}

  Fate hunt(const Place& place, bool programs) {
    place_ = &place;
    fate_ = {};
    unchanged_ = false;
    if (place.misreading_of.empty() && !by_proofs()) unchanged_ = fate_.asked == 0;
    const bool open = fate_.proof.name.empty() && place.misreading_of.empty();
    if ((open || programs) && place.misreading_of.empty()) by_programs();
    if (fate_.proof.name.empty() && fate_.program.name.empty()) by_misreadings();
    fate_.ran = true;
    return fate_;
  }

 private:
  // Proofs.

  bool by_proofs() {
    if (place_->variant_of.empty() && proofs_in({Profile::sound})) return true;
    for (const Profile profile : other_profiles())
      if (proofs_in({profile})) return true;
    return false;
  }

  /// The profiles other than `sound` in which the site can matter. The rules of its own function are not enough: it may
  /// pass its result to a function that asks a rule with a variant.
  std::vector<Profile> other_profiles() const {
    if (!place_->variant_of.empty()) return place_->variant_of;
    std::vector<Profile> profiles;
    for (const ProfileInfo& info : kProfiles)
      if (info.profile != Profile::sound) profiles.push_back(info.profile);
    return profiles;
  }

  /// The obligations in which the site can matter in this reading.
  bool concerns(std::size_t i, const Reading& how) const {
    if (!std::ranges::binary_search(place_->obligations, i)) return false;
    return how.profile == Profile::sound ||
           std::ranges::find(suite_.baselines[i].profiles, how.profile) != suite_.baselines[i].profiles.end();
  }

  bool proofs_in(const Reading& how) {
    for (const std::size_t i : proof_killers_.in(how, place_->obligations)) {
      const std::vector<std::size_t> one{i};
      if (concerns(i, how) && falls(changed_of(one, how), how)) return true;
    }
    for (const auto& group : suite_.groups) {
      std::vector<std::size_t> some;
      for (const std::size_t i : group)
        if (concerns(i, how)) some.push_back(i);
      if (!some.empty() && (falls(changed_of(some, how), how) || !fate_.proof.name.empty())) return true;
    }
    return false;
  }

  struct Changed {
    std::size_t index = 0;
    Question question;
  };

  /// The questions that the mutant changes.
  std::vector<Changed> changed_of(const std::vector<std::size_t>& which, const Reading& how) {
    announce_(fmt::format("{}{}", kProof, suite_.obligations[which.front()].name), kProofLimit_s);
    for (const std::size_t i : which) (void)base_of(i, how);
    std::vector<Changed> changed;
    const Mutated now(place_->site);
    for (const std::size_t i : which) {
      try {
        Question question = build(i, how);
        const Question& base = base_of(i, how);
        // An obligation that follows from the clauses is asked if its premises change: they might hold nowhere.
        if (same_question(question, base) || (suite_.baselines[i].implied && question.premises == base.premises))
          ++fate_.identical;
        else
          changed.push_back({i, std::move(question)});
      } catch (const std::exception& error) {
        show_proof(i, how, fmt::format("cannot be built: {}", error.what()));
        return {};
      }
    }
    return changed;
  }
  Question build(std::size_t i, const Reading& how) const {
    return suite_.obligations[i].build({.profile = how.profile, .flipped = how.flipped});
  }
  const Question& base_of(std::size_t i, const Reading& how) {
    if (how == Reading{}) return suite_.baselines[i].question;
    const auto [at, fresh] = bases_.try_emplace({how, i});
    if (fresh) at->second = build(i, how);
    return at->second;
  }

  /// Whether one of these obligations shows the mutant. Obligations that share their premises are asked together: the
  /// ones that fail are those that are false in the solver's model.
  bool falls(std::vector<Changed> changed, const Reading& how) {
    bring_forward(changed, [&](const Changed& one) { return is_plain(one, how); });
    while (!changed.empty()) {
      const std::vector<Term> premises = changed.front().question.premises;
      const auto rest = changed.begin() + bring_forward(changed, [&](const Changed& one) {
                          return one.question.premises != premises || !is_plain(one, how);
                        });
      const std::vector<Changed> together(rest, changed.end());
      changed.erase(rest, changed.end());
      if (together.empty()) break;  // the rest is expected to be refuted
      if (together.size() == 1 ? falls_alone(together.front(), how) : falls_together(together, how)) return true;
    }
    return std::ranges::any_of(changed, [&](const Changed& one) { return falls_alone(one, how); });
  }
  bool is_plain(const Changed& one, const Reading& how) const {
    return suite_.obligations[one.index].expected_of(how.profile) == Verdict::proved;
  }

  bool falls_together(const std::vector<Changed>& some, const Reading& how) {
    const std::vector<Term>& premises = some.front().question.premises;
    Term all = proofs::truth(true);
    std::vector<Term> claims;
    for (const Changed& one : some) {
      claims.push_back(one.question.claim);
      if (std::ranges::find(premises, one.question.claim) == premises.end())
        all = proofs::both(all, one.question.claim);
    }
    fate_.asked += some.size();
    const Answer& answer = ask(premises, proofs::negate(all), claims);
    if (answer.kind == Answer::Kind::satisfiable)
      for (const Changed& one : some)
        if (const auto value = answer.values.find(one.question.claim);
            value != answer.values.end() && value->second == "false" && falls_alone(one, how))
          return true;
    if (answer.kind != Answer::Kind::unsatisfiable) {
      for (const Changed& one : some)
        if (falls_alone(one, how)) return true;
      return false;
    }
    return is_vacuous(some.front(), how) && show_proof(some.front().index, how, "its premises cannot hold");
  }
  bool is_vacuous(const Changed& one, const Reading& how) {
    return one.question.premises != base_of(one.index, how).premises &&
           ask(one.question.premises, proofs::truth(true), {}).kind == Answer::Kind::unsatisfiable;
  }

  bool falls_alone(const Changed& one, const Reading& how) {
    const proofs::Obligation& obligation = suite_.obligations[one.index];
    announce_(fmt::format("{}{}", kProof, obligation.name), kProofLimit_s);
    const Verdict verdict = verdict_of(one.index, one.question, how);
    ++fate_.asked;
    if (verdict == Verdict::unknown) {
      if (fate_.unknown.empty()) fate_.unknown = obligation.name;
      return false;
    }
    const Verdict expected = obligation.expected_of(how.profile);
    const bool vacuous = verdict == Verdict::proved && expected == verdict && is_vacuous(one, how);
    if (verdict == expected && !vacuous) return false;
    if (verdict_of(one.index, base_of(one.index, how), how) != expected) {
      fate_.mistake = obligation.name;
      return false;
    }
    return show_proof(one.index, how,
                      vacuous                      ? "its premises cannot hold"
                      : verdict == Verdict::proved ? "proved"
                                                   : "refuted");
  }
  Verdict verdict_of(std::size_t i, const Question& question, const Reading& how) {
    const proofs::Obligation& obligation = suite_.obligations[i];
    if (obligation.counterexample.empty()) {
      if (question.claim == proofs::truth(true) ||
          std::ranges::find(question.premises, question.claim) != question.premises.end())
        return Verdict::proved;
      switch (ask(question.premises, proofs::negate(question.claim), {}).kind) {
        case Answer::Kind::unsatisfiable:
          return Verdict::proved;
        case Answer::Kind::satisfiable:
          return Verdict::refuted;
        case Answer::Kind::unknown:
          return Verdict::unknown;
      }
    }
    return proofs::prove_question(obligation, question, {.profile = how.profile, .vacuity = false}).verdict;
  }

  /// Whether premises and goal can hold, and the values of `watched` in that case. Asks the solver once.
  const Answer& ask(const std::vector<Term>& premises, Term goal, const std::vector<Term>& watched) {
    const auto number = premises_.try_emplace(premises, premises_.size()).first->second;
    const auto [at, fresh] = answers_.try_emplace({number, goal});
    if (fresh) {
      if (goal == proofs::truth(false))
        at->second.kind = Answer::Kind::unsatisfiable;
      else
        at->second = proofs::solve(premises, {&goal, 1}, watched);
    }
    return at->second;
  }

  bool show_proof(std::size_t i, const Reading& how, std::string what) {
    fate_.proof = {suite_.obligations[i].name, how.profile, std::move(what),
                   how.flipped == nullptr ? "" : how.flipped->id()};
    proof_killers_.add(i, how);
    return true;
  }

  // Programs.

  void by_programs() {
    if (place_->variant_of.empty() && programs_in({Profile::sound})) return;
    for (const Profile profile : other_profiles())
      if (programs_in({profile})) return;
  }
  bool programs_in(const Reading& how) {
    for (const std::size_t i : program_killers_.in(how, place_->programs))
      if (program(i, how)) return true;
    return std::ranges::any_of(place_->programs, [&](std::size_t i) { return program(i, how); });
  }
  bool program(std::size_t i, const Reading& how) {
    const CuratedProgram& one = suite_.programs[i];
    announce_(fmt::format("{}{}{}{}", kProgram, one.name, how.flipped == nullptr ? "" : kFlipping,
                          how.flipped == nullptr ? "" : how.flipped->id()),
              kProgramLimit_s);
    const auto [base, fresh] = shown_.try_emplace({how, i});
    if (fresh)
      base->second = how == Reading{} ? suite_.program_baselines[i].shown : shown_by(one, how.profile, how.flipped);
    std::string shown;
    {
      const Mutated now(place_->site);
      shown = shown_by(one, how.profile, how.flipped);
    }
    if (shown == base->second) return false;
    fate_.program = {one.name, how.profile, std::move(shown), how.flipped == nullptr ? "" : how.flipped->id()};
    program_killers_.add(i, how);
    return true;
  }

  // Misreadings.

  /// A site that only a misreading computes is tested against programs and obligations with the rule flipped. That is a
  /// site in the misread argument, or one that changes no question at all.
  void by_misreadings() {
    std::vector<std::string> rules{place_->misreading_of};
    if (place_->misreading_of.empty()) rules = unchanged_ ? place_->rules : std::vector<std::string>{};
    for (const std::string& id : rules) {
      const Reading how{Profile::sound, find_rule(id)};
      if (how.flipped != nullptr && (programs_in(how) || flipped_proofs(how))) return;
    }
  }
  bool flipped_proofs(const Reading& how) {
    std::vector<std::size_t> some;
    for (const auto& group : suite_.groups)
      for (const std::size_t i : group)
        if (some.size() < kFlippedQuestions && concerns(i, how) && suite_.baselines[i].asked.test(how.flipped->index()))
          some.push_back(i);
    if (some.empty()) return false;
    for (const Changed& one : changed_of(some, how)) {
      const Verdict base = verdict_of(one.index, base_of(one.index, how), how);
      const Verdict now = verdict_of(one.index, one.question, how);
      ++fate_.asked;
      if (base != now && base != Verdict::unknown && now != Verdict::unknown)
        return show_proof(one.index, how, now == Verdict::proved ? "proved" : "refuted");
    }
    return !fate_.proof.name.empty();
  }

  const Suite& suite_;
  const Announce& announce_;
  const Place* place_ = nullptr;
  Fate fate_;
  bool unchanged_ = false;  ///< the mutant changes no question
  Killers proof_killers_;
  Killers program_killers_;
  std::map<std::pair<Reading, std::size_t>, Question> bases_;
  std::map<std::pair<Reading, std::size_t>, std::string> shown_;
  std::map<std::vector<Term>, std::size_t> premises_;
  std::map<std::pair<std::size_t, Term>, Answer> answers_;
};

Hunter::Hunter(const Suite& suite, const Announce& announce) : asker_(std::make_unique<Asker>(suite, announce)) {}
Hunter::~Hunter() = default;
Fate Hunter::hunt(const Place& place, bool programs) { return asker_->hunt(place, programs); }

namespace {

nlohmann::json json_of(const Witness& one) {
  return {{"name", one.name}, {"profile", name_of(one.profile)}, {"what", one.what}, {"flipped", one.flipped}};
}
Witness witness_of(const nlohmann::json& json) {
  return {json.at("name"), *profile_named(json.at("profile").get<std::string>()), json.at("what"), json.at("flipped")};
}

}  // namespace

std::string Fate::to_json() const {
  return nlohmann::json{{"proof", json_of(proof)}, {"program", json_of(program)}, {"asked", asked},
                        {"identical", identical},  {"unknown", unknown},          {"mistake", mistake}}
      .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}
Fate Fate::from_json(const std::string& text) {
  const auto json = nlohmann::json::parse(text);
  return {witness_of(json.at("proof")),
          witness_of(json.at("program")),
          json.at("asked"),
          json.at("identical"),
          json.at("unknown"),
          json.at("mistake"),
          true};
}

Fate fate_of_lost(const Ended& ended) {
  Fate fate;
  fate.ran = true;
  const std::string what = ended.how == Ended::How::hung ? "does not end" : "ends the process";
  if (ended.step.starts_with(kProgram)) {
    const std::size_t name_end = std::min(ended.step.find(kFlipping), ended.step.size());
    fate.program = {ended.step.substr(kProgram.size(), name_end - kProgram.size()), Profile::sound, what,
                    ended.step.substr(std::min(name_end + kFlipping.size(), ended.step.size()))};
  } else {
    fate.unknown = fmt::format("{}: {}", ended.step, what);
  }
  return fate;
}

}  // namespace plumbline::mutants
