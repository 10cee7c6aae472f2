// Enumerating bodies, shortest first.
#include "functionalization/validate/shortest.h"

#include <algorithm>

#include "functionalization/validate/generate.h"
#include "functionalization/validate/small_steps.h"
#include "reference/memory.h"
#include "support/workers.h"

namespace plumbline::validate {
namespace {

using reference::Sizes;

/// An outside tensor of a body.
struct Outside {
  Sizes sizes;
  Sizes strides;
  bool shares = false;    ///< the memory of the one before it
  bool captured = false;  ///< not an input
};
using Opening = std::vector<Outside>;

/// Few elements, so that bodies stay small: a square, windows that can have gaps, rows that repeat, shared memory.
const std::vector<Opening> kOpenings{
    {{{2, 2}, {2, 1}}},
    {{{3}, {1}}},
    {{{2, 2}, {0, 1}}},
    {{{2, 3}, {3, 1}}},
    {{{2}, {1}}, {{2}, {1}, true}},
    {{{2}, {1}}, {{2}, {1}, false, true}},
    {{{2}, {1}}, {{2}, {1}}},
    {{{2, 1, 2}, {2, 2, 1}}},
};

using Findings = std::vector<std::pair<int, Finding>>;
bool is_known(const Findings& all, const Finding& finding) {
  return std::ranges::any_of(all, [&](const auto& known) {
    return known.second.kind == finding.kind && std::ranges::includes(finding.parts, known.second.parts);
  });
}

class Search {
 public:
  Search(const Judged& judged, const std::function<bool()>& stop) : judged_(judged), stop_(stop), maker_(validator_) {}

  /// Whether it found one and is to end.
  bool bodies_of(int steps) {
    return std::ranges::any_of(kOpenings, [&](const Opening& opening) { return bodies_of(steps, opening); });
  }
  bool bodies_of(int steps, const Opening& opening) {
    opening_ = &opening;
    chosen_.clear();
    return extend(steps);
  }
  const std::optional<Finding>& found() const { return found_; }
  /// Goes on after a finding, and adds it.
  void look_for_others(Findings& all) { all_ = &all; }
  std::uint64_t bodies() const { return bodies_; }
  bool is_over() const { return over_; }

 private:
  /// The body with the chosen steps. Returns false if a step raises.
  bool make() {
    maker_.restart();
    std::int32_t memory = -1;
    for (const Outside& one : *opening_) {
      const std::int64_t elements = reference::element_count(one.sizes);
      if (!one.shares) memory = maker_.add_memory(elements);
      maker_.add_outside({one.sizes, one.strides, 0, Dtype::float32, memory}, one.captured);
    }
    maker_.begin();
    for (const SmallStep& step : chosen_)
      if (!maker_.perform(step.call, step.results, step.composite)) return false;
    return true;
  }

  bool extend(int steps) {
    if (!make()) return false;
    if (steps == 0) return differs();
    std::vector<Facts> facts;
    for (std::size_t i = 0; i < maker_.variables(); ++i) facts.push_back(maker_.facts(static_cast<Slot>(i)));
    for (std::size_t i = 0; i < facts.size(); ++i)
      for (SmallStep& step : steps_on(static_cast<Slot>(i), facts)) {
        chosen_.push_back(std::move(step));
        if (extend(steps - 1)) return true;
        chosen_.pop_back();
        if (is_over()) return false;
      }
    return false;
  }

  /// Whether the body shows the fault. First every variable that a step made is a result, then as few as show it.
  bool differs() {
    std::vector<Slot> returned;
    for (std::size_t i = opening_->size(); i < maker_.variables(); ++i) returned.push_back(static_cast<Slot>(i));
    if (!is_wrong(returned)) return false;
    for (std::size_t i = returned.size(); i-- > 0;) {
      std::vector<Slot> fewer = returned;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      if (make() && is_wrong(fewer)) returned = fewer;
    }
    if (all_ == nullptr) return true;
    all_->emplace_back(static_cast<int>(chosen_.size()), *found_);
    found_.reset();
    return false;
  }
  bool is_wrong(const std::vector<Slot>& returned) {
    maker_.body().returned = returned;
    if (++bodies_ % 1024 == 0) over_ = stop_();
    std::optional<Finding> finding = judged_(validator_, maker_.body());
    if (!finding || is_known(*finding)) return false;
    if (found_ && found_->kind != finding->kind) return false;
    found_ = std::move(finding);
    return true;
  }

  bool is_known(const Finding& finding) const { return all_ != nullptr && validate::is_known(*all_, finding); }

  const Judged& judged_;
  const std::function<bool()>& stop_;
  const reference::Judge sound_;
  Validator validator_{sound_};
  BodyMaker maker_;
  const Opening* opening_ = nullptr;
  std::vector<SmallStep> chosen_;
  std::optional<Finding> found_;
  Findings* all_ = nullptr;
  std::uint64_t bodies_ = 0;
  bool over_ = false;
};

}  // namespace

Shortest shortest_body(const Judged& judged, int longest, const std::function<bool()>& stop) {
  Shortest shortest;
  Search search(judged, stop);
  for (int steps = 1; steps <= longest && !shortest.found && !search.is_over(); ++steps) {
    shortest.steps = steps;
    if (search.bodies_of(steps)) shortest.found = search.found();
  }
  shortest.bodies = search.bodies();
  shortest.interrupted = search.is_over();
  return shortest;
}

Kinds shortest_of_each_kind(const Judged& judged, int longest, unsigned jobs, const std::function<bool()>& stop) {
  Kinds kinds;
  for (int steps = 1; steps <= longest && !kinds.interrupted; ++steps) {
    std::vector<Kinds> parts(kOpenings.size());
    cli::share_work(parts.size(), {.jobs = jobs}, [&](std::size_t i) {
      Search search(judged, stop);
      parts[i].found = kinds.found;
      search.look_for_others(parts[i].found);
      (void)search.bodies_of(steps, kOpenings[i]);
      parts[i].bodies = search.bodies();
      parts[i].interrupted = search.is_over();
    });
    const std::size_t known = kinds.found.size();
    for (Kinds& part : parts) {
      kinds.bodies += part.bodies;
      kinds.interrupted = kinds.interrupted || part.interrupted;
      for (std::size_t n = known; n < part.found.size(); ++n)
        if (!is_known(kinds.found, part.found[n].second)) kinds.found.push_back(std::move(part.found[n]));
    }
  }
  return kinds;
}

std::optional<Finding> wrong_by_passes(const Options& options, Validator& validator, const passes::Body& body) {
  Report report;
  judge_body(validator, options, body, 0, report);
  return report.findings.empty() ? std::nullopt : std::optional(std::move(report.findings.front()));
}

}  // namespace plumbline::validate
