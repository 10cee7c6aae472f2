// Facts: what was true before a statement, under names that waivers use.
#pragma once

#include <array>
#include <set>
#include <string>
#include <string_view>

#include "spec/vocabulary/profile.h"
#include "spec/vocabulary/statement.h"

namespace plumbline {

/// The facts that a waiver's predicate may name, and what they mean.
struct Fact {
  std::string_view name;
  std::string_view meaning;
};
inline constexpr std::array kFacts{
    Fact{"registers_kernels", "the program registers something with torch.library"},
    Fact{"inside_inference_mode", "the statement begins inside inference mode"},
    Fact{"outside_inference_mode", "the statement begins outside inference mode"},
    Fact{"self_is_inference", "its first tensor is an inference tensor"},
    Fact{"self_is_normal", "its first tensor is a normal tensor"},
    Fact{"self_has_version", "its first tensor has a version counter"},
    Fact{"self_is_empty", "its first tensor has no elements"},
    Fact{"written_is_inference", "the tensor that it writes is an inference tensor"},
    Fact{"written_has_version", "the tensor that it writes has a version counter"},
    Fact{"written_requires_grad", "the tensor that it writes requires grad"},
    Fact{"argument_is_inference", "a tensor argument is an inference tensor"},
    Fact{"self_is_integral", "its first tensor is of integers or bools"},
    Fact{"self_is_bool", "its first tensor is of bools"},
    Fact{"written_is_a_float64_scalar", "the tensor that it writes is of float64 and has no dimensions"},
    Fact{"written_is_integral", "the tensor that it writes is of integers or bools"},
    Fact{"functionalizes", "the program has a functionalized body"},
    Fact{"maps", "the program has a mapped body: torch.vmap"},
    Fact{"differentiates", "the program has a differentiated body: torch.func.grad"},
    Fact{"takes_examples", "a tensor that it takes has examples of a mapped body that it is in"},
    Fact{"index_has_no_dimensions", "its argument `index` is a tensor without dimensions"},
    Fact{"keeps_all_dimensions", "its argument `dim` is None, and its argument `keepdim` is True"},
    Fact{"maps_another_dimension", "in_dims of a mapped body before it says another dimension than the first"},
    Fact{"examples_are_not_first", "it ends a mapped body, and out_dims says another dimension than the first"},
    Fact{"inside_a_body", "it is in a functionalized body, or ends one"},
    Fact{"saw_a_factory", "an op before it made a tensor like another one: torch.zeros_like, for example"},
    Fact{"drew_numbers", "it draws random numbers, or an op before it does: torch.rand, for example"},
    Fact{"saw_a_hook", "a hook was registered on a tensor before it"},
    Fact{"packed_a_saved_tensor", "hooks of saved tensors were in effect before it"},
    Fact{"raises", "it raises an error"},
    Fact{"negative_size", "an argument `size` has a negative number"},
    Fact{"takes_a_zero", "an argument is the integer 0"},
    Fact{"counts_from_the_end", "its argument `dim` is negative"},
    Fact{"takes_an_alpha", "its argument `alpha` is not the integer 1"},
    Fact{"hooks_a_stale_view", "the program registers a hook on a view whose base was written since it was made"},
    Fact{"several_roots", "it starts backward from several tensors"},
    Fact{"excluded_a_backend",
         "a guard before it, or in a kernel, excludes a key that has a backend: AutogradCPU, for example"},
    Fact{"self_is_not_contiguous", "the elements of its first tensor do not lie in row-major order"},
    Fact{"argument_is_not_contiguous", "the elements of a tensor that it takes do not lie in row-major order"},
    Fact{"self_has_no_dimensions", "its first tensor has no dimensions"},
    Fact{"self_requires_grad", "its first tensor requires grad"},
    Fact{"arguments_have_two_dtypes", "the tensors that it takes have different dtypes"},
    Fact{"argument_is_normal", "a tensor argument is a normal tensor"},
    Fact{"argument_repeats_places",
         "two elements of a tensor that it takes are in one place: it was expanded, for example"},
    Fact{"written_repeats_places", "two elements of the tensor that it writes are in one place"},
    Fact{"arguments_share_memory", "two tensors that it takes share memory, or are one tensor"},
    Fact{"gives_its_argument", "a result is a tensor that it takes: that of contiguous() or of an in-place op"},
    Fact{"self_is_part_of_memory",
         "its first tensor is not all of its memory in row-major order: a slice, for example"},
    Fact{"written_shares_memory", "another tensor shares the memory of the tensor that it writes"},
    Fact{"written_changes_sizes", "the tensor that it writes gets other sizes: an out= of other sizes, for example"},
    Fact{"gives_a_view", "a result shares memory with a tensor that it takes"},
    Fact{"has_an_equal_view",
         "another variable has the memory, sizes, strides and dtype of its first tensor, or of the tensor that it "
         "writes"},
    Fact{"refuses_overlap", "it raises the error of memory that overlaps"},
    Fact{"saw_an_arange_of_inference_mode", "a statement before it makes an arange inside inference mode"},
    Fact{"result_has_free_strides",
         "a result, or the tensor that it writes, has a dimension of size 0 or 1, whose stride addresses nothing"},
    Fact{"result_is_larger", "a result has more dimensions or more elements than its first tensor"},
    Fact{"adds_to_a_gradient", "it starts backward while a tensor has a gradient"},
    Fact{"refuses_a_dtype", "it raises the error of an op that has no kernel for a dtype"},
    Fact{"refuses_two_dtypes", "it raises an error about dtypes that do not go together"},
    Fact{"refuses_a_cast", "it raises the error of a result that cannot be cast to what it writes"},
    Fact{"refuses_a_number", "it raises the error of a number beyond a dtype"},
    Fact{"refuses_sizes", "it raises an error about sizes that do not fit"},
    Fact{"refuses_an_index", "it raises an error about an index outside its dimension"},
    Fact{"refuses_a_dimension", "it raises an error about a dimension that there is not"},
    Fact{"refuses_a_range", "it raises an error about a start, length, size or step"},
    Fact{"refuses_strides", "it raises the error of sizes that the strides do not allow"},
    Fact{"refuses_bounds", "it raises the error of elements outside the storage"},
    Fact{"refuses_inference", "it raises an error because a tensor is an inference tensor"},
};

/// The facts that hold before the statement at `place`, on the reference under `profile`. If its run does not reach the
/// statement, only those that the script tells without a run.
std::set<std::string> facts_at(Profile profile, const Script& script, std::size_t place);

}  // namespace plumbline
