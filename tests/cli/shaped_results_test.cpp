// Tests configurations with different results: partial results whose number is tuned, and launches
// that do several steps and are compared by the time of one.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "core/files.h"
#include "support/program.h"
#include "support/write_text.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;

constexpr const char* kSums = R"cuda(
template <class T, int threads>
__global__ void sums(const T* x, T* out, int n) {
  __shared__ T all[threads];
  T sum = 0;
  const int last = min(n, (blockIdx.x + 1) * PART);
  for (int i = blockIdx.x * PART + threadIdx.x; i < last; i += threads) sum += x[i];
  all[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int i = 1; i < threads; ++i) sum += all[i];
  out[blockIdx.x] = sum;
}
)cuda";

constexpr const char* kSumsContract = R"yaml(kernel: sums
problem: {n: {}}
arguments:
  - {name: x, in: f32, shape: [n], fill: "normal(0, 1)"}
  - {name: out, out: f32, shape: ["ceil_div(n, PART)"], tolerance: {accumulate: PART}}
  - {name: n, value: n}
parameters: {THREADS: {default: 32}, PART: {default: 64}}
variants:
  plain:
    source: sums.cu
    launches: [{entry: "sums<float, THREADS>", grid: ["ceil_div(n, PART)"], block: [THREADS]}]
    parameters: [THREADS, PART]
reference: {source: reference.cpp, units: "ceil_div(n, PART)"}
work: {bytes: "4 * n + 4 * ceil_div(n, PART)", flops: n}
cases: [{name: odd, problem: {n: 101}}]
)yaml";

constexpr const char* kSumsReference = R"cpp(#include "reference.h"
                                             int ww_reference(const ww_call* call) {
                                               const ww_tensor* x = ww::find_tensor(call, "x");
                                               double* out = ww::find_output(call, "out");
                                               const int64_t n = ww::size(call, "n"), part = ww::size(call, "PART");
                                               for (int64_t u = 0; u < call->unit_count; ++u) {
                                                 out[u] = 0;
                                                 for (int64_t i = call->units[u] * part; i < n && i < (call->units[u] + 1) * part; ++i)
                                                   out[u] += ww::load(x, i);
                                               }
                                               return 0;
                                             }
)cpp";

constexpr const char* kSteps = R"cuda(
extern "C" __global__ void relax(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
  for (int s = 0; s < STEPS; ++s) v = 0.5f * v + 1.0f;
  y[i] = v;
}
)cuda";

constexpr const char* kStepsContract = R"yaml(kernel: relax
problem: {n: {}}
arguments:
  - {name: x, in: f32, shape: [n], fill: "normal(0, 1)"}
  - {name: y, out: f32, shape: [n], tolerance: {abs: 1e-5}}
  - {name: n, value: n}
parameters: {STEPS: {default: 1}}
variants:
  plain: {source: relax.cu, launches: [{entry: relax, grid: ["ceil_div(n, 64)"], block: 64}], parameters: [STEPS]}
reference: {source: reference.cpp, units: n}
work: {bytes: "8 * n", flops: "2 * n * STEPS", per: STEPS}
cases: [{name: odd, problem: {n: 101}}]
)yaml";

constexpr const char* kStepsReference = R"cpp(#include "reference.h"
                                              int ww_reference(const ww_call* call) {
                                                const ww_tensor* x = ww::find_tensor(call, "x");
                                                double* y = ww::find_output(call, "y");
                                                for (int64_t u = 0; u < call->unit_count; ++u) {
                                                  y[u] = ww::load(x, call->units[u]);
                                                  for (int64_t s = 0; s < ww::size(call, "STEPS"); ++s) y[u] = 0.5 * y[u] + 1;
                                                }
                                                return 0;
                                              }
)cpp";

class ShapedResults : public ::testing::Test {
 protected:
  void write(const std::string& kernel, const char* source, const std::string& contract,
             const char* reference, const std::string& sweep) const {
    const auto folder = folder_.path() / "kernels" / kernel;
    write_text(folder / (kernel + ".cu"), source);
    write_text(folder / "kernel.yaml", contract);
    write_text(folder / "reference.cpp", reference);
    write_text(folder_.path() / (kernel + ".yaml"), sweep);
  }
  void write_sums() const {
    write(
        "sums", kSums, kSumsContract, kSumsReference,
        "kernel: sums\nproblems: [{n: 1000}]\nspace: {THREADS: [32, 64], PART: [64, 100, 256]}\n");
  }
  void write_steps(const std::string& contract = kStepsContract) const {
    write("relax", kSteps, contract, kStepsReference,
          "kernel: relax\nproblems: [{n: 1000}]\nspace: {STEPS: [1, 2, 4]}\n");
  }
  [[nodiscard]] ProgramResult run(const std::vector<std::string>& words, bool quiet = false) const {
    std::vector<std::string> all = words;
    for (const std::string& word :
         {std::string("--kernels"), (folder_.path() / "kernels").string()})
      all.push_back(word);
    if (quiet) all.emplace_back("--quiet");
    return run_program(all, {"WARPWRIGHT_CACHE=" + (folder_.path() / "cache").string()});
  }
  [[nodiscard]] std::string database() const { return (folder_.path() / "x.db").string(); }
  [[nodiscard]] ProgramResult sweep(const std::string& kernel,
                                    const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {"sweep",    (folder_.path() / (kernel + ".yaml")).string(),
                                      "--device", "emu:sm_90a",
                                      "--db",     database()};
    words.insert(words.end(), more.begin(), more.end());
    return run(words, true);
  }
  [[nodiscard]] nlohmann::json entries(const std::string& kernel) const {
    const ProgramResult result = sweep(kernel, {"--json"});
    EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
    return nlohmann::json::parse(result.out)["leaderboards"][0]["entries"];
  }

  TemporaryFolder folder_;
};

TEST_F(ShapedResults, PartialResultsAreJudgedWhateverTheirNumber) {
  write_sums();
  const nlohmann::json all = entries("sums");
  ASSERT_EQ(all.size(), 6U);
  for (const nlohmann::json& entry : all) {
    const int parts = (1000 + entry["configuration"]["PART"].get<int>() - 1) /
                      entry["configuration"]["PART"].get<int>();
    EXPECT_EQ(entry["work_bytes"], 4000 + 4 * parts);
    EXPECT_EQ(entry["work_bytes_written"], 4 * parts);
  }
}

TEST_F(ShapedResults, ASweepTellsWhatItsValidationWasSpentOn) {
  write_sums();
  const auto json = nlohmann::json::parse(sweep("sums", {"--json"}).out);
  double cases = 0, inputs = 0;
  for (const nlohmann::json& entry : json["leaderboards"][0]["entries"]) {
    cases += entry["measurement"]["case_seconds"].get<double>();
    inputs += entry["measurement"]["input_seconds"].get<double>();
  }
  EXPECT_GT(cases, 0);
  EXPECT_GT(inputs, 0);
  EXPECT_NEAR(json["sweep"]["case_seconds"].get<double>(), cases, 1e-9);
  EXPECT_NEAR(json["sweep"]["input_seconds"].get<double>(), inputs, 1e-9);
}

TEST_F(ShapedResults, APartThatIsWrongIsFound) {
  write_sums();
  std::string source = kSums;
  source.replace(source.find("(blockIdx.x + 1) * PART"), 23, "(blockIdx.x + 1) * 64");
  write_text(folder_.path() / "kernels/sums/sums.cu", source);
  const auto json = nlohmann::json::parse(sweep("sums", {"--json"}).out);
  EXPECT_EQ(json["sweep"]["statuses"], (nlohmann::json{{"ok", 2}, {"wrong_result", 4}}));
}

TEST_F(ShapedResults, LaunchesOfSeveralStepsAreComparedByTheTimeOfOne) {
  write_steps();
  const nlohmann::json all = entries("relax");
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0]["configuration"]["STEPS"], 4);
  for (const nlohmann::json& entry : all) {
    const double steps = entry["configuration"]["STEPS"].get<double>();
    EXPECT_DOUBLE_EQ(entry["work_bytes"].get<double>(), 8000 / steps);
    EXPECT_DOUBLE_EQ(entry["work_flops"].get<double>(), 2000);
    if (steps > 1) {
      EXPECT_EQ(entry["measurement"]["units"], steps);
    }
  }
  EXPECT_THAT(sweep("relax").out, HasSubstr("modelled, not measured, of one unit of work\n"));
}

TEST_F(ShapedResults, ASourceThatForgetsWhatItComputesIsWrong) {
  write_steps();
  std::string source = kSteps;
  source.replace(source.find("s < STEPS"), 9, "s < 1");
  write_text(folder_.path() / "kernels/relax/relax.cu", source);
  const auto json = nlohmann::json::parse(sweep("relax", {"--json"}).out);
  EXPECT_EQ(json["sweep"]["statuses"], (nlohmann::json{{"ok", 1}, {"wrong_result", 2}}));
}

TEST_F(ShapedResults, OtherVerbsKnowWhatAConfigurationComputes) {
  write_steps();
  ASSERT_EQ(sweep("relax").exit_code, 0);
  const ProgramResult again = run_program(
      {"repro", "3", "--run", "--db", database(), "-o", (folder_.path() / "again").string()},
      {"WARPWRIGHT_CACHE=" + (folder_.path() / "cache").string()});
  EXPECT_EQ(again.exit_code, 0) << again.err << again.out;
  const ProgramResult bench = run({"bench", "relax", "--db", database(), "--device", "emu:sm_90a"});
  EXPECT_EQ(bench.exit_code, 0) << bench.err;
  const std::string baseline = (folder_.path() / "baseline").string();
  ASSERT_EQ(run({"baseline", "relax", "--db", database(), "-o", baseline}).exit_code, 0);
  const ProgramResult check = run({"check", baseline, "--device", "emu:sm_90a"});
  EXPECT_EQ(check.exit_code, 0) << check.err << check.out;
  write_sums();
  const ProgramResult profile = run({"profile", "sums", "--problem", "n=1000", "--configuration",
                                     "PART=64", "--configuration", "PART=256", "--lines", "0"});
  EXPECT_EQ(profile.exit_code, 0) << profile.err;
  const ProgramResult refused =
      run_program({"export", "relax", "--format", "header", "--db", database()});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err,
              HasSubstr("kernel 'relax': what it computes depends on the parameter STEPS, which "
                        "exported headers cannot say; export JSON"));
}

TEST_F(ShapedResults, UnitsOfWorkArePositive) {
  std::string contract = kStepsContract;
  contract.replace(contract.find("per: STEPS"), 10, "per: 0 * STEPS");
  write_steps(contract);
  const ProgramResult result = sweep("relax");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("work.per: '0 * STEPS' is 0, expected more than 0"));
}

}  // namespace
}  // namespace warpwright::testing
