// KEY: the key sets of tensors, the key set of a call, and which kernel runs next.
#include "spec/rules/text/texts.h"

namespace plumbline::text {

namespace {

constexpr std::array kOfKey{
    RuleText{
        .id = "KEY-01",
        .sentence = "The functionality of highest priority in a key set runs first: Autograd before ADInplaceOrView "
                    "before the backend.",
        .source = "rfc-0011-final, 'Dispatcher'; c10/core/DispatchKeySet.h, highestPriorityTypeId",
        .misreading = "ADInplaceOrView runs before Autograd.",
    },
    RuleText{
        .id = "KEY-02",
        .sentence = "A normal tensor carries the Autograd key of its own backend.",
        .source = "rfc-0011-final, 'Autograd'; c10/core/DispatchKeySet.h, getAutogradRelatedKeySetFromBackend",
        .misreading = "A normal tensor carries AutogradOther, whatever its backend.",
    },
    RuleText{
        .id = "KEY-03",
        .sentence = "A normal tensor carries ADInplaceOrView.",
        .source = "rfc-0011-final, 'InplaceOrView': 'also associated with normal tensors'",
        .misreading = "Only the TLS included set brings ADInplaceOrView; tensors do not carry it.",
    },
    RuleText{
        .id = "KEY-04",
        .sentence = "The key set of a call is the union over all its tensor arguments.",
        .source = "rfc-0011-final, 'Dispatcher': 'keys are unioned from all inputs'",
        .misreading = "Only the first tensor argument decides.",
    },
    RuleText{
        .id = "KEY-05",
        .sentence = "The TLS included set is added to the key set of a call.",
        .source = "rfc-0011-final, 'Dispatcher': 'TLS included set'",
        .misreading = "The included set matters only to calls without tensor arguments.",
    },
    RuleText{
        .id = "KEY-06",
        .sentence = "The TLS excluded set removes keys both from the arguments' keys and from the included set.",
        .source = "rfc-0011-final, 'Dispatcher': 'removes keys from the above two sources'",
        .misreading = "The excluded set removes keys only from the included set.",
    },
    RuleText{
        .id = "KEY-07",
        .sentence = "The Autograd kernel redispatches to the keys below Autograd, so ADInplaceOrView still runs.",
        .source = "rfc-0011-final, 'The algorithm': 'it is legal for only Autograd to be excluded'; "
                  "c10/core/DispatchKeySet.h, after_autograd_keyset",
        .misreading = "The Autograd kernel redispatches below ADInplaceOrView.",
    },
    RuleText{
        .id = "KEY-08",
        .sentence =
            "ADInplaceOrView has kernels only for ops that write or make a view; every other op falls through it.",
        .source = "rfc-0011-final, 'InplaceOrView': 'For all other operators, it is a fallthrough kernel'",
        .misreading = "ADInplaceOrView also bumps a version for functional ops.",
    },
    RuleText{
        .id = "KEY-09",
        .sentence = "A tensor carries its backend's Autocast key, inside and outside inference mode.",
        .source = "c10/core/TensorImpl.cpp, TensorImpl::TensorImpl: getAutocastRelatedKeySetFromBackend",
        .misreading = "An inference tensor carries no Autocast key.",
    },
    RuleText{
        .id = "KEY-10",
        .sentence = "A normal tensor carries its Autograd key, whether it requires grad or not.",
        .source = "rfc-0011-draft-1, 'New concepts': 'This includes both requires_grad=true and requires_grad=false "
                  "tensors'; rfc-0011-final: to remove it is 'a tantalizing possibility', 'currently blocked'",
        .misreading = "A tensor carries the Autograd key only while it requires grad.",
        .variants = {{{Profile::ideal,
                       "A tensor carries the Autograd key only while it requires grad, so a call whose arguments do "
                       "not require grad skips the Autograd kernel.",
                       "rfc-0011-draft-1, 'Ideal end state', and draft-2 the same; rfc-0011-final: 'remove the "
                       "Autograd dispatch keys from tensors with requires_grad=False'"}}},
    },
};

}  // namespace

constinit const std::span<const RuleText> kKey{kOfKey};

}  // namespace plumbline::text
