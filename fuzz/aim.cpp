// Which genes of programs become others, if the programs are aimed at graph capture.
#include "fuzz/aim.h"

namespace plumbline::fuzz {

namespace {

/// Of three guards two become calls, so that most graphs are longer than a guard's body. In place of a thread, the
/// builder calls an operator of the program's own; an eighth of functional calls are such calls too.
GeneKind aimed(GeneKind kind, const Gene& gene) {
  switch (kind) {
    case GeneKind::enter:
      return gene.op % 3 == 0 ? kind : gene.op % 3 == 1 ? GeneKind::inplace : GeneKind::functional;
    case GeneKind::exit:
      return gene.op % 3 == 0 ? kind : GeneKind::view;
    case GeneKind::read:
      return GeneKind::functional;
    case GeneKind::functional:
      return gene.op % 8 == 7 ? GeneKind::thread : kind;
    default:
      return kind;
  }
}

}  // namespace

Gene aimed_at_capture(Gene gene) {
  const auto given = static_cast<GeneKind>(gene.kind % kGeneKinds);
  const GeneKind kind = aimed(given, gene);
  gene.kind = static_cast<std::uint8_t>(kind);
  const bool was_guard = given == GeneKind::enter && kind == GeneKind::functional;
  if (was_guard || given == GeneKind::read) gene.unwind = 5;          // a call with `out=`
  const bool refused = gene.twist % 8 == 7 && gene.observe % 8 != 7;  // of eight refused calls, one stays
  if (refused) --gene.twist;
  gene.observe = gene.observe % 16 == 15 ? 3 : 0;
  return gene;
}

}  // namespace plumbline::fuzz
