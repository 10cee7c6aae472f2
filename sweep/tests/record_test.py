#!/usr/bin/env python3
"""Calls that are heard are said as experiments of docs/SWEEP.md."""
import json
import pathlib
import sys
import unittest

import torch

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "samples"))
from by_hand import BY_HAND  # noqa: E402
from hearing import Heard, base_of, run  # noqa: E402
from saying import Unsayable, experiment, seen, snapshot  # noqa: E402


def parameter(name, **more):
    return {"name": name, "type": "Tensor", "optional": False, "list": False, "default": False, "written": False, "keyword_only": False, **more}


OUT = parameter("out", written=True, keyword_only=True)


class Record(unittest.TestCase):
    def test_a_tensor_is_said_with_the_region_of_memory_that_it_reaches(self):
        made = seen(torch.arange(6.0).reshape(2, 3)[:, 1]).rounded(1)
        self.assertEqual(made, {"dtype": "float32", "sizes": [2], "strides": [3], "offset": 0, "values": [1, 2, 3, 4]})

    def test_a_complex_element_and_a_complex_number_keep_both_parts(self):
        made = seen(torch.tensor([1 + 2j, -0.25j]).conj())
        self.assertEqual(made.rounded(2)["values"], [[1, -2], [0, 0.25]])
        op = {"name": "aten::f", "overload": "", "arguments": [parameter("self"), parameter("other", type="Scalar")]}
        said = experiment(op, {"self": made, "other": 0.5 - 1j}, [], 1)
        self.assertEqual(json.loads(json.dumps(said))["arguments"], [{"tensor": 0}, {"complex": [0.5, -1]}])
        for value in (complex("inf"), torch.tensor([complex(0, float("nan"))])):
            with self.assertRaises(Unsayable):
                snapshot(value, {})

    def test_what_an_experiment_cannot_have_is_not_said(self):
        for tensor in (torch.tensor([float("inf")]), torch.eye(2).to_sparse(), torch.zeros(1, device="meta"), torch.zeros(10000)):
            with self.assertRaises(Unsayable):
                seen(tensor)

    def test_what_is_not_given_is_a_default_or_null_and_out_is_empty(self):
        op = {"name": "aten::f", "overload": "out",
              "arguments": [parameter("self"), parameter("bias", optional=True), parameter("alpha", type="Scalar", default=True), OUT]}
        said = experiment(op, {"input": seen(torch.ones(1))}, [[("int64", [0])]], 1)
        self.assertEqual(said["arguments"], [{"tensor": 0}, None, {"default": True}, {"tensor": 1}])
        self.assertEqual([tensor["dtype"] for tensor in said["tensors"]], ["float32", "int64"])
        with self.assertRaises(Unsayable):
            experiment(op, {}, [], 1)

    def test_arguments_are_heard_as_they_are_before_the_call_and_of_the_backward_too(self):
        heard = Heard({base_of("aten::tanh_"), base_of("aten::tanh_backward")})
        run(heard, lambda x: x.clone().tanh_(), [torch.ones(1, requires_grad=True)], {})
        (given,) = heard.like("aten::tanh_")
        self.assertEqual(given["self"].values, [1])
        self.assertEqual(set(heard.calls["aten::tanh_backward"].popitem()[1]), {"grad_output", "output"})

    def test_a_composite_operator_is_heard_by_the_function_of_its_name(self):
        heard = Heard({"nanquantile"})
        run(heard, torch.nanquantile, [torch.ones(2)], {"q": 0.5})
        self.assertIn("aten::nanquantile.scalar", heard.calls)

    def test_operators_that_take_the_same_arguments_share_a_base(self):
        self.assertEqual({base_of(name) for name in ("aten::foo", "aten::foo_", "aten::_foo_copy.out")}, {"foo"})

    def test_tables_by_hand_have_a_value_for_each_element(self):
        for name, values in BY_HAND:
            for value in values.values():
                if hasattr(value, "sizes"):
                    self.assertEqual(torch.Size(value.sizes).numel(), len(value.values), name)


if __name__ == "__main__":
    unittest.main()
