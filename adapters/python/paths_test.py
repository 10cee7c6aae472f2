"""The paths onto other devices: what each shows, and that a script leaves nothing behind. `clean.leaks` is checked with planted leaks."""
import contextlib
import importlib.util
import json
import unittest

import clean
import torch
from conversing import SNAPSHOT, call, converse, runs

ONES = {"do": "make", "result": 0, "dtype": "float32", "sizes": [2], "values": [1, 2]}


def answers(path, *scripts, options=()):
    """The adapter's description and its answers along this path."""
    (description, *rest), code, errors = converse(runs(*scripts), "--path", path, *options)
    if code:
        raise AssertionError(errors)
    return description, rest


def last_of(answer):
    return answer["trace"]["outcomes"][-1]


def needs(package):
    return unittest.skipUnless(importlib.util.find_spec(package), f"this Python has no {package}")


class Clean(unittest.TestCase):
    def leaks_inside(self, context):
        with context:
            found = clean.leaks()
        del context
        self.assertEqual(clean.leaks(), [])
        return found

    def test_a_fresh_process_leaks_nothing(self):
        self.assertEqual(clean.leaks(), [])

    def test_each_planted_leak_has_its_sentence(self):
        from torch.utils._python_dispatch import TorchDispatchMode
        planted = {  # some of them act when they are made, so each is made in its turn
            "inference mode is on": torch.inference_mode, "grad mode is off": torch.no_grad,
            "a TorchDispatchMode is on the stack": TorchDispatchMode, "autocast is on": lambda: torch.autocast("cpu"),
            "a default device is set": lambda: torch.device("meta"), "anomaly mode is on": lambda: torch.autograd.set_detect_anomaly(True, False),
            "a level of forward-mode gradients is open": torch.autograd.forward_ad.dual_level,
            "a saved-tensor hook is on the stack": lambda: torch.autograd.graph.saved_tensors_hooks(lambda x: x, lambda x: x),
            "backward's threads are off": lambda: torch.autograd.set_multithreading_enabled(False),
            "the thread excludes the key AutogradOther": torch._C._AutoDispatchBelowAutograd,
            "__torch_function__ is off": torch._C.DisableTorchFunctionSubclass}
        for sentence, make in planted.items():
            with self.subTest(sentence):
                self.assertIn(sentence, self.leaks_inside(make()))

    def test_deterministic_algorithms_and_a_default_dtype_are_leaks(self):
        with contextlib.ExitStack() as undo:
            undo.callback(torch.use_deterministic_algorithms, False)
            undo.callback(torch.set_default_dtype, torch.float32)
            torch.use_deterministic_algorithms(True)
            torch.set_default_dtype(torch.float64)
            self.assertEqual(clean.leaks(), ["the default dtype is not float32", "deterministic algorithms are on"])

    def test_an_open_functorch_layer_is_a_leak(self):
        seen = []
        torch.func.functionalize(lambda x: seen.extend(clean.leaks()) or x)(torch.ones(1))
        self.assertIn("a functorch layer is open", seen)


class Meta(unittest.TestCase):
    def test_values_are_not_shown_and_views_are(self):
        description, (answer,) = answers("meta", [ONES, call("view", [{"slot": 0}, [2, 1]], 1), SNAPSHOT])
        self.assertEqual({name for name, how in description["fields"].items() if how == "ignore"}, {"values", "keys", "grad"})
        view = last_of(answer)["tensors"][1]["fields"]
        self.assertEqual((view[1], view[4], view[5], view[12]), ([2, 1], {"unsupported": True}, 0, True))

    def test_a_log_of_key_sets_is_unsupported(self):
        _, (answer,) = answers("meta", [{"do": "append_to_log", "keys": True}])
        self.assertIn("they name the backend", answer["unsupported"])


class Fake(unittest.TestCase):
    def test_a_script_runs_on_fake_tensors_in_every_thread(self):
        sizes = {"do": "read", "tensor": 1, "field": "sizes"}
        _, (answer,) = answers("fake", [ONES, {"do": "start_thread"}, call("add.Tensor", [{"slot": 0}, 1, 1], 1), sizes, {"do": "join_thread"}])
        self.assertEqual(answer["trace"]["outcomes"][3]["reading"], [2])
        self.assertNotIn("error", json.dumps(answer))

    def test_the_mode_does_not_show_in_the_key_sets_and_ends_with_the_script(self):
        included = {"do": "read_thread", "field": "included"}
        _, fake = answers("fake", [included], [ONES, call("view", [{"slot": 0}, [3]], 1)], [included])
        _, eager = answers("eager", [included])
        self.assertEqual([last_of(fake[0]), last_of(fake[2])], [last_of(eager[0])] * 2)


@unittest.skipUnless(hasattr(torch._C, "_lazy_ts_backend"), "this PyTorch is built without the lazy backend")
class Lazy(unittest.TestCase):
    def test_a_write_through_a_view_is_seen_and_reading_changes_nothing(self):
        body = [ONES, call("view", [{"slot": 0}, [2, 1]], 1), call("add_.Tensor", [{"slot": 1}, 1, 1]), SNAPSHOT]
        read_often = [one for statement in body for one in (statement, SNAPSHOT)]
        _, (plain, often) = answers("lazy", body, read_often)
        shown, shown_often = (last_of(answer)["tensors"] for answer in (plain, often))
        self.assertEqual(shown, shown_often)
        self.assertEqual(shown[0]["fields"][4], {"floats": [2, 3]})

    def test_a_late_error_does_not_reach_the_next_script(self):
        index = {"do": "make", "result": 1, "dtype": "int64", "sizes": [1], "values": [7]}
        bad = [ONES, index, call("index_select", [{"slot": 0}, 0, {"slot": 1}], 2), {"do": "try"}, {"do": "read", "tensor": 2, "field": "values"}, {"do": "end_try"}]
        good = [ONES, call("add.Tensor", [{"slot": 0}, 1, 1], 0), {"do": "read", "tensor": 0, "field": "values"}]
        _, (_, answer) = answers("lazy", bad, good)
        self.assertEqual(last_of(answer)["reading"], {"floats": [2, 3]})

    def test_a_late_error_does_not_reach_the_next_tensor_that_is_read(self):
        """The snapshot reads a product of bad indices and then a tensor whose values are computed, too."""
        index = {"do": "make", "result": 1, "dtype": "int64", "sizes": [1], "values": [7]}
        body = [ONES, index, call("index_select", [{"slot": 0}, 0, {"slot": 1}], 2), call("add.Tensor", [{"slot": 0}, 1, 1], 3), SNAPSHOT]
        _, (answer,) = answers("lazy", body)
        bad, good = (last_of(answer)["tensors"][slot]["fields"][4] for slot in (2, 3))
        self.assertIn("TorchScript interpreter", str(bad))
        self.assertEqual(good, {"floats": [2, 3]})

    def test_a_seed_is_unsupported(self):
        _, (answer,) = answers("lazy", [{"do": "manual_seed", "seed": 0}])
        self.assertIn("random numbers", answer["unsupported"])


class Packages(unittest.TestCase):
    def view_of(self, path):
        description, (answer,) = answers(path, [ONES, call("view", [{"slot": 0}, [2, 1]], 1), SNAPSHOT])
        self.assertIn(path, description["version"])
        return last_of(answer)["tensors"][1]["fields"]

    @needs("torch_xla")
    def test_torch_xla_shows_values_and_storage(self):
        fields = self.view_of("torch_xla")
        self.assertEqual((fields[4], fields[5]), ({"floats": [1, 2]}, 0))

    @needs("jax")  # torch_xla brings a package torchax that lacks jax
    def test_torchax_shows_values_but_no_storage(self):
        fields = self.view_of("torchax")
        self.assertEqual((fields[4], fields[5]), ({"floats": [1, 2]}, {"unsupported": True}))


if __name__ == "__main__":
    unittest.main()
