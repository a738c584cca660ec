// Tests users' kernels whose inputs are not random: a filter from a .npy, a sparse matrix from a
// .mtx, a permutation that the reference generates.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "core/files.h"
#include "support/input_files.h"
#include "support/program.h"

namespace warpwright::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::EndsWith;
using ::testing::HasSubstr;

class GivenInputs : public ::testing::Test {
 protected:
  // `arguments` are the inputs; the output y and the scalar n are appended.
  void write_kernel(const std::string& arguments, const std::string& cases,
                    const std::string& reference, const std::string& source) const {
    write_text(kernel_ / "kernel.yaml",
               "kernel: given\nproblem: {n: {doc: elements}}\narguments:\n" + arguments +
                   "  - {name: y, out: f32, shape: [n], tolerance: {rel: "
                   "1e-5, abs: 1e-6}}\n"
                   "  - {name: n, value: n}\n"
                   "variants:\n"
                   "  plain:\n"
                   "    source: plain.cu\n"
                   "    launches: [{entry: given, grid: [\"ceil_div(n, "
                   "128)\"], block: [128]}]\n"
                   "reference: {source: reference.cpp, units: n}\n"
                   "work: {bytes: 8*n, flops: n}\n" +
                   cases);
    write_text(kernel_ / "reference.cpp", "#include \"reference.h\"\n" + reference);
    write_text(kernel_ / "plain.cu", source);
    write_text(folder_.path() / "given.yaml",
               "kernel: given\nproblems: [{n: 1000}]\nspace: {variant: plain}\n");
  }

  // The kernel computes y[i] = sum of x[i + k] * filter[k].
  void write_filter_kernel() const {
    write_kernel(
        "  - {name: x, in: f32, shape: [n + 2], fill: \"normal(0, 1)\"}\n"
        "  - {name: filter, in: f32, shape: [3], fill: 'file(\"filter.npy\")'}\n",
        "cases: [{name: raw, problem: {n: 5}, fill: {filter: \"file('data/impulse.bin')\"}}]\n",
        R"(int ww_reference(const ww_call* call) {
  const ww_tensor* x = ww::find_tensor(call, "x");
  const ww_tensor* filter = ww::find_tensor(call, "filter");
  double* y = ww::find_output(call, "y");
  for (int64_t u = 0; u < call->unit_count; ++u) {
    y[u] = 0;
    for (int k = 0; k < 3; ++k) y[u] += ww::load(x, call->units[u] + k) * ww::load(filter, k);
  }
  return 0;
}
)",
        R"(extern "C" __global__ void given(const float* x, const float* filter, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * filter[0] + x[i + 1] * filter[1] + x[i + 2] * filter[2];
}
)");
    write_text(kernel_ / "filter.npy", numpy_text("<f4", "(3,)", bytes_of<float>({0.5F, 2, -1})));
    write_text(kernel_ / "data" / "impulse.bin", bytes_of<float>({0, 1, 0}));
  }

  [[nodiscard]] ProgramResult sweep(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments = {"sweep",     (folder_.path() / "given.yaml").string(),
                                          "--kernels", (folder_.path() / "kernels").string(),
                                          "--device",  "emu:sm_90a",
                                          "--db",      database_};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments, {cache_});
  }
  [[nodiscard]] nlohmann::json sweep_json() const {
    const ProgramResult result = sweep({"--quiet", "--json"});
    EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
    return nlohmann::json::parse(result.out).at("sweep");
  }
  [[nodiscard]] ProgramResult repro(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments = {"repro", "1", "--db", database_, "-o", out_.string()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments, {cache_});
  }

  TemporaryFolder folder_;
  fs::path kernel_ = folder_.path() / "kernels" / "given";
  fs::path out_ = folder_.path() / "repro";
  std::string database_ = (folder_.path() / "results.db").string();
  std::string cache_ = "WARPWRIGHT_CACHE=" + (folder_.path() / "cache").string();
};

TEST_F(GivenInputs, AFilterComesFromAFile) {
  write_filter_kernel();
  EXPECT_EQ(sweep_json()["statuses"]["ok"], 1);
  EXPECT_EQ(sweep_json()["resumed"], 1);
}

TEST_F(GivenInputs, AnEditedFileIsMeasuredAnew) {
  write_filter_kernel();
  EXPECT_EQ(sweep_json()["resumed"], 0);
  write_text(kernel_ / "filter.npy", numpy_text("<f4", "(3,)", bytes_of<float>({0.5F, 2, -2})));
  EXPECT_EQ(sweep_json()["resumed"], 0);
  write_text(kernel_ / "data" / "impulse.bin", bytes_of<float>({1, 0, 0}));
  EXPECT_EQ(sweep_json()["resumed"], 0);
}

TEST_F(GivenInputs, AKernelThatIsWrongOnACasesFileIsFound) {
  write_filter_kernel();
  write_text(kernel_ / "plain.cu",
             R"(extern "C" __global__ void given(const float* x, const float*, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 0.5f * x[i] + 2 * x[i + 1] - x[i + 2];  // the filter of the file by heart
}
)");
  const ProgramResult result = sweep({"--quiet"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("case 'raw' (n=5): output 'y' is wrong at ["));
}

TEST_F(GivenInputs, AMissingFileIsFoundBeforeAnythingRuns) {
  write_filter_kernel();
  fs::remove(kernel_ / "filter.npy");
  const ProgramResult result = sweep({"--quiet"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err, "warpwright: " + (kernel_ / "kernel.yaml").string() +
                            ":5:47: arguments[1].fill: the fill needs a file, got nothing at " +
                            (kernel_ / "filter.npy").string() +
                            "; create it or correct the name\n  for the sweep " +
                            (folder_.path() / "given.yaml").string() + "\n");
  EXPECT_FALSE(fs::exists(database_));
}

TEST_F(GivenInputs, AFileOfAnotherShapeIsTheUsersError) {
  write_filter_kernel();
  write_text(kernel_ / "filter.npy", numpy_text("<f4", "(2,)", bytes_of<float>({1, 2})));
  const ProgramResult result = sweep({"--quiet"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr((kernel_ / "filter.npy").string() +
                                    ": the array has shape [2], expected [3], the shape of "
                                    "argument 'filter'\n"));
  EXPECT_THAT(result.err, HasSubstr("while preparing n=1000 of kernel 'given'"));
}

TEST_F(GivenInputs, ReproHoldsTheFiles) {
  write_filter_kernel();
  ASSERT_EQ(sweep({"--quiet"}).exit_code, 0);
  fs::remove_all(folder_.path() / "kernels");
  const ProgramResult result = repro({"--run", "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const nlohmann::json json = nlohmann::json::parse(result.out);
  EXPECT_TRUE(json["run"]["agrees"].get<bool>());
  EXPECT_TRUE(json["run"]["same_sources"].get<bool>());
  EXPECT_EQ(json["inputs_left_out"], nlohmann::json::array());
  EXPECT_EQ(read_file(out_ / "kernels/given/data/impulse.bin"), bytes_of<float>({0, 1, 0}));
}

TEST_F(GivenInputs, AFileThatIsTooLargeToStoreHasToBePutBack) {
  write_filter_kernel();
  constexpr std::int64_t kElements = 5'000'000;
  std::vector<float> filter(kElements);
  filter[1] = 3;
  write_text(kernel_ / "filter.npy", numpy_text("<f4", "(5000000,)", bytes_of(filter)));
  std::string contract = read_file(kernel_ / "kernel.yaml");
  contract.replace(contract.find("shape: [3]"), 10, "shape: [\"n == 5 ? 3 : 5000000\"]");
  write_text(kernel_ / "kernel.yaml", contract);
  const ProgramResult swept = sweep();
  ASSERT_EQ(swept.exit_code, 0) << swept.out << swept.err;
  EXPECT_THAT(swept.err, HasSubstr("kernels/given/filter.npy is too large to be stored with the "
                                   "results; `warpwright repro` will need it at its place\n"));
  const ProgramResult made = repro();
  EXPECT_EQ(made.exit_code, 0) << made.err;
  EXPECT_THAT(made.out,
              EndsWith("/ holds all that it takes but kernels/given/filter.npy, too large to be "
                       "stored: put what is missing there, then run it with " +
                       out_.string() + "/run.sh\n"));
  EXPECT_THAT(read_file(out_ / "README.md"),
              HasSubstr("\nThe input `kernels/given/filter.npy` was too large to be stored: put it "
                        "there before anything runs. Its SHA-256 is in "
                        "`kernels/given/filter.npy.sha256`.\n"));
  EXPECT_THAT(read_file(out_ / "kernels/given/filter.npy.sha256"), EndsWith("  filter.npy\n"));
  fs::remove_all(out_);
  const ProgramResult missing = repro({"--run"});
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_THAT(missing.err, HasSubstr("the fill needs a file, got nothing at " +
                                     (out_ / "kernels/given/filter.npy").string()));
}

// The matrix has 1000 columns and 1000 rows with one to three entries each.
TEST_F(GivenInputs, ASparseMatrixComesFromAFile) {
  write_kernel(
      "  - {name: offsets, in: i32, shape: [n + 1], fill: \"file('m.mtx', row_offsets)\"}\n"
      "  - {name: columns, in: i32, shape: [2*n - 1], fill: \"file('m.mtx', columns)\"}\n"
      "  - {name: values, in: f32, shape: [2*n - 1], fill: \"file('m.mtx', values)\"}\n"
      "  - {name: x, in: f32, shape: [n], fill: \"normal(0, 1)\"}\n",
      "",
      R"(int ww_reference(const ww_call* call) {
  const ww_tensor* offsets = ww::find_tensor(call, "offsets");
  const ww_tensor* columns = ww::find_tensor(call, "columns");
  double* y = ww::find_output(call, "y");
  for (int64_t u = 0; u < call->unit_count; ++u) {
    y[u] = 0;
    for (int64_t i = ww::load(offsets, call->units[u]); i < ww::load(offsets, call->units[u] + 1); ++i)
      y[u] += ww::load(ww::find_tensor(call, "values"), i) *
              ww::load(ww::find_tensor(call, "x"), static_cast<int64_t>(ww::load(columns, i)));
  }
  return 0;
}
)",
      R"(extern "C" __global__ void given(const int* offsets, const int* columns, const float* values,
                                 const float* x, float* y, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  float sum = 0;
  for (int i = offsets[row]; i < offsets[row + 1]; ++i) sum += values[i] * x[columns[i]];
  y[row] = sum;
}
)");
  // The matrix is bidiagonal.
  std::string matrix = "%%MatrixMarket matrix coordinate real general\n1000 1000 1999\n";
  for (int row = 1; row <= 1000; ++row) {
    if (row > 1) matrix += std::to_string(row) + " " + std::to_string(row - 1) + " -0.5\n";
    matrix += std::to_string(row) + " " + std::to_string(row) + " " + std::to_string(row) + "\n";
  }
  write_text(kernel_ / "m.mtx", matrix);
  EXPECT_EQ(sweep_json()["statuses"]["ok"], 1);

  const ProgramResult smaller = sweep({"--quiet", "--set", "n=500"});
  EXPECT_EQ(smaller.exit_code, 2);
  EXPECT_THAT(
      smaller.err,
      HasSubstr("m.mtx: row_offsets has shape [1001], expected [501], the shape of argument "
                "'offsets'\n"));
}

class GeneratedPermutation : public GivenInputs {
 protected:
  // The result is y[order[i]] = x[i]: the kernel scatters by a permutation, the reference gathers
  // by its inverse.
  void write_scatter_kernel(const std::string& fill) const {
    write_kernel(
        "  - {name: order, in: i32, shape: [n], fill: generator}\n"
        "  - {name: inverse, in: i32, shape: [n], fill: argsort(order)}\n"
        "  - {name: x, in: f32, shape: [n], fill: \"normal(0, 1)\"}\n",
        "cases: [{name: other, problem: {n: 65}, fill: {order: shuffled_range}}]\n",
        fill +
            R"(int ww_reference(const ww_call* call) {
  const ww_tensor* inverse = ww::find_tensor(call, "inverse");
  double* y = ww::find_output(call, "y");
  for (int64_t u = 0; u < call->unit_count; ++u)
    y[u] = ww::load(ww::find_tensor(call, "x"),
                    static_cast<int64_t>(ww::load(inverse, call->units[u])));
  return 0;
}
)",
        R"(extern "C" __global__ void given(const int* order, const int*, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[order[i]] = x[i];
}
)");
  }
};

constexpr const char* kShuffle = R"(
#include <vector>
int ww_fill(const ww_call* call, const char* argument, const ww_fill_target* target) {
  std::vector<int64_t> order(target->elements);
  for (int64_t i = 0; i < target->elements; ++i) {
    const int64_t at = ww::below(target, i, i + 1);
    order[i] = order[at];
    order[at] = i;
  }
  for (int64_t i = 0; i < target->elements; ++i) ww::store(target, i, order[i]);
  return 0;
}
)";

TEST_F(GeneratedPermutation, IsMadeByTheReference) {
  write_scatter_kernel(kShuffle);
  EXPECT_EQ(sweep_json()["statuses"]["ok"], 1);
  const ProgramResult profiled =
      run_program({"profile", "given", "--problem", "n=1000", "--kernels",
                   (folder_.path() / "kernels").string(), "--json"},
                  {cache_});
  EXPECT_EQ(profiled.exit_code, 0) << profiled.err;
}

TEST_F(GeneratedPermutation, AReferenceWithoutItIsTheUsersError) {
  write_scatter_kernel("");
  const ProgramResult result = sweep({"--quiet"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err,
              HasSubstr("reference.cpp: the reference does not define ww_fill, which argument "
                        "'order' needs for its generator; define `int ww_fill("));
}

}  // namespace
}  // namespace warpwright::testing
