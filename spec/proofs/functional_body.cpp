// What the caller of a functionalized body sees, and the passes that print the body: they agree with the memory that
// the body would have written.
#include "spec/proofs/functional_relation.h"
#include "spec/rules/fun_undo.h"

namespace plumbline::proofs {

namespace {

using B = TermBool;
using N = TermNum;
using J = Judge<Symbolic>;

Term input_term() { return any_tensor_term("x"); }  // terms belong to the thread that makes them

/// Two inputs of a body: they have one functional storage exactly if they show one memory.
Question open_inputs(const J& judge) {
  FunctionalTerms world(judge, any_simulation(""));
  const N first = any_number("storage of x");
  const B same_memory = any_truth("x and y show one memory");
  const N own = world.new_storage();
  const N second = machine::open_input(world, select(same_memory, first, own), own);
  Question asked = claim((second == first) == same_memory);
  asked.given(first != own);
  return asked.show("same memory", same_memory);
}

/// The caller's memory after the body, for an input's storage.
Question close_body(const J& judge, bool raises) {
  SimulatedStep step(judge, {input_term()});
  const N storage = step.before.storage(input_term());
  step.premises.push_back(step.before.live(input_term()) && step.before.input(storage) &&
                          step.before.within(storage, step.p));
  if (!raises) machine::sync(step.world, storage);
  machine::close_input(step.world, storage, B(raises));
  const N now = step.world.state().caller(storage, step.p);
  return step.question(now == (raises ? step.before.caller(storage, step.p) : step.before.memory(storage, step.p)));
}
Question close_ended(const J& judge) { return close_body(judge, false); }
Question close_raised(const J& judge) { return close_body(judge, true); }

/// An inner body ends by writing its base over an input that has the outer storage's elements: all that is due then is
/// the inner base.
Question close_nested(const J& judge) {
  SimulatedStep step(judge, {input_term()});
  const N storage = step.before.storage(input_term());
  step.premises.push_back(step.before.live(input_term()) && step.before.whole(input_term()) &&
                          step.before.within(storage, step.p));
  const auto inner = [](N p) { return N::of({apply("inner-base", Sort::Integer, {p.v.t})}); };
  step.world.set_value_of(input_term(), {inner});
  machine::after_functional_write(step.world, input_term());
  return step.question(step.world.state().due(storage, step.p) == inner(step.p));
}

Question captured_write(const J& judge) {
  const B captured = any_truth("captured");
  const Error<Symbolic> error = check_captured_write(judge, captured);
  return claim((error != Error<Symbolic>(ErrorClass::none)) == captured);
}

/// A result shows an input's memory outside exactly if it does so inside.
Question result_of_input(const J& judge) {
  const B shares = any_truth("it shows the memory of an input");
  return claim(is_made_from_input(judge, shares) == shares);
}
Question results_together(const J& judge) {
  const B shares = any_truth("they show one memory");
  return claim(is_made_from_one(judge, shares) == shares);
}
Question result_alone(const J& judge) {
  const B alone = any_truth("no one else shows its memory");
  return claim(result_is_view(judge, alone) == !alone);
}
N laid_out(const B& gets, const N& eager, const N& own) { return select(gets, eager, own); }
Question result_strides(const J& judge) {
  const N eager = any_number("stride without functionalization");
  const N computed = any_number("stride of the value");
  return claim(laid_out(result_gets_strides(judge, eager != computed), eager, computed) == eager);
}
Question input_layout(const J& judge) {
  const N left = any_number("stride at the end of the body");
  const N own = any_number("stride before");
  const B gets = input_gets_layout(judge, left != own) && !input_keeps_layout(judge);
  return claim(laid_out(gets, left, own) == left);
}
/// as_strided's place for the offset that it is given; `own`: the place of the first element of its argument.
Question strided_place(const J& judge) {
  const N offset = any_number("offset");
  const N own = any_number("own offset");
  return claim(select(strided_addresses_memory(judge), offset, own + offset) == offset).show("own offset", own);
}
Question strided_place_of_whole(const J& judge) {
  Question asked = strided_place(judge);
  return asked.given(any_number("own offset") == N(0));
}

// Mutation removal: a name stands for a value, and a write gives it another.

/// After `a.op_(…)` a read of `a` gives the result.
Question read_after_write(const J& judge) {
  const N now = any_number("now");
  return claim(value_read_after_write(judge, now, any_number("before")) == now);
}
Question twin_dtype(const J& judge) {
  const N written = any_number("dtype of the tensor");
  const N computed = any_number("dtype of the twin's result");
  return claim(select(twin_is_converted(judge, written != computed), written, computed) == written);
}
Question copied_sizes(const J& judge) {
  const N written = any_number("size of the tensor");
  const N source = any_number("size of the source");
  return claim(select(source_is_expanded(judge, written != source), written, source) == written);
}
/// A source that fits is another tensor's value: where that value is a tensor of the caller, only a copy has memory of
/// its own.
Question copied_memory(const J& judge) {
  const B fits = any_truth("the source has the dtype and the sizes of the tensor");
  return claim(!fits || fitting_source_is_copied(judge));
}
Question out_sizes(const J& judge) {
  const N result = any_number("size of the result");
  const N given = any_number("size of out");
  return claim(select(out_is_resized(judge, given == result), result, given) == result);
}

/// A view in place of a copy: memory that no one writes reads the same. What the epilogue writes is seen outside.
Question view_for_copy(const J& judge) {
  const B seen = any_truth("seen");
  const N copy = any_number("the copy's element");
  const N later = any_number("the memory's element after the epilogue");
  const N read = select(copy_becomes_view(judge, seen) && seen, later, copy);
  return claim(read == copy).show("seen outside", seen);
}

Question undone_bytes(const J& judge) {
  const N bytes = any_number("bytes");
  const N converted = any_number("bytes after a conversion");
  return claim(select(undone_dtype_keeps_bytes(judge, converted == bytes), bytes, converted) == bytes);
}
Question operator_in_body(const J& judge) {
  const B aliases = any_truth("its schema says that it aliases or writes");
  return claim(!refuses_operator(judge, aliases));
}
Question body_in_body(const J& judge) { return claim(accepts_functional_input(judge)); }
Question free_version(const J& judge) {
  const B written = any_truth("written");
  return claim(version_is_free(judge, written) == written);
}

Obligation about(std::string name, std::string sentence, Question (*build)(const J&)) {
  return {"functional." + std::move(name), std::move(sentence), build};
}
/// What both releases break.
Obligation broken(Obligation made, std::string_view why) {
  made.except = {{Profile::torch_2_13, why}, {Profile::torch_1_13, why}};
  return made;
}

}  // namespace

std::vector<Obligation> functional_body() {
  std::vector<Obligation> all{
      broken(about("open.one-storage", "Two inputs have one functional storage exactly if they show one memory.",
                   open_inputs),
             "FUN-21: each input has a functional storage of its own"),
      about("close.copies-back", "When a body ends, the memory of an input is what the body would have made of it.",
            close_ended),
      about("close.raised", "When a body raises an error, the memory of its inputs is as it was.", close_raised),
      about("close.nested", "When an inner body ends, what is due in the outer body is what the inner one wrote.",
            close_nested),
      about("captured.refused", "A body writes no memory that it only captures.", captured_write),
      broken(
          about("result.of-input", "A result shows an input's memory exactly if it does so without functionalization.",
                result_of_input),
          "FUN-22: a result is a value of its own"),
      broken(about("result.together", "Results show one memory exactly if they do so without functionalization.",
                   results_together),
             "FUN-23: each result is a value of its own"),
      about("result.alone", "A result is a view exactly if an input or another result shows its memory.", result_alone),
      broken(about("result.strides", "A result has the strides that it has without functionalization.", result_strides),
             "FUN-25: a result has the strides of its value"),
      broken(about("input.layout", "An input has the sizes and strides that the body gave it.", input_layout),
             "FUN-24: an input's elements are moved instead"),
      broken(about("strided.place", "as_strided shows the places of the memory that it names.", strided_place),
             "FUN-15: it addresses the value of the tensor that it is called on"),
      about("strided.place-of-whole",
            "as_strided of a tensor that begins where its memory does shows the places of the memory that it names.",
            strided_place_of_whole),
      about("mutation.read", "When writes are removed, a name stands for its last value.", read_after_write),
      about("mutation.dtype", "When writes are removed, a written tensor keeps its dtype.", twin_dtype),
      about("mutation.copy", "When writes are removed, copy_ keeps the sizes of the written tensor.", copied_sizes),
      about("mutation.own-memory", "When writes are removed, what copy_ writes shares no memory with its source.",
            copied_memory),
      broken(about("mutation.out", "When writes are removed, out= has the sizes of the result.", out_sizes),
             "FUN-32: the result replaces out=, whatever size its views expect"),
      about("views.same-elements", "A view in place of a copy has the copy's elements whenever they are read.",
            view_for_copy),
      about("dtype.bytes", "Writing back through a view in another dtype keeps the bytes.", undone_bytes),
      broken(about("operator.allowed", "A body may call every operator of the program's own.", operator_in_body),
             "FUN-37: operators that alias or write are refused"),
      broken(about("nested.allowed", "A functional tensor may be the input of a body.", body_in_body),
             "FUN-36: a functional tensor is refused"),
      about("versions.free", "The versions of what a body wrote, and of nothing else, are unspecified.", free_version)};
  for (Obligation& one : all) {
    if (one.name == "functional.input.layout")
      one.except.push_back({Profile::pr_63048, "FUN-24: the input keeps its own layout"});
    if (one.name == "functional.mutation.own-memory")
      one.except.push_back({Profile::torch_1_13, "FUN-28: the value of a source that fits is taken as it is"});
  }
  return all;
}

std::vector<Obligation> functional_obligations() {
  std::vector<Obligation> all = functional_steps();
  std::vector<Obligation> body = functional_body();
  all.insert(all.end(), std::make_move_iterator(body.begin()), std::make_move_iterator(body.end()));
  return all;
}

}  // namespace plumbline::proofs
