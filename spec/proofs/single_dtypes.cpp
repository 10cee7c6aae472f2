// Claims about the rules of dtypes: promotion is a join, and each op takes the dtypes that its rule says.
#include "spec/proofs/single_rules.h"
#include "spec/rules/bit.h"
#include "spec/rules/type.h"

namespace plumbline::proofs {

namespace {

using S = Symbolic;
using J = Judge<S>;
using B = Bool<S>;
using N = Num<S>;
using Type = Choice<S, Dtype>;

Type any_type(std::string_view name) { return Type::of({variable(name, Sort::Word)}); }
B is_type(const Type& type) {
  B is = false;
  for (std::size_t i = 0; i < kDtypeNames.size(); ++i) is = is || type == Type(static_cast<Dtype>(i));
  return is;
}
// Terms belong to the thread that makes them.
Type a() { return any_type("a"); }
Type b() { return any_type("b"); }
Type c() { return any_type("c"); }
Question about(const B& holds) { return claim(holds).given(is_type(a()) && is_type(b()) && is_type(c())); }

Type result_of(const J& judge, const std::optional<Type>& dimensions, const std::optional<Type>& scalar) {
  return result_type<S>(judge, {dimensions, scalar, std::nullopt});
}

const std::vector<SingleRule> kPromotion{
    {"promotion-is-commutative", "The common dtype of two operands does not depend on their order.",
     [](const J& judge) { return about(promoted(judge, a(), b()) == promoted(judge, b(), a())); }},
    {"promotion-is-associative", "The common dtype of three operands does not depend on how they are joined.",
     [](const J& judge) {
       return about(promoted(judge, promoted(judge, a(), b()), c()) == promoted(judge, a(), promoted(judge, b(), c())));
     }},
    {"promotion-keeps-kinds", "The common dtype has the higher kind, and holds the wider floats of both.",
     [](const J& judge) {
       const Type both = promoted(judge, a(), b());
       const B kind = kind_of(both) == select(kind_of(a()) < kind_of(b()), kind_of(b()), kind_of(a()));
       const B castable = fine(check_cast(judge, a(), both)) && fine(check_cast(judge, b(), both));
       return about(kind && castable && promoted(judge, a(), a()) == a());
     }},
    {"promotion-of-integers", "Of two integer dtypes the wider one wins; uint8 and int8 make int16.",
     [](const J& judge) {
       const auto bits = [](const Type& type) {
         const B byte = type == Type(Dtype::uint8) || type == Type(Dtype::int8);
         return select(byte, N(8),
                       select(type == Type(Dtype::int16), N(16), select(type == Type(Dtype::int32), N(32), N(64))));
       };
       const Type both = promoted(judge, a(), b());
       const B integers = kind_of(a()) == N(1) && kind_of(b()) == N(1) && !(a() == b());
       return about(implies(integers && bits(a()) < bits(b()), both == b()) &&
                    implies(integers && bits(a()) == bits(b()), both == Type(Dtype::int16)));
     }},
    {"promotion-of-floats", "Of two floating dtypes the wider one wins; float16 and bfloat16 make float32.",
     [](const J& judge) {
       const auto half = [](const Type& type) { return type == Type(Dtype::float16) || type == Type(Dtype::bfloat16); };
       const Type both = promoted(judge, a(), b());
       const B wider = (half(a()) && !half(b())) || (a() == Type(Dtype::float32) && b() == Type(Dtype::float64));
       const B floats = kind_of(a()) == N(2) && kind_of(b()) == N(2) && !(a() == b());
       return about(implies(floats && wider, both == b()) &&
                    implies(floats && half(a()) && half(b()), both == Type(Dtype::float32)));
     }},
    {"promotion-of-complex-numbers", "Two different complex dtypes make complex128.",
     [](const J& judge) {
       const B complex = kind_of(a()) == N(3) && kind_of(b()) == N(3) && !(a() == b());
       return about(implies(complex, promoted(judge, a(), b()) == Type(Dtype::complex128)));
     }},
    {"promotion-of-kinds", "The dtype of the higher kind wins unchanged, except where complex numbers meet float64.",
     [](const J& judge) {
       const B doubles = a() == Type(Dtype::float64) && kind_of(b()) == N(3);
       return about(implies(kind_of(a()) < kind_of(b()) && !doubles, promoted(judge, a(), b()) == b()) &&
                    implies(doubles, promoted(judge, a(), b()) == Type(Dtype::complex128)));
     }},
    {"rank-counts", "A tensor without dimensions beside one with dimensions counts only if its kind is higher.",
     [](const J& judge) {
       const Type result = result_of(judge, a(), b());
       const B made_complex = kind_of(a()) == N(2) && kind_of(b()) == N(3);
       const Type parts = select(a() == Type(Dtype::float64), Type(Dtype::complex128), Type(Dtype::complex64));
       const Type higher = select(kind_of(a()) < kind_of(b()), b(), a());
       return about(result == select(made_complex, parts, higher));
     }},
    {"casts-go-up", "A result may be written into a tensor of its own kind or of a higher one, and of no other.",
     [](const J& judge) { return about(fine(check_cast(judge, a(), b())) == (kind_of(a()) <= kind_of(b()))); }},
    {"out-dtype", "out has the result's dtype, or one to which it can be cast unless the op requires the same.",
     [](const J& judge) {
       const B same = any_truth("same"), castable = any_truth("castable"), exact = any_truth("exact");
       const B fits = out_dtype_fits(judge, same, castable, exact);
       return claim(implies(same, fits) && implies(!same, fits == (castable && !exact)));
     }},
};

const std::vector<SingleRule> kOps{
    {"floating-functions", "A floating function computes floats and complex numbers as they are, others in float32.",
     [](const J& judge) {
       const B exact = kind_of(a()) < N(2);
       return about(floating_type(judge, a()) == select(exact, Type(Dtype::float32), a()));
     }},
    {"sums", "A sum of bools or integers is an int64, any other has its input's dtype.",
     [](const J& judge) {
       const B exact = kind_of(a()) < N(2);
       return about(sum_type(judge, a()) == select(exact, Type(Dtype::int64), a()));
     }},
    {"means", "mean refuses exactly bools and integers.",
     [](const J& judge) { return about(fine(check_mean(judge, a())) == (kind_of(a()) >= N(2))); }},
    {"comparisons", "Operands are compared in their common dtype.",
     [](const J& judge) { return about(comparison_type(judge, a()) == a()); }},
    {"product-dtypes",
     "A product of matrices requires one dtype, and says so first.",
     [](const J& judge) {
       const B same = any_truth("same");
       return claim(fine(check_product_dtypes(judge, same, any_truth("nothing to multiply"))) == same &&
                    !lacks_product_first(judge, any_truth("no kernel")));
     },
     {{k113, "TYPE-33: it does not look at the dtypes of matrices without elements"}}},
    {"set-dtype", "x.set_(y) requires one dtype.",
     [](const J& judge) {
       const B same = any_truth("same");
       return claim(fine(check_set_dtype(judge, same)) == same);
     }},
    {"indices",
     "gather and index_select take exactly int32 and int64.",
     [](const J& judge) {
       const B right = a() == Type(Dtype::int64) || a() == Type(Dtype::int32);
       return about(takes_indices(judge, a(), any_truth("gather")) == right);
     },
     {{k113, "TYPE-54: gather takes no int32"}}},
    {"masks",
     "masked_fill takes a mask exactly if it is of bools, and otherwise refuses it.",
     [](const J& judge) {
       const B bools = any_truth("bools");
       return claim(fills_by_mask(judge, bools) == select(bools, N(kTakes), N(kRefuses)));
     },
     {{k113, "TYPE-56: another mask is read as memory of bools"}}},
    {"argmax-of-bools",
     "argmax refuses exactly bools.",
     [](const J& judge) {
       const B bools = any_truth("bools");
       return claim(argmax_refuses(judge, bools) == bools);
     },
     {{k113, "TYPE-58: it refuses no dtype, but has no kernel for bools"}}},
    {"imaginary-parts", "imag refuses exactly real numbers; conj, real and conj_physical return those as they are.",
     [](const J& judge) {
       const B complex = any_truth("complex");
       return claim(imag_refuses(judge, complex) == !complex && part_is_self(judge, complex) == !complex);
     }},
    {"retyped-bits",
     "view(dtype) refuses a tensor with a bit exactly if the dtype is another.",
     [](const J& judge) {
       const KeySet<S> bits = KeySet<S>::of({variable("bits", Sort::Word)});
       const B other = any_truth("another dtype");
       return claim(fine(check_retyped_bits(judge, bits, other)) == (bits.empty() || !other));
     },
     {{k213, "BIT-20: also if the dtype is its own"}}},
};

}  // namespace

std::vector<Obligation> dtype_rules() {
  std::vector<Obligation> all = obligations_of("dtypes", kPromotion);
  for (Obligation& one : obligations_of("dtypes", kOps)) all.push_back(std::move(one));
  return all;
}

}  // namespace plumbline::proofs
