// Running every chain of views up to a length, with a write through each view.
#include <chrono>
#include <utility>
#include <vector>

#include "functionalization/validate/generate.h"
#include "functionalization/validate/run.h"
#include "functionalization/validate/small_steps.h"
#include "reference/memory.h"
#include "spec/ops/op_ids.h"
#include "support/workers.h"

namespace plumbline::validate {
namespace {

using reference::Sizes;

/// Chains over one shape, up to a length.
struct Chains {
  Sizes sizes;
  int length = 0;
};

class Enumeration {
 public:
  Enumeration(const Options& options, const Stop& stop, const Chains& chains)
      : options_(options), stop_(stop), sizes_(chains.sizes), length_(chains.length), maker_(validator_) {}

  /// How many views a chain may begin with.
  std::size_t beginnings() { return views().size(); }
  /// Every chain that begins with this view.
  Report begin_with(std::size_t beginning) {
    const std::vector<Call> all = views();
    chain_ = {all.at(beginning)};
    if (run_chain()) extend(length_ - 1);
    (void)stop_(more());
    return std::move(report_);
  }
  std::uint64_t bodies() const { return number_; }

 private:
  /// Runs the chain so far. Returns whether all its views could be made.
  bool run_chain() {
    maker_.restart();
    const std::int32_t memory = maker_.add_memory(reference::element_count(sizes_));
    maker_.add_outside({sizes_, reference::row_major(sizes_), 0, Dtype::float32, memory});
    maker_.begin();
    for (const Call& view : chain_)
      if (!maker_.perform(view, 1)) return false;
    return true;
  }

  /// The views that a chain may go on with.
  std::vector<Call> views() {
    if (!run_chain()) return {};
    const auto last = static_cast<Slot>(maker_.variables() - 1);
    return views_of(last, Facts(maker_.facts(last)));
  }

  void extend(int length) {
    write_through_each();
    if (length == 0 || is_over()) return;
    for (Call& view : views()) {
      chain_.push_back(std::move(view));
      if (run_chain()) extend(length - 1);
      chain_.pop_back();
      if (is_over()) return;
    }
  }

  void write_through_each() {
    for (std::size_t written = 0; written <= chain_.size(); ++written) {
      if (!run_chain()) return;
      const auto target = static_cast<Slot>(written);
      if (!maker_.perform({OpId::add__Tensor, {target, std::int64_t{1}, std::int64_t{1}}, {}}, 0) &&
          !maker_.perform({OpId::fill__Scalar, {target, std::int64_t{7}}, {}}, 0))
        continue;
      for (std::size_t i = 0; i <= chain_.size(); ++i) {
        const auto result = static_cast<Slot>(maker_.variables());
        if (maker_.perform({OpId::mul_Tensor, {static_cast<Slot>(i), std::int64_t{2}}, {}}, 1))
          maker_.body().returned.push_back(result);
      }
      maker_.body().returned.push_back(static_cast<Slot>(chain_.size()));
      judge_body(validator_, options_, maker_.body(), number_++, report_);
    }
  }

  bool is_over() {
    if (number_ >= asked_ + 4096) {
      asked_ = number_;
      report_.interrupted = report_.interrupted || stop_(more());
    }
    return report_.interrupted || report_.findings.size() >= options_.most_findings;
  }
  /// What is done since the last call, for `stop_`.
  Report more() {
    Report more;
    more.programs = report_.programs - std::exchange(told_.programs, report_.programs);
    more.without_form = report_.without_form - std::exchange(told_.without_form, report_.without_form);
    return more;
  }

  const Options& options_;
  const Stop& stop_;
  Sizes sizes_;
  int length_;
  const reference::Judge sound_;
  Validator validator_{sound_};
  BodyMaker maker_;
  Report report_;
  Report told_;
  std::vector<Call> chain_;
  std::uint64_t number_ = 0;
  std::uint64_t asked_ = 0;
};

/// The chains over one shape that begin with the same view.
struct Part {
  Chains chains;
  std::size_t beginning = 0;
  Report report = {};
  std::uint64_t bodies = 0;
};

}  // namespace

Report run_exhaustive(const Options& options, int length, unsigned jobs, const Stop& stop) {
  const auto begin = std::chrono::steady_clock::now();
  std::vector<Part> parts;
  for (const Chains& chains : {Chains{{6}, length}, Chains{{2, 3}, length}, Chains{{3, 4}, length},
                               Chains{{2, 3, 2}, length}, Chains{{2, 2}, length + 1}}) {
    const std::size_t beginnings = Enumeration(options, stop, chains).beginnings();
    for (std::size_t i = 0; i < beginnings; ++i) parts.push_back({chains, i});
  }
  cli::share_work(parts.size(), {.jobs = jobs}, [&](std::size_t i) {
    Part& part = parts[i];
    part.report.interrupted = stop({});
    if (part.report.interrupted) return;
    Enumeration enumeration(options, stop, part.chains);
    part.report = enumeration.begin_with(part.beginning);
    part.bodies = enumeration.bodies();
  });
  Report all;
  std::uint64_t before = 0;
  for (Part& part : parts) {
    for (Finding& finding : part.report.findings) finding.body += before;
    before += part.bodies;
    add(all, std::move(part.report));
  }
  if (all.findings.size() > options.most_findings) all.findings.resize(options.most_findings);
  all.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return all;
}

}  // namespace plumbline::validate
