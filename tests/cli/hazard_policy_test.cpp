// Tests a kernel from outside the repository, with variants that work although the checkers object
// and one that does not work, through the program: `hazards` in the sweep, --hazards, and the
// reports.
#include <gmock/gmock.h>

#include <map>
#include <nlohmann/json.hpp>

#include "core/files.h"
#include "support/program.h"

namespace warpwright::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kContract = R"yaml(kernel: mirror
summary: y is x with every 64 elements in reverse
problem: {n: {doc: elements}}
arguments:
  - {name: x, in: f32, shape: [n], fill: "normal(0, 1)"}
  - {name: y, out: f32, shape: [n], match: close, tolerance: {abs: 1e-6}}
  - {name: n, value: n}
variants:
  returns: {source: returns.cu, launches: [{entry: mirror, grid: "ceil_div(n, 64)", block: 64}]}
  flags: {source: flags.cu, launches: [{entry: mirror, grid: "ceil_div(n, 64)", block: 64}]}
  edge: {source: edge.cu, launches: [{entry: mirror, grid: "ceil_div(n, 64)", block: 64}]}
  races: {source: races.cu, launches: [{entry: mirror, grid: "ceil_div(n, 64)", block: 64}]}
reference: {source: reference.cpp, units: n}
work: {bytes: 8*n, flops: n}
cases:
  - {name: whole, problem: {n: 128}}
  - {name: part, problem: {n: 70}}
)yaml";

// The last block is partial and reverses only its own elements.
constexpr const char* kHead =
    R"(extern "C" __global__ void mirror(const float* x, float* y, int n) {
  __shared__ float tile[64];
  const int first = blockIdx.x * 64;
  const int count = min(64, n - first);
  const int t = threadIdx.x;
)";

constexpr const char* kReference = R"(#include "reference.h"
int ww_reference(const ww_call* call) {
  const ww_tensor* x = ww::find_tensor(call, "x");
  double* y = ww::find_output(call, "y");
  const int64_t n = ww::size(call, "n");
  for (int64_t i = 0; i < call->unit_count; ++i) {
    const int64_t at = call->units[i];
    const int64_t first = at / 64 * 64;
    const int64_t count = n - first < 64 ? n - first : 64;
    y[i] = ww::load(x, first + count - 1 - (at - first));
  }
  return 0;
}
)";

class HazardPolicyOfSweeps : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto kernel = folder_.path() / "kernels/mirror";
    write_text(kernel / "kernel.yaml", kContract);
    write_text(kernel / "reference.cpp", kReference);
    const std::string head = kHead;
    write_text(kernel / "returns.cu", head + R"(  if (t >= count) return;
  tile[t] = x[first + t];
  __syncthreads();
  y[first + t] = tile[count - 1 - t];
}
)");
    write_text(kernel / "flags.cu", head + R"(  __shared__ bool whole;
  if (t % 32 == 0) whole = count == 64;
  if (t < count) tile[t] = x[first + t];
  __syncthreads();
  if (whole || t < count) y[first + t] = tile[count - 1 - t];
}
)");
    write_text(kernel / "edge.cu", head + R"(  if (t < count) tile[t] = x[first + t];
  __syncthreads();
  const float mine = tile[(count - 1 - t) & 63];
  __syncthreads();
  if (t < count) y[first + t] = mine;
}
)");
    write_text(kernel / "races.cu", head + R"(  if (t < count) tile[t] = x[first + t];
  if (t < count) y[first + t] = tile[count - 1 - t];
}
)");
    write_sweep("");
  }

  void write_sweep(const std::string& more) const {
    write_text(folder_.path() / "mirror.yaml", "kernel: mirror\nproblems: [{n: 1000}]\n" + more);
  }
  ProgramResult run(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--db", (folder_.path() / "x.db").string()});
    return run_program(arguments, {cache_});
  }
  ProgramResult sweep(const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments = {"sweep",     (folder_.path() / "mirror.yaml").string(),
                                          "--kernels", (folder_.path() / "kernels").string(),
                                          "--device",  "emu:sm_90a",
                                          "--quiet"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }
  nlohmann::json sweep_json(std::vector<std::string> more = {}) {
    more.push_back("--json");
    const ProgramResult result = sweep(more);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return nlohmann::json::parse(result.out);
  }

  const nlohmann::json warned_ = {{"ok", 3}, {"wrong_result", 1}};
  const nlohmann::json rejected_ = {{"ok", 1}, {"hazard", 3}};
  TemporaryFolder folder_;
  // Entries of this cache are identified by their content, so tests share it.
  const std::string cache_ = "WARPWRIGHT_CACHE=" WARPWRIGHT_BINARY_DIR "/test_cache";
};

TEST_F(HazardPolicyOfSweeps, KernelsOfOthersAreJudgedByTheirResults) {
  const ProgramResult result = sweep();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(
      result.out,
      HasSubstr("\n! works, but the checkers object: exit before barrier (1), shared race of equal "
                "values (1); `warpwright vet mirror --kernels " +
                (folder_.path() / "kernels").string() + "` tells more\n"));
  EXPECT_THAT(
      result.out,
      HasSubstr("\n2 configurations work but do what the checkers object to: exit before barrier "
                "(1), shared race of equal values (1); `warpwright vet mirror --kernels " +
                (folder_.path() / "kernels").string() + "` tells more\n"));
  const ProgramResult shown = run({"show", "mirror"});
  EXPECT_THAT(shown.out,
              HasSubstr("\n! works, but the checkers object: exit before barrier (1), shared race "
                        "of equal values (1); `warpwright vet mirror` tells more\n"));
  EXPECT_THAT(run({"show", "mirror", "--why"}).out,
              HasSubstr("; the checkers object: shared race at "));
}

TEST_F(HazardPolicyOfSweeps, JsonHoldsWhatWasFound) {
  const nlohmann::json json = sweep_json();
  EXPECT_EQ(json["sweep"]["statuses"], warned_);
  const nlohmann::json objections = {
      {"configurations", 2},
      {"kinds", {{"exit before barrier", 1}, {"shared race of equal values", 1}}}};
  EXPECT_EQ(json["sweep"]["objections"], objections);
  std::map<std::string, nlohmann::json> measurements;
  for (const nlohmann::json& entry : json["leaderboards"][0]["entries"])
    measurements[entry["variant"]] = entry["measurement"];
  EXPECT_FALSE(measurements.at("edge").contains("hazards"));
  ASSERT_EQ(measurements.at("flags")["hazards"].size(), 1u);
  EXPECT_EQ(measurements.at("flags")["hazards"][0]["kind"], "shared race of equal values");
  ASSERT_EQ(measurements.at("returns")["hazards"].size(), 1u);
  EXPECT_THAT(measurements.at("returns")["hazards"][0]["text"].get<std::string>(),
              AllOf(HasSubstr("case 'part' (n=70): exit before barrier at "),
                    HasSubstr("returns.cu:8 with "),
                    HasSubstr(": barrier 0 completes although 32 of 64 threads have exited")));
}

TEST_F(HazardPolicyOfSweeps, TheOptionRejectsThem) {
  EXPECT_EQ(sweep_json({"--hazards", "reject"})["sweep"]["statuses"], rejected_);
  const ProgramResult shown = run({"show", "mirror"});
  EXPECT_THAT(shown.out, Not(HasSubstr("works, but")));
}

TEST_F(HazardPolicyOfSweeps, TheSweepRejectsThemAndTheOptionComesFirst) {
  write_sweep("hazards: reject\n");
  EXPECT_EQ(sweep_json()["sweep"]["statuses"], rejected_);
  EXPECT_EQ(sweep_json({"--hazards", "warn"})["sweep"]["statuses"], warned_);
}

TEST_F(HazardPolicyOfSweeps, OnlyWhatThePolicyConcernsIsRunAgain) {
  EXPECT_EQ(sweep_json({"--hazards", "reject"})["sweep"]["resumed"], 0);
  const nlohmann::json warned = sweep_json();
  EXPECT_EQ(warned["sweep"]["resumed"], 1);
  EXPECT_EQ(warned["sweep"]["statuses"], warned_);
  EXPECT_EQ(sweep_json()["sweep"]["resumed"], 4);
  const nlohmann::json rejected = sweep_json({"--hazards", "reject"});
  EXPECT_EQ(rejected["sweep"]["resumed"], 1);
  EXPECT_EQ(rejected["sweep"]["statuses"], rejected_);
}

TEST_F(HazardPolicyOfSweeps, AReproOfWhatWasKeptEndsAlike) {
  for (const nlohmann::json& entry : sweep_json()["leaderboards"][0]["entries"]) {
    const std::string trial = std::to_string(entry["trial"].get<int>());
    const auto into = folder_.path() / ("repro-" + trial);
    const ProgramResult result = run({"repro", trial, "-o", into.string(), "--run", "--json"});
    EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
    EXPECT_EQ(nlohmann::json::parse(result.out)["run"]["status"], "ok");
    const std::string text = read_file(into / "sweep.yaml");
    EXPECT_EQ(text.find("\nhazards: warn\n") != std::string::npos, entry["variant"] != "edge")
        << text;
  }
}

TEST_F(HazardPolicyOfSweeps, VetTellsEverything) {
  const ProgramResult result = run_program(
      {"vet", (folder_.path() / "kernels/mirror").string(), "--schedules", "1", "--quiet"},
      {cache_});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("returns.cu:8: hazard: exit before barrier: barrier 0 completes "),
                    HasSubstr("returns.cu:8: fix: move the return below the barrier, or guard the "
                              "work instead of returning\n"),
                    HasSubstr("flags.cu:7: hazard: shared race of equal values: store of 1 byte "),
                    HasSubstr("hazard: shared race: "), Not(HasSubstr("edge.cu"))));
}

TEST_F(HazardPolicyOfSweeps, AnotherPolicyIsTheUsersError) {
  const ProgramResult result = sweep({"--hazards", "warning"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("--hazards: got 'warning', expected reject or warn; see "));
  write_sweep("hazards: wran\n");
  EXPECT_THAT(sweep().err,
              HasSubstr("mirror.yaml:3:10: hazards: got 'wran', expected reject or warn; did you "
                        "mean 'warn'?\n"));
}

}  // namespace
}  // namespace warpwright::testing
