// A view in a chain of views: the copy that makes it from its source, and the inverse that carries a write to it back
// to the source.
#pragma once

#include "reference/functionalize/program.h"
#include "spec/rules/fun_undo.h"

namespace plumbline::reference::functionalize {

/// One view of a source. A piece of split or unbind is a slice or a select.
struct Link {
  OpId view{};
  std::vector<plumbline::Value> arguments;  ///< the view op's arguments after the source
  Facts from;                               ///< the source
  Facts to;
  bool one_to_one = true;   ///< different elements of the view are different elements of the source
  bool piece = false;       ///< one of several results of an op
  std::int64_t number = 0;  ///< the piece as which a write to it is undone
  Slot made_from{};         ///< the value of the source when the view was made
};

/// The links of a view op's results; `step` is the op's, `source` the facts of its first argument.
std::vector<Link> links_of(const Judge& judge, const Step& step, const Facts& source, Slot made_from);

/// Emits the copy that makes a view of `source`.
Slot forward(Writer& writer, const Link& link, Slot source, const std::string& stem);
/// Whether the inverse needs the source's value; otherwise the written view determines all of it.
bool needs_source(const Link& link);
/// Emits the source whose view is `written`.
Slot inverse(const Judge& judge, Writer& writer, const Link& link, Slot source, Slot written, const std::string& stem);

/// How a value fills the memory of a storage: row-major in an order of its dimensions.
struct Memory {
  Sizes order;  ///< the dimensions, largest stride first
  std::int64_t elements = 0;
  Facts of;
};
/// Nothing if the tensor does not fill a storage of that many elements.
std::optional<Memory> memory_of(const Facts& facts, std::int64_t elements);
/// Emits the memory as one dimension, and a value from it.
Slot flattened(Writer& writer, const Memory& memory, Slot value, const std::string& stem);
Slot unflattened(Writer& writer, const Memory& memory, Slot flat, const std::string& stem);
/// Emits the view of one-dimensional memory.
Slot from_memory(Writer& writer, Slot flat, const Facts& view, const std::string& stem);
/// Emits the memory after `written` is written through `view`. If the view has a place more than once, its elements
/// there are the same.
Slot into_memory(Writer& writer, Slot flat, const Facts& view, Slot written, const std::string& stem);

}  // namespace plumbline::reference::functionalize
