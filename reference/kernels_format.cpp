// Memory formats: what kernels ask about the one that a call gives.
#include "reference/kernels.h"
#include "reference/raise.h"
#include "spec/rules/geo_format.h"
#include "spec/vocabulary/error_texts.h"

namespace plumbline::reference {

std::optional<MemoryFormat> format_asked(const Arguments& arguments) {
  const auto number = arguments.optional_integer(arguments.place("memory_format"));
  if (!number) return std::nullopt;
  const auto format = memory_format_of(*number);
  if (!format) throw ReferenceLimit(text("the memory format ", *number, ", which PyTorch does not have"));
  return format;
}

std::optional<Failure> format_failure(const Judge& judge, const Sizes& sizes, MemoryFormat format,
                                      std::string_view refused) {
  if (check_not_preserve<Concrete>(judge, format == MemoryFormat::preserve).v != 0)
    return Failure{ErrorClass::option, std::string(refused), "RuntimeError"};
  const int rank = rank_of(format);
  const bool fits = rank == 0 || sizes.size() == static_cast<std::size_t>(rank);
  if (check_format_rank<Concrete>(judge, fits).v == 0) return std::nullopt;
  return Failure{ErrorClass::option,
                 error_message(ErrorClass::option, {std::to_string(rank), std::string(name_of(format))}),
                 "RuntimeError"};
}

Sizes strides_in(const Judge& judge, const Sizes& sizes, MemoryFormat format) {
  const int rank = rank_of(format);
  const bool last = rank != 0 && sizes.size() == static_cast<std::size_t>(rank);
  return channels_run_fastest<Concrete>(judge, last).v ? channels_last_strides(sizes) : row_major(sizes);
}

}  // namespace plumbline::reference
