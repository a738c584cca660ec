"""The choices of a kernel's exported header, asked through a compiled program."""

import json
import pathlib
import re
import tempfile

from study_lib.held import run

PROGRAM = r"""
#include "exported.h"
#include <cstdio>
static const char* match_name(ww_match match) {
  switch (match) {
    case WW_MATCH_NONE: return "none";
    case WW_MATCH_EXACT: return "exact";
    case WW_MATCH_NEAREST_SAME_DEVICE: return "nearest_same_device";
    case WW_MATCH_NEAREST_SAME_ARCH: return "nearest_same_arch";
    case WW_MATCH_NEAREST_OTHER_CHOICE: return "nearest_other_choice";
    case WW_MATCH_DEFAULT: return "default";
  }
  return "";
}
static void ask(const ww_device& device, const ww_%(kernel)s_problem& problem) {
  const ww_selection chosen = ww_%(kernel)s_select(device, problem);
  std::printf("%%s\t%%.4f\t%%.4f\t%%s\n", match_name(chosen.match), chosen.distance, chosen.score,
              chosen.configuration >= 0 ? ww_%(kernel)s_configurations[chosen.configuration].text : "");
}
int main() {
%(questions)s}
"""


def size_code(kernel, size, value):
    """A size as the header's problem takes it."""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, str) and size["values"]:
        return f"ww_{kernel}_{size['name']}_{value}".upper()
    return json.dumps(value)


def program_text(kernel, sizes, boards):
    """C++ that asks the header for every board's problem on its device, one line of output each."""
    questions = ""
    for board in boards:
        problem = ", ".join(size_code(kernel, size, board["problem"][size["name"]]) for size in sizes)
        questions += f"  ask({{{json.dumps(board['device'])}, {json.dumps(board['arch'])}}}, {{{problem}}});\n"
    return PROGRAM % {"kernel": kernel, "questions": questions}


def parse_pick(line, configurations):
    """One line of the program's output; parameters come from the JSON that was exported with the header."""
    match, distance, score, text = line.split("\t")
    known = next((one for one in configurations if one["text"] == text), None)
    return {"match": match, "distance": float(distance), "score": float(score), "text": text,
            "variant": known["variant"] if known else "", "parameters": known["own_parameters"] if known else {}}


def export(kernel, format_name, path, options):
    command = [options.program, "export", kernel, "--format", format_name, "--db", options.db, "-o", path]
    if options.tuned_device:
        command += ["--device", options.tuned_device]
    if options.kernels:
        command += ["--kernels", options.kernels]
    run(command)


def choose(kernel, boards, options):
    """One pick of each board."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        export(kernel, "header", folder / "exported.h", options)
        export(kernel, "select-json", folder / "exported.json", options)
        contract = json.loads((folder / "exported.json").read_text(encoding="utf-8"))
        variants = {variant["name"]: variant["parameters"] for variant in contract["variants"]}
        for one in contract["configurations"]:
            one["own_parameters"] = {name: one["parameters"][name] for name in variants[one["variant"]]}
        name = re.search(r"^WW_FN ww_selection ww_(\w+)_select\(", (folder / "exported.h").read_text(encoding="utf-8"),
                         re.MULTILINE).group(1)
        (folder / "ask.cpp").write_text(program_text(name, contract["sizes"], boards), encoding="utf-8")
        run([options.compiler, "-std=c++17", "-O1", folder / "ask.cpp", "-o", folder / "ask"])
        lines = run([folder / "ask"]).splitlines()
    return [parse_pick(line, contract["configurations"]) for line in lines]
