"""Tests of the word lint: each idiom is refused where people read it, and nowhere else.

    python3 cmake/lint_words_test.py
"""
import json
import pathlib
import tempfile
import unittest

import lint_words as lint

# For each entry of IDIOMS, in its order, a sentence that has the idiom, and one that is close to it and has not.
SENTENCES = [
    ("the fact 'X' that is none", "there is none"),
    ("a snapshot behind every step", "a lock behind the scenes"),
    ("it reads behind the memory", "what lies behind a storage's header"),
    ("Mend what the compiler says", "an amendment, recommended"),
    ("what was found until then is told", "they are told apart, and one is told from the other"),
    ("a program tells of neither", "a mutant that nothing can tell from the rule"),
    ("`as told` are rules of an earlier line", "as we told you"),
    ("the rows above in all their clothes", "all the rows above"),
    ("who reads 1 is alone", "whoever reads it"),
    ("memory that is nobody's", "nobody else holds it"),
    ("functions of one's own", "functions of its own"),
    ("each for so long", "so many programs differ"),
    ("this side has not that case, as 1.13 has not.", "it has not run"),
    ("it is made anew", "a new one is made"),
    ("all else that was captured", "if all else fails"),
    ("where the two part", "the two parts"),
    ("what ships stores the gradient", "what it shows"),
    ("not among them but by chance", "only by chance"),
    ("`empty` and its like", "an op like it"),
    ("what is functional already cannot be given", "a functional tensor"),
    ("the reason thereof", "the reason for it"),
]


def found(name, text, quotations=()):
    return list(lint.check_text(name, text, quotations))


class Idioms(unittest.TestCase):
    def test_each_idiom_is_refused_and_its_neighbour_is_not(self):
        self.assertEqual(len(SENTENCES), len(lint.IDIOMS))
        for number, (wrong, right) in enumerate(SENTENCES):
            with self.subTest(wrong):
                self.assertRegex(wrong.lower(), lint.PATTERNS[number][0])
                self.assertTrue(found("a.md", f"First line.\n{wrong}\n")[0].startswith("a.md:2: "))
                self.assertNotRegex(right.lower(), lint.PATTERNS[number][0])
                self.assertEqual(found("a.md", right), [])

    def test_a_problem_says_the_better_word(self):
        self.assertEqual(found("a.md", "Mend it."), ['a.md:1: "mend" is not plain English: write "fix" (docs/STYLE.md)'])


class Places(unittest.TestCase):
    """Where the words stand."""

    def test_comments_and_strings_are_read_and_code_is_not(self):
        for name, refused, code in [
                ("a.cpp", ['// mend it', '/* mend it */', 'f("mend it");', 'f(R"(mend it)");', 'int a;  ///< mend it', r'f("a\nmend it");'], "mend(it);"),
                ("a.py", ['# mend it', 'f("mend it")', "f('mend it')", '"""A line.\n\nMend it."""'], "mend(it)"),
                ("a.sh", ["# mend it", 'say "mend it"'], "mended_it"),
                ("a.json", ['{"reason": "mend it"}'], '{"mend_it": 1}')]:
            self.assertEqual(found(name, code), [], name)
            for text in refused:
                self.assertEqual(len(found(name, f"{text}\n{code}\n")), 1, text)

    def test_an_idiom_reaches_over_the_end_of_a_line(self):
        for name, text in [("a.cpp", "// a fact that\n// is none\n"), ("a.h", "/// a fact that\n/// is none\n"), ("a.py", "# a fact that\n# is none\n"),
                           ("a.cpp", 'f("a fact that "\n  "is none");'), ("a.sh", "# a fact that\n# is none\n"), ("a.md", "a fact that\nis none\n")]:
            self.assertEqual(len(found(name, text)), 1, text)

    def test_no_idiom_reaches_over_code(self):
        self.assertEqual(found("a.cpp", "int a;  // a fact that\nint b;  // is none\n"), [])
        self.assertEqual(found("a.cpp", "x = '\"'; mend(y); z = '\"';"), [])

    def test_the_line_is_that_of_the_idiom(self):
        self.assertTrue(found("a.cpp", "int a;\n\n// one\n// two, mend it\n")[0].startswith("a.cpp:4: "))


class Tree(unittest.TestCase):
    """A small project."""

    def check(self, files, quotations=None):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            if quotations is not None:
                files = {**files, lint.QUOTATIONS: json.dumps({"quotations": quotations})}
            for name, text in files.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text, encoding="utf-8")
            return list(lint.check_words(root))

    def test_files_of_every_kind_are_read(self):
        names = ["spec/a.h", "spec/a.cpp", "fuzz/a.py", "cmake/a.sh", "cmake/a.cmake", "spec/ops/ops.yaml", "docs/a.md", "fuzz/a.json", "CMakeLists.txt", "check", "README.md"]
        problems = self.check({name: "# x\n// Mend it.\n" if name.endswith((".h", ".cpp")) else "# Mend it.\n" for name in names})
        self.assertEqual(sorted(problem.split(":")[0] for problem in problems), sorted(names))

    def test_what_is_built_or_generated_is_not_read(self):
        self.assertEqual(self.check({"build/a.md": "Mend it.\n", ".venv/a.md": "Mend it.\n", "docs/RULES.md": "Mend it.\n", "spec/tests/data/a.txt": "Mend it.\n"}), [])

    def test_a_quotation_is_allowed_where_it_stands_and_nowhere_else(self):
        quotation = {"file": "docs/a.md", "text": "\"mend it\", it says", "source": "PR 1"}
        self.assertEqual(self.check({"docs/a.md": "\"mend it\", it says\n"}, [quotation]), [])
        self.assertEqual(len(self.check({"docs/a.md": "\"mend it\", it says\nMend it.\n"}, [quotation])), 1)
        self.assertEqual(len(self.check({"docs/a.md": "\"mend it\", it says\n", "docs/b.md": "\"mend it\", it says\n"}, [quotation])), 1)

    def test_a_quotation_has_a_source_and_allows_something(self):
        self.assertIn("names no source", self.check({"docs/a.md": "mend it\n"}, [{"file": "docs/a.md", "text": "mend it", "source": ""}])[0])
        self.assertIn("allows nothing", self.check({"docs/a.md": "fix it\n"}, [{"file": "docs/a.md", "text": "mend it", "source": "PR 1"}])[0])


if __name__ == "__main__":
    unittest.main()
