// Text in columns.
#pragma once

#include <string>
#include <vector>

namespace plumbline::bench {

/// Lines whose columns are as wide as their widest cell; the first column is flush left, the others right, but for
/// those that are named in `left`. A line of one cell stands by itself.
std::string grid(const std::vector<std::vector<std::string>>& lines, const std::vector<std::size_t>& left = {});

}  // namespace plumbline::bench
