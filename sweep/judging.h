// What the laws share while one choice of arguments is judged.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sweep/judge.h"

namespace plumbline::sweep {

/// What differs between two states of one tensor, and how; empty: nothing.
std::pair<std::string, std::string> change(const Facts& before, const Facts& after);
std::string show(const std::vector<std::int64_t>& list);

/// Collects verdicts. Each function judges by the laws that its comment names.
class Judging {
 public:
  Judging(const Operator& op, const Runs& runs);
  /// By every law, in the order of `laws()`.
  std::vector<Judged> all();

 private:
  void unwritten_arguments(Setting setting);  ///< OP-01
  void fresh_results();                       ///< OP-02
  void written_results();                     ///< OP-03
  void versions(Setting setting);             ///< OP-04
  void refusals();                            ///< OP-05, OP-06
  void modes();                               ///< OP-07, OP-08
  void inference_bits();                      ///< OP-09
  void views();                               ///< OP-10
  /// OP-12, OP-22.
  void metadata(std::string_view law, Setting setting);
  void twin();             ///< OP-13
  void repetition();       ///< OP-14; if elements differ from call to call, no other law compares them
  void other_strides();    ///< OP-15
  void shared_elements();  ///< OP-16
  void functionalized();   ///< OP-17
  void gradients();        ///< OP-18
  void examples();         ///< OP-19
  void copied_view();      ///< OP-20
  void keys();             ///< OP-21

  /// `seen` has the elements and sizes of the normal run.
  void compare(std::string_view law, Setting setting, const Observation& seen, bool to_the_bit);
  /// Each written tensor ends as the functional operator's result says.
  void compare_written(std::string_view law, const Observation& expected, const Observation& seen,
                       std::string_view what, const Experiment* shown);
  /// Whether another seed gives other elements: which element gets which number depends on strides.
  bool is_random() const;

  /// Null if the call was not made.
  const Observation* at(Setting setting) const;
  /// Null if it raised an error too.
  const Observation* returned(Setting setting) const;
  bool exempt(std::string_view law) const { return is_exempt(law, op_); }
  void held(std::string_view law) { ++verdicts_[law].cases; }
  void told(std::string_view law, bool apart) { verdicts_[law].told += apart ? 1 : 0; }
  void refused(std::string_view law) { ++verdicts_[law].refused; }
  void broken(std::string_view law, Setting setting, std::string what, std::string detail,
              const Experiment* shown = nullptr);
  std::string argument_of(std::size_t tensor) const;

  const Operator& op_;
  const Runs& runs_;
  const Observation& normal_;
  std::vector<bool> written_;
  std::map<std::string_view, Judged> verdicts_;
  bool are_elements_defined_ = true;  ///< they are the same in each call
};

}  // namespace plumbline::sweep
