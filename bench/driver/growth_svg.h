// How cost grows, as pictures below the ratios.
#pragma once

#include <vector>

#include "bench/driver/growth.h"
#include "bench/driver/svg.h"

namespace plumbline::bench {

/// The height of what draw_growths draws; 0 for no series.
double growth_height(const std::vector<Growth>& growths);
/// A panel for each series, two in a row, from `top` on: a line for each side.
void draw_growths(Svg& svg, const std::vector<Growth>& growths, double top);

}  // namespace plumbline::bench
