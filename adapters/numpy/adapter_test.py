"""The conversation with the NumPy adapter, and what views, writes and refusals show."""
import importlib.util
import json
import pathlib
import subprocess
import sys
import unittest

ADAPTER = pathlib.Path(__file__).with_name("adapter.py")
START, STOP, SNAPSHOT = {"cmd": "start", "protocol": 3}, {"cmd": "stop"}, {"do": "snapshot"}
X, Y = {"slot": 0}, {"slot": 1}


def make(result, sizes, values, dtype="float32"):
    return {"do": "make", "result": result, "dtype": dtype, "sizes": sizes, "values": values}


def call(op, arguments, *results):
    return {"do": "call", "op": op, "arguments": arguments, "results": list(results)}


def read(tensor, field):
    return {"do": "read", "tensor": tensor, "field": field}


def tried(*statements):
    return [{"do": "try"}, *statements, {"do": "end_try"}]


def converse(text):
    """The adapter's answers, its exit code, and what it wrote to stderr."""
    done = subprocess.run([sys.executable, str(ADAPTER)], input=text, capture_output=True, text=True, check=False)
    return [json.loads(line) for line in done.stdout.splitlines()], done.returncode, done.stderr


def lines(*requests):
    return "".join(json.dumps(request) + "\n" for request in requests)


def answers_to(*scripts):
    runs = [{"cmd": "run", "id": i, "script": {"names": ["x", "y", "z"], "statements": script}} for i, script in enumerate(scripts)]
    return converse(lines(START, *runs, STOP))[0][1:]


def readings(*statements):
    """The readings of a script that completes."""
    return [outcome["reading"] for outcome in answers_to(list(statements))[0]["trace"]["outcomes"] if "reading" in outcome]


@unittest.skipUnless(importlib.util.find_spec("numpy"), "NumPy is not installed: python3 -m pip install numpy")
class Adapter(unittest.TestCase):
    def outcomes(self, *statements):
        return answers_to(list(statements))[0]["trace"]["outcomes"]

    # the conversation

    def test_it_describes_itself_answers_in_order_and_stops(self):
        runs = [{"cmd": "run", "id": i, "script": {"names": [], "statements": [SNAPSHOT]}} for i in (7, 3)]
        answers, code, errors = converse(lines(START, *runs, STOP))
        self.assertEqual((answers[0]["name"], answers[0]["protocol"], answers[0]["errors"]), ("numpy", 3, "kind"))
        self.assertEqual([answer["id"] for answer in answers[1:]], [7, 3])
        self.assertEqual((code, errors), (0, ""))

    def test_the_end_of_the_input_stops_it(self):
        self.assertEqual(converse(lines(START))[1:], (0, ""))

    def test_a_request_that_is_not_json_ends_it_with_a_message(self):
        answers, code, errors = converse(lines(START) + '{"cmd":"run"\n')
        self.assertEqual(len(answers), 1)
        self.assertNotEqual(code, 0)
        self.assertIn("the request is not JSON", errors)

    def test_a_script_begins_without_the_tensors_of_the_one_before(self):
        first, second = answers_to([make(0, [1], [1.0]), SNAPSHOT], [SNAPSHOT])
        self.assertEqual([len(answer["trace"]["outcomes"][-1]["tensors"]) for answer in (first, second)], [1, 0])

    def test_a_snapshot_has_sixteen_fields_and_ten_are_unsupported(self):
        fields = self.outcomes(make(0, [2], [1.0, "nan"]), SNAPSHOT)[1]["tensors"][0]["fields"]
        self.assertEqual(fields[:6], ["float32", [2], [1], 0, {"floats": [1.0, "nan"]}, 0])
        self.assertEqual(fields[6:], [{"unsupported": True}] * 10)

    # views and writes

    def test_views_share_storage_and_copies_do_not(self):
        t = call("t", [X], 1)
        self.assertEqual(readings(make(0, [2, 3], [0.0] * 6), t, read(1, "storage"), read(1, "strides")), [0, [1, 3]])
        self.assertEqual(readings(make(0, [2], [0.0] * 2), call("clone", [X, None], 1), read(1, "storage")), [1])

    def test_a_write_through_a_view_shows_in_its_base(self):
        select = call("select.int", [X, 0, 1], 1)
        values = readings(make(0, [2, 2], [1.0, 2.0, 3.0, 4.0]), select, call("add_.Tensor", [Y, 1, 2], 1), read(0, "values"), read(1, "offset"))
        self.assertEqual(values, [{"floats": [1.0, 2.0, 5.0, 6.0]}, 2])

    def test_a_view_of_a_view_has_the_offset_in_the_owner(self):
        self.assertEqual(readings(make(0, [6], [0.0] * 6), call("slice.Tensor", [X, 0, 1, None, 2], 1), call("as_strided", [Y, [2], [2], None], 2),
                                  read(2, "offset"), read(2, "storage")), [1, 0])

    def test_an_array_without_elements_shows_no_layout(self):
        self.assertEqual(readings(make(0, [0], []), read(0, "sizes"), read(0, "strides")), [[0], {"unsupported": True}])

    def test_dtypes_promote_as_in_pytorch(self):
        self.assertEqual(readings(make(0, [1], [3.0], "int64"), call("add.Tensor", [X, 0.5, 1], 1), read(1, "dtype"), read(1, "values")),
                         ["float32", {"floats": [3.5]}])
        self.assertEqual(readings(make(0, [1], [200], "uint8"), make(1, [1], [-1], "int8"), call("add.Tensor", [X, Y, 1], 2), read(2, "dtype"),
                                  read(2, "values")), ["int16", {"integers": [199]}])

    def test_resize_is_refused_while_a_view_refers_to_the_memory(self):
        resize = call("resize_", [X, [3], None], 0)
        self.assertEqual(readings(make(0, [2], [1.0, 2.0]), resize, read(0, "values")), [{"floats": [1.0, 2.0, 0.0]}])
        answer, = answers_to([make(0, [2], [1.0, 2.0]), call("view", [X, [2]], 1), resize])
        self.assertEqual(answer["unsupported"], "NumPy refuses resize_, which the program expects to succeed: ValueError")

    # what NumPy lacks, and errors

    def test_what_numpy_lacks_is_unsupported_with_a_reason(self):
        scripts = [[make(0, [1], [1.0]), statement] for statement in (
            {"do": "backward", "tensor": 0}, call("softmax.int", [X, 0, None], 1), call("t_", [X], 0), call("no_such_op", [], 1),
            {"do": "enter", "guard": "below_autograd", "value": True}, call("add.Tensor", [X, Y, 1], 2))]
        self.assertEqual([answer["unsupported"] for answer in answers_to(*scripts)], [
            "NumPy has no autograd", "NumPy has no softmax", "NumPy has no transpose in place", "NumPy has no no_such_op", "NumPy has no dispatcher",
            "a statement uses a slot that holds nothing"])

    def test_an_error_in_a_try_goes_on_after_it(self):
        refused = tried(call("view", [X, [3]], 1), call("zero_", [X], 0))
        outcomes = self.outcomes(make(0, [2], [1.0, 2.0]), *refused, read(0, "values"))
        self.assertEqual([outcome["statement"] for outcome in outcomes], [0, 1, 2, 4, 5])
        self.assertEqual((outcomes[2]["error"]["exception"], outcomes[-1]["reading"]), ("ValueError", {"floats": [1.0, 2.0]}))

    def test_a_try_without_an_error_is_unsupported(self):
        answer, = answers_to([make(0, [2], [1.0, 2.0]), *tried(call("zero_", [X], 0))])
        self.assertEqual(answer["unsupported"], "NumPy does not refuse zero_, as the program expects")

    def test_an_error_in_a_pause_is_caught_around_its_thread(self):
        error, paused = call("view", [X, [3]], 1), ({"do": "pause_thread"}, {"do": "resume_thread"})
        thread = [{"do": "start_thread"}, *tried(paused[0], error, paused[1]), SNAPSHOT, {"do": "join_thread"}]
        outcomes = self.outcomes(make(0, [2], [1.0, 2.0]), *tried(*thread), SNAPSHOT)
        self.assertEqual([outcome["statement"] for outcome in outcomes], [0, 1, 2, 3, 4, 5, 10, 11])


if __name__ == "__main__":
    unittest.main()
