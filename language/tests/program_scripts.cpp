// RapidCheck generators of scripts that Python can express.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "language/tests/program_generators.h"
#include "language/tests/program_registrations.h"

namespace plumbline::program {
namespace {

using namespace random;

/// Builds one script.
class ScriptBuilder : RegistrationParts {
 public:
  Test run() {
    test_.name = "test_generated";
    for (int i = 0, n = chance(50) ? 2 + below(5) : 0; i < n; ++i) registration(true);
    statements(8 + below(20), 2);
    forget_schemas();
    return std::move(test_);
  }

 private:
  void statements(int count, int depth) {
    for (int i = 0; i < count; ++i) {
      const int kind = below(17);
      if (bound_.empty() || kind == 0) {
        bound_.empty() || in_thread_ || in_forward_ || chance(60) ? make_tensor() : make_meta_tensor();
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
      } else if (kind == 11 && !defined_.empty()) {
        invoke(false);
      } else if (kind == 12 && can_register()) {
        registration(true);
      } else if (kind == 13) {
        chance(80) ? entry(false) : void(add(ClearLog{}));
      } else {
        read();
      }
    }
  }

  bool can_register() const { return !in_forward_ && !(in_thread_ && libraries_.empty()); }

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
    const std::vector<Slot> metas = std::exchange(metas_, {});
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
    if (chance(10)) {  // it never returns: see lower_function.cpp
      add(RaiseError{text()});
      leave.returned.assign(leave.returned.size(), inputs.front());
    }
    bound_ = outer;
    mine_ = mine;
    metas_ = metas;
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
      if (chance(20)) entry(false);
      const bool raises = chance(10);
      if (raises) add(RaiseError{text()});
      for (std::size_t i = 0; i < inputs; ++i) custom.returned.push_back(raises ? std::nullopt : perhaps_a_slot());
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
      if (chance(20)) entry(false);
      const bool raises = !returns && chance(10);
      if (raises) add(RaiseError{text()});
      made.returned = {after || raises ? std::nullopt : returns ? any_bound() : perhaps_a_slot()};
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
                                                    "NotImplementedError", "AttributeError", "Exception"),
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
    if (chance(30)) return void(add(RaiseError{text()}));
    if (can_register() && chance(30)) return registration(false);
    chance(50) ? beside_ops(false) : void(add(Read{any_bound(), Field::version}));
  }

  bool in_forward_ = false;
};

}  // namespace

rc::Gen<Test> any_test() {
  return rc::gen::exec([] { return ScriptBuilder().run(); });
}

}  // namespace plumbline::program
