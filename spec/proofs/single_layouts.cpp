// Claims about single rules of sizes, strides and memory: which tensor an op gives, and which it takes.
#include "spec/proofs/single_rules.h"
#include "spec/rules/bit.h"
#include "spec/rules/geo_copy.h"
#include "spec/rules/geo_format.h"
#include "spec/rules/geo_ops.h"
#include "spec/rules/geo_value.h"
#include "spec/rules/value.h"

namespace plumbline::proofs {

namespace {

using S = Symbolic;
using J = Judge<S>;
using B = Bool<S>;
using N = Num<S>;

const std::vector<SingleRule> kSelf{
    {"reshape",
     "reshape is a view exactly if the strides allow one, and checks nothing before that.",
     [](const J& judge) {
       const B allowed = any_truth("allowed");
       return claim(reshape_is_view(judge, allowed) == allowed && !reshape_checks_first(judge));
     },
     {{k113, "GEO-60: it checks its sizes first"}}},
    {"contiguous",
     "contiguous() is the tensor itself exactly if its elements lie in the format's order without gaps.",
     [](const J& judge) {
       const B there = any_truth("there"), row_major = any_truth("row-major");
       return claim(contiguous_is_self(judge, row_major) == row_major &&
                    contiguous_finds_format(judge, there, row_major, any_truth("in a functionalized body")) == there);
     },
     {{k113, "GEO-37: in a functionalized body it looks for row-major order"}}},
    {"to", "to() is the tensor itself exactly if dtype and format are its own and no copy is asked for.",
     [](const J& judge) {
       const B same = any_truth("same dtype"), copy = any_truth("copy"), suggested = any_truth("suggested");
       return claim(to_is_self(judge, same, copy) == (same && !copy) &&
                    to_finds_format(judge, suggested, any_truth("there")) == suggested);
     }},
    {"copy-onto-itself",
     "copy_ writes nothing exactly if source and target are the same elements.",
     [](const J& judge) {
       const B same = any_truth("same elements");
       return claim(copy_does_nothing(judge, same) == same);
     },
     {{k113, "GEO-28: it writes"}}},
    {"cat-skips", "cat skips exactly tensors of one dimension without elements.",
     [](const J& judge) {
       const B empty = any_truth("empty");
       const N rank = any_number("rank");
       return claim(cat_skips(judge, empty, rank) == (empty && rank == N(1)));
     }},
};

const std::vector<SingleRule> kStrides{
    {"formats", "Channels run fastest exactly in a channels-last format; a format fits only its number of dimensions.",
     [](const J& judge) {
       const B last = any_truth("channels last"), fits = any_truth("fits"), preserve = any_truth("preserve");
       return claim(channels_run_fastest(judge, last) == last && fine(check_format_rank(judge, fits)) == fits &&
                    fine(check_not_preserve(judge, preserve)) == !preserve);
     }},
    {"strides-are-kept", "clone and empty_like keep strides exactly if no other format is asked for.",
     [](const J& judge) {
       const B preserves = any_truth("preserves");
       return claim(clone_keeps_strides(judge, preserves) == preserves &&
                    like_keeps_strides(judge, preserves) == preserves);
     }},
    {"resize", "resize_ lays out a tensor again exactly for other sizes or a given format, and enlarges its storage.",
     [](const J& judge) {
       const B given = any_truth("given"), same = any_truth("same sizes");
       return claim(resize_lays_out(judge, given) == given && resize_keeps_strides(judge, same) == same &&
                    fine(check_resize(judge, any_number("needed"), any_number("held"))));
     }},
    {"view-copies", "view_copy takes all sizes that fit, whatever the strides are.",
     [](const J& judge) { return claim(view_copy_fits(judge, any_truth("allowed"))); }},
    {"scatters",
     "A *_scatter keeps the layout exactly of a tensor without repeated elements, takes a source exactly of the view's "
     "sizes, and takes any layout and storage.",
     [](const J& judge) {
       const B repeats = any_truth("repeats"), same = any_truth("same sizes");
       return claim(scatter_keeps_layout(judge, repeats) == !repeats &&
                    fine(check_scatter_source(judge, same)) == same &&
                    fine(check_strided_scatter(judge, any_truth("row-major"), any_truth("requires grad"))) &&
                    fine(check_scatter_storage(judge, any_truth("whole"))));
     },
     {{k213, "GEO-80, GEO-81: an assertion fails"},
      {k113, "GEO-78, GEO-80: it keeps no layout, and an assertion fails"}}},
    {"sizes-of-scalars",
     "A reduction of a tensor without dimensions has none, with or without keepdim.",
     [](const J& judge) { return claim(!scalar_gets_dimension(judge, any_truth("keepdim"), any_truth("aminmax"))); },
     {{k113, "GEO-53: aminmax with keepdim has one"}}},
    {"index-of-scalars",
     "index_select of a tensor without dimensions takes exactly one index, and refuses others.",
     [](const J& judge) {
       const B one = any_truth("one index");
       return claim(indices_of_scalar(judge, one) == select(one, N(kTakes), N(kRefuses)));
     },
     {{k113, "GEO-55: it reads outside the memory"}}},
    {"cat-into-strides",
     "cat writes an out of other strides as any other.",
     [](const J& judge) {
       return claim(cat_into_strides(judge, any_truth("too little"), any_truth("rows")) == N(kCatWrites));
     },
     {{k213, "GEO-59: it writes too little"}, {k113, "GEO-59: it writes too little"}}},
    {"pairs",
     "view_as_complex takes exactly a last dimension of stride 1, and other dimensions of even strides or of size 1.",
     [](const J& judge) {
       const B together = any_truth("together"), even = any_truth("even"), single = any_truth("single");
       return claim(pairs_fit(judge, together, any_truth("apart")) == together &&
                    pair_stride_fits(judge, even, single) == (even || single));
     },
     {{k113, "BIT-22: a size of 1 does not matter"}}},
    {"matmul-folds",
     "matmul multiplies a stack as one matrix exactly if that moves no data or the matrix needs grad.",
     [](const J& judge) {
       const B still = any_truth("moves no data"), needed = any_truth("requires grad"),
               differ = any_truth("two differ");
       return claim(matmul_folds(judge, still, needed, any_truth("turned")) == (still || needed) &&
                    matmul_stacks_late(judge, differ) == differ);
     },
     {{k113, "MUL-57: it folds unless the matrices are transposed"}}},
};

const std::vector<SingleRule> kTaken{
    {"pieces", "A split by sizes takes exactly sizes that add up to the dimension.",
     [](const J& judge) {
       const N sum = any_number("sum"), size = any_number("size");
       return claim(fine(check_pieces(judge, sum, size)) == (sum == size));
     }},
    {"gather-sizes", "gather takes exactly indices that are not longer than the tensor in other dimensions.",
     [](const J& judge) {
       const N index = any_number("index"), self = any_number("self");
       return claim(gather_fits(judge, index, self) == !(self < index));
     }},
    {"out-sizes", "out= takes a tensor of any sizes; a copy is copied back into any.",
     [](const J& judge) {
       const B same = any_truth("same sizes");
       return claim(fine(check_out_sizes(judge, same)) && fine(check_copied_back(judge, same)));
     }},
    {"out-overlap",
     "out= always checks whether out overlaps.",
     [](const J& judge) { return claim(out_overlap_checked(judge, any_truth("the kernel checks"))); },
     {{k213, "GEO-74: some kernels do not check"}, {k113, "GEO-74: some kernels do not check"}}},
    {"overlap-of-copies", "A written copy of a tensor with a bit is not checked for overlap before the op runs.",
     [](const J& judge) { return claim(!overlap_checked_first(judge, any_truth("written"))); }},
    {"overlap-of-conj", "conj_physical_ checks for overlap exactly where it writes.",
     [](const J& judge) {
       const B complex = any_truth("complex");
       return claim(conj_checks_overlap(judge, complex) == complex);
     }},
    {"masked-fill-overlap", "masked_fill_ takes a tensor with repeated elements if nothing else overlaps.",
     [](const J& judge) {
       const OverlapFacts<S> facts{any_truth("repeats"), false, false, any_truth("idempotent")};
       return claim(fine(check_masked_fill(judge, facts)));
     }},
    {"failed-op-changes-nothing",
     "What an op changed before it raised an error is undone.",
     [](const J& judge) { return claim(!changes_stay(judge, any_truth("changed"))); },
     {{k213, "GEO-75: it stays"}, {k113, "GEO-75: it stays"}}},
};

}  // namespace

std::vector<Obligation> layout_rules() {
  std::vector<Obligation> all;
  for (const auto* claims : {&kSelf, &kStrides, &kTaken})
    for (Obligation& one : obligations_of("layouts", *claims)) all.push_back(std::move(one));
  return all;
}

}  // namespace plumbline::proofs
