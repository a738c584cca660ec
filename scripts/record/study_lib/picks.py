"""What the exported header of a kernel chooses, asked through a compiled program."""

import json
import pathlib
import re
import tempfile

from study_lib.held import run

PROGRAM = r"""
#include "exported.h"
#include <cstdio>
namespace tuned = warpwright::%(namespace)s;
static const char* match_name(tuned::Match match) {
  switch (match) {
    case tuned::Match::none: return "none";
    case tuned::Match::exact: return "exact";
    case tuned::Match::nearest_same_device: return "nearest_same_device";
    case tuned::Match::nearest_same_arch: return "nearest_same_arch";
    case tuned::Match::default_: return "default_";
  }
  return "";
}
static void ask(const tuned::Device& device, const tuned::Problem& problem) {
  const tuned::Selection chosen = tuned::select(device, problem);
  std::printf("%%s\t%%.4f\t%%.4f\t%%s\n", match_name(chosen.match), chosen.distance, chosen.score,
              chosen.configuration != nullptr ? chosen.configuration->text : "");
}
int main() {
%(questions)s}
"""


def pascal_case(name):
    return "".join(part[:1].upper() + part[1:] for part in name.split("_") if part)


def size_code(size, value):
    """A size as the header's Problem takes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str) and size["values"]:
        return f"tuned::{pascal_case(size['name'])}::{value}"
    return json.dumps(value)


def program_text(namespace, sizes, boards):
    """C++ that asks the header for every board's problem on its device, one line of output each."""
    questions = ""
    for board in boards:
        problem = ", ".join(size_code(size, board["problem"][size["name"]]) for size in sizes)
        questions += f"  ask({{{json.dumps(board['device'])}, {json.dumps(board['arch'])}}}, {{{problem}}});\n"
    return PROGRAM % {"namespace": namespace, "questions": questions}


def parse_pick(line, configurations):
    """One line of the program's output; parameters come from the JSON that was exported beside the header."""
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
        namespace = re.search(r"^namespace (\w+) \{$", (folder / "exported.h").read_text(encoding="utf-8")
                              .replace("namespace warpwright {", "", 1), re.MULTILINE).group(1)
        (folder / "ask.cpp").write_text(program_text(namespace, contract["sizes"], boards), encoding="utf-8")
        run([options.compiler, "-std=c++17", "-O1", folder / "ask.cpp", "-o", folder / "ask"])
        lines = run([folder / "ask"]).splitlines()
    return [parse_pick(line, contract["configurations"]) for line in lines]
