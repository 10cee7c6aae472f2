// Claims about single rules of recording, retain_grad(), hooks, saved tensors and Autograd's fallback.
#include "spec/machine/backward.h"
#include "spec/machine/made.h"
#include "spec/proofs/single_rules.h"
#include "spec/rules/aut_fallback.h"
#include "spec/rules/sav.h"

namespace plumbline::proofs {

namespace {

using S = Symbolic;
using J = Judge<S>;
using B = Bool<S>;

Tls<S> any_thread() {
  Tls<S> tls;
  tls.inference_mode = any_truth("inference mode");
  tls.grad_mode = any_truth("grad mode");
  tls.excluded = KeySet<S>::of({variable("excluded", Sort::Word)});
  return tls;
}

const std::vector<SingleRule> kRecording{
    {"number-is-a-new-tensor", "A number among tensors brings the keys of a tensor that is made in its place.",
     [](const J& judge) {
       const Tls<S> tls = any_thread();
       return claim(number_keys(judge, tls) == machine::new_tensor<S>(judge, false, true, tls).meta.keys);
     }},
    {"floating-results", "A recorded call raises an error exactly for a result without a floating dtype.",
     [](const J& judge) {
       const B floating = any_truth("floating");
       return claim(fine(check_recorded_dtype(judge, floating)) == floating);
     }},
    {"copy-into-integers", "Of writes only copy_ into a tensor without a floating dtype cannot be recorded.",
     [](const J& judge) {
       const B floating = any_truth("floating");
       return claim(write_recordable(judge, floating, true) == floating && write_recordable(judge, floating, false));
     }},
    {"differentiable-results", "A result is recorded exactly if it is differentiable.",
     [](const J& judge) {
       const B differentiable = any_truth("differentiable");
       return claim(records_result(judge, differentiable) == differentiable);
     }},
    {"inner-ops",
     "An op on inference tensors alone records nothing by the ops that its kernel calls.",
     [](const J& judge) {
       return claim(!inner_op_recorded(judge, any_truth("requires grad"), any_thread()) && !aminmax_fills(judge));
     },
     {{k213, "AUT-51: ops inside a kernel may be recorded"}, {k113, "AUT-51: ops inside a kernel may be recorded"}}},
    {"mean-saves-nothing",
     "mean saves nothing.",
     [](const J& judge) { return claim(!mean_saves_input(judge, any_truth("along dimensions"))); },
     {{k113, "AUT-53: mean along dimensions saves its input"}}},
    {"results-are-no-views",
     "No result of stack, of a *_scatter or of unsafe_split is a view.",
     [](const J& judge) {
       const B inside = any_truth("no Autograd kernel ran");
       return claim(!stack_gives_view(judge, inside) && !scatter_gives_view(judge, inside) &&
                    !unsafe_pieces_tracked(judge, inside));
     },
     {{k213, "VIEW-18, VIEW-20: they are views if no Autograd kernel ran"},
      {k113, "VIEW-18, VIEW-20: they are views if no Autograd kernel ran"}}},
    {"own-dtype",
     "view(dtype) makes a new tensor, whatever the dtype.",
     [](const J& judge) {
       Meta<S> source;
       source.tracked = any_truth("tracked");
       source.counted = any_truth("counted");
       machine::ViewOp op{.untracked = true, .retypes = true};
       op.own_dtype = true;
       const auto made =
           machine::new_view(judge, source, any_truth("an inference tensor"), op, any_truth("its kernel ran"),
                             any_thread(), [] { return any_truth("requires grad"); });
       return claim(!made.is_source);
     },
     {{k113, "VIEW-19: of an inference tensor it is the tensor itself"}}},
    {"version-number",
     "A counter shows how often it was bumped.",
     [](const J& judge) {
       const Num<S> versions = any_number("versions");
       return claim(version_number(judge, versions) == versions);
     },
     {{k213, "VER-19: it wraps at 2^32"}, {k113, "VER-19: it wraps at 2^32"}}},
    {"version-number-below-2^32", "A counter that was bumped fewer than 2^32 times shows how often.",
     [](const J& judge) {
       const Num<S> versions = any_number("versions");
       return claim(version_number(judge, versions) == versions).given(versions < Num<S>(std::int64_t{1} << 32));
     }},
};

const std::vector<SingleRule> kFallback{
    {"fallback-records",
     "A call without a kernel for Autograd is recorded exactly if a kernel would record it.",
     [](const J& judge) {
       const B recorded = any_truth("recorded");
       return claim(fallback_records(judge, recorded) == recorded);
     },
     {{k113, "AUT-62: such a call is not recorded"}}},
    {"fallback-gives-history", "Of its results those get a history that neither are written nor require grad already.",
     [](const J& judge) {
       const B needs = any_truth("requires grad");
       const B written = any_truth("written");
       return claim(fallback_gives_history(judge, needs, written) == (!needs && !written));
     }},
    {"fallback-gives-no-gradient", "Backward through such a call, and no other, gives no gradient.",
     [](const J& judge) {
       const B fallback = any_truth("fallback");
       return claim(gives_gradient(judge, fallback) == !fallback);
     }},
    {"fallback-excludes-nothing", "In such a call, and no other, the ops inside reach their Autograd kernels.",
     [](const J& judge) {
       const B fallback = any_truth("fallback");
       return claim(excludes_autograd(judge, fallback) == !fallback);
     }},
};

const std::vector<SingleRule> kBackward{
    {"failed-backward",
     "Exactly a backward that raises an error is undone.",
     [](const J& judge) {
       const B raised = any_truth("raised");
       return claim(backward_is_undone(judge, raised) == raised && !node_is_due(judge, any_truth("no derivative")));
     },
     {{k213, "AUT-28: what it changed stays"}, {k113, "AUT-28: what it changed stays"}}},
    {"runs-without-gradient", "Backward goes through every call that it reaches, with or without a gradient.",
     [](const J& judge) {
       const B arrived = any_truth("arrived");
       return claim(custom_backward_runs(judge, arrived) && looks_at_saved(judge, arrived));
     }},
    {"derivative-of-view-copies", "Of the {view}_copy ops only detach_copy has no derivative.",
     [](const J& judge) {
       const B detach = any_truth("detach_copy");
       return claim(view_copy_has_derivative(judge, detach) == !detach);
     }},
    {"gradient-counted", "A gradient has a version counter exactly if a tensor made in its mode has one.",
     [](const J& judge) {
       const B counted = any_truth("counted");
       return claim(gradient_counted(judge, counted) == counted);
     }},
    {"gradients-are-not-written",
     "A sum of gradients is a new tensor.",
     [](const J& judge) { return claim(!sum_is_written(judge, any_truth("nothing else holds the first"))); },
     {{k213, "AUT-89: it is written into a gradient that nothing else holds"}}},
    {"chosen-retain", "A chosen tensor that is not a leaf retains its gradient unless grad() returns that.",
     [](const J& judge) {
       const B returned = any_truth("returned");
       return claim(chosen_retains(judge, returned) == !returned);
     }},
};

const std::vector<SingleRule> kRetained{
    {"retained-follows",
     "retain_grad() follows a tensor to its new value, through whatever it was written.",
     [](const J& judge) { return claim(retained_moves(judge, any_truth("through a view"))); },
     {{k113, "AUT-32: it does not follow a write through a view"}}},
    {"retained-of-a-stale-view",
     "retain_grad() retains the gradient also of a view whose history it makes again.",
     [](const J& judge) {
       const B regenerated = any_truth("regenerated");
       return claim(retains_anew(judge, regenerated) && !retaining_ends_process(judge, regenerated));
     },
     {{k113, "AUT-54: it ends the process"}}},
    {"retained-through-view-ops",
     "An in-place view op neither ends retain_grad(), nor leaves it behind, nor makes a later op fail.",
     [](const J& judge) {
       return claim(!retained_view_ends(judge, any_truth("before")) && !retained_view_fails(judge, any_truth("lost")) &&
                    retained_view_moves(judge, any_truth("by view")));
     },
     {{k213, "AUT-56: it stays with the value before the op"},
      {k113, "AUT-56: it stays with the value before the op"}}},
    {"retained-of-no-gradient",
     "Without a gradient a retained `.grad` stays None, and nothing fails.",
     [](const J& judge) {
       const B missing = any_truth("missing");
       return claim(!missing_gradient_is_zero(judge, missing) && !missing_gradient_fails(judge, missing));
     },
     {{k113, "AUT-57: backward fails"}}},
};

const std::vector<SingleRule> kHooks{
    {"hook-stays-with-its-value", "A hook stays with the value that its tensor had; a later one is of the new value.",
     [](const J& judge) {
       const B rewritten = any_truth("rewritten");
       return claim(!hooks_move(judge, rewritten) && later_hook_is_of_new_value(judge, rewritten) == rewritten);
     }},
    {"hook-replaces", "What a hook returns replaces the gradient exactly if it is one.",
     [](const J& judge) {
       const B given = any_truth("given");
       return claim(hook_replaces(judge, given) == given);
     }},
    {"failed-registration",
     "A register_hook() that raises an error leaves no hooks.",
     [](const J& judge) {
       const B raised = any_truth("raised");
       return claim(registration_lasts(judge, raised) == !raised);
     },
     {{k113, "AUT-87: the tensor has hooks that are never called"}}},
    {"saved-is-packed",
     "The pack hook gets each saved tensor while hooks are in effect, and unpack what pack returned.",
     [](const J& judge) {
       const B hooks = any_truth("hooks");
       return claim(saved_is_packed(judge, hooks) == hooks && saved_is_unpacked(judge, hooks) == hooks);
     }},
    {"packed-version", "Backward compares the versions of exactly those saved tensors that no hook packed.",
     [](const J& judge) {
       const B packed = any_truth("packed");
       return claim(saved_version_is_checked(judge, packed) == !packed);
     }},
    {"pack-writes-nothing", "A pack hook that writes what it got raises an error, and runs with grad mode off.",
     [](const J& judge) {
       const B writes = any_truth("writes");
       return claim(fine(check_pack(judge, writes)) == !writes && !pack_grad_mode(judge, any_truth("grad mode")));
     }},
};

}  // namespace

std::vector<Obligation> autograd_rules() {
  std::vector<Obligation> all;
  for (const auto* claims : {&kRecording, &kFallback, &kBackward, &kRetained, &kHooks})
    for (Obligation& one : obligations_of("autograd", *claims)) all.push_back(std::move(one));
  return all;
}

}  // namespace plumbline::proofs
