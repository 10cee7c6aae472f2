// Generating and shrinking genes.
#include "fuzz/gene.h"

#include <ostream>

namespace plumbline::fuzz {

namespace {

/// How often a gene of each kind is drawn, in the order of GeneKind; the sum is kWeights.
constexpr std::array<std::uint8_t, kGeneKinds> kWeight{12, 10, 34, 36, 46, 10, 12, 8, 40, 18, 18, 4, 8};
constexpr int kWeights = 256;
static_assert([] {
  int sum = 0;
  for (const int weight : kWeight) sum += weight;
  return sum == kWeights;
}());

std::uint8_t pick_kind(std::uint8_t draw) {
  int left = draw;
  for (int kind = 0; kind < kGeneKinds; ++kind)
    if ((left -= kWeight[static_cast<std::size_t>(kind)]) < 0) return static_cast<std::uint8_t>(kind);
  return 0;
}

/// Eight bytes at a time from one RapidCheck stream, so that a program costs few hashes.
class Bytes {
 public:
  explicit Bytes(const rc::Random& random) : random_(random) {}
  std::uint8_t next() {
    if (left_ == 0) {
      word_ = random_.next();
      left_ = 8;
    }
    const auto byte = static_cast<std::uint8_t>(word_);
    word_ >>= 8;
    --left_;
    return byte;
  }

 private:
  rc::Random random_;
  std::uint64_t word_ = 0;
  int left_ = 0;
};

Genes generate(const rc::Random& random) {
  Bytes bytes(random);
  Genes genes(1 + bytes.next() % kMaxGenes);
  for (Gene& gene : genes) {
    gene.kind = pick_kind(bytes.next());
    gene.op = bytes.next();
    gene.observe = bytes.next();
    gene.twist = bytes.next();
    gene.unwind = bytes.next();
    for (std::uint8_t& draw : gene.draws) draw = bytes.next();
  }
  for (Gene& gene : genes) gene.extent = bytes.next();
  return genes;
}

/// The genes with one integer of `gene` smaller.
rc::Seq<Gene> shrink_gene(const Gene& gene) {
  std::vector<Gene> smaller;
  const auto each = [&](auto member_of) {
    rc::Seq<std::uint8_t> values = rc::shrink::towards<std::uint8_t>(member_of(gene), 0);
    for (auto value = values.next(); value; value = values.next()) {
      smaller.push_back(gene);
      member_of(smaller.back()) = *value;
    }
  };
  each([](auto& g) -> auto& { return g.extent; });
  each([](auto& g) -> auto& { return g.twist; });
  each([](auto& g) -> auto& { return g.observe; });
  each([](auto& g) -> auto& { return g.unwind; });
  for (std::size_t i = 0; i < Gene::kDraws; ++i) each([i](auto& g) -> auto& { return g.draws[i]; });
  each([](auto& g) -> auto& { return g.kind; });
  each([](auto& g) -> auto& { return g.op; });
  return rc::seq::fromContainer(std::move(smaller));
}

rc::Shrinkable<Genes> shrinkable(Genes genes) {
  return rc::shrinkable::shrinkRecur(std::move(genes), [](const Genes& value) {
    return rc::seq::concat(rc::shrink::removeChunks(value), rc::shrink::eachElement(value, shrink_gene));
  });
}

}  // namespace

Extent Choices::extent() const {
  constexpr std::uint8_t kThousandsFrom = 224;
  if (gene_.extent < kThousandsFrom) return Extent::few;
  return gene_.extent == 255 && last() % 8 == 7 ? Extent::million : Extent::thousands;
}

rc::Gen<Genes> any_genes() {
  return [](const rc::Random& random, int) { return shrinkable(generate(random)); };
}

rc::Shrinkable<Genes> genes_at(std::uint64_t seed, std::uint64_t index) {
  return any_genes()(rc::Random(rc::Random::Key{seed, index, 0, 0}));
}

std::ostream& operator<<(std::ostream& out, const Gene& gene) {
  out << '(' << int{gene.kind} << ' ' << int{gene.op} << ' ' << int{gene.observe} << ' ' << int{gene.twist} << ' '
      << int{gene.unwind} << ' ' << int{gene.extent} << " |";
  for (const std::uint8_t draw : gene.draws) out << ' ' << int{draw};
  return out << ')';
}

}  // namespace plumbline::fuzz
