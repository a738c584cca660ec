// A kernel folder small enough to be read in a test: y = 2x over [rows, V], with one case of a
// single row.
#pragma once

#include <filesystem>
#include <string>

#include "compile/compile_job.h"
#include "core/error.h"
#include "core/files.h"
#include "spec/kernel_spec.h"
#include "support/fake_device.h"
#include "support/write_text.h"
#include "trial/trial_runner.h"

namespace warpwright::testing {

inline std::string tiny_contract() {
  return R"yaml(kernel: twice
summary: y = 2x
problem:
  rows: {doc: rows}
  V: {doc: columns}
arguments:
  - {name: x, in: f32, shape: [rows, V], fill: "normal(0, 1)"}
  - {name: y, out: f32, shape: [rows, V], tolerance: {abs: 1e-6, rel: 1e-6}}
  - {name: count, value: rows * V}
parameters:
  THREADS: {default: 128, min: 1, max: 4096}
variants:
  plain:
    source: twice.cu
    launches: [{entry: twice, grid: ["ceil_div(rows * V, THREADS)"], block: [THREADS]}]
    parameters: [THREADS]
reference: {source: reference.cpp, units: rows}
work: {bytes: "8 * rows * V", flops: "rows * V"}
cases:
  - {name: one_row, problem: {rows: 1, V: 5}, fill: {x: "choice(0, 1)"}}
)yaml";
}

inline std::string tiny_reference() {
  return R"cpp(#include "reference.h"

               int ww_reference(const ww_call* call) {
                 const ww_tensor* x = ww::find_tensor(call, "x");
                 double* y = ww::find_output(call, "y");
                 const int64_t width = ww::size(call, "V");
                 if (x == nullptr || y == nullptr) return ww::fail(call, "x or y is missing");
                 for (int64_t u = 0; u < call->unit_count; ++u)
                   for (int64_t i = 0; i < width; ++i)
                     y[u * width + i] = 2 * ww::load(x, call->units[u] * width + i);
                 return 0;
               }
  )cpp";
}

inline std::string tiny_source() {
  return R"(extern "C" __global__ void twice(const float* x, float* y, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) y[i] = 2 * x[i];
}
)";
}

// The folder in a temporary location. Texts may be changed before read().
struct TinyKernel {
  TemporaryFolder folder{"warpwright-tiny"};
  std::string contract = tiny_contract();
  std::string reference = tiny_reference();
  std::string source = tiny_source();

  void replace(const std::string& from, const std::string& to) {
    const std::size_t at = contract.find(from);
    WARPWRIGHT_CHECK(at != std::string::npos, "the contract holds what is to be replaced");
    contract.replace(at, from.size(), to);
  }

  [[nodiscard]] KernelSpec read() const {
    write_text(folder.path() / "kernel.yaml", contract);
    write_text(folder.path() / "reference.cpp", reference);
    write_text(folder.path() / "twice.cu", source);
    return read_kernel(folder.path() / "kernel.yaml");
  }
};

inline std::filesystem::path reference_include() {
  return std::filesystem::path(WARPWRIGHT_SOURCE_DIR) / "kernels" / "common";
}

// The cache lies in the build folder, because each test may run in a process of its own, and
// entries are found by content.
inline std::filesystem::path shared_cache() {
  return std::filesystem::path(WARPWRIGHT_BINARY_DIR) / "test_cache";
}

inline TrialOptions tiny_options() {
  TrialOptions options;
  options.reference_include = reference_include();
  options.cache_folder = shared_cache();
  return options;
}

inline std::map<std::string, Value> tiny_problem(int rows = 3, int width = 7) {
  return {{"rows", rows}, {"V", width}};
}

inline Configuration tiny_configuration(int threads = 128) {
  return {"plain", {{"THREADS", threads}}};
}

// A compile result that a FakeDevice accepts.
inline CompileResult fake_compiled(const std::string& cubin = "cubin") {
  CompileResult compiled;
  compiled.ok = true;
  compiled.cubin = cubin;
  return compiled;
}

// The correct kernel; other tests break it.
inline void twice(const FakeArguments& arguments) {
  const float* x = arguments.pointer<const float>(0);
  float* y = arguments.pointer<float>(1);
  for (int i = 0; i < arguments.value<int>(2); ++i) y[i] = 2 * x[i];
}

inline FakeKernel correct_twice() {
  return [](const FakeArguments& arguments, LaunchResult&) { twice(arguments); };
}

}  // namespace warpwright::testing
