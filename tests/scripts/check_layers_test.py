"""scripts/dev/check_layers refuses what the layering forbids and nothing else."""
import pathlib
import tempfile
import unittest

import loaded_script

ROOT = pathlib.Path(__file__).resolve().parents[2]


def load():
    return loaded_script.load("dev/check_layers")


class CheckLayers(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        self.write("tuner/core/CMakeLists.txt", "warpwright_layer(core PACKAGES fmt)")
        self.write("tuner/spec/CMakeLists.txt", "warpwright_layer(spec MAY_INCLUDE core PACKAGES yaml)")

    def tearDown(self):
        self.folder.cleanup()

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n")

    def violations(self):
        return list(load().violations(self.root))

    def test_an_allowed_include_is_silent(self):
        self.write("tuner/spec/a.cpp", '#include "core/error.h"\n#include "spec/a.h"\n#include <vector>')
        self.assertEqual(self.violations(), [])

    def test_an_include_to_the_right_is_named_with_its_line(self):
        self.write("tuner/core/a.h", '#pragma once\n#include "spec/a.h"')
        self.assertEqual(self.violations(),
                         ["tuner/core/a.h:2: layer 'core' includes 'spec'; it may include nothing"])

    def test_a_cuda_header_in_a_planning_layer_is_named(self):
        self.write("tuner/spec/a.cpp", "#include <cuda.h>")
        self.assertEqual(self.violations(),
                         ["tuner/spec/a.cpp:1: layer 'spec' includes a CUDA header; only compile and device may"])

    def test_a_permission_that_nothing_uses_is_named(self):
        self.write("tuner/spec/a.cpp", "#include <vector>")
        self.assertEqual(list(load().unused_permissions(self.root)),
                         ["tuner/spec/CMakeLists.txt: layer 'spec' may include 'core' and does not; take it out of MAY_INCLUDE"])

    def test_the_drawing_leaves_out_what_another_layer_brings_along(self):
        self.write("tuner/space/CMakeLists.txt", "warpwright_layer(space MAY_INCLUDE core spec)")
        module = load()
        self.assertEqual(module.drawing(module.allowed_includes(self.root / "tuner")),
                         " 3  space  on  spec\n 2  spec   on  core\n 1  core\n")

    def test_layers_that_include_each_other_are_no_layers(self):
        self.write("tuner/core/CMakeLists.txt", "warpwright_layer(core MAY_INCLUDE spec)")
        module = load()
        with self.assertRaisesRegex(ValueError, "core -> spec -> core"):
            module.ranks(module.allowed_includes(self.root / "tuner"))

    def test_a_drawing_that_is_not_what_cmake_says_is_named(self):
        self.write("CONTRIBUTING.md", "<!-- layers -->\n```\n 1  core\n```")
        self.assertEqual(list(load().drawing_differences(self.root)),
                         ["CONTRIBUTING.md: the drawing of the layers is not what CMake declares; paste what check_layers --draw prints"])

    def room_violations(self):
        return list(load().room_violations(self.root))

    def test_a_room_may_include_those_before_it(self):
        self.write("tuner/core/CMakeLists.txt", "warpwright_layer(core)\nwarpwright_rooms(core low high .)")
        self.write("tuner/core/low/a.cpp", '#include "core/low/a.h"')
        self.write("tuner/core/high/b.cpp", '#include "core/low/a.h"')
        self.write("tuner/core/c.cpp", '#include "core/high/b.h"')
        self.assertEqual(self.room_violations(), [])
        self.write("tuner/core/low/a.cpp", '#include "core/high/b.h"')
        self.assertEqual(self.room_violations(),
                         ["tuner/core/low/a.cpp:1: room 'low' includes 'high', which is above it; "
                          "see warpwright_rooms in tuner/core/CMakeLists.txt"])

    def test_the_files_of_the_layers_folder_are_a_room(self):
        self.write("tuner/core/CMakeLists.txt", "warpwright_layer(core)\nwarpwright_rooms(core low . high)")
        self.write("tuner/core/high/b.cpp", '#include "core/c.h"')
        self.write("tuner/core/c.h", '#include "core/low/a.h"')
        self.assertEqual(self.room_violations(), [])
        self.write("tuner/core/c.h", '#include "core/high/b.h"')
        self.write("tuner/core/low/a.h", '#include "core/c.h"')
        self.assertEqual(self.room_violations(),
                         ["tuner/core/c.h:1: room '.' includes 'high', which is above it; "
                          "see warpwright_rooms in tuner/core/CMakeLists.txt",
                          "tuner/core/low/a.h:1: room 'low' includes '.', which is above it; "
                          "see warpwright_rooms in tuner/core/CMakeLists.txt"])

    def test_a_folder_within_a_room_belongs_to_the_room(self):
        self.write("tuner/core/CMakeLists.txt", "warpwright_layer(core)\nwarpwright_rooms(core low high)")
        self.write("tuner/core/high/deep/b.h", '#include "core/low/deep/a.h"')
        self.write("tuner/core/low/deep/a.h", '#include "core/low/a.h"')
        self.assertEqual(self.room_violations(), [])
        self.write("tuner/core/low/deep/a.h", '#include "core/high/deep/b.h"')
        self.assertEqual(self.room_violations(),
                         ["tuner/core/low/deep/a.h:1: room 'low' includes 'high', which is above it; "
                          "see warpwright_rooms in tuner/core/CMakeLists.txt"])

    def test_a_pair_of_rooms_is_excused_as_long_as_it_needs_to_be(self):
        self.write("tuner/core/CMakeLists.txt", 'warpwright_layer(core)\nwarpwright_rooms(core low high BOTH_WAYS "low high")')
        self.write("tuner/core/low/a.cpp", '#include "core/high/b.h"')
        self.write("tuner/core/high/b.cpp", '#include "core/low/a.h"')
        self.assertEqual(self.room_violations(), [])
        self.write("tuner/core/low/a.cpp", "")
        self.assertEqual(self.room_violations(),
                         ["tuner/core/CMakeLists.txt: 'high' and 'low' no longer include each other; take them out of BOTH_WAYS"])

    def test_a_room_that_is_not_listed_is_named(self):
        self.write("tuner/core/CMakeLists.txt", "warpwright_layer(core)\nwarpwright_rooms(core low)")
        self.write("tuner/core/new/a.h", "")
        self.assertEqual(self.room_violations(),
                         ["tuner/core/CMakeLists.txt: room 'new' is not in warpwright_rooms; add it after those that it includes"])
        self.write("tuner/core/CMakeLists.txt", "warpwright_layer(core)\nwarpwright_rooms(core new)")
        self.write("tuner/core/b.cpp", "")
        self.assertEqual(self.room_violations(),
                         ["tuner/core/CMakeLists.txt: room '.' is not in warpwright_rooms; add it after those that it includes"])

    def test_the_repository_keeps_to_its_layers(self):
        module, root = load(), ROOT
        self.assertEqual([*module.violations(root), *module.room_violations(root), *module.unused_permissions(root), *module.drawing_differences(root)], [])


if __name__ == "__main__":
    unittest.main()
