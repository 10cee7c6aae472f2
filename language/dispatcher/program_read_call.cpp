// Reading calls of operators in programs about the dispatcher: key sets and tensors.
#include <fmt/format.h>

#include <algorithm>

#include "language/dispatcher/program_reader.h"
#include "language/print.h"

namespace plumbline::dispatcher {

using namespace program;

namespace {

class CallReader {
 public:
  explicit CallReader(const CallReading& known) : known_(known) {}

  DispatchStatement invocation(const Invocation& call, Place place) const {
    std::string callee = dotted_name(*call.callee);
    constexpr std::string_view kRedispatch = ".default.redispatch";
    const bool redispatches = callee.ends_with(kRedispatch);
    if (redispatches) callee.erase(callee.size() - kRedispatch.size());
    const auto op = Words::operator_named(callee);
    if (!op || !call.keywords.empty() || (redispatches && call.positional.empty()))
      known_.words.fail(place, "this is not a call of an operator",
                        "Write `torch.ops.NS.OP(cpu)` or `torch.ops.NS.OP.default.redispatch(KEYSET, cpu)`");
    Expressions arguments = call.positional;
    std::vector<std::string> keys;
    if (redispatches) {
      joined(arguments[0], keys);
      arguments.erase(arguments.begin());
      if (keys == std::vector<std::string>{"Undefined"}) keys.clear();
    }
    const std::vector<ProbeTensor> tensors = given(*op, arguments, place);
    if (!redispatches) return InvokeOp{*op, tensors};
    return RedispatchOp{*op, keys, tensors};
  }

 private:
  void joined(const Expression& e, std::vector<std::string>& keys) const {
    const auto* mask = std::get_if<KeyMask>(&e.node);
    if (mask == nullptr) return keys.push_back(known_.words.key_of_set(e));
    if (mask->operation != '|') known_.words.fail(start_of(e), "a test joins key sets with '&'", "Join them with `|`");
    joined(*mask->left, keys);
    joined(*mask->right, keys);
  }

  std::vector<ProbeTensor> given(const std::string& op, const Expressions& arguments, Place place) const {
    const auto* list = arguments.size() == 1 ? std::get_if<List>(&arguments[0].node) : nullptr;
    const bool number = arguments.size() == 1 && arguments[0].node == Expression{std::int64_t{1}, {}}.node;
    std::vector<ProbeTensor> tensors;
    if (!number)
      for (const Expression& e : list != nullptr ? list->items : arguments) tensors.push_back(tensor_named(e));
    const auto schema = known_.definitions.schema(op);
    if (!schema) return tensors;
    const auto takes = misfit(*schema, tensors);
    const bool form = (list != nullptr) == (schema == ProbeSchema::list) && number == (schema == ProbeSchema::number);
    if (takes || !form)
      known_.words.fail(place, fmt::format("{} does not take these arguments", op),
                        fmt::format("Its schema is {}{}", op.substr(op.find("::") + 2), word(kSchemaTexts, *schema)));
    return tensors;
  }

  ProbeTensor tensor_named(const Expression& e) const {
    const std::string name = print(e);
    const auto found = std::ranges::find(kTensorNames, name);
    if (found == kTensorNames.end())
      known_.words.fail(start_of(e), fmt::format("{} is not a tensor that a call can take", name),
                        "Calls take cpu, requires_grad, inference, meta, and None for a tensor that is left out");
    const auto tensor = static_cast<ProbeTensor>(found - kTensorNames.begin());
    if (tensor != ProbeTensor::none && !known_.tensors.contains(tensor))
      known_.words.fail(start_of(e), fmt::format("the tensor {} is not defined", name),
                        fmt::format("Write `{} = {}`{} at the top of the test", name, word(kTensorsMade, tensor),
                                    tensor == ProbeTensor::inference ? " in `with torch.inference_mode():`" : ""));
    return tensor;
  }

  const CallReading& known_;
};

}  // namespace

DispatchStatement read_call(const Invocation& call, Place place, const CallReading& known) {
  return CallReader(known).invocation(call, place);
}

}  // namespace plumbline::dispatcher
