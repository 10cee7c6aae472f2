// Terms: what an element is, as an expression of the elements that were there before. Equal terms have one number.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "spec/dtype.h"

namespace plumbline::validate {

/// A term's number in its arena.
enum class Term : std::uint32_t {};

/// Hash-consed terms. An operation of which nothing is known but its name gives equal results for equal arguments; what
/// is known of conversions and of memory that is seen in another dtype is applied while terms are made.
class Terms {
 public:
  Terms();

  /// Element `place` of storage `storage`, as it is before the body.
  Term variable(std::int32_t storage, std::int64_t place, Dtype dtype);
  Term number(double value, Dtype dtype);
  /// What no rule specifies; whatever is made of it is not specified either.
  Term unspecified(Dtype dtype);
  /// `name` is a symbol, with every argument that is no tensor; `output`: which element of its result it is.
  Term apply(std::uint32_t symbol, std::uint64_t output, std::span<const Term> arguments, Dtype dtype);
  /// Several terms as one.
  Term tuple(std::span<const Term> items) { return items.empty() ? number(0, Dtype::boolean) : list(items); }
  Term converted(Term term, Dtype dtype);
  /// `count` equal parts are a term's bytes: part `index` as an element of `dtype`.
  Term part(Term term, std::uint32_t index, std::uint32_t count, Dtype dtype);
  /// An element of `dtype` out of the bytes of several.
  Term joined(std::span<const Term> parts, Dtype dtype);

  /// The number of an operation's name.
  std::uint32_t symbol(std::string_view name);

  bool is_specified(Term term) const { return !node(term).unspecified; }
  Dtype dtype(Term term) const { return node(term).dtype; }
  /// "add(x0[3], 1)"; storages are named by their numbers.
  std::string text(Term term) const;
  /// Forgets all terms, and keeps symbols.
  void clear();
  std::size_t size() const { return nodes_.size(); }

  enum class Kind : std::uint8_t {
    variable,
    number,
    unspecified,
    apply,  ///< of one to three arguments, with output 0: `b`, and the halves of `c` that are terms
    apply_to_list,
    list,
    converted,
    bytes,
    range
  };
  struct Node {
    Kind kind;
    Dtype dtype;
    bool unspecified;
    std::uint32_t a;  ///< a symbol, a storage, a number's place, a term
    std::uint32_t b;  ///< a term, a place
    std::uint64_t c;  ///< an output, a number's bits, a term
    friend bool operator==(const Node&, const Node&) = default;
  };
  const Node& node(Term term) const { return nodes_[static_cast<std::size_t>(term)]; }
  const std::string& name(std::uint32_t symbol) const { return names_[symbol]; }
  /// What an operation is applied to, a list's items, and of `bytes` the ranges.
  std::vector<Term> arguments(Term term) const;

 private:
  Term add(const Node& node);
  Term list(std::span<const Term> items);
  /// Bytes of a term, from `begin` on. A term that other terms' bytes make is never the producer.
  struct Range {
    Term producer;
    std::uint32_t begin;
    std::uint32_t size;
  };
  std::vector<Range> ranges_of(Term term) const;
  /// The element whose bytes these are: the producer itself where they are all of its bytes, in its dtype.
  Term of_ranges(const std::vector<Range>& ranges, Dtype dtype);
  std::vector<Term> items(Term list) const;
  void grow();

  std::vector<Node> nodes_;
  std::vector<std::uint32_t> table_;  ///< open addressing: a node's number and 1; 0: nothing
  std::vector<std::uint32_t> used_;   ///< by node: its place in the table
  std::unordered_map<std::string, std::uint32_t> symbols_;
  std::vector<std::string> names_;
};

}  // namespace plumbline::validate
