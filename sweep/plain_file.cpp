// Writing a finding as plain Python: the tensors, the call, and what the law asks of them.
#include "sweep/plain_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "sweep/candidates.h"

namespace plumbline::sweep {

using nlohmann::json;

namespace {

constexpr std::size_t kNamed = 24;  // letters of what it does, in a file's name

constexpr std::string_view kMade = R"(import torch


def made(dtype, sizes, strides, offset, values, device="cpu"):
    if device == "meta":
        return torch.empty_strided(sizes, strides, dtype=dtype, device=device)
    storage = torch.tensor(values, dtype=torch.float64).to(dtype)
    return torch.empty(0, dtype=dtype).set_(storage, offset, sizes, strides)


def state(tensor):
    version = None if tensor.is_inference() else tensor._version
    return repr(tensor.tolist()), tensor.dtype, tuple(tensor.shape), tensor.stride(), version


def elements(results):
    if isinstance(results, torch.Tensor):
        return repr(results.tolist()), results.dtype, tuple(results.shape)
    return [elements(one) for one in results] if isinstance(results, (list, tuple)) else results


def tensors_in(results):
    if isinstance(results, torch.Tensor):
        return [results]
    return [one for each in results for one in tensors_in(each)] if isinstance(results, (list, tuple)) else []
)";

std::string python(const json& value) {
  if (value.is_null()) return "None";
  if (value.is_boolean()) return value.get<bool>() ? "True" : "False";
  if (value.is_array()) {
    std::vector<std::string> all;
    for (const json& one : value) all.push_back(python(one));
    return fmt::format("[{}]", fmt::join(all, ", "));
  }
  if (value.is_object() && value.contains("tensor")) return fmt::format("t[{}]", value["tensor"].get<std::size_t>());
  if (value.is_object() && value.contains("dtype")) return "torch." + value["dtype"].get<std::string>();
  return value.dump();
}

/// "torch.ops.aten.add.Tensor(t[0], t[1])".
std::string call_of(const Operator& op, const json& arguments) {
  std::string name = op.name;
  name.replace(name.find("::"), 2, ".");
  std::vector<std::string> words;
  bool by_name = false;  // after an argument that is left out
  for (std::size_t i = 0; i < op.arguments.size(); ++i) {
    const Parameter& p = op.arguments[i];
    if (arguments[i].is_object() && arguments[i].contains("default")) {
      by_name = true;
      continue;
    }
    std::string value = python(arguments[i]);
    if (p.type == "Layout" && !arguments[i].is_null()) value = "torch.strided";
    if (p.type == "MemoryFormat" && arguments[i].is_number())
      value = std::array{"torch.contiguous_format", "torch.preserve_format", "torch.channels_last"}.at(
          arguments[i].get<std::size_t>());
    words.push_back(by_name || p.keyword_only ? fmt::format("{}={}", p.name, value) : value);
  }
  return fmt::format("torch.ops.{}.{}({})", name, op.overload.empty() ? "default" : op.overload,
                     fmt::join(words, ", "));
}

std::string tensor_of(const Ingredient& t, bool on_meta) {
  return fmt::format("        made(torch.{}, {}, {}, {}, [{}]{}),\n", t.dtype, json(t.sizes).dump(),
                     json(t.strides).dump(), t.offset, fmt::join(t.values, ", "), on_meta ? ", \"meta\"" : "");
}

/// `def NAME():`, which makes new tensors `t`.
std::string maker(std::string_view name, const std::vector<Ingredient>& tensors, bool on_meta) {
  std::string text = fmt::format("\n\ndef {}():\n    return [\n", name);
  for (const Ingredient& t : tensors) text += tensor_of(t, on_meta);
  return text + "    ]\n";
}

class Writer {
 public:
  Writer(const Operator& op, const Operator* twin, const Finding& finding)
      : op_(op),
        twin_(twin),
        finding_(finding),
        experiment_(finding.experiment),
        call_(call_of(op, experiment_.arguments)) {}

  std::string text(const std::string& version) {
    const Law* law = law_named(finding_.law);
    std::string text =
        fmt::format("# {}\n# {}: {}\n# {}; seen with PyTorch {}\n", op_.schema, finding_.law,
                    law == nullptr ? "the call ends the process" : law->sentence, finding_.what, version);
    text += kMade;
    text += maker("tensors", experiment_.tensors, false);
    if (finding_.law == "OP-12") text += maker("on_meta", experiment_.tensors, true);
    if (finding_.law == "OP-15") text += maker("elsewhere", strided(experiment_.tensors), false);
    return text + "\n\n" + check();
  }

 private:
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
    if (law == "OP-12")
      return "t = tensors()\nexpected = " + call_ + "\nt = on_meta()\nresults = " + call_ +
             "\nfor one, other in zip(tensors_in(expected), tensors_in(results)):\n"
             "    print(one.dtype, one.shape, other.dtype, other.shape)\n"
             "    assert one.dtype == other.dtype and one.shape == other.shape and one.stride() == other.stride()\n";
    if (law == "OP-13" && twin_ != nullptr) return twin();
    return in_setting();  // a crash, a hang
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
        call_of(*twin_, call_of_twin(op_, *twin_, experiment_).arguments), in_setting(), indices(true));
  }

  const Operator& op_;
  const Operator* twin_;
  const Finding& finding_;
  const Experiment& experiment_;
  std::string call_;
};

}  // namespace

std::string plain_file(const Operator& op, const Operator* twin, const Finding& finding, const std::string& version) {
  return Writer(op, twin, finding).text(version);
}

std::string file_name(const Finding& finding) {
  std::string name = fmt::format("{}-{}-{}", finding.law, finding.op, finding.what.substr(0, kNamed));
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_') c = '-';
  for (std::size_t at = name.find("--"); at != std::string::npos; at = name.find("--")) name.erase(at, 1);
  return name + ".py";
}

}  // namespace plumbline::sweep
