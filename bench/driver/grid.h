// Text in columns.
#pragma once

#include <string>
#include <vector>

namespace plumbline::bench {

/// Lines with columns as wide as their widest cell. The first column and those in `left` are flush left, the others
/// flush right. A line of one cell does not widen a column.
std::string grid(const std::vector<std::vector<std::string>>& lines, const std::vector<std::size_t>& left = {});

}  // namespace plumbline::bench
