"""The conversation with the Python adapter: what it says of itself, what it refuses, and what a script leaves behind."""
import os
import pathlib
import tempfile
import textwrap
import unittest

import torch
from conversing import SNAPSHOT, call, converse, runs


def make(result, sizes, values):
    return {"do": "make", "result": result, "dtype": "float32", "sizes": sizes, "values": values}


class Conversation(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        answers, cls.code, _ = converse([
            *runs([make(0, [2, 2], [1, 2, 3, 4]), {"do": "read", "tensor": 0, "field": "values"}],
                  [call("no_such_op", [], 0)],
                  [call("mm.out", [{"slot": 0}], 0)],
                  [make(0, [2], [1, 2]), {"do": "enter", "guard": "no_grad", "value": True}, call("view", [{"slot": 0}, [3]], 1), {"do": "exit"}],
                  [SNAPSHOT],
                  [make(0, [2, 0, 3], []), {"do": "read", "tensor": 0, "field": "sizes"}],
                  [make(0, [2], [1, 2]), call("split.Tensor", [{"slot": 0}, 1, 0], 1)],
                  [{"do": "enter", "guard": "auto_non_variable_type_mode", "value": True}, {"do": "exit"}],
                  [{"do": "start_thread"}, {"do": "enter", "guard": "no_grad", "value": True}, {"do": "read_thread", "field": "grad_mode"},
                   {"do": "exit"}, {"do": "join_thread"}],
                  [{"do": "try"}, {"do": "snapshot"}],
                  [make(0, [0], []), call("view", [{"slot": 0}, [1 << 40, 0]], 0), {"do": "read", "tensor": 0, "field": "values"}]),
            {"cmd": "other", "id": 99, "script": {}}, {"cmd": "stop"}])
        cls.description, cls.answers = answers[0], answers[1:]

    def test_it_says_which_pytorch_it_is(self):
        self.assertEqual((self.description["name"], self.description["version"]), ("python", torch.__version__))
        self.assertEqual(set(self.description["fields"].values()), {"exact"})

    def test_it_answers_each_request_in_order_and_stops(self):
        self.assertEqual([answer["id"] for answer in self.answers], [*range(11), 99])
        self.assertEqual(self.code, 0)

    def test_elements_are_read_in_row_major_order(self):
        self.assertEqual(self.answers[0]["trace"]["outcomes"][1]["reading"], {"floats": [1, 2, 3, 4]})

    def test_an_op_that_pytorch_lacks_is_unsupported(self):
        self.assertEqual(self.answers[1]["unsupported"], "this PyTorch has no op no_such_op")

    def test_a_call_with_another_number_of_arguments_is_unsupported(self):
        self.assertEqual(self.answers[2]["unsupported"], "mm.out has 3 arguments in this PyTorch, but the script gives 1")

    def test_an_error_outside_a_try_ends_the_run(self):
        trace = self.answers[3]["trace"]
        self.assertFalse(trace["completed"])
        self.assertIn("shape '[3]' is invalid for input of size 2", trace["outcomes"][-1]["error"]["message"])

    def test_a_script_that_failed_leaves_its_guards(self):
        self.assertEqual(self.answers[4]["trace"]["outcomes"][0]["thread"][:2], [False, True])

    def test_rows_without_elements_may_be_many(self):
        self.assertEqual(self.answers[10]["trace"]["outcomes"][2]["reading"], {"floats": []})

    def test_a_size_of_0_may_stand_before_others(self):
        self.assertEqual(self.answers[5]["trace"]["outcomes"][1]["reading"], [2, 0, 3])

    def test_unpacking_raises_pythons_error(self):
        error = self.answers[6]["trace"]["outcomes"][1]["error"]
        self.assertEqual((error["exception"], error["message"]), ("ValueError", "too many values to unpack (expected 1)"))

    def test_a_guard_that_python_lacks_is_unsupported(self):
        self.assertEqual(self.answers[7]["unsupported"], "Python has no guard auto_non_variable_type_mode")

    def test_a_thread_has_its_own_outcomes(self):
        outcomes = self.answers[8]["trace"]["outcomes"]
        self.assertEqual([outcome["statement"] for outcome in outcomes], [0, 1, 2, 3, 4])
        self.assertIs(outcomes[2]["reading"], False)

    def test_blocks_that_do_not_nest_are_unsupported(self):
        self.assertEqual(self.answers[9]["unsupported"], "the block of statement 0 has no end")

    def test_an_unknown_request_is_unsupported(self):
        self.assertEqual(self.answers[11]["unsupported"], "the Python adapter has no other")


class Operators(unittest.TestCase):
    @staticmethod
    def script(scale):
        """mine::f, which multiplies by `scale`, on a tensor of ones."""
        kernel = {"name": "f_cpu", "parameters": [1], "statements": [call("mul.Scalar", [{"slot": 1}, scale], 2)], "returned": [2]}
        statements = [make(0, [1], [1]), {"do": "make_library", "library": "lib", "namespace": "mine", "kind": "FRAGMENT"},
                      {"do": "define_operator", "library": "lib", "operator": 0},
                      {"do": "add_kernel", "library": "lib", "operator": 0, "key": "CPU", "kernel": 0},
                      {"do": "invoke", "operator": 0, "inputs": [{"slot": 0}], "results": [3]}, {"do": "read", "tensor": 3, "field": "values"}]
        return {"names": ["x", "p", "q", "y"], "statements": statements, "kernels": [kernel],
                "operators": [{"namespace": "mine", "schema": "f(Tensor x) -> Tensor"}]}

    def test_two_scripts_define_operators_of_one_name(self):
        answers, _, _ = converse([{"cmd": "run", "id": i, "script": self.script(i)} for i in (2, 3)])
        self.assertEqual([answer["trace"]["outcomes"][-1]["reading"]["floats"] for answer in answers[1:]], [[2], [3]])

    def test_kernels_that_call_each_other_without_end_are_unsupported(self):
        script = self.script(2)
        script["kernels"][0]["statements"] = [{"do": "invoke", "operator": 0, "inputs": [{"slot": 1}], "results": [2]}]
        answers, _, _ = converse([{"cmd": "run", "id": 0, "script": script}])
        self.assertEqual(answers[1]["unsupported"], "kernels call each other without end")


    def test_what_ends_the_process_is_not_asked(self):
        question = {"do": "query_kernel", "operator": "mine::nothing", "key": "CPU", "what": "falls_through"}
        answers, code, _ = converse(runs([question]))
        self.assertEqual(code, 0)
        self.assertIn("ends the process", answers[1]["unsupported"])

    def test_a_key_that_python_lacks_is_unsupported(self):
        answers, _, _ = converse(runs([{"do": "query_thread_key", "key": "Nobody"}]))
        self.assertIn("has no Nobody", answers[1]["unsupported"])

    def test_a_library_ends_with_its_operators(self):
        script = self.script(2)
        script["statements"].insert(4, {"do": "drop_library", "library": "lib"})
        answers, _, _ = converse([{"cmd": "run", "id": 0, "script": script}])
        self.assertEqual(answers[1]["trace"]["outcomes"][-1]["error"]["exception"], "AttributeError")

    def test_a_library_that_could_not_be_made_is_unsupported(self):
        script = self.script(2)
        del script["statements"][1]
        answers, _, _ = converse([{"cmd": "run", "id": 0, "script": script}])
        self.assertIn("could not be made", answers[1]["unsupported"])


class KeySets(unittest.TestCase):
    def test_a_guard_that_ended_does_not_show_in_the_next_script(self):
        read = {"do": "read_thread", "field": "excluded"}
        below = [{"do": "enter", "guard": "below_autograd", "value": True}, read, {"do": "exit"}]
        guard = [{"do": "enter", "guard": "exclude_key", "value": True, "key": "AutogradCPU"}, {"do": "exit"}]
        answers, _, _ = converse(runs(below, guard, below))
        self.assertEqual(answers[1]["trace"]["outcomes"], answers[3]["trace"]["outcomes"])


class Threads(unittest.TestCase):
    IN_MODE = [{"do": "enter", "guard": "inference_mode", "value": True}]
    MODE = {"do": "read_thread", "field": "inference_mode"}

    def outcomes(self, *statements):
        answers, code, _ = converse([*runs(statements), {"cmd": "stop"}])
        self.assertEqual(code, 0)
        return {outcome["statement"]: outcome for outcome in answers[1]["trace"]["outcomes"]}

    def test_a_variable_that_an_error_left_unassigned_cannot_be_used(self):
        """The error inside the `try` is an outcome, so what differs first is compared."""
        outcomes = self.outcomes(make(0, [2], [1, 2]), {"do": "try"}, call("view", [{"slot": 0}, [3]], 1), {"do": "end_try"}, call("neg", [{"slot": 1}], 2))
        self.assertEqual([outcomes[place]["error"]["exception"] for place in (2, 4)], ["RuntimeError", "UnboundLocalError"])

    def test_a_thread_that_waits_keeps_its_mode(self):
        outcomes = self.outcomes({"do": "start_thread"}, *self.IN_MODE, {"do": "pause_thread"}, self.MODE, {"do": "resume_thread"}, self.MODE,
                                 {"do": "exit"}, {"do": "join_thread"})
        self.assertEqual((outcomes[3]["reading"], outcomes[5]["reading"]), (False, True))
        self.assertEqual(sorted(outcomes), list(range(8)))

    def test_the_starter_goes_on_after_a_thread_that_has_ended(self):
        bad = call("view", [{"slot": 0}, [3]], 1)
        outcomes = self.outcomes(make(0, [2], [1, 2]), {"do": "start_thread"}, bad, {"do": "pause_thread"}, self.MODE, {"do": "resume_thread"},
                                 self.MODE, {"do": "join_thread"})
        self.assertIn("error", outcomes[2])
        self.assertEqual(sorted(outcomes), [0, 1, 2, 3, 4, 5, 7])

    def test_an_error_of_the_starter_ends_the_thread_that_waits(self):
        bad = call("view", [{"slot": 0}, [3]], 1)
        outcomes = self.outcomes(make(0, [2], [1, 2]), {"do": "try"}, {"do": "start_thread"}, *self.IN_MODE, {"do": "pause_thread"}, bad,
                                 {"do": "resume_thread"}, self.MODE, {"do": "exit"}, {"do": "join_thread"}, {"do": "end_try"}, self.MODE)
        self.assertIn("error", outcomes[5])
        self.assertEqual(sorted(outcomes), [0, 1, 2, 3, 4, 5, 10, 11])
        self.assertEqual(outcomes[11]["reading"], False)


class Options(unittest.TestCase):
    def test_meta_tensors_have_no_values(self):
        answers, _, _ = converse(runs([make(0, [2], [1, 2]), SNAPSHOT]), "--device", "meta")
        self.assertEqual(answers[0]["name"], "python-meta")
        self.assertEqual({name for name, how in answers[0]["fields"].items() if how == "ignore"}, {"values", "keys", "grad"})
        self.assertEqual(answers[1]["trace"]["outcomes"][1]["tensors"][0]["fields"][4], {"unsupported": True})

    def test_a_program_of_two_devices_runs_beside_the_cpu(self):
        script = [{**make(0, [2], [1, 2]), "device": "cpu"}, {"do": "call", "op": "to.dtype_layout", "results": [1], "arguments": [
            {"slot": 0}, None, None, {"text": "device"}, None, False, False, None]}, SNAPSHOT]
        answers, _, _ = converse(runs(script), "--device", "meta")
        self.assertEqual([one["tensor"] for one in answers[1]["trace"]["outcomes"][2]["tensors"]], [0, 1])
        answers, _, _ = converse(runs(script))
        self.assertIn("the program names the CPU", answers[1]["unsupported"])

    def test_a_missing_device_ends_it_with_pytorchs_message(self):
        answers, code, errors = converse([], "--device", "privateuseone")
        self.assertEqual((answers, code), ([], 1))
        self.assertIn("privateuseone", errors)

    def test_a_device_that_breaks_asks_for_a_restart(self):
        breaks = """
            import torch
            broken = False
            def synchronize():
                global broken
                broken = broken or not torch.is_grad_enabled()
                if broken:
                    raise RuntimeError("device-side assert triggered")
            torch.cpu.synchronize = synchronize
            """
        scripts = runs([SNAPSHOT], [SNAPSHOT, {"do": "enter", "guard": "no_grad", "value": True}, SNAPSHOT, {"do": "exit"}])
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "breaks.py").write_text(textwrap.dedent(breaks), encoding="utf-8")
            answers, _, _ = converse(scripts, "--import", "breaks", environment={**os.environ, "PYTHONPATH": folder})
        self.assertEqual([answer.get("restart", False) for answer in answers[1:]], [False, True])
        last = answers[2]["trace"]["outcomes"][-1]
        self.assertEqual((last["statement"], last["error"]["message"]), (1, "device-side assert triggered"))

    def test_kernels_for_the_cpu_are_for_tensors_on_it(self):
        answers, _, _ = converse([{"cmd": "run", "id": 0, "script": Operators.script(2)}], "--device", "meta")
        self.assertIn("a kernel for CPU tensors", answers[1]["unsupported"])

    def test_what_an_imported_module_prints_is_no_answer(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "chatty.py").write_text("print('hello')\n", encoding="utf-8")
            answers, code, errors = converse([], "--import", "chatty", "--profile", "sound", environment={**os.environ, "PYTHONPATH": folder})
        self.assertEqual((answers[0]["profile"], code), ("sound", 0))
        self.assertIn("hello", errors)


if __name__ == "__main__":
    unittest.main()
