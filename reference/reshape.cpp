// New sizes for the same elements, and their strides.
#include "reference/reshape.h"

#include "reference/kernels.h"
#include "reference/raise.h"

namespace plumbline::reference {

Sizes whole_sizes(const Judge& judge, const Sizes& asked, std::int64_t elements) {
  Sizes sizes = asked;
  std::int64_t rest = 1;
  std::optional<std::size_t> open;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == -1 && open) raise(ErrorClass::range, "only one dimension can be inferred");
    if (sizes[i] < -1)
      raise(ErrorClass::range,
            text("invalid shape dimension ", sizes[i], " at index ", i, " of shape ", printed(asked)));
    if (sizes[i] == -1)
      open = i;
    else  // wraps around, as PyTorch's product does
      rest = static_cast<std::int64_t>(static_cast<std::uint64_t>(rest) * static_cast<std::uint64_t>(sizes[i]));
  }
  if (open && rest == 0 && elements == 0)
    raise(ErrorClass::shape, text("cannot reshape tensor of 0 elements into shape ", printed(asked),
                                  " because the unspecified dimension size -1 can be any value and is ambiguous"));
  const bool fits = open ? rest > 0 && elements % rest == 0 : rest == elements;
  if (fits && open) sizes[*open] = inferred_size<Concrete>(judge, elements, rest).v;
  if (!fits || element_count(sizes) != elements)
    raise(ErrorClass::shape, text("shape '", printed(asked), "' is invalid for input of size ", elements));
  return sizes;
}

// Old dimensions are grouped into runs of memory, and each group of new sizes must use up whole runs.
std::optional<Sizes> view_strides(const Sizes& old_sizes, const Sizes& old_strides, const Sizes& sizes) {
  Sizes strides(sizes.size(), 1);
  if (element_count(old_sizes) == 0) return sizes == old_sizes ? old_strides : row_major(sizes);
  auto next = static_cast<std::ptrdiff_t>(sizes.size()) - 1;
  std::int64_t run_stride = old_sizes.empty() ? 1 : old_strides.back();
  std::int64_t run = 1;
  std::int64_t used = 1;
  for (auto dim = static_cast<std::ptrdiff_t>(old_sizes.size()) - 1; dim >= 0; --dim) {
    run *= old_sizes[dim];
    const bool ends = dim == 0 || (old_sizes[dim - 1] != 1 && old_strides[dim - 1] != run * run_stride);
    if (!ends) continue;
    while (next >= 0 && (used < run || sizes[next] == 1)) {
      strides[next] = used * run_stride;
      used *= sizes[next];
      --next;
    }
    if (used != run) return std::nullopt;
    if (dim > 0) {
      run_stride = old_strides[dim - 1];
      run = used = 1;
    }
  }
  if (old_sizes.empty())
    for (; next >= 0 && sizes[next] == 1; --next) strides[next] = 1;
  return next < 0 ? std::optional(strides) : std::nullopt;
}

}  // namespace plumbline::reference
