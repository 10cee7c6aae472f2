// Writing a finding as plain Python: the tensors, the call, and what the law asks of them.
#include "sweep/plain_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "sweep/candidates.h"
#include "sweep/plain_call.h"

namespace plumbline::sweep {

namespace {

constexpr std::size_t kNamed = 24;  // letters of what it does, in a file's name

/// Functions of the laws that compare elements up to rounding, and of those that call in a transform.
constexpr std::string_view kAlike = R"(

def alike(one, other):
    """Equal up to the rounding of a sum in another order."""
    if one is None or other is None or one.dtype != other.dtype or one.shape != other.shape:
        return one is other
    near = {torch.float64: 1e-11, torch.complex128: 1e-11, torch.float32: 1e-4, torch.complex64: 1e-4,
            torch.bfloat16: 0.05, torch.float16: 0.01}.get(one.dtype)
    if near is None:
        return torch.equal(one, other)
    wide = torch.complex128 if one.is_complex() else torch.float64
    one, other = one.detach().to(wide), other.detach().to(wide)
    largest = max([1.0, *one[one.isfinite()].abs().tolist()])
    return torch.allclose(one, other, rtol=0, atol=near * largest, equal_nan=True)
)";

constexpr std::string_view kFunctionalized =
    "\n\ndef functionalized(t):\n"
    "    return [*torch.func.functionalize(lambda *t: tuple(tensors_in(call(t))))(*t)]\n";

constexpr std::string_view kBatched = R"(

def batched():
    """Two examples; the second has the values in reverse order."""
    t = [torch.stack(both) for both in zip(tensors(), others())]
    results = torch.func.vmap(lambda *t: tuple(tensors_in(call(t))), randomness="different")(*t)
    return [*results, *t]
)";

constexpr std::string_view kGradients = R"(

def gradients(disturbed):
    """Of the tensors, where one of them or of the results is written to before the backward; -1: none."""
    leaves = tensors()
    wanted = [one.requires_grad_() for one in leaves if one.is_floating_point() or one.is_complex()]
    t = [one.clone() if one.requires_grad else one for one in leaves]
    results = torch.utils._pytree.tree_leaves(call(t))
    outputs = [one for one in results if isinstance(one, torch.Tensor) and one.requires_grad]
    if disturbed >= 0:
        with torch.no_grad():
            alias = (t + results)[disturbed].detach()
            if alias.is_floating_point() or alias.is_complex():
                alias.add_(1)
            elif alias.dtype == torch.bool:
                alias.logical_not_()
            else:
                alias.zero_()
    halves = [torch.full_like(one, 0.5) for one in outputs]
    return torch.autograd.grad(outputs, wanted, halves, allow_unused=True)
)";

constexpr std::string_view kKeys = R"(

def keys(tensor):
    text = str(torch._C._dispatch_keys(tensor))
    return set(text[text.index("(") + 1:-1].split(", ")) - {"Conjugate", "Negative"}
)";

class Writer {
 public:
  Writer(const Operator& op, const PlainPeers& peers, const Finding& finding)
      : op_(op),
        peers_(peers),
        finding_(finding),
        experiment_(finding.experiment),
        call_(plain_call(op, experiment_.arguments)) {}

  std::string text(const PlainSource& source) {
    const Law* law = law_named(finding_.law);
    std::string text =
        fmt::format("# {}\n# {}: {}\n# {}; seen with PyTorch {}\n", op_.schema, finding_.law,
                    law == nullptr ? "the call ends the process" : law->text().sentence, finding_.what, source.version);
    text += plain_beginning(source);
    text += kPlainHelpers;
    text += plain_maker("tensors", experiment_.tensors);
    if (experiment_.setting == Setting::meta) text += plain_maker("on_meta", experiment_.tensors, true);
    if (finding_.law == "OP-15") text += plain_maker("elsewhere", strided(experiment_.tensors));
    text += transforms();
    return text + "\n\n" + check();
  }

 private:
  /// The functions that the check calls.
  std::string transforms() const {
    const Setting setting = experiment_.setting;
    const std::string& law = finding_.law;
    std::string text;
    if (law == "OP-16" || law == "OP-17" || law == "OP-18" || law == "OP-19") text += kAlike;
    if (law == "OP-21") text += kKeys;
    if (setting == Setting::batched) {
      std::vector<Ingredient> others = experiment_.tensors;
      for (Ingredient& one : others) std::ranges::reverse(one.values);
      text += plain_maker("others", others);
    }
    if (setting >= Setting::fake)
      text += fmt::format("\n\ndef call(t):\n    torch.manual_seed(1)\n    return {}\n", call_);
    if (setting == Setting::functionalized) text += kFunctionalized;
    if (setting == Setting::batched) text += kBatched;
    if (setting == Setting::backward) text += kGradients;
    return text;
  }

  /// Makes `t`.
  std::string made() const {
    const bool inside = experiment_.setting == Setting::escaped || experiment_.setting == Setting::inference_tensors;
    return inside ? "with torch.inference_mode():\n    t = tensors()\n" : "t = tensors()\n";
  }

  /// The mode of the call; empty: none.
  std::string_view mode() const {
    if (experiment_.setting == Setting::no_grad) return "torch.no_grad()";
    const bool inside = experiment_.setting == Setting::inference || experiment_.setting == Setting::inference_tensors;
    return inside ? "torch.inference_mode()" : "";
  }

  /// Makes `t`, and calls in the setting of the finding.
  std::string in_setting() const {
    const std::string with = mode().empty() ? "" : fmt::format("with {}:\n    ", mode());
    return fmt::format("{}torch.manual_seed(1)\n{}results = {}\n", made(), with, call_);
  }

  /// What the call raised is caught; `before` and `after` are the states of the tensors.
  std::string with_states() const {
    return fmt::format(
        "{}before = [state(one) for one in t]\ntorch.manual_seed(1)\nerror = None\ntry:\n    with {}:\n        {}\n"
        "except Exception as raised:\n    error = raised\nafter = [state(one) for one in t]\nprint(error, before, "
        "after, sep=\"\\n\")\n",
        made(), mode().empty() ? "torch.enable_grad()" : mode(), call_);
  }

  std::string indices(bool written) const {
    const std::vector<bool> all = written_tensors(op_, experiment_);
    std::vector<std::size_t> some;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i] == written) some.push_back(i);
    return fmt::format("[{}]", fmt::join(some, ", "));
  }

  std::string check() const {
    const std::string& law = finding_.law;
    if (law == "OP-01")
      return with_states() + fmt::format("for i in {}:\n    assert before[i] == after[i], i\n", indices(false));
    if (law == "OP-04")
      return with_states() +
             fmt::format("for i in {}:\n    assert before[i][0] == after[i][0] or after[i][4] > before[i][4], i\n",
                         indices(true));
    if (law == "OP-05") return with_states() + "assert error is not None or before == after\n";
    if (law == "OP-06" || law == "OP-11") return with_states() + "assert error is None or before == after\n";
    if (law == "OP-02")
      return in_setting() +
             "for one in tensors_in(results):\n    for each in t:\n"
             "        assert one is not each and one.untyped_storage().data_ptr() != "
             "each.untyped_storage().data_ptr()\n";
    if (law == "OP-03")
      return in_setting() +
             fmt::format("assert any(one is t[i] for one in tensors_in(results) for i in {})\n", indices(true));
    if (law == "OP-09") return in_setting() + inference_bits();
    if (law == "OP-10")
      return in_setting() +
             "for one in tensors_in(results):\n    assert any(one is each or one._base is each for each in t)\n";
    if (law == "OP-07" || law == "OP-08" || law == "OP-14")
      return two("t = tensors()\ntorch.manual_seed(1)\nresults = " + call_ + "\n", in_setting());
    if (law == "OP-15") return two(in_setting(), "t = elsewhere()\ntorch.manual_seed(1)\nresults = " + call_ + "\n");
    if (law == "OP-12") return metadata("t = on_meta()\nresults = " + on_meta());
    if (law == "OP-13" && peers_.twin != nullptr) return twin();
    if (law == "OP-16" && peers_.twin != nullptr) return shared_elements();
    if (law == "OP-17")
      return "t = tensors()\nexpected = tensors_in(call(t)) + t\nt = tensors()\ngot = functionalized(t) + t\n"
             "print(expected, got, sep=\"\\n\")\nassert all(map(alike, expected, got))\n";
    if (law == "OP-18")
      return fmt::format(
          "expected, got = gradients(-1), gradients({})\nprint(expected, got, sep=\"\\n\")\n"
          "assert all(map(alike, expected, got))\n",
          experiment_.disturbed);
    if (law == "OP-19")
      return "both = batched()\nfor example, maker in enumerate((tensors, others)):\n    t = maker()\n"
             "    expected = tensors_in(call(t)) + t\n    got = [one[example] for one in both]\n"
             "    print(expected, got, sep=\"\\n\")\n    assert all(map(alike, expected, got)), example\n";
    if (law == "OP-20" && peers_.view != nullptr)
      return two("t = tensors()\nresults = " +
                     plain_call(*peers_.view, call_of_twin(op_, *peers_.view, experiment_).arguments) + "\n",
                 in_setting());
    if (law == "OP-21")
      return in_setting() +
             "for one in tensors_in(results):\n    with torch.inference_mode(one.is_inference()):\n"
             "        new = torch.empty(0, device=one.device)\n    print(keys(new), keys(one))\n"
             "    assert any(one is each for each in t) or keys(one) == keys(new)\n";
    if (law == "OP-22") return metadata(kFake);
    if (law == "OP-23")
      return in_setting() +
             "assert any(one.untyped_storage().data_ptr() == each.untyped_storage().data_ptr() "
             "for one in tensors_in(results) for each in t)\n";
    return broken_call();
  }

  static constexpr std::string_view kFake =
      "from torch._subclasses.fake_tensor import FakeTensorMode\n\nwith FakeTensorMode() as mode:\n"
      "    results = call([mode.from_tensor(one) for one in tensors()])";

  /// The call of a crash or a hang.
  std::string broken_call() const {
    switch (experiment_.setting) {
      case Setting::meta:
        return "t = on_meta()\n" + on_meta() + "\n";
      case Setting::fake:
        return std::string(kFake) + "\n";
      case Setting::functionalized:
        return "functionalized(tensors())\n";
      case Setting::batched:
        return "batched()\n";
      case Setting::backward:
        return fmt::format("gradients({})\n", experiment_.disturbed);
      default:
        return in_setting();
    }
  }

  /// The call with "meta" where "cpu" is given.
  std::string on_meta() const {
    nlohmann::json arguments = experiment_.arguments;
    for (nlohmann::json& one : arguments)
      if (one == "cpu") one = "meta";
    return plain_call(op_, arguments);
  }

  /// `other` makes `results` that have no elements.
  std::string metadata(std::string_view other) const {
    return fmt::format(
        "t = tensors()\nexpected = {}\n{}\nfor one, other in zip(tensors_in(expected), tensors_in(results)):\n"
        "    print(one.dtype, one.shape, one.stride(), other.dtype, other.shape, other.stride())\n"
        "    assert one.dtype == other.dtype and one.shape == other.shape and one.stride() == other.stride()\n",
        call_, other);
  }

  std::string shared_elements() const {
    return fmt::format(
        "t = tensors()\ntorch.manual_seed(1)\nexpected = tensors_in({})\n{}for i, right in zip({}, expected):\n"
        "    print(right, t[i], sep=\"\\n\")\n    assert right.dtype != t[i].dtype or alike(right, t[i]), i\n",
        twin_call(), in_setting(), indices(true));
  }

  std::string twin_call() const {
    return plain_call(*peers_.twin, call_of_twin(op_, *peers_.twin, experiment_).arguments);
  }

  static std::string two(const std::string& first, const std::string& second) {
    return first + "expected = elements(results), [elements(one) for one in t]\n" + second +
           "got = elements(results), [elements(one) for one in t]\nprint(expected, got, sep=\"\\n\")\nassert expected "
           "== got\n";
  }

  std::string inference_bits() const {
    if (experiment_.setting == Setting::inference_tensors)
      return "for one in tensors_in(results):\n    assert one.is_inference()\n";
    return "for one in tensors_in(results):\n    aliases = any(one.untyped_storage().data_ptr() == "
           "each.untyped_storage().data_ptr() "
           "for each in t)\n    assert one.is_inference() != aliases\n";
  }

  std::string twin() const {
    return fmt::format(
        "t = tensors()\ntorch.manual_seed(1)\nexpected = [elements(one) for one in tensors_in({})]\n{}"
        "got = [elements(t[i]) for i in {}]\nprint(expected, got, sep=\"\\n\")\nassert expected == got\n",
        twin_call(), in_setting(), indices(true));
  }

  const Operator& op_;
  PlainPeers peers_;
  const Finding& finding_;
  const Experiment& experiment_;
  std::string call_;
};

}  // namespace

std::string plain_file(const Operator& op, const PlainPeers& peers, const Finding& finding, const PlainSource& source) {
  return Writer(op, peers, finding).text(source);
}

std::string file_name(const Finding& finding) {
  std::string name = fmt::format("{}-{}-{}", finding.law, finding.op, finding.what.substr(0, kNamed));
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_') c = '-';
  for (std::size_t at = name.find("--"); at != std::string::npos; at = name.find("--")) name.erase(at, 1);
  return name + ".py";
}

}  // namespace plumbline::sweep
