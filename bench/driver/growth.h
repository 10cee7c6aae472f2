// How cost grows with depth and with the number of aliases: cases that differ only in their size, as one series.
#pragma once

#include <string>
#include <vector>

#include "bench/driver/table.h"

namespace plumbline::bench {

/// The times of one side for each size of a series, and how they grow.
struct Curve {
  std::string side;        ///< "ours", "LibTorch 2.13.0"
  std::vector<double> ns;  ///< the fastest repetition for one view, alias or call, by size
  double exponent = 0;     ///< p, if the whole takes about size^p: the least-squares slope of the logarithms
};

/// One call in one mode, measured at three sizes or more.
struct Growth {
  std::string title;                ///< "views of views, functionalized"
  std::string thing;                ///< what a size counts: "views deep", "aliases"
  std::vector<std::int64_t> sizes;  ///< ascending
  std::vector<Curve> curves;        ///< ours first
  double asked = 1;                 ///< the exponent of the work itself: 1 linear, 0 constant

  /// Whether ours grows no faster than the work, to within a tenth: at 1000 times the size, one may take twice the
  /// time.
  bool kept() const { return curves.front().exponent <= asked + 0.1; }
};

/// The series of a report, in the order of its rows. A series needs three measured sizes.
std::vector<Growth> growths(const TableReport& report);

/// A table of each series; empty if there is none.
std::string growth_text(const std::vector<Growth>& growths);

}  // namespace plumbline::bench
