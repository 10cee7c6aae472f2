// Memoizes the common beginning of several obligations. A caller that reuses a value also gets the rules that were
// consulted to make it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "spec/proofs/symbolic.h"
#include "spec/rules/rule.h"

namespace plumbline::proofs {

/// The setting that a value made by rules depends on, besides its name.
struct Setting {
  Profile profile{};
  const Rule* flipped = nullptr;
  const Rule* only_variant = nullptr;
#ifdef PLUMBLINE_SITES
  std::optional<sites::Site> mutant;
#endif

  bool operator==(const Setting&) const = default;
};
inline Setting setting_of(const Judge<Symbolic>& judge) {
  Setting setting;
  setting.profile = judge.profile;
  setting.flipped = judge.flipped;
  setting.only_variant = judge.only_variant;
#ifdef PLUMBLINE_SITES
  if (sites::state().mutant != nullptr) setting.mutant = *sites::state().mutant;
#endif
  return setting;
}

/// Values by name, for the setting of the last request. Keep it thread_local: values consist of a thread's terms.
template <class T>
class Once {
 public:
  /// `make(judge)` makes a `std::unique_ptr<T>`. The judge lives as long as the value, and reports its decisions to the
  /// last caller.
  template <class Make>
  T& of(const Judge<Symbolic>& judge, const std::string& name, const Make& make) {
    if (const Setting now = setting_of(judge); !(now == setting_)) {
      values_.clear();
      setting_ = now;
    }
    auto [at, fresh] = values_.try_emplace(name);
    if (fresh) {
      try {
        at->second = std::make_unique<Made>(judge);
        at->second->fill(make);
      } catch (...) {
        values_.erase(at);
        throw;
      }
    }
    return at->second->told_to(judge);
  }

 private:
  struct Made {
    explicit Made(const Judge<Symbolic>& asked) : judge(asked) {}

    template <class Make>
    void fill(const Make& make) {
      judge.decisions = &decisions;
#ifdef PLUMBLINE_SITES
      sites::Recorder* const outer = sites::state().recorder;
      if (outer != nullptr) sites::state().recorder = &met;
      const auto back = std::shared_ptr<void>(nullptr, [outer](void*) { sites::state().recorder = outer; });
#endif
      value = make(judge);
    }
    T& told_to(const Judge<Symbolic>& asked) {
      judge.decisions = asked.decisions;
      if (asked.decisions != nullptr) {
        asked.decisions->consulted |= decisions.consulted;
        asked.decisions->mattered |= decisions.mattered;
      }
#ifdef PLUMBLINE_SITES
      if (sites::state().recorder != nullptr) sites::state().recorder->absorb(met);
#endif
      return *value;
    }

    Decisions decisions;
    Judge<Symbolic> judge;
    std::unique_ptr<T> value;
#ifdef PLUMBLINE_SITES
    sites::Recorder met;
#endif
  };

  Setting setting_;
  std::map<std::string, std::unique_ptr<Made>> values_;
};

}  // namespace plumbline::proofs
