// How cost grows with depth and with the number of aliases: the cases that differ in their size alone, as one series.
#pragma once

#include <string>
#include <vector>

#include "bench/driver/table.h"

namespace plumbline::bench {

/// What one side takes for each size of a series, and how that grows.
struct Curve {
  std::string side;        ///< "ours", "LibTorch 2.13.0"
  std::vector<double> ns;  ///< the fastest repeat for one thing (one view, one alias, one call), by size
  double exponent = 0;     ///< p, where the whole takes about size^p: the least-squares slope of the logarithms
};

/// One call in one mode, at three sizes or more, all of them measured.
struct Growth {
  std::string title;                ///< "views of views, functionalized"
  std::string thing;                ///< what a size counts: "views deep", "aliases"
  std::vector<std::int64_t> sizes;  ///< ascending
  std::vector<Curve> curves;        ///< ours first
  double asked = 1;                 ///< the exponent that the work itself has: 1 linear, 0 constant

  /// Whether ours grows no faster than the work, to within a tenth: 1000 times as much may double what one takes.
  bool kept() const { return curves.front().exponent <= asked + 0.1; }
};

/// The series of a report, in the order of its rows; none where fewer than three sizes were chosen or measured.
std::vector<Growth> growths(const TableReport& report);

/// A table of each series; empty where there is none.
std::string growth_text(const std::vector<Growth>& growths);

}  // namespace plumbline::bench
