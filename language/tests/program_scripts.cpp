// RapidCheck generators of scripts that Python can express.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "language/tests/program_generators.h"
#include "language/tests/program_parts.h"

namespace plumbline::program {
namespace {

using namespace random;

/// Builds one script.
class ScriptBuilder : ScriptParts {
 public:
  Test run() {
    test_.name = "test_generated";
    for (int i = 0, n = chance(50) ? 2 + below(5) : 0; i < n; ++i) registration(true);
    statements(8 + below(20), 2);
    return std::move(test_);
  }

 private:
  void statements(int count, int depth) {
    for (int i = 0; i < count; ++i) {
      const int kind = below(15);
      if (bound_.empty() || kind == 0) {
        make_tensor();
      } else if (kind < 5) {
        call(true);
      } else if (kind == 5) {
        add(SetRequiresGrad{any_bound(), *arbitrary<bool>(), *arbitrary<bool>()});
      } else if (kind == 6 && depth > 0) {
        add(any_guard());
        statements(below(4), depth - 1);
        add(Exit{});
      } else if (kind == 7 && depth > 0) {
        attempt(depth - 1);
      } else if (kind == 8) {
        beside_ops(true);
      } else if (kind == 9 && depth > 0 && !in_forward_) {
        thread(depth - 1);
      } else if (kind == 10 && depth > 0) {
        apply(depth - 1);
      } else if (kind == 11 && !script().operators.empty()) {
        invoke();
      } else if (kind == 12 && can_register()) {
        registration(true);
      } else {
        read();
      }
    }
  }

  bool can_register() const { return !in_forward_ && !(in_thread_ && libraries_.empty()); }

  /// Makes a library, or lets one register something, or ends it. `lasting`: a new library's name is known afterwards.
  void registration(bool lasting) {
    const int kind = below(9);
    if (libraries_.empty() || (kind == 0 && !in_thread_)) return make_library(lasting);
    const std::size_t at = below(libraries_.size());
    const MakeLibrary library = libraries_[at];
    std::vector<std::int32_t> known;
    for (std::size_t i = 0; i < script().operators.size(); ++i)
      if (script().operators[i].name.starts_with(library.space + "::")) known.push_back(static_cast<std::int32_t>(i));
    if (kind == 1) {
      libraries_.erase(libraries_.begin() + static_cast<std::ptrdiff_t>(at));
      add(DropLibrary{library.library});
    } else if (kind < 4 || known.empty()) {
      const bool again = !known.empty() && chance(40);
      add(DefineOperator{library.library, again ? known[below(known.size())] : new_operator(library.space)});
    } else {
      const std::int32_t op = known[below(known.size())];
      AddKernel made{library.library, op, std::string(kKernelKeys[below(kKernelKeys.size())])};
      if (chance(80)) made.kernel = kernel_for(script().operators[static_cast<std::size_t>(op)]);
      add(std::move(made));
    }
  }

  void make_library(bool lasting) {
    const MakeLibrary made{fmt::format("lib{}", made_++), *element<std::string>("mine", "yours"),
                           static_cast<MakeLibrary::Kind>(below(static_cast<int>(kLibraryKindNames.size())))};
    if (lasting) libraries_.push_back(made);
    add(made);
  }

  std::int32_t new_operator(const std::string& space) {
    std::vector<CustomOperator>& all = script().operators;
    CustomOperator op{fmt::format("{}::f{}_", space, all.size()), {}, {}};
    for (int i = 0, n = 1 + below(2); i < n; ++i) op.arguments.push_back(schema_tensor(fmt::format("x{}", i)));
    for (int i = 0, n = below(3); i < n; ++i) op.returns.push_back(schema_tensor(""));
    all.push_back(std::move(op));
    return static_cast<std::int32_t>(all.size()) - 1;
  }

  /// A kernel that fits the operator: a new one, or one that is registered already.
  std::int32_t kernel_for(const CustomOperator& op) {
    std::vector<CustomKernel>& all = script().kernels;
    std::vector<std::int32_t> fitting;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i].parameters.size() == op.arguments.size() && all[i].returned.size() == op.returns.size())
        fitting.push_back(static_cast<std::int32_t>(i));
    if (!fitting.empty() && chance(50)) return fitting[below(fitting.size())];
    all.push_back(new_kernel(op));
    return static_cast<std::int32_t>(all.size()) - 1;
  }

  /// Its statements are calls of ops and operators, and guards.
  CustomKernel new_kernel(const CustomOperator& op) {
    CustomKernel made{fmt::format("kernel{}", script().kernels.size())};
    made.with_keyset = chance(30);
    made.statements = own_statements([&] {
      bound_.clear();
      for (std::size_t i = 0; i < op.arguments.size(); ++i) made.parameters.push_back(fresh(true));
      for (int i = 0, n = below(4); i < n; ++i) {
        const bool guarded = chance(30);
        if (guarded) add(any_guard());
        chance(70) ? call(true) : invoke();
        if (guarded) add(Exit{});
      }
      if (made.with_keyset) invoke(true);
      for (std::size_t i = 0; i < op.returns.size(); ++i) made.returned.push_back(any_bound());
    });
    return made;
  }

  void invoke(bool redispatches = false) {
    const std::size_t number = below(script().operators.size());
    const CustomOperator& op = script().operators[number];
    Invoke made{static_cast<std::int32_t>(number), {}, {}};
    for (std::size_t i = 0; i < op.arguments.size(); ++i) made.inputs.push_back(any_bound());
    while (made.results.size() < op.returns.size())
      if (const Slot slot = target(true); std::ranges::find(made.results, slot) == made.results.end())
        made.results.push_back(slot);
    if (redispatches) made.redispatch = key_steps();
    add(std::move(made));
  }

  /// Names that are bound inside a function are not bound elsewhere.
  void thread(int depth) {
    const std::vector<Slot> outer = bound_;
    const std::vector<Slot> mine = std::exchange(mine_, {});
    const bool was_in_thread = std::exchange(in_thread_, true);
    add(StartThread{});
    statements(below(5), depth);
    if (chance(40)) {
      add(PauseThread{});
      const std::vector<Slot> own = std::exchange(bound_, outer);
      const std::vector<Slot> own_mine = std::exchange(mine_, {});
      statements(below(3), depth - 1);
      bound_ = own;
      mine_ = own_mine;
      add(ResumeThread{});
      statements(below(3), depth - 1);
    }
    add(JoinThread{});
    in_thread_ = was_in_thread;
    bound_ = outer;
    mine_ = mine;
  }

  void apply(int depth) {
    const std::vector<Slot> outer = bound_;
    const std::vector<Slot> mine = std::exchange(mine_, {});
    const bool was_in_forward = std::exchange(in_forward_, true);
    const auto function = script().functions.size();
    const std::vector<Slot> inputs = some_bound();
    bound_ = inputs;
    script().functions.push_back({fmt::format("F{}", function), {}, {}, {}});
    add(EnterForward{static_cast<std::int32_t>(function), inputs});
    statements(below(4), depth);
    std::size_t saved = 0;
    for (int i = 0, n = below(3); i < n; ++i) {
      ContextCall call{static_cast<ContextKind>(below(3)), some_bound()};
      if (call.kind == ContextKind::save_for_backward) saved = call.tensors.size();
      add(std::move(call));
    }
    LeaveForward leave{some_bound(), {}};
    bound_ = outer;
    mine_ = mine;
    in_forward_ = was_in_forward;
    while (leave.results.size() < leave.returned.size())
      if (const Slot slot = target(true); std::ranges::find(leave.results, slot) == leave.results.end())
        leave.results.push_back(slot);
    const std::size_t count = leave.results.size();
    add(std::move(leave));
    backward(script().functions[function], count, inputs.size(), saved);
  }

  void backward(CustomBackward& custom, std::size_t gradients, std::size_t inputs, std::size_t saved) {
    custom.statements = own_statements([&] {
      bound_.clear();
      for (std::size_t i = 0; i < gradients; ++i) custom.gradients.push_back(fresh(true));
      if (saved > 0) {
        LoadSaved load;
        for (std::size_t i = 0; i < saved; ++i) load.results.push_back(fresh(true));
        add(std::move(load));
      }
      for (int i = 0, n = below(4); i < n; ++i) call(true);
      if (chance(30)) {
        add(any_guard());
        call(true);
        add(Exit{});
      }
      for (std::size_t i = 0; i < inputs; ++i) custom.returned.push_back(perhaps_a_slot());
    });
  }

  /// A hook; `returns`: it returns a tensor.
  std::int32_t any_hook(const char* name, bool after, bool returns) {
    const auto number = static_cast<std::int32_t>(script().functions.size());
    CustomBackward& made =
        script().functions.emplace_back(CustomBackward{fmt::format("{}{}", name, number), {}, {}, {}});
    made.statements = own_statements([&] {
      made.gradients = {fresh(true)};
      for (int i = 0, n = below(3); i < n; ++i) call(true);
      if (after && chance(50)) add(GetGrad{fresh(true), made.gradients[0]});
      if (after && chance(50)) add(SetGrad{made.gradients[0], std::nullopt});
      made.returned = {after ? std::nullopt : returns ? any_bound() : perhaps_a_slot()};
    });
    return number;
  }

  void hook() {
    const bool after = chance(30);
    const std::int32_t number = any_hook("hook", after, false);
    add(RegisterHook{any_bound(), number, after});
    if (chance(30)) add(RemoveHook{number});
  }

  void saved_tensors_hooks() {
    const std::int32_t pack = any_hook("pack", false, true), unpack = any_hook("unpack", false, true);
    add(EnterSavedTensorsHooks{pack, unpack});
    for (int i = 0, n = below(3); i < n; ++i) call(false);
    add(Exit{});
  }

  /// `.data`, `.grad`, `backward` and the like.
  void beside_ops(bool lasting) {
    const Slot tensor = any_bound();
    switch (below(in_forward_ ? 8 : 9)) {
      case 8:
        return chance(30) ? saved_tensors_hooks() : hook();
      case 0:
        return void(add(GetData{target(lasting), tensor}));
      case 1:
        return void(add(SetData{tensor, any_bound()}));
      case 2:
        return void(add(Backward{tensor, perhaps_a_slot(), *arbitrary<bool>(),
                                 chance(30) ? std::vector<Slot>{any_bound()} : std::vector<Slot>(), more_roots()}));
      case 3:
        return void(add(SetGrad{tensor, perhaps_a_slot()}));
      case 4:
        return void(add(RetainGrad{tensor}));
      case 5:
        return void(add(ManualSeed{integer()}));
      case 6: {
        GetGradients get{tensor, {any_bound()}, {}, perhaps_a_slot(), *arbitrary<bool>(), *arbitrary<bool>()};
        get.more = more_roots();
        if (chance(70)) get.results = {target(lasting)};
        return void(add(std::move(get)));
      }
      default:
        return void(add(GetGrad{target(lasting), tensor}));
    }
  }

  void attempt(int depth) {
    const ExpectedError error{add(Try{}), 0,
                              *element<std::string>("RuntimeError", "IndexError", "ValueError", "TypeError",
                                                    "NotImplementedError", "AttributeError"),
                              chance(50) ? text() : "", 0};
    const std::size_t index = test_.errors.size();
    test_.errors.push_back(error);
    if (chance(90)) {
      statements(below(3), depth);
      last_in_attempt();
    }
    test_.errors[index].last = add(EndTry{});
  }

  /// What is expected to raise: the names that it assigns are not known afterwards.
  void last_in_attempt() {
    if (chance(50)) return call(false);
    if (can_register() && chance(30)) return registration(false);
    chance(50) ? beside_ops(false) : void(add(Read{any_bound(), Field::version}));
  }

  bool in_forward_ = false, in_thread_ = false;
  std::vector<MakeLibrary> libraries_;  ///< those that can be used
  int made_ = 0;                        ///< how many were made
};

}  // namespace

rc::Gen<Test> any_test() {
  return rc::gen::exec([] { return ScriptBuilder().run(); });
}

}  // namespace plumbline::program
