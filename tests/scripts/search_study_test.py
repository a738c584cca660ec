"""The tables that scripts/record/search_study makes of replays; running it takes minutes."""
import gzip
import json
import pathlib
import sqlite3
import subprocess
import tempfile
import unittest

import loaded_script

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "record" / "search_study"


def load():
    return loaded_script.load("record/search_study")


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

    def test_folders_of_different_devices_have_different_databases(self):
        with tempfile.TemporaryDirectory() as folder:
            names = [file.name for file in load().unpacked(folder)]
        self.assertIn("nvidia-h200_fused.db", names)
        self.assertEqual(len(names), len(set(names)))

    def test_only_folders_that_are_named_are_replayed(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual([file.name for file in load().unpacked(folder, ["nvidia-h200/fused"])], ["nvidia-h200_fused.db"])
        ran = subprocess.run([SCRIPT, "/tmp/out", "--only", "boards", "--of", "nvidia-h200/fused", "nvidia-h200/nothing"], capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, 2)
        self.assertIn("--of nvidia-h200/nothing: no such folder with a warpwright.db.gz below results/", ran.stderr)

    def test_recordings_are_needed_for_all_of_it(self):
        ran = subprocess.run([SCRIPT, "/tmp/out"], capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, 2)
        self.assertIn("--recordings: expected a folder of recordings, or --only boards, knowledge or modelled", ran.stderr)

    def test_a_model_is_named_with_the_database_that_it_is_of(self):
        for arguments in (["--only", "modelled"], ["--only", "modelled", "--modelled", "model.json"], ["--only", "boards", "--modelled", "a.db=b.json"]):
            ran = subprocess.run([SCRIPT, "/tmp/out", *arguments], capture_output=True, text=True, check=False)
            self.assertEqual(ran.returncode, 2)
            self.assertIn("--modelled DATABASE=MODEL goes with --only modelled", ran.stderr)
        ran = subprocess.run([SCRIPT, "/tmp/out", "--only", "modelled", "--modelled", f"{SCRIPT}=/nowhere/model.json"], capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, 2)
        self.assertIn("--modelled: no such file: /nowhere/model.json", ran.stderr)


class ModelledTest(unittest.TestCase):
    """A model's times in the place of the measured ones."""
    PROBLEM = "rows=1 d=4096 activation=silu dtype=bf16"

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.study = load()
        self.recording = self.study.unpacked_one(ROOT / "results" / "nvidia-h200" / "gated_activation" / "warpwright.db.gz", self.folder, "recorded")
        with sqlite3.connect(self.recording) as database:
            self.texts = [text for text, in database.execute("SELECT DISTINCT configuration FROM v_trial WHERE problem = ? ORDER BY 1", (self.PROBLEM,))]

    def model(self, configurations):
        path = self.folder / "model.json.gz"
        with gzip.open(path, "wt") as file:
            json.dump({"problems": [{"kernel": "gated_activation", "problem": self.PROBLEM, "configurations": configurations}]}, file)
        return path

    def test_it_is_believed_of_what_was_drawn_and_of_nothing_else(self):
        model = self.model([{"configuration": f"variant={text}", "modelled_us": 1000.0 + i} for i, text in enumerate(self.texts)])
        out = self.folder / "model.db"
        self.study.as_modelled(self.recording, model, 5, 1, out)
        with sqlite3.connect(out) as database:
            rows = database.execute("SELECT DISTINCT configuration, median_us, modelled, device, problem FROM v_trial").fetchall()
        drawn = {(text, us) for _, _, text, us in self.study.beliefs(model, 5, 1)}
        self.assertEqual(len(drawn), 5)
        self.assertEqual({(text, us) for text, us, _, _, _ in rows}, drawn)
        self.assertEqual({row[2:] for row in rows}, {(1, "emu:sm_90a", self.PROBLEM)})

    def test_draws_are_repeated_by_their_seed(self):
        model = self.model([{"configuration": text, "modelled_us": 1.0} for text in self.texts])
        self.assertEqual(self.study.beliefs(model, 9, 1), self.study.beliefs(model, 9, 1))
        self.assertNotEqual(self.study.beliefs(model, 9, 1), self.study.beliefs(model, 9, 2))

    def test_a_model_of_something_else_is_named(self):
        model = self.model([{"configuration": "flat NONE=1", "modelled_us": 1.0}])
        with self.assertRaisesRegex(SystemExit, "models no configuration that recorded.db has"):
            self.study.as_modelled(self.recording, model, 5, 1, self.folder / "model.db")


if __name__ == "__main__":
    unittest.main()
