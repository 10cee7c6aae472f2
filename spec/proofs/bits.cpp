// Obligations about the keys Conjugate and Negative: what views, copies and writes show of an element, for all keys.
#include "spec/proofs/key_words.h"
#include "spec/rules/bit.h"

namespace plumbline::proofs {

namespace {

/// An element, by parts.
struct Parts {
  Number real;
  Number imag;
};
Parts any_parts() { return {any_number("real"), any_number("imag")}; }
Truth same(const Parts& a, const Parts& b) { return a.real == b.real && a.imag == b.imag; }
Number turned_number(const Number& number, const Truth& turns) { return select(turns, Number(0) - number, number); }

/// What a tensor with these keys shows of memory; also what memory becomes if that is written.
Parts shown(const Parts& memory, const Keys& keys) {
  const Signs<S> signs = turned_signs(bits_among(keys));
  return {turned_number(memory.real, signs.real), turned_number(memory.imag, signs.imag)};
}
Parts conjugate(const Parts& element) { return {element.real, Number(0) - element.imag}; }

std::vector<Obligation> view_obligations() {
  return {
      {"bits.conjugate-shows-conjugates", "A conjugate shows the conjugate of what its argument shows.",
       [](const Judge<S>& judge) {
         const Keys set = any_keys("tensor");
         const Parts memory = any_parts();
         const Keys turned = turned_bits(judge, bits_among(set), Functionality::Conjugate);
         return claim(conj_shares_memory(judge, Truth(true)) &&
                      same(shown(memory, turned), conjugate(shown(memory, set))))
             .show("tensor", set)
             .show("conjugate", turned);
       }},
      {"bits.turned-twice", "Turned twice, a bit is as it was, and no other key has changed.",
       [](const Judge<S>& judge) {
         const Keys set = any_keys("tensor");
         Truth all = true;
         for (const Functionality bit : {Functionality::Conjugate, Functionality::Negative}) {
           const Keys once = turned_bits(judge, set, bit);
           all = all && turned_bits(judge, once, bit) == set && (once - Keys(bit)) == (set - Keys(bit));
         }
         return claim(all).show("tensor", set);
       }},
      {"bits.shown-twice", "To write what a tensor shows leaves its memory as it was.",
       [](const Judge<S>&) {
         const Keys set = any_keys("tensor");
         const Parts memory = any_parts();
         return claim(same(shown(shown(memory, set), set), memory)).show("tensor", set);
       }},
      {"bits.parts-show-the-parts",
       "real and imag show the real and the imaginary parts of what the tensor shows, and no part has the key "
       "Conjugate.",
       [](const Judge<S>& judge) {
         const Keys bits = bits_among(any_keys("tensor"));
         const Parts memory = any_parts();
         const Keys real = part_bits(judge, bits, false);
         const Keys imag = part_bits(judge, bits, true);
         const Number real_shown = shown({memory.real, Number(0)}, real).real;
         const Number imag_shown = shown({memory.imag, Number(0)}, imag).real;
         const Truth plain = !has(real | imag, bit_of(Functionality::Conjugate));
         return claim(same({real_shown, imag_shown}, shown(memory, bits)) && plain)
             .show("tensor", bits)
             .show("real", real)
             .show("imag", imag);
       }},
      {"bits.view-shows-the-same", "A view shows an element as the tensor that it views shows it.",
       [](const Judge<S>& judge) {
         const Keys bits = bits_among(any_keys("tensor"));
         const Parts memory = any_parts();
         const Keys view = view_bits(judge, bits);
         return claim(carries_bits(judge, false, true) && same(shown(memory, view), shown(memory, bits)))
             .show("tensor", bits)
             .show("view", view);
       }},
      {"bits.view-as-real-shows-the-parts",
       "Where view_as_real raises no error, it shows both parts of what the tensor shows.", [](const Judge<S>& judge) {
         const Keys bits = bits_among(any_keys("tensor"));
         const Parts memory = any_parts();
         const Keys view = part_bits(judge, bits, false);
         const Parts parts{shown({memory.real, Number(0)}, view).real, shown({memory.imag, Number(0)}, view).real};
         return claim(same(parts, shown(memory, bits)))
             .given(check_view_as_real(judge, bits) == Error<S>(ErrorClass::none))
             .show("tensor", bits);
       }}};
}

/// The memory of the copy that an op gets for an argument.
Parts copied(const Judge<S>& judge, const Parts& memory, const Keys& bits) {
  return shown(memory, copy_turns(judge, bits));
}

std::vector<Obligation> fallback_obligations() {
  return {{"bits.copy-shows-the-argument", "The copy that an op gets has in memory what the argument shows.",
           [](const Judge<S>& judge) {
             const Keys bits = bits_among(any_keys("argument"));
             const Parts memory = any_parts();
             return claim(same(copied(judge, memory, bits), shown(memory, bits))).show("argument", bits);
           }},
          {"bits.argument-shows-what-was-written",
           "After copying back the written argument shows what the op wrote into the copy.",
           [](const Judge<S>& judge) {
             const Keys bits = bits_among(any_keys("argument"));
             const Parts written = any_parts();
             const Parts memory = shown(written, copying_back_turns(judge, bits));
             return claim(gets_a_copy(judge, Truth(true)) && same(shown(memory, bits), written)).show("argument", bits);
           }},
          {"bits.write-without-change", "An op that leaves the copy as it is leaves the argument's memory as it is.",
           [](const Judge<S>& judge) {
             const Keys bits = bits_among(any_keys("argument"));
             const Parts memory = any_parts();
             const Parts back = shown(copied(judge, memory, bits), copying_back_turns(judge, bits));
             return claim(same(back, memory)).show("argument", bits);
           }},
          {"bits.write-counts-as-others", "A write to a tensor with a key counts as many versions as to one without.",
           [](const Judge<S>& judge) {
             const Number versions = any_number("versions");
             return claim(versions_with_bits(judge, versions) == versions).show("versions", versions);
           }},
          {"bits.resolved-has-no-bit",
           "What resolve_conj and resolve_neg return does not have their key, and it is a copy only if the argument "
           "has it.",
           [](const Judge<S>& judge) {
             const Keys bits = bits_among(any_keys("argument"));
             Truth all = true;
             for (const Functionality bit : {Functionality::Conjugate, Functionality::Negative}) {
               const Truth set = bits.has_any(bit);
               const Truth copies = resolve_copies(judge, set);
               all = all && !select(copies, new_tensor_bits(judge, bits), bits).has_any(bit) && implies(copies, set);
             }
             return claim(all).show("argument", bits);
           }},
          {"bits.same-elements", "Where copy_ does nothing, both tensors show the same.", [](const Judge<S>& judge) {
             const Keys to = bits_among(any_keys("to"));
             const Keys from = bits_among(any_keys("from"));
             const Parts memory = any_parts();
             return claim(same(shown(memory, to), shown(memory, from)))
                 .given(bits_agree(judge, to, from))
                 .show("to", to)
                 .show("from", from);
           }}};
}

}  // namespace

std::vector<Obligation> bit_obligations() {
  std::vector<Obligation> all = view_obligations();
  for (Obligation& one : fallback_obligations()) all.push_back(std::move(one));
  return all;
}

}  // namespace plumbline::proofs
