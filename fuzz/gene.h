// Genes: the small records of integers that RapidCheck generates and shrinks, and of which the builder makes programs.
#pragma once

#include <rapidcheck.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <vector>

namespace plumbline::fuzz {

/// What a gene asks the builder for. Earlier ones are simpler: shrinking moves towards 0.
enum class GeneKind : std::uint8_t {
  make_tensor,
  factory,
  functional,
  inplace,
  view,
  inplace_view,
  set_requires_grad,
  read,
  enter,
  exit,
  gradient,  ///< backward, `.grad`, retain_grad, detach_
  thread,
  custom_function,
};
inline constexpr int kGeneKinds = 13;

/// One statement's choices. Every gene means something in every state, so any vector of genes is a program, and 0 is
/// the simplest choice everywhere.
struct Gene {
  static constexpr std::size_t kDraws = 8;

  std::uint8_t kind = 0;     ///< a GeneKind, modulo their number
  std::uint8_t op = 0;       ///< which op of that kind
  std::uint8_t observe = 0;  ///< whether a snapshot follows
  std::uint8_t twist = 0;    ///< whether an argument is made illegal, and how
  std::uint8_t unwind = 0;   ///< through how many guards an error passes before it is caught
  std::uint8_t extent = 0;   ///< how many elements the tensors that it makes have: see Choices::extent
  std::array<std::uint8_t, kDraws> draws{};

  friend bool operator==(const Gene&, const Gene&) = default;
};
using Genes = std::vector<Gene>;

/// How many elements a gene gives to the tensors that it makes.
enum class Extent : std::uint8_t {
  few,        ///< up to four in each dimension, and up to three dimensions
  thousands,  ///< up to 2048 in up to five dimensions: vector tails, parallel splits of a dimension
  million,    ///< about 2^20: loops that are split among threads
};

/// The longest program, in genes; a gene gives one to three statements.
inline constexpr std::size_t kMaxGenes = 12;

/// Returns a gene's draws one by one; after the last one every choice is the simplest.
class Choices {
 public:
  explicit Choices(const Gene& gene) : gene_(gene) {}

  /// One of 0 … count-1; `count` is not 0.
  std::size_t below(std::size_t count) { return next_ < Gene::kDraws ? gene_.draws[next_++] % count : 0; }
  /// The last draw, which few ops need: for choices that are not the op's own.
  std::uint32_t last() const { return gene_.draws.back(); }
  Extent extent() const;
  bool wide() const { return extent() != Extent::few; }
  /// True once in `count` times; 0 means no.
  bool one_in(std::size_t count) { return below(count) == count - 1; }

 private:
  const Gene& gene_;
  std::size_t next_ = 0;
};

/// Programs of 1 to kMaxGenes genes. Shrinks by dropping genes, then by making each one's integers smaller.
rc::Gen<Genes> any_genes();

/// Program number `index` of `seed`: the same on every run and for any number of workers.
rc::Shrinkable<Genes> genes_at(std::uint64_t seed, std::uint64_t index);

/// For RapidCheck's reports: a gene as numbers.
std::ostream& operator<<(std::ostream& out, const Gene& gene);

}  // namespace plumbline::fuzz
