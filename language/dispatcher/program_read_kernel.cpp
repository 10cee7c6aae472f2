// Reading the parts of programs about the dispatcher: kernels, key sets, guards.
#include <fmt/format.h>

#include <algorithm>

#include "language/dispatcher/program_reader.h"
#include "language/key_steps.h"
#include "language/print.h"

namespace plumbline::dispatcher {

using namespace program;

namespace {

constexpr std::string_view kKernelForm =
    "A kernel logs its name, logs repr(ks) if it takes a key set, redispatches or calls an operator, and raises "
    "RuntimeError(\"NAME raised\"), in this order; the last two may be left out";

class KernelReader {
 public:
  KernelReader(const Function& function, const Words& words) : function_(function), words_(words) {}

  WrittenKernel run() {
    made_.kernel.name = function_.name;
    parameters();
    for (const Line& line : function_.body)
      if (!std::holds_alternative<Remark>(line.node)) lines_.push_back(&line);
    log(fmt::format("log.append(\"{}\")", function_.name));
    if (made_.kernel.with_keyset) log("log.append(repr(ks))");
    guarded();
    raised();
    if (!lines_.empty()) words_.fail(lines_[0]->place, "a kernel cannot contain this here", std::string(kKernelForm));
    return std::move(made_);
  }

 private:
  void parameters() {
    const std::vector<std::string>& names = function_.parameters;
    const std::string joined = fmt::format("{}", fmt::join(names, ", "));
    if (joined != "*args" && joined != "ks, *args" && joined != "op, *args" && joined != "ks, op, *args")
      words_.fail(
          function_.place, fmt::format("the kernel {} cannot have the parameters ({})", function_.name, joined),
          "A kernel takes (*args), or with a key set (ks, *args); a fallback takes (op, *args) or (ks, op, *args)");
    made_.kernel.with_keyset = names[0] == "ks";
    made_.takes_op = std::ranges::find(names, "op") != names.end();
  }

  /// The place of the next line, or of the function at the end.
  Place here() const { return lines_.empty() ? function_.place : lines_[0]->place; }
  const Expression* bare() const {
    const auto* assign = lines_.empty() ? nullptr : std::get_if<Assign>(&lines_[0]->node);
    return assign != nullptr && assign->targets.empty() ? &assign->value : nullptr;
  }
  void next() { lines_.erase(lines_.begin()); }

  void log(const std::string& expected) {
    const Expression* found = bare();
    if (found == nullptr || print(*found) != expected)
      words_.fail(here(), fmt::format("the kernel {} lacks a log line", function_.name),
                  fmt::format("Write `{}` here", expected));
    next();
  }

  /// The action, possibly inside a guard.
  void guarded() {
    const auto* with = lines_.empty() ? nullptr : std::get_if<With>(&lines_[0]->node);
    if (with == nullptr) {
      if (bare() != nullptr) action(*bare(), here()), next();
      return;
    }
    made_.kernel.guard = words_.guard(with->item);
    if (!made_.kernel.guard)
      words_.fail(here(), "programs about the dispatcher cannot use this guard",
                  "Put a kernel's action into `with torch.inference_mode():` or a guard of torch._C");
    std::vector<const Line*> body;
    for (const Line& line : with->body)
      if (!std::holds_alternative<Remark>(line.node)) body.push_back(&line);
    const auto* assign = body.size() == 1 ? std::get_if<Assign>(&body[0]->node) : nullptr;
    const bool nothing = body.size() == 1 && std::holds_alternative<Pass>(body[0]->node);
    if (!nothing && (assign == nullptr || !assign->targets.empty()))
      words_.fail(here(), "a guard in a kernel does not contain exactly one action", std::string(kKernelForm));
    if (assign != nullptr) action(assign->value, body[0]->place);
    next();
  }

  void raised() {
    const auto* raise = lines_.empty() ? nullptr : std::get_if<Raise>(&lines_[0]->node);
    if (raise == nullptr) return;
    const std::string expected = fmt::format("RuntimeError(\"{} raised\")", function_.name);
    if (print(raise->value) != expected)
      words_.fail(here(), "a kernel does not raise its own error", fmt::format("Write `raise {}`", expected));
    made_.kernel.raises = true;
    next();
  }

  void action(const Expression& e, Place place) {
    const Invocation& call = words_.call(e, kKernelForm);
    std::string callee = dotted_name(*call.callee);
    ProbeKernel& kernel = made_.kernel;
    const bool redispatches = callee.ends_with(".redispatch");
    kernel.act = redispatches ? ProbeKernel::Act::redispatch : ProbeKernel::Act::call;
    if (redispatches) callee.erase(callee.rfind('.'));
    const bool given = made_.takes_op && callee == "op";
    if (redispatches && !given) {
      if (!callee.ends_with(".default")) unknown(place);
      callee.erase(callee.rfind('.'));
    }
    const auto op = Words::operator_named(callee);
    if (!given && !op) unknown(place);
    kernel.op = given ? "" : *op;
    const Expression args{Starred{"args"}, {}};
    if (call.positional.empty() || call.positional.back() != args)
      words_.fail(place, "a kernel does not pass on its arguments", "Write `*args` as the last argument");
    words_.need_arguments(call, redispatches ? 2 : 1, place,
                          redispatches ? "Write `.redispatch(KEYSET, *args)`" : "Write `(*args)`");
    if (!redispatches) return;
    if (!kernel.with_keyset)
      words_.fail(place, fmt::format("the kernel {} redispatches but does not take a key set", kernel.name),
                  "Make `ks` its first parameter, and register it with_keyset=True");
    const auto refuse_start = [this](const Expression& e) {
      words_.fail(start_of(e), "a kernel's key set does not start with `ks`",
                  "Write `ks`, then `& KEYSET`, `| KEYSET` or `.remove(KEY)` after it");
    };
    kernel.steps = read_key_steps(call.positional[0], {[](const std::string& name) { return name == "ks"; }, false,
                                                       refuse_start, words_.refusing()});
  }

  [[noreturn]] void unknown(Place place) const {
    words_.fail(place, "a kernel calls something that is not an operator",
                "Write `torch.ops.NS.OP(*args)` or `torch.ops.NS.OP.default.redispatch(ks, *args)`, in the kernel of a "
                "fallback `op.redispatch(ks, *args)`");
  }

  const Function& function_;
  const Words& words_;
  std::vector<const Line*> lines_;
  WrittenKernel made_;
};

}  // namespace

void Words::fail(Place place, std::string problem, std::string advice) const {
  throw ProgramError(file_, place, std::move(problem), std::move(advice));
}

const Invocation& Words::call(const Expression& e, std::string_view advice) const {
  const auto* call = std::get_if<Invocation>(&e.node);
  if (call == nullptr) fail(start_of(e), "this is not a call", std::string(advice));
  return *call;
}

std::string Words::text(const Expression& e, std::string_view what) const {
  const auto* text = std::get_if<std::string>(&e.node);
  if (text == nullptr)
    fail(start_of(e), fmt::format("{} is not a string", what), fmt::format("Write {} in quotation marks", what));
  return *text;
}

Refuse Words::refusing() const {
  return [this](Place place, std::string problem, std::string advice) {
    fail(place, std::move(problem), std::move(advice));
  };
}

std::string Words::key(const Expression& e) const { return key_named(e, Undefined::accepted, refusing()); }

std::string Words::key_of_set(const Expression& e) const {
  return program::key_of_set(e, Undefined::accepted, refusing());
}

std::optional<std::string> Words::operator_named(const std::string& dotted) {
  constexpr std::string_view kOps = "torch.ops.";
  if (!dotted.starts_with(kOps)) return std::nullopt;
  const std::string rest = dotted.substr(kOps.size());
  const std::size_t dot = rest.find('.');
  if (dot == std::string::npos || rest.find('.', dot + 1) != std::string::npos) return std::nullopt;
  return rest.substr(0, dot) + "::" + rest.substr(dot + 1);
}

std::optional<KeyGuard> Words::guard(const Expression& item) const {
  const auto* call = std::get_if<Invocation>(&item.node);
  const auto found = call == nullptr ? kGuards.end() : std::ranges::find(kGuards, dotted_name(*call->callee));
  if (found == kGuards.end()) return std::nullopt;
  auto kind = static_cast<KeyGuard::Kind>(found - kGuards.begin());
  const bool takes_key = kind == KeyGuard::Kind::exclude || kind == KeyGuard::Kind::include;
  if (kind == KeyGuard::Kind::inference_mode && print(item) == fmt::format("{}(False)", *found))
    return KeyGuard{KeyGuard::Kind::inference_mode_off, ""};
  need_arguments(*call, takes_key ? 1 : 0, start_of(item),
                 takes_key ? "It takes one key" : fmt::format("Write `{}()`", *found));
  if (kind == KeyGuard::Kind::exclude) return KeyGuard{kind, key_of_set(call->positional[0])};
  return KeyGuard{kind, takes_key ? key(call->positional[0]) : ""};
}

void Words::need_arguments(const Invocation& call, std::size_t count, Place place, std::string_view advice) const {
  if (call.positional.size() == count && call.keywords.empty()) return;
  fail(place, fmt::format("{} does not take these arguments here", print(*call.callee)), std::string(advice));
}

WrittenKernel read_kernel(const Function& function, const Words& words) { return KernelReader(function, words).run(); }

}  // namespace plumbline::dispatcher
