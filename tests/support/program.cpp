#include "support/program.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "core/files.h"

namespace warpwright::testing {
namespace fs = std::filesystem;
namespace {

// Runs in the child alone; its output must not depend on the environment of the tests.
[[noreturn]] void run_instead(const std::vector<std::string>& arguments,
                              const std::vector<std::string>& environment) {
  setenv("LC_ALL", "C.UTF-8", 1);
  unsetenv("COLUMNS");
  for (const std::string& variable : environment) {
    const std::size_t equals = variable.find('=');
    setenv(variable.substr(0, equals).c_str(), variable.substr(equals + 1).c_str(), 1);
  }
  std::vector<char*> raw;
  for (const std::string& argument : arguments) raw.push_back(const_cast<char*>(argument.c_str()));
  raw.push_back(nullptr);
  execv(raw[0], raw.data());
  _exit(127);
}

// Runs in the child between fork and exec.
[[noreturn]] void become(const std::vector<std::string>& arguments,
                         const std::vector<std::string>& environment, const fs::path& out,
                         const fs::path& err) {
  setpgid(0, 0);
  const int null = open("/dev/null", O_RDONLY);
  const int out_file = open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  const int err_file = open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  dup2(null, 0);
  dup2(out_file, 1);
  dup2(err_file, 2);
  run_instead(arguments, environment);
}

[[noreturn]] void become_on(int terminal, const std::vector<std::string>& arguments,
                            const std::vector<std::string>& environment) {
  setsid();
  ioctl(terminal, TIOCSCTTY, 0);
  for (const int stream : {0, 1, 2}) dup2(terminal, stream);
  setenv("TERM", "xterm", 1);
  unsetenv("NO_COLOR");
  run_instead(arguments, environment);
}

std::vector<std::string> with_program(const std::vector<std::string>& arguments) {
  std::vector<std::string> all = {warpwright_program()};
  all.insert(all.end(), arguments.begin(), arguments.end());
  return all;
}

}  // namespace

std::string warpwright_program() { return std::string(WARPWRIGHT_BINARY_DIR) + "/warpwright"; }

int start_program(const std::vector<std::string>& arguments, const fs::path& out,
                  const fs::path& err) {
  const pid_t pid = fork();
  if (pid == 0) become(with_program(arguments), {}, out, err);
  return pid;
}

ProgramResult run_program(const std::vector<std::string>& arguments,
                          const std::vector<std::string>& environment) {
  const TemporaryFolder folder("warpwright-run");
  const fs::path out = folder.path() / "out";
  const fs::path err = folder.path() / "err";
  const pid_t pid = fork();
  if (pid == 0) become(with_program(arguments), environment, out, err);
  if (pid < 0) throw std::runtime_error("fork failed");
  int status = 0;
  waitpid(pid, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read_file(out),
          read_file(err)};
}

ProgramResult run_on_terminal(const std::vector<std::string>& arguments, unsigned short columns,
                              unsigned short rows, const std::vector<std::string>& environment) {
  const int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0)
    throw std::runtime_error("no pseudo-terminal");
  const winsize size{rows, columns, 0, 0};
  ioctl(master, TIOCSWINSZ, &size);
  const int terminal = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
  const pid_t pid = fork();
  if (pid == 0) become_on(terminal, with_program(arguments), environment);
  close(terminal);
  ProgramResult result;
  std::array<char, 4096> piece{};
  // The last one to close the terminal ends it with an error, not with an end of file.
  for (ssize_t got = 0; (got = read(master, piece.data(), piece.size())) > 0;)
    result.out.append(piece.data(), static_cast<std::size_t>(got));
  close(master);
  int status = 0;
  waitpid(pid, &status, 0);
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

void write_square_kernel(const fs::path& folder) {
  const fs::path kernel = folder / "kernels" / "square";
  write_text(kernel / "kernel.yaml", R"yaml(kernel: square
summary: Squares every element
problem:
  n: {doc: elements}
arguments:
  - {name: x, in: f32, shape: [n], fill: "normal(0, 1)"}
  - {name: y, out: f32, shape: [n], tolerance: {abs: 0, rel: 1e-6}}
  - {name: n, value: n}
parameters:
  THREADS: {default: 128, doc: threads per block, min: 1, max: 1024}
  PER_THREAD: {default: 1, doc: elements per thread, min: 1, max: 8}
variants:
  plain:
    doc: one element after another
    source: plain.cu
    launches: [{entry: square, grid: ["ceil_div(n, THREADS * PER_THREAD)"], block: [THREADS]}]
    parameters: [THREADS, PER_THREAD]
reference: {source: reference.cpp, units: n}
work: {bytes: "8 * n", flops: "n", flops_convention: full}
cases:
  - {name: odd, problem: {n: 1001}}
  - {name: one, problem: {n: 1}}
)yaml");
  write_text(kernel / "plain.cu", R"(#ifndef THREADS
#define THREADS 128
#endif
#ifndef PER_THREAD
#define PER_THREAD 1
#endif
extern "C" __global__ void square(const float* x, float* y, int n) {
  const int base = blockIdx.x * THREADS * PER_THREAD + threadIdx.x;
  for (int i = 0; i < PER_THREAD; ++i) {
    const int at = base + i * THREADS;
    if (at < n) y[at] = x[at] * x[at];
  }
}
)");
  write_text(kernel / "reference.cpp", R"(#include "reference.h"
int ww_reference(const ww_call* call) {
  const ww_tensor* x = ww::find_tensor(call, "x");
  double* y = ww::find_output(call, "y");
  if (x == nullptr || y == nullptr) return ww::fail(call, "square takes x and gives y");
  for (int64_t i = 0; i < call->unit_count; ++i) {
    const double value = ww::load(x, call->units[i]);
    y[i] = value * value;
  }
  return 0;
}
)");
  write_text(folder / "square.yaml", R"(kernel: square
problems: [{n: 100000}]
emulated: [{n: 5000}]
space:
  THREADS: [32, 64, 128, 256]
  PER_THREAD: [1, 2, 4]
constraints: ["THREADS * PER_THREAD <= 512"]
)");
}

}  // namespace warpwright::testing
