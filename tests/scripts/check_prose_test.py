"""scripts/dev/check_prose finds the patterns in what people read, and only there."""
import unittest

import loaded_script


def load():
    return loaded_script.load("dev/check_prose")


class CheckProse(unittest.TestCase):
    def setUp(self):
        self.prose = load()

    def found(self, name, line):
        import re
        return [pattern for text in self.prose.texts(name, line) for pattern, (expression, _) in self.prose.PATTERNS.items()
                if re.search(expression, text)]

    def test_each_pattern_is_found_in_a_comment(self):
        lines = {"of": "// Of one device, from its record.", "wh": "// What reads files is fuzzed.", "is no": "// That is no race.",
                 "so many": "// Computes so many.", "beside": "int x;  // beside the others", "told": "// Nobody is told.",
                 "words": "// It was mended later."}
        self.assertEqual(set(lines), set(self.prose.PATTERNS))
        for pattern, line in lines.items():
            self.assertIn(pattern, self.found("tuner/x.cpp", line))

    def test_messages_and_documents_are_read_and_code_is_not(self):
        self.assertEqual(self.found("tuner/x.cpp", 'throw user_error("this is no kernel");'), ["is no"])
        self.assertEqual(self.found("README.md", "- What lies here"), ["wh"])
        self.assertEqual(self.found("scripts/x", "# Likewise for trials"), ["beside"])
        self.assertEqual(self.found("tuner/x.cpp", "beside = knows(believe);"), [])

    def test_plain_english_passes(self):
        for line in ("// There is no GPU, and it is no longer needed.", "// The time of one device.", "// What is this?",
                     "// As many threads as elements.", "// Of course."):
            self.assertEqual(self.found("tuner/x.cpp", line), [], line)

    def test_the_tree_keeps_to_the_limits(self):
        self.assertEqual(self.prose.main([]), 0)


if __name__ == "__main__":
    unittest.main()
