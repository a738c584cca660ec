"""What scripts/record/search_study makes of replays; running it takes minutes."""
import importlib.machinery
import importlib.util
import pathlib
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "record" / "search_study"


def load():
    loader = importlib.machinery.SourceFileLoader("search_study", str(SCRIPT))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("search_study", loader))
    loader.exec_module(module)
    return module


def search(mean, sources=()):
    near = {"median": None if mean > 100 else int(mean), "mean": mean}
    return {"within_5_percent": near, "within_1_percent": near, "sources": list(sources)}


class SearchStudyTest(unittest.TestCase):
    def recording(self, kernel, random, known, kinds):
        both = search(known, [{"kind": kind, "results": 7} for kind in kinds])
        return {"kernel": kernel, "configurations": 90, "searches": {"random": search(random), "auto": search(random), "auto, warm": search(known), "auto, model": search(known), "auto, both": both}}

    def test_shares_are_of_what_random_search_takes_in_the_mean(self):
        recordings = [self.recording("a", 30.0, 5.0, []), self.recording("a", 10.0, 5.0, [])]
        self.assertEqual(load().shares(recordings, "within_5_percent", ["random", "auto, both"]), ["20.0", "5.0 (25 %)"])

    def test_recordings_count_where_such_a_source_is_known(self):
        text = load().knowledge_table({"one": self.recording("a", 30.0, 5.0, ["board"]), "two": self.recording("b", 110.0, 5.0, ["board", "emulator"])}, 100, 3)
        lines = [" ".join(line.split()) for line in text.splitlines()]
        self.assertIn("all with other boards 2 70.0 70.0 (100 %) 5.0 (7 %) 5.0 (7 %) 5.0 (7 %)", lines)
        self.assertIn("all with a model 1 110.0 110.0 (100 %) 5.0 (5 %) 5.0 (5 %) 5.0 (5 %)", lines)
        self.assertIn("two (90) 7, 7 >100 >100 5 5 5", lines)

    def test_files_are_named_without_the_folder_of_the_moment(self):
        self.assertEqual(load().without_folders("q=1 (sm_90a), NVIDIA H200 (/tmp/x9/attention.db) (207)"), "q=1 (sm_90a), NVIDIA H200 (attention.db) (207)")

    def test_recordings_are_needed_for_all_of_it(self):
        ran = subprocess.run([SCRIPT, "/tmp/out"], capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, 2)
        self.assertIn("--recordings: expected a folder of recordings, or --only boards or knowledge", ran.stderr)


if __name__ == "__main__":
    unittest.main()
