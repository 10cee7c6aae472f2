// Running every chain of views up to a length, with a write through each view.
#include <array>

#include "functionalization/validate/generate.h"
#include "functionalization/validate/run.h"
#include "functionalization/validate/small_steps.h"
#include "reference/memory.h"
#include "spec/ops/op_ids.h"

namespace plumbline::validate {
namespace {

using reference::Sizes;

class Enumeration {
 public:
  Enumeration(const Options& options, const Stop& stop)
      : options_(options), stop_(stop), validator_(sound_), maker_(validator_) {}

  void shape(const Sizes& sizes, int length) {
    sizes_ = sizes;
    extend(length);
  }
  Report& report() { return report_; }

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

  void extend(int length) {
    if (!chain_.empty()) write_through_each();
    if (length == 0 || is_over()) return;
    if (!run_chain()) return;
    const auto last = static_cast<Slot>(maker_.variables() - 1);
    for (Call& view : views_of(last, Facts(maker_.facts(last)))) {
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
      report_.interrupted = report_.interrupted || stop_(report_);
    }
    return report_.interrupted || report_.findings.size() >= options_.most_findings;
  }

  const Options& options_;
  const Stop& stop_;
  const reference::Judge sound_;
  Validator validator_;
  BodyMaker maker_;
  Report report_;
  Sizes sizes_;
  std::vector<Call> chain_;
  std::uint64_t number_ = 0;
  std::uint64_t asked_ = 0;
};

}  // namespace

Report run_exhaustive(const Options& options, int length, const Stop& stop) {
  const auto begin = std::chrono::steady_clock::now();
  Enumeration enumeration(options, stop);
  for (const Sizes& sizes : {Sizes{6}, Sizes{2, 3}, Sizes{3, 4}, Sizes{2, 3, 2}}) enumeration.shape(sizes, length);
  enumeration.shape({2, 2}, length + 1);
  Report report = std::move(enumeration.report());
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return report;
}

}  // namespace plumbline::validate
