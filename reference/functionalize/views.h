// A view in a chain of views: the copy that makes it from its source, and the inverse by which a write to it reaches
// the source.
#pragma once

#include "reference/functionalize/program.h"
#include "spec/rules/fun.h"

namespace plumbline::reference::functionalize {

/// One view of a source. What split and unbind give is a slice or a select.
struct Link {
  OpId view{};
  std::vector<plumbline::Value> arguments;  ///< the view op's, behind the source
  Facts from;                               ///< the source
  Facts to;
  bool one_to_one = true;   ///< no two elements of the view are one of the source's
  bool piece = false;       ///< one of the results of an op that gives several
  std::int64_t number = 0;  ///< which of them a write to it is undone as
  Slot made_from{};         ///< the value of the source when the view was made
};

/// The links of an op's results; `step` is the view op's, `source` what its first argument is.
std::vector<Link> links_of(const Judge& judge, const Step& step, const Facts& source, Slot made_from);

/// Writes a view of `source` by its copy.
Slot forward(Writer& writer, const Link& link, Slot source, const std::string& stem);
/// Whether the inverse needs the source as it is; else the written view says all of it.
bool needs_source(const Link& link);
/// Writes the source in which `written` is the view.
Slot inverse(const Judge& judge, Writer& writer, const Link& link, Slot source, Slot written, const std::string& stem);

/// How a value lies in the memory of a storage that it fills: row-major in an order of its dimensions.
struct Memory {
  Sizes order;  ///< of dimensions, that of the largest stride first
  std::int64_t elements = 0;
  Facts of;
};
/// Nothing where the tensor does not fill a storage of so many elements.
std::optional<Memory> memory_of(const Facts& facts, std::int64_t elements);
/// Writes the memory as one dimension, and a value from it.
Slot flattened(Writer& writer, const Memory& memory, Slot value, const std::string& stem);
Slot unflattened(Writer& writer, const Memory& memory, Slot flat, const std::string& stem);
/// Writes what `view` sees of one-dimensional memory.
Slot from_memory(Writer& writer, Slot flat, const Facts& view, const std::string& stem);
/// Writes the memory in which `view` sees `written`: where it sees a place more than once, the elements are the same.
Slot into_memory(Writer& writer, Slot flat, const Facts& view, Slot written, const std::string& stem);

}  // namespace plumbline::reference::functionalize
