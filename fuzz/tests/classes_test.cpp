// What the generator draws: every class of choices that it has stays in its programs.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "fuzz/builder.h"
#include "language/slots.h"

namespace plumbline::fuzz::classes_test {

namespace {

using Counts = std::map<std::string, int>;

/// What stands in one script: each class once, however often.
class Classes {
 public:
  Counts of(const Script& script) {
    script_ = &script;
    for (std::size_t i = 0; i < script.statements.size(); ++i) look_at(i);
    return std::move(found_);
  }

 private:
  void note(const std::string& name) { found_[name] = 1; }
  bool inside() const { return !modes_.empty() && modes_.back(); }

  void look_at(std::size_t i) {
    const StatementKind& kind = script_->statements[i].kind;
    if (const auto* guard = std::get_if<Enter>(&kind)) enter(*guard, i);
    if (std::holds_alternative<Exit>(kind) && !modes_.empty()) modes_.pop_back();
    if (const auto* make = std::get_if<MakeTensor>(&kind)) {
      note("literal of " + std::string(kDtypeNames.at(static_cast<std::size_t>(make->dtype))));
      note("literal of rank " + std::to_string(make->sizes.size()));
      if (make->values.empty()) note("literal without elements");
      if (make->requires_grad) note(inside() ? "literal that requires grad, inside" : "literal that requires grad");
      made_inside_[make->result] = inside();
    }
    if (const auto* call = std::get_if<Call>(&kind)) this->call(*call);
    if (const auto* set = std::get_if<SetRequiresGrad>(&kind))
      note(std::string(set->method ? "requires_grad_(" : "requires_grad = (") + (set->value ? "True)" : "False)"));
    if (const auto* run = std::get_if<Backward>(&kind)) backward(*run);
    if (const auto* get = std::get_if<GetGradients>(&kind))
      note(std::string("autograd.grad") + (get->more.empty() ? "" : " of several tensors") +
           (get->allow_unused ? ", unused allowed" : ""));
    if (const auto* set = std::get_if<SetGrad>(&kind)) note(set->grad ? "grad = tensor" : "grad = None");
    if (std::holds_alternative<GetGrad>(kind)) note("grad is taken");
    if (std::holds_alternative<RetainGrad>(kind)) note("retain_grad");
    if (const auto* hook = std::get_if<RegisterHook>(&kind)) {
      const CustomBackward& body = script_->functions.at(static_cast<std::size_t>(hook->function));
      note(hook->after             ? "hook after accumulation"
           : body.returned.front() ? "hook returns a gradient"
                                   : "hook returns None");
    }
    if (std::holds_alternative<RemoveHook>(kind)) note("hook is removed");
    if (std::holds_alternative<PauseThread>(kind)) note("a thread waits");
    if (std::holds_alternative<EnterSavedTensorsHooks>(kind)) note("hooks of saved tensors");
    if (std::holds_alternative<StartThread>(kind) && i + 1 < script_->statements.size()) thread(i + 1);
    if (const auto* context = std::get_if<ContextCall>(&kind))
      note("custom: " + std::string(kContextKindNames.at(static_cast<std::size_t>(context->kind))));
    if (const auto* forward = std::get_if<EnterForward>(&kind))
      custom(script_->functions.at(static_cast<std::size_t>(forward->function)), i);
  }

  void enter(const Enter& guard, std::size_t i) {
    const bool mode = guard.kind == GuardKind::inference_mode;
    if (mode) note(std::string("mode turned ") + (guard.value ? "on" : "off") + (inside() ? " inside" : " outside"));
    if (!mode) note("grad guard " + std::to_string(static_cast<int>(guard.kind)) + (guard.value ? " on" : " off"));
    if (!mode && inside()) note("grad guard inside the mode");
    if (i > 0 && std::holds_alternative<Try>(script_->statements[i - 1].kind)) note("error leaves a guard");
    if (i > 1 && std::holds_alternative<Enter>(script_->statements[i - 1].kind) &&
        std::holds_alternative<Try>(script_->statements[i - 2].kind))
      note("error leaves two guards");
    modes_.push_back(mode ? guard.value : inside());
  }

  void call(const Call& call) {
    const OpKind kind = op(call.op).kind;
    note("kind " + std::to_string(static_cast<int>(kind)) + (inside() ? " inside" : " outside"));
    if (call.requires_grad) note("factory that requires grad");
    for (const Slot result : call.results) made_inside_[result] = inside();
  }

  void backward(const Backward& run) {
    note(std::string("backward") + (inside() ? " inside" : " outside") + (run.gradient ? ", given" : ""));
    if (!run.inputs.empty()) note("backward for chosen tensors");
    if (!run.more.empty()) note("backward from several tensors");
    if (run.retain_graph) note("backward that keeps the graph");
    if (!run.gradient) return;
    const auto made = made_inside_.find(*run.gradient);
    if (made != made_inside_.end() && made->second != inside())
      note(std::string("gradient made ") + (made->second ? "inside" : "outside") + " and given in the other mode");
  }

  void thread(std::size_t first) {
    const StatementKind& kind = script_->statements[first].kind;
    if (const auto* call = std::get_if<Call>(&kind))
      note("thread: kind " + std::to_string(static_cast<int>(op(call->op).kind)));
    else
      note("thread: other");
    if (inside()) note("thread begun inside");
  }

  void custom(const CustomBackward& function, std::size_t i) {
    bool mode = false;
    bool multiplies = false;
    for (const Statement& one : function.statements) {
      mode = mode || std::holds_alternative<Enter>(one.kind);
      multiplies = multiplies || std::holds_alternative<Call>(one.kind);
    }
    if (mode) note("custom: backward with a mode");
    if (!multiplies) note("custom: backward that hands on");
    for (const auto& returned : function.returned)
      if (!returned) note("custom: backward that gives None");
    if (function.returned.size() > 1) note("custom: backward that gives too many");
    for (std::size_t j = i; j < script_->statements.size(); ++j) {
      if (std::holds_alternative<LeaveForward>(script_->statements[j].kind)) break;
      if (std::holds_alternative<Enter>(script_->statements[j].kind)) note("custom: forward with a mode");
    }
  }

  const Script* script_ = nullptr;
  std::vector<bool> modes_;
  std::map<Slot, bool> made_inside_;
  Counts found_;
};

TEST(Classes, of_choices_are_all_drawn_and_none_fades_away) {
  constexpr int kPrograms = 4000;
  Counts drawn;
  for (std::uint64_t index = 0; index < kPrograms; ++index)
    for (const auto& [name, one] : Classes().of(build(genes_at(7, index).value(), Recipe()))) drawn[name] += one;
  // In how many of 4,000 programs each stood when this was written. A class that falls below half is lost to a
  // campaign.
  const Counts usual{{"backward inside", 63},
                     {"backward inside, given", 25},
                     {"backward outside", 524},
                     {"backward outside, given", 209},
                     {"backward that keeps the graph", 282},
                     {"custom: backward that gives None", 13},
                     {"custom: backward that gives too many", 28},
                     {"custom: backward that hands on", 9},
                     {"custom: backward with a mode", 78},
                     {"custom: forward with a mode", 68},
                     {"custom: mark_dirty", 31},
                     {"custom: mark_non_differentiable", 60},
                     {"custom: save_for_backward", 116},
                     {"error leaves a guard", 198},
                     {"error leaves two guards", 18},
                     {"factory that requires grad", 119},
                     {"grad = None", 67},
                     {"grad = tensor", 43},
                     {"grad guard 1 off", 461},
                     {"grad guard 2 on", 456},
                     {"grad guard 3 off", 458},
                     {"grad guard 3 on", 438},
                     {"grad guard inside the mode", 111},
                     {"grad is taken", 19},
                     {"gradient made inside and given in the other mode", 64},
                     {"gradient made outside and given in the other mode", 15},
                     {"kind 0 inside", 121},
                     {"kind 0 outside", 835},
                     {"kind 1 inside", 234},
                     {"kind 1 outside", 1768},
                     {"kind 2 inside", 413},
                     {"kind 2 outside", 2216},
                     {"kind 3 inside", 209},
                     {"kind 3 outside", 1909},
                     {"kind 4 inside", 79},
                     {"kind 4 outside", 726},
                     {"kind 5 inside", 28},
                     {"kind 5 outside", 307},
                     {"literal of bool", 951},
                     {"literal of float32", 2291},
                     {"literal of float64", 1424},
                     {"literal of int32", 749},
                     {"literal of int64", 967},
                     {"literal of rank 0", 791},
                     {"literal of rank 1", 1994},
                     {"literal of rank 2", 2236},
                     {"literal of rank 3", 588},
                     {"literal that requires grad", 1142},
                     {"literal that requires grad, inside", 132},
                     {"hook is removed", 10},
                     {"hook after accumulation", 20},
                     {"a thread waits", 20},
                     {"hooks of saved tensors", 20},
                     {"hook returns None", 60},
                     {"hook returns a gradient", 150},
                     {"literal without elements", 811},
                     {"mode turned off inside", 59},
                     {"mode turned off outside", 443},
                     {"mode turned on inside", 117},
                     {"mode turned on outside", 1234},
                     {"requires_grad = (False)", 432},
                     {"requires_grad = (True)", 430},
                     {"requires_grad_(False)", 32},
                     {"requires_grad_(True)", 77},
                     {"retain_grad", 118},
                     {"thread begun inside", 27},
                     {"thread: kind 1", 25},
                     {"thread: kind 2", 54},
                     {"thread: kind 3", 60},
                     {"thread: other", 254}};
  for (const auto& [name, count] : usual) EXPECT_GT(2 * drawn[name], count) << name << ": " << drawn[name];
}

}  // namespace

}  // namespace plumbline::fuzz::classes_test
