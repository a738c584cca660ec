"""The commands of the example workflows, on a repository that gets hostile pull requests.

No output may hold a secret of the job: the token in .git/config, a variable of its environment, a file next to the checkout. And
no job may pass: a source that cannot be checked as a whole ends it.
"""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("WARPWRIGHT_PROGRAM", ROOT / "build" / "release" / "warpwright"))
EXAMPLES = ROOT / "scripts" / "examples"
SECRETS = {"token": "ghs_TOKENOFTHEJOB", "variable": "VARIABLEOFTHEJOB", "beside": "FILEBESIDETHECHECKOUT"}

LAUNCH = "// vet: reverse<<<2, 64>>>(x[128], y[128] = unset)\n"
RACE = """__global__ void reverse(const float* x, float* y) {
  __shared__ float tile[64];
  tile[threadIdx.x] = x[blockIdx.x * 64 + threadIdx.x];
  y[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x];
}
"""
RIGHT = RACE.replace("  y[", "  __syncthreads();\n  y[")
# With the body of `helper` gone, nothing is left to find.
CALLS = """{headers}
{launch}struct P {{ int a, b; }};
{helper}
__global__ void reverse(const float* x, float* y) {{
  __shared__ float tile[64];
  tile[threadIdx.x] = x[threadIdx.x];
  y[threadIdx.x] = tile[helper(63 - int(threadIdx.x))];
}}
"""


def calls(helper, headers=""):
    return CALLS.format(headers=headers, launch="// vet: reverse<<<1, 64>>>(x[64], y[64] = unset)\n", helper=helper)


# The additions of a pull request to src/: the text of a file, or the target of a link.
READING = {
    "an include in a comment, with its lines": '//#include "../.git/config"\n' + LAUNCH + RACE.replace("  y[", '#line 4 ".git/config"\n  y['),
    "an include": '#include "../.git/config"\n' + LAUNCH + RIGHT,
    "an absolute include": '#include "{beside}"\n' + LAUNCH + RIGHT,
    "an angled include": "#include <{beside}>\n" + LAUNCH + RIGHT,
    "the next include": "#include_next <{beside}>\n" + LAUNCH + RIGHT,
    "a digraph": '%:include "{beside}"\n' + LAUNCH + RIGHT,
    "a spliced include": '#inc\\\nlude "{beside}"\n' + LAUNCH + RIGHT,
    "an include of a macro": '#define P "{beside}"\n#include P\n' + LAUNCH + RIGHT,
    "an include of a text": "#define T(x) #x\n#include T({beside})\n" + LAUNCH + RIGHT,
    "an embedded file": "__device__ const char text[] = {{\n#embed \"{beside}\"\n}};\n" + LAUNCH + RIGHT,
    "a folder": '#include "/etc"\n' + LAUNCH + RIGHT,
    "a device": '#include "/dev/zero"\n' + LAUNCH + RIGHT,
    "a pipe": '#include "{pipe}"\n' + LAUNCH + RIGHT,
    "an include in a header": '#include "evil.h"\n' + LAUNCH + RIGHT,
    "a linked header": '#include "environ.h"\n' + LAUNCH + RIGHT,
    "a header in a linked folder": '#include "up/.git/config"\n' + LAUNCH + RIGHT,
    "a line of another file": LAUNCH + RACE.replace("  y[", '#line 1 "{beside}"\n  y['),
    "an error in another file": LAUNCH + '#line 1 "{beside}"\nint x = ;\n' + RIGHT,
    "a joined line in the name of a header": '#include <x R"(\\\n>\n#include "{beside}"\n//)"\n' + LAUNCH + RIGHT,
    "a static_assert in another file": LAUNCH + '#line 1 "{beside}"\nstatic_assert(sizeof(int) == 5);\n' + RIGHT,
}
# Compilers disagree with each other, and with the scan, on where these strings end: only a compiler that cannot open the file helps.
READING_IF_CONFINED = {
    "a joined line in the delimiter of a raw string": 'const char* s = R"x\\\n(\n/*\n)x\\\n";\n#include "{beside}"\n//*/\n' + LAUNCH + RIGHT,
    "a digit separator before a quote": "int a = 1'\"'/*\";\n#include \"{beside}\"\n//*/\n" + LAUNCH + RIGHT,
}
NOT_LOOKED_AT = {
    "std::sort in a constexpr function": calls("constexpr int helper(int n) { int a[2] = {n, 0}; std::sort(a, a + 2); return a[1]; }", "#include <algorithm>"),
    "std::ranges in a constexpr function": calls("constexpr int helper(int n) { return std::ranges::max(n, 0); }", "#include <algorithm>"),
    "a comparison of three ways": calls("constexpr int helper(int n) { struct Q { int a; auto operator<=>(const Q&) const = default; };"
                                        " return (Q{n} <=> Q{0}) < 0 ? 0 : n; }", "#include <compare>"),
    "a place in the source": calls("constexpr int helper(int n) { return n + (std::source_location::current().line() == 0); }", "#include <source_location>"),
    "a built-in of the host": calls('constexpr int helper(int n) { return n + int(__builtin_strlen("")) + missing; }'),
    "a function that is said to launch": calls('constexpr int helper(int n) { return n; /* */ k<<<1, 1>>>(); }'),
    "a missing header": '#include "cfg.h"\n' + LAUNCH + RIGHT.replace("  __syncthreads();", "#ifndef RACY\n  __syncthreads();\n#endif"),
    "a missing header in brackets": "#include <cfg.h>\n" + LAUNCH + RIGHT,
    "a static_assert that fails": LAUNCH + 'static_assert(sizeof(int) == 5, "no");\n' + RIGHT,
    "device lines in an include": LAUNCH + RIGHT.replace("  __syncthreads();", '#include "wrong.inc"\n  __syncthreads();'),
    "no launch comment": RACE,
}

CONTRACT = """kernel: scale
problem: {n: {default: 256}}
arguments:
  - {name: x, in: f32, shape: [n], fill: 'FILL'}
  - {name: y, out: f32, shape: [n], tolerance: {abs: 1e-6, rel: 1e-6}}
  - {name: n, value: n}
parameters:
  THREADS: {default: 64}
variants:
  plain:
    source: scale.cu
    launches: [{entry: scale, grid: ["ceil_div(n, THREADS)"], block: [THREADS]}]
    parameters: [THREADS]
reference: {source: reference.cpp, units: n}
work: {bytes: "8 * n", flops: "n"}
"""
SCALE = """extern "C" __global__ void scale(const float* x, float* y, int n) {
  const int at = blockIdx.x * THREADS + threadIdx.x;
  if (at < n) y[at] = 2 * x[at];
}
"""
REFERENCE = """#include "reference.h"
int ww_reference(const ww_call* call) {
  for (int64_t i = 0; i < call->unit_count; ++i)
    ww::find_output(call, "y")[i] = 2 * ww::load(ww::find_tensor(call, "x"), call->units[i]);
  return 0;
}
"""
# The changes of a pull request to my_kernels/scale: files by name.
CHECKED = {
    "an include": {"scale.cu": '#include "../../.git/config"\n' + SCALE},
    "an error in another file": {"scale.cu": '#line 1 ".git/config"\nint x = ;\n' + SCALE},
    "an include of the contract's": {"kernel.yaml": CONTRACT.replace("FILL", "zeros") + "include: [../../.git]\n",
                                     "scale.cu": "#include <config>\n" + SCALE},
    "an option of the contract's": {"kernel.yaml": CONTRACT.replace("FILL", "zeros") + 'options: ["--pre-include={beside}"]\n'},
    "a trigraph": {"kernel.yaml": CONTRACT.replace("FILL", "zeros") + 'options: ["--std=c++14"]\n', "scale.cu": '??=include "{beside}"\n' + SCALE},
    "an option for the assembler": {"kernel.yaml": CONTRACT.replace("FILL", "zeros") + 'options: ["--ptxas-options=--options-file={beside}"]\n'},
    "a source elsewhere": {"kernel.yaml": CONTRACT.replace("FILL", "zeros").replace("source: scale.cu", "source: ../../.git/config")},
    "a linked contract": {"kernel.yaml": pathlib.Path("/proc/self/environ")},
    "a linked source": {"scale.cu": pathlib.Path("../../.git/config")},
    "a linked reference": {"reference.cpp": pathlib.Path("../../.git/config")},
    "a linked input": {"kernel.yaml": CONTRACT.replace("FILL", 'file("data.npy")'), "data.npy": pathlib.Path("/proc/self/environ")},
}


def commands(example, step):
    """The script of a step of an example workflow."""
    lines = (EXAMPLES / example).read_text().splitlines()
    at = next(i for i, line in enumerate(lines) if line.strip() == f"- name: {step}")
    at = next(i for i in range(at, len(lines)) if lines[i].strip() == "run: |")
    indent = len(lines[at]) - len(lines[at].lstrip())
    script = []
    for line in lines[at + 1:]:
        if line.strip() and len(line) - len(line.lstrip()) <= indent:
            break
        script.append(line)
    return "\n".join(script).replace("~/warpwright/build/release/warpwright", '"$PROGRAM"')


@unittest.skipUnless(PROGRAM.exists(), "the program is not built")
class HostilePullRequests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.holder.name)
        cls.beside = cls.folder / "beside.txt"
        cls.beside.write_text(SECRETS["beside"] + "\n")
        cls.pipe = cls.folder / "pipe"
        os.mkfifo(cls.pipe)
        cls.cache = cls.folder / "cache"

    @classmethod
    def tearDownClass(cls):
        cls.holder.cleanup()

    def repository(self):
        checkout = self.folder / "checkout"
        shutil.rmtree(checkout, ignore_errors=True)
        (checkout / "src").mkdir(parents=True)
        subprocess.run(["git", "init", "--quiet", checkout], check=True)
        subprocess.run(["git", "-C", checkout, "config", "http.extraheader", f"AUTHORIZATION: {SECRETS['token']}"], check=True)
        with open(checkout / ".git" / "config", "a") as config:
            config.write("\n")
        return checkout

    def run_step(self, checkout, script, **variables):
        environment = {**os.environ, "PROGRAM": str(PROGRAM), "JOB_TOKEN": SECRETS["variable"], "WARPWRIGHT_CACHE": str(self.cache),
                       "GITHUB_STEP_SUMMARY": str(checkout / "summary.md"), **variables}
        outputs = ("sarif/*", "*.xml", "*.md", "*.json")
        for pattern in outputs:
            for file in checkout.glob(pattern):
                file.unlink()
        done = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", script], cwd=checkout, env=environment, capture_output=True, timeout=300)
        said = done.stdout + done.stderr
        for pattern in outputs:
            for file in checkout.glob(pattern):
                said += file.read_bytes()
        return done.returncode, said.decode(errors="replace")

    def expect_refused(self, code, said):
        self.assertNotEqual(code, 0, said)
        self.assertNotIn("internal check", said)
        for secret in SECRETS.values():
            # A part of it would be in a message that quotes one word.
            self.assertNotIn(secret, said)
            self.assertNotIn(secret[:12], said)
        self.assertNotIn("extraheader", said)

    def vet(self, text):
        checkout = self.repository()
        text = text.replace("{beside}", str(self.beside)).replace("{pipe}", str(self.pipe)) if "{beside}" in text or "{pipe}" in text else text
        (checkout / "src" / "x.cu").write_text(text.replace("{{", "{").replace("}}", "}") if "#embed" in text else text)
        (checkout / "src" / "evil.h").write_text('#include "../.git/config"\n')
        (checkout / "src" / "wrong.inc").write_text("tile[threadIdx.x] = missing;\n")
        (checkout / "src" / "environ.h").symlink_to("/proc/self/environ")
        (checkout / "src" / "up").symlink_to("..")
        return self.run_step(checkout, commands("github-vet.yml", "Vet the kernels"), FILES="src/*.cu")

    def test_an_honest_one_is_green(self):
        code, said = self.vet(LAUNCH + RIGHT)
        self.assertEqual(code, 0, said)
        self.assertIn("nothing found", said)

    def test_what_reads_other_files(self):
        doctor = subprocess.run([PROGRAM, "doctor"], capture_output=True, text=True, env={**os.environ, "WARPWRIGHT_CACHE": str(self.cache)}).stdout
        for name, text in {**READING, **(READING_IF_CONFINED if "(Landlock)" in doctor else {})}.items():
            with self.subTest(name):
                self.expect_refused(*self.vet(text))

    def test_what_would_not_be_looked_at(self):
        for name, text in NOT_LOOKED_AT.items():
            with self.subTest(name):
                code, said = self.vet(text)
                self.expect_refused(code, said)
                self.assertNotIn("nothing found", said)

    def test_a_source_that_is_a_link(self):
        checkout = self.repository()
        for target in ("../.git/config", "/proc/self/environ", str(self.beside), "/dev/zero"):
            with self.subTest(target):
                link = checkout / "src" / "x.cu"
                link.unlink(missing_ok=True)
                link.symlink_to(target)
                code, said = self.run_step(checkout, commands("github-vet.yml", "Vet the kernels"), FILES="src/*.cu")
                self.expect_refused(code, said)
                self.assertEqual(code, 2, said)

    def test_what_is_checked_against_a_baseline(self):
        checkout = self.repository()
        kernel = checkout / "my_kernels" / "scale"
        kernel.mkdir(parents=True)
        honest = {"kernel.yaml": CONTRACT.replace("FILL", "zeros"), "scale.cu": SCALE, "reference.cpp": REFERENCE}
        (checkout / "scale.yaml").write_text("kernel: scale\nproblems: [{n: 256}]\nemulated: [{n: 256}]\nspace: {THREADS: [64]}\n")

        def write(files):
            for name, content in files.items():
                (kernel / name).unlink(missing_ok=True)
                if isinstance(content, pathlib.Path):
                    (kernel / name).symlink_to(content)
                else:
                    (kernel / name).write_text(content.replace("{beside}", str(self.beside)))

        write(honest)
        made, said = self.run_step(checkout, '"$PROGRAM" baseline scale.yaml --kernels my_kernels -o baselines/my_kernel --quiet')
        self.assertEqual(made, 0, said)
        script = commands("github-actions.yml", "Check the kernels")
        code, said = self.run_step(checkout, script, BASELINE="baselines/my_kernel")
        self.assertEqual(code, 0, said)
        for name, files in CHECKED.items():
            with self.subTest(name):
                write(honest)
                write(files)
                self.expect_refused(*self.run_step(checkout, script, BASELINE="baselines/my_kernel"))
        write(honest)
        stored = checkout / "baselines" / "my_kernel"
        for file in ("baseline.yaml", "kernels/scale/scale.cu"):
            with self.subTest(file):
                kept = (stored / file).read_bytes()
                (stored / file).unlink()
                (stored / file).symlink_to("/proc/self/environ")
                code, said = self.run_step(checkout, script, BASELINE="baselines/my_kernel")
                self.expect_refused(code, said)
                self.assertEqual(code, 2, said)
                (stored / file).unlink()
                (stored / file).write_bytes(kept)


if __name__ == "__main__":
    unittest.main()
