"""Paths that capture graphs: regions, where an error has its place, warm-up runs, and what a toy backend with a fault shows."""
import unittest

from blocks import Body
from conversing import SNAPSHOT, call, converse, registered
from paths.spelling import Known, Text
from paths_test import ONES, answers, last_of

ADD = call("add.Tensor", [{"slot": 0}, 1, 1], 1)
WRITE = call("add_.Tensor", [{"slot": 0}, 1, 1])


DOUBLES = {"name": "k", "parameters": [4, 5], "returned": [6],  # x.add_(1), x * n
           "statements": [call("add_.Tensor", [{"slot": 4}, 1, 1]), call("mul.Tensor", [{"slot": 4}, {"number_of": 5}], 6)]}
TRIPLES = {"name": "k", "parameters": [4, 5], "returned": [6], "statements": [call("mul.Tensor", [{"slot": 4}, {"number_of": 5}], 6)]}
LOGS = {"do": "append_to_log", "text": "here"}


def run_operator(schema, kernel, keys, path, first=WRITE, made=ONES):
    """The answer for x.add_(1), or what is `first`; y = f(x, 3); x.add_(1), where `kernel` is registered for each of `keys`."""
    invoked = {"do": "invoke", "operator": 0, "inputs": [{"slot": 0}, 3], "results": [1]}
    script = {"names": ["x", "y", "c", "d", "e", "n", "r"], "statements": [*registered(*keys), made, first, invoked, WRITE, SNAPSHOT],
              "operators": [{"namespace": "mine", "schema": schema}], "kernels": [kernel]}
    (_, answer), _, _ = converse([{"cmd": "run", "id": 0, "script": script}], "--path", path)
    return answer


def values(answer, place):
    return last_of(answer)["tensors"][place]["fields"][4]


class Graphs(unittest.TestCase):
    def test_each_statement_of_a_region_has_an_outcome(self):
        _, (answer,) = answers("compile-eager", [ONES, ADD, WRITE, SNAPSHOT])
        self.assertEqual([outcome["statement"] for outcome in answer["trace"]["outcomes"]], [0, 1, 2, 3])
        self.assertEqual((values(answer, 0), values(answer, 1)), ({"floats": [2, 3]}, {"floats": [2, 3]}))

    def test_statements_up_to_an_observation_are_one_graph(self):
        _, (one, two) = answers("compile-eager", [ONES, ADD, WRITE, SNAPSHOT], [ONES, ADD, SNAPSHOT, WRITE, SNAPSHOT])
        self.assertEqual((one["counts"]["graphs"], two["counts"]["graphs"]), (1, 2))

    def test_a_guard_and_what_is_in_it_are_part_of_a_graph(self):
        _, (answer,) = answers("compile-eager", [ONES, {"do": "enter", "guard": "no_grad", "value": False}, ADD, {"do": "exit"}, WRITE, SNAPSHOT])
        self.assertEqual(answer["counts"]["graphs"], 1)
        self.assertEqual([outcome["statement"] for outcome in answer["trace"]["outcomes"]], list(range(6)))

    def test_inference_mode_is_around_graphs_unless_it_is_asked_for(self):
        body = [ONES, ADD, {"do": "enter", "guard": "inference_mode", "value": True}, WRITE, {"do": "exit"}, SNAPSHOT]
        for options, graphs in (((), 2), (("--inference-inside",), 1)):
            with self.subTest(options=options):
                _, (answer,) = answers("compile-eager", body, options=options)
                self.assertEqual(answer["counts"]["graphs"], graphs)

    def test_a_custom_function_is_part_of_a_graph_and_its_own_tensors_do_not_show(self):
        made = {**ONES, "requires_grad": True}
        body = [{"do": "enter_forward", "function": 0, "inputs": [0]}, call("mul.Tensor", [{"slot": 0}, 3], 1),
                {"do": "leave_forward", "returned": [1], "results": [2]}]
        backward = {"name": "F", "gradients": [3], "statements": [call("mul.Tensor", [{"slot": 3}, 3], 4)], "returned": [4]}
        script = {"names": ["x", "y", "z", "g", "h"], "statements": [made, *body, SNAPSHOT], "functions": [backward]}
        (_, answer), _, _ = converse([{"cmd": "run", "id": 0, "script": script}], "--path", "compile-eager")
        self.assertEqual(answer["counts"]["graphs"], 1)
        self.assertEqual([tensor["tensor"] for tensor in last_of(answer)["tensors"]], [0, 2])
        self.assertEqual(values(answer, 1), {"floats": [3, 6]})

    def test_an_operator_that_keeps_its_schema_is_part_of_a_graph(self):
        for keys, graphs in ((["CPU", "Meta"], 1), (["CompositeExplicitAutograd"], 1), (["CompositeImplicitAutograd"], 1), (["CPU"], 2)):
            with self.subTest(keys=keys):  # without a fake kernel, Dynamo breaks the graph in two
                answer = run_operator("f(Tensor(a!) x, int n) -> Tensor", DOUBLES, keys, "compile-aot_eager")
                self.assertEqual(answer["counts"]["graphs"], graphs)
                self.assertEqual((values(answer, 0), values(answer, 1)), ({"floats": [4, 5]}, {"floats": [9, 12]}))

    def test_an_operator_that_does_more_than_its_schema_says_runs_between_graphs(self):
        returns_its_argument = {**DOUBLES, "returned": [4]}
        for schema, kernel in (("f(Tensor x, int n) -> Tensor", DOUBLES), ("f(Tensor(a!) x, int n) -> Tensor", returns_its_argument),
                               ("f(Tensor(a!) x, int n) -> Tensor(a!)", returns_its_argument),
                               ("f(Tensor(a!) x, int n) -> Tensor", {**DOUBLES, "statements": [LOGS, *DOUBLES["statements"]]})):
            with self.subTest(schema=schema):
                answer = run_operator(schema, kernel, ["CPU"], "compile-eager")
                self.assertEqual(answer["counts"]["graphs"], 2)

    def test_an_operator_below_autograd_that_gets_a_tensor_that_requires_grad_runs_between_graphs(self):
        for keys, graphs in ((["CPU", "Meta"], 2), (["CompositeImplicitAutograd"], 1)):
            with self.subTest(keys=keys):
                answer = run_operator("f(Tensor x, int n) -> Tensor", TRIPLES, keys, "compile-eager",
                                      call("mul.Tensor", [{"slot": 3}, 1], 0), {**ONES, "result": 3, "requires_grad": True})
                self.assertEqual(answer["counts"]["graphs"], graphs)

    def test_regions_of_random_length_are_the_same_each_time(self):
        body = [ONES, *[WRITE] * 12, SNAPSHOT]
        _, (one, two) = answers("compile-eager", body, body, options=["--regions", "random"])
        self.assertEqual(one, {**two, "id": one["id"]})
        self.assertIn(one["counts"]["graphs"], range(2, 13))

    def test_a_result_that_the_script_drops_is_returned(self):
        """Else a compiler leaves the call out, and with it the error."""
        statement = {"do": "call", "op": "arange", "arguments": [3, "bool", None, None, None], "results": []}
        text = Text(Known({"statements": []}, "cpu"), ())
        text.write(Body([statement], True), 0, 1)
        self.assertIn("return (kept0,)", text.function("region"))

    def test_a_body_is_functionalized_and_a_program_without_one_is_unsupported(self):
        body = [ONES, {"do": "enter_functionalize", "remove": "mutations", "inputs": [0], "parameters": [1]},
                call("add_.Tensor", [{"slot": 1}, 1, 1]), {"do": "leave_functionalize", "returned": [], "results": []}, SNAPSHOT]
        description, (with_body, without) = answers("functorch-functionalize", body, [ONES, WRITE, SNAPSHOT])
        self.assertEqual(description["programs"], "functionalized")
        self.assertEqual(values(with_body, 0), {"floats": [2, 3]})
        self.assertEqual(without["unsupported"], "the program has no functionalized body")

    def test_an_error_has_the_place_of_its_statement(self):
        refused = call("view", [{"slot": 0}, [3]], 2)
        _, (answer,) = answers("compile-eager", [ONES, ADD, refused, WRITE])
        self.assertFalse(answer["trace"]["completed"])
        self.assertEqual(last_of(answer)["statement"], 2)
        self.assertIn("error", last_of(answer))

    def test_an_error_of_fake_tensors_has_the_words_of_the_op(self):
        made = {**ONES, "requires_grad": True}
        _, (answer,) = answers("compile-eager", [made, ADD, SNAPSHOT, WRITE, SNAPSHOT])
        error = answer["trace"]["outcomes"][3]["error"]
        self.assertEqual(error["exception"], "RuntimeError")
        self.assertTrue(error["message"].startswith("a leaf Variable that requires grad"), error["message"])

    def test_a_program_without_a_region_is_unsupported(self):
        _, (answer,) = answers("compile-eager", [ONES, SNAPSHOT])
        self.assertEqual(answer["unsupported"], "no statement of the program runs in a graph")

    def test_each_way_of_capture_gives_what_eager_gives(self):
        body = [ONES, ADD, WRITE, call("view", [{"slot": 0}, [2, 1]], 2), SNAPSHOT]
        _, (eager,) = answers("eager", body)
        for path in ("compile-eager", "compile-aot_eager", "compile-toy", "functorch-regions", "make_fx", "export", "jit-trace", "jit-script"):
            with self.subTest(path):
                _, (answer,) = answers(path, body)
                self.assertEqual([values(answer, place) for place in range(3)], [values(eager, place) for place in range(3)])

    def test_a_fault_of_the_toy_backend_shows(self):
        _, (lost,) = answers("compile-toy", [ONES, WRITE, SNAPSHOT], options=["--fault", "DropsAMutation"])
        self.assertEqual(values(lost, 0), {"floats": [1, 2]})

    def test_a_mode_that_stays_on_is_a_leak(self):
        _, (leak,) = answers("compile-toy", [ONES, ADD], options=["--fault", "ForgetsAMode"])
        self.assertEqual(leak["leak"], "grad mode is off")

    def test_a_warm_up_on_other_values_shows_what_a_backend_specialised_on(self):
        """A region's text chooses the kind of warm-up, so several are tried."""
        bodies = [[ONES, call("add.Tensor", [{"slot": 0}, more, 1], 1), call("sum", [{"slot": 1}, None], 2), SNAPSHOT] for more in range(12)]
        sums = [{"floats": [3 + 2 * more]} for more in range(12)]
        for options, wrong in ((["--warm-up"], False), (["--fault", "SpecialisesOnAValue"], False),
                               (["--warm-up", "--fault", "SpecialisesOnAValue"], True)):
            with self.subTest(options=options):
                _, rest = answers("compile-toy", *bodies, options=options)
                self.assertEqual([values(answer, 2) for answer in rest] != sums, wrong)


if __name__ == "__main__":
    unittest.main()
