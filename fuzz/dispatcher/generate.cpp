// Generating dispatch scripts.
#include "fuzz/dispatcher/generate.h"

#include <algorithm>
#include <array>

#include "fuzz/keys.h"
#include "reference/raise.h"

namespace plumbline::fuzz {

namespace {

/// For which kernels are registered; the ones in front are the everyday ones.
constexpr std::array<std::string_view, 36> kKeys{"CPU",
                                                 "Autograd",
                                                 "CompositeImplicitAutograd",
                                                 "ADInplaceOrView",
                                                 "AutogradCPU",
                                                 "CompositeExplicitAutograd",
                                                 "CompositeExplicitAutogradNonFunctional",
                                                 "AutogradOther",
                                                 "SparseCPU",
                                                 "CUDA",
                                                 "HIP",
                                                 "AutogradHIP",
                                                 "XLA",
                                                 "QuantizedCPU",
                                                 "CompositeImplicitAutogradNestedTensor",
                                                 "NestedTensorCPU",
                                                 "AutogradNestedTensor",
                                                 "Meta",
                                                 "AutogradMeta",
                                                 "BackendSelect",
                                                 "AutocastCPU",
                                                 "PrivateUse1",
                                                 "AutogradPrivateUse1",
                                                 "Lazy",
                                                 "MTIA",
                                                 "AutogradMTIA",
                                                 "FuncTorchBatchedDecomposition",
                                                 "FuncTorchBatched",
                                                 "SparseCsrCPU",
                                                 "AutogradCUDA",
                                                 "AutogradXLA",
                                                 "Functionalize",
                                                 "SparseCUDA",
                                                 "VE",
                                                 "AutogradVE",
                                                 "QuantizedHIP"};

class DispatchBuilder {
 public:
  explicit DispatchBuilder(std::span<const Profile> profiles) : profiles_(profiles) {
    add(MakeLibrary{"lib", "probe", MakeLibrary::Kind::DEF});
    libraries_.push_back({"lib", "probe", MakeLibrary::Kind::DEF});
    define(0, ProbeSchema::tensor);
  }

  void add_gene(const Gene& gene) {
    Choices choices(gene);
    switch (gene.kind % 13) {
      case 0:
      case 1:
      case 2:
      case 3:
        return impl(gene, choices);
      case 4:
      case 5:
      case 6:
        return call(choices);
      case 7:
        return redispatch(choices);
      case 8:
        return query(choices);
      case 9:
        return guard(choices);
      case 10:
        return gene.twist % 2 == 0 ? define_more(gene, choices) : library(choices);
      case 11:
        return gene.twist % 2 == 0 ? drop(choices) : call(choices);
      default:
        return gene.twist % 3 == 0 ? fallback(gene, choices) : impl(gene, choices);
    }
  }

  DispatchScript finish() {
    for (; depth_ > 0; --depth_) script_.statements.emplace_back(LeaveGuard{});
    return std::move(script_);
  }

 private:
  struct Lib {
    std::string name, space;
    MakeLibrary::Kind kind;
  };
  struct Op {
    std::string name;
    ProbeSchema schema;
    bool implicit = false;  ///< Python refuses a Meta kernel beside a CompositeImplicitAutograd one
    bool meta = false;
  };

  void add(DispatchStatement statement) { script_.statements.push_back(std::move(statement)); }

  std::string key(Choices& choices) const { return key_for_all(kKeys[choices.below(kKeys.size())], profiles_); }
  std::string set_key(Choices& choices) const {
    return key_for_all(kSetKeys[choices.below(kSetKeys.size())], profiles_);
  }

  void define(std::size_t lib, ProbeSchema schema) {
    const std::string name(1, static_cast<char>('f' + ops_.size()));
    add(DefineOp{libraries_[lib].name, name, schema});
    if (schema != ProbeSchema::malformed) ops_.push_back({name, schema});
  }

  /// A library in which something can be defined.
  std::optional<std::size_t> defining() const {
    for (std::size_t i = 0; i < libraries_.size(); ++i)
      if (libraries_[i].space == "probe" && libraries_[i].kind != MakeLibrary::Kind::IMPL) return i;
    return std::nullopt;
  }

  void define_more(const Gene& gene, Choices& choices) {
    const auto lib = defining();
    if (gene.unwind % 8 == 7 && !ops_.empty() && lib)  // twice
      return add(DefineOp{libraries_[*lib].name, ops_[choices.below(ops_.size())].name, ProbeSchema::tensor});
    if (gene.unwind % 8 == 6 && !libraries_.empty()) {  // perhaps in a library that is not for it
      const Lib& any = libraries_[choices.below(libraries_.size())];
      if (any.kind == MakeLibrary::Kind::IMPL) return add(DefineOp{any.name, "z", ProbeSchema::tensor});
    }
    if (lib && ops_.size() < 4) define(*lib, static_cast<ProbeSchema>(choices.below(gene.unwind % 8 == 5 ? 6 : 5)));
  }

  void library(Choices& choices) {
    const std::string name = "lib" + std::to_string(++made_);
    const auto kind = static_cast<MakeLibrary::Kind>(choices.below(3));
    add(MakeLibrary{name, "probe", kind});
    const bool refused = kind == MakeLibrary::Kind::DEF && std::ranges::any_of(libraries_, [](const Lib& lib) {
                           return lib.kind == MakeLibrary::Kind::DEF && lib.space == "probe";
                         });
    if (!refused) libraries_.push_back({name, "probe", kind});
    if (!refused && !ops_.empty())  // so that there is something to drop
      add(ImplOp{name, ops_[choices.below(ops_.size())].name, "CPU", std::nullopt});
  }

  void drop(Choices& choices) {
    if (libraries_.empty()) return;
    const std::size_t lib = libraries_.size() - 1 - choices.below(libraries_.size());  // mostly not the operators'
    add(DropLibrary{libraries_[lib].name});
    libraries_.erase(libraries_.begin() + static_cast<std::ptrdiff_t>(lib));
    call(choices);
  }

  KeyGuard any_guard(Choices& choices) {
    const auto kind = static_cast<KeyGuard::Kind>(choices.below(6));
    const bool keyed = kind == KeyGuard::Kind::exclude || kind == KeyGuard::Kind::include;
    return {kind, keyed ? set_key(choices) : ""};
  }

  /// A kernel for `op`, or, without one, for a fallback. Its choices are the gene's bytes that nothing else reads.
  std::size_t kernel(const Gene& gene, const Op* op) {
    Gene more;
    more.draws = {gene.observe, gene.draws[5], gene.draws[6], gene.draws[7],
                  gene.unwind,  gene.op,       gene.draws[4], gene.draws[3]};
    Choices choices(more);
    ProbeKernel kernel;
    kernel.name = "k" + std::to_string(script_.kernels.size() + 1);
    kernel.with_keyset = choices.one_in(2);
    kernel.act = static_cast<ProbeKernel::Act>(choices.below(3));
    if (kernel.act == ProbeKernel::Act::redispatch) {
      kernel.with_keyset = true;
      kernel.op = op == nullptr ? "" : "probe::" + op->name;
      const std::size_t steps = 1 + choices.below(2);
      for (std::size_t i = 0; i < steps; ++i) {
        const auto kind = static_cast<KeyStep::Kind>(choices.below(5));
        const bool keyed = kind != KeyStep::Kind::after_autograd && kind != KeyStep::Kind::after_adinplaceorview;
        kernel.steps.push_back({kind, keyed ? set_key(choices) : ""});
      }
    } else if (kernel.act == ProbeKernel::Act::call) {
      std::vector<std::string> fitting;
      for (const Op& other : ops_)
        if (op != nullptr && other.schema == op->schema) fitting.push_back("probe::" + other.name);
      if (fitting.empty())
        kernel.act = ProbeKernel::Act::nothing;
      else
        kernel.op = fitting[(choices.below(fitting.size()) + 1) % fitting.size()];
    }
    if (kernel.act != ProbeKernel::Act::nothing && gene.twist % 4 == 3) kernel.guard = any_guard(choices);
    kernel.raises = gene.twist % 8 == 5;
    script_.kernels.push_back(std::move(kernel));
    return script_.kernels.size() - 1;
  }

  void impl(const Gene& gene, Choices& choices) {
    std::vector<std::size_t> fitting;
    for (std::size_t i = 0; i < libraries_.size(); ++i)
      if (libraries_[i].space == "probe") fitting.push_back(i);
    if (fitting.empty() || ops_.empty()) return;
    Op& op = ops_[choices.below(ops_.size())];
    const Lib& lib = libraries_[fitting[gene.op % fitting.size()]];
    std::string at = key(choices);
    // What concerns AutogradOther and AutogradNestedTensor comes in pairs: a composite, and a backend's kernel.
    if (gene.unwind % 4 == 3) at = kBackendsOfOther[gene.draws[3] % kBackendsOfOther.size()];
    if (gene.unwind % 4 == 2) at = "CompositeImplicitAutograd";
    at = key_for_all(at, profiles_);
    if (at == "Meta" && op.implicit) at = "CPU";
    if (at == "CompositeImplicitAutograd" && op.meta) at = "CompositeExplicitAutograd";
    op.implicit = op.implicit || at == "CompositeImplicitAutograd";
    op.meta = op.meta || at == "Meta";
    const bool falls = gene.twist % 8 == 7;
    if (gene.twist == 254) return add(ImplOp{lib.name, op.name, "NoSuchKey", kernel(gene, &op)});
    add(ImplOp{lib.name, op.name, at, falls ? std::nullopt : std::optional(kernel(gene, &op))});
  }

  void fallback(const Gene& gene, Choices& choices) {
    const std::string name = "lib" + std::to_string(++made_);
    add(MakeLibrary{name, "_", MakeLibrary::Kind::IMPL});
    libraries_.push_back({name, "_", MakeLibrary::Kind::IMPL});
    add(FallbackOp{name, set_key(choices), gene.unwind % 2 == 0 ? std::optional(kernel(gene, nullptr)) : std::nullopt});
  }

  std::vector<ProbeTensor> tensors(const Op& op, Choices& choices) {
    const auto one = [&] { return static_cast<ProbeTensor>(choices.below(4)); };
    switch (op.schema) {
      case ProbeSchema::two:
        return {one(), one()};
      case ProbeSchema::optional: {
        const ProbeTensor first = one();
        return {first, static_cast<ProbeTensor>(choices.below(5))};
      }
      case ProbeSchema::list: {
        std::vector<ProbeTensor> all;
        for (std::size_t i = choices.below(4); i > 0; --i) all.push_back(one());
        return all;
      }
      case ProbeSchema::number:
        return {};
      default:
        return {one()};
    }
  }

  void call(Choices& choices) {
    if (ops_.empty()) return;
    const Op& op = ops_[choices.below(ops_.size())];
    add(InvokeOp{"probe::" + op.name, tensors(op, choices)});
  }

  void redispatch(Choices& choices) {
    if (ops_.empty()) return;
    const Op& op = ops_[choices.below(ops_.size())];
    std::vector<std::string> keys;
    constexpr std::array<std::string_view, 3> rare{"AutogradOther", "AutogradNestedTensor", "AutogradHIP"};
    const std::size_t which = choices.below(8);
    if (which < rare.size()) keys.emplace_back(rare[which]);
    for (std::size_t i = choices.below(which < rare.size() ? 2 : 4); i > 0; --i) keys.push_back(set_key(choices));
    add(RedispatchOp{"probe::" + op.name, keys, tensors(op, choices)});
  }

  void query(Choices& choices) {
    if (choices.one_in(3)) return add(QueryTls{set_key(choices), static_cast<QueryTls::What>(choices.below(2))});
    if (ops_.empty()) return;
    const std::string op = ops_[choices.below(ops_.size())].name;
    const auto what = static_cast<QueryOp::What>(choices.below(3));
    add(QueryOp{"probe::" + op, key(choices), what});
  }

  void guard(Choices& choices) {
    if (depth_ > 0 && choices.one_in(2)) {
      add(LeaveGuard{});
      --depth_;
      return;
    }
    add(EnterGuard{any_guard(choices)});
    ++depth_;
  }

  std::span<const Profile> profiles_;
  DispatchScript script_;
  std::vector<Lib> libraries_;
  std::vector<Op> ops_;
  int made_ = 0;
  int depth_ = 0;
};

/// Without what the reference cannot execute.
DispatchScript executable(DispatchScript script, const reference::Judge& judge) {
  reference::Judge unheard = judge;
  unheard.decisions = nullptr;
  for (;;) {
    std::size_t at = 0;
    try {
      (void)reference::run(unheard, script, at);
      return script;
    } catch (const reference::ReferenceLimit&) {
      script.statements.erase(script.statements.begin() + static_cast<std::ptrdiff_t>(at));
    }
  }
}

}  // namespace

DispatchScript build_dispatch(const Genes& genes, const reference::Judge& judge, std::span<const Profile> profiles) {
  DispatchBuilder builder(profiles);
  for (const Gene& gene : genes) builder.add_gene(gene);
  return executable(builder.finish(), judge);
}

}  // namespace plumbline::fuzz
