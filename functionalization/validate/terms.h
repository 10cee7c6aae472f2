// Terms: an element as an expression over the elements before the body. Equal terms have the same number.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "spec/vocabulary/dtype.h"

namespace plumbline::validate {

/// A term's number in its arena.
enum class Term : std::uint32_t {};

/// Hash-consed terms. Operations are uninterpreted: equal arguments give equal results. Conversions and views in
/// another dtype are simplified when terms are made.
class Terms {
 public:
  Terms();

  /// Element `place` of storage `storage` before the body.
  Term variable(std::int32_t storage, std::int64_t place, Dtype dtype);
  Term number(double value, Dtype dtype);
  /// An element that no rule specifies; terms made from it are unspecified too.
  Term unspecified(Dtype dtype);
  /// `name` is a symbol that includes every argument that is not a tensor; `output`: the element of its result.
  Term apply(std::uint32_t symbol, std::uint64_t output, std::span<const Term> arguments, Dtype dtype);
  /// Several terms as one.
  Term tuple(std::span<const Term> items) { return items.empty() ? number(0, Dtype::boolean) : list(items); }
  Term converted(Term term, Dtype dtype);
  /// Splits a term's bytes into `count` equal parts; gives part `index` as an element of `dtype`.
  Term part(Term term, std::uint32_t index, std::uint32_t count, Dtype dtype);
  /// An element of `dtype` made from the bytes of several terms.
  Term joined(std::span<const Term> parts, Dtype dtype);

  /// The number of an operation's name.
  std::uint32_t symbol(std::string_view name);

  bool is_specified(Term term) const { return !node(term).unspecified; }
  Dtype dtype(Term term) const { return node(term).dtype; }
  /// "add(x0[3], 1)"; storages are named by their numbers.
  std::string text(Term term) const;
  /// Forgets all terms but keeps symbols.
  void clear();
  std::size_t size() const { return nodes_.size(); }

  enum class Kind : std::uint8_t {
    variable,
    number,
    unspecified,
    apply,  ///< one to three arguments, output 0: the arguments are `b` and the two halves of `c`
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
  /// An operation's arguments, a list's items, or the ranges of `bytes`.
  std::vector<Term> arguments(Term term) const;

 private:
  Term add(const Node& node);
  Term list(std::span<const Term> items);
  /// Bytes of a term from `begin` on. The producer is never a term that is made from other terms' bytes.
  struct Range {
    Term producer;
    std::uint32_t begin;
    std::uint32_t size;
  };
  std::vector<Range> ranges_of(Term term) const;
  /// The element with these bytes: the producer itself if they are all of its bytes and the dtype is the same.
  Term of_ranges(const std::vector<Range>& ranges, Dtype dtype);
  std::vector<Term> items(Term list) const;
  void grow();

  std::vector<Node> nodes_;
  std::vector<std::uint32_t> table_;  ///< open addressing: a node's number + 1; 0: empty
  std::vector<std::uint32_t> used_;   ///< the used places in the table, by node
  std::unordered_map<std::string, std::uint32_t> symbols_;
  std::vector<std::string> names_;
};

}  // namespace plumbline::validate
