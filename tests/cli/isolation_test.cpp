// Tests workers that are killed or that run out of memory while a sweep runs: innocent trials pass,
// guilty ones fail alone and with a reason.
#include <gmock/gmock.h>

#include <random>

#include "support/square_sweep.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class Isolation : public SquareSweep {
 protected:
  // Returns the status and the reason of the only trial of a sweep with this kernel source.
  nlohmann::json only_trial(const std::string& source, const std::string& limit,
                            int exit_code) const {
    write_text(
        folder_.path() / "square.yaml",
        "kernel: square\nproblems: [{n: 1000}]\nspace: {THREADS: [1024], PER_THREAD: [1]}\n");
    write_text(folder_.path() / "kernels" / "square" / "plain.cu", source);
    const ProgramResult result =
        run_program(arguments("x.db", {"--json", "--quiet"}), {"WARPWRIGHT_MEMORY_LIMIT=" + limit});
    EXPECT_EQ(result.exit_code, exit_code) << result.err;
    const Database database(folder_.path() / "x.db", OpenMode::kReadOnly);
    const auto trials = database.trials({});
    EXPECT_EQ(trials.size(), 1u);
    return {{"status", std::string(status_name(trials.at(0).trial.status))},
            {"reason", trials.at(0).trial.reason}};
  }
};

TEST_F(Isolation, TwentyKilledMeasurersChangeNothing) {
  write_problems("{n: 1000000}, {n: 1000001}, {n: 1000002}");
  const nlohmann::json undisturbed = finish("calm.db");
  const int pid = start("killed.db");
  std::mt19937 generator(20251121);
  std::uniform_int_distribution<int> milliseconds(0, 150);
  int kills = 0;
  // At most one kill between two commits, so that no trial is hit three times, which would count as
  // its own fault.
  for (std::uint64_t wanted = 0; kills < 20 && wait_until_stored("killed.db", wanted, pid);) {
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds(generator)));
    const std::vector<int> measurers = workers_of(pid, "measure");
    if (measurers.empty()) continue;
    kill(measurers.front(), SIGKILL);
    ++kills;
    wanted = stored("killed.db") + 1;
  }
  ASSERT_EQ(wait_for(pid), 0) << said();
  EXPECT_EQ(kills, 20) << "the sweep was too short";
  const nlohmann::json disturbed = printed();
  EXPECT_GE(disturbed["sweep"]["measurers_lost"].get<int>(), 15);
  EXPECT_EQ(disturbed["sweep"]["statuses"], undisturbed["sweep"]["statuses"]);
  EXPECT_EQ(stored("killed.db"), stored("calm.db"));
  EXPECT_EQ(ranking(disturbed), ranking(undisturbed));
}

// The template might compile on a machine with more memory.
TEST_F(Isolation, ATemplateThatEatsMemoryIsNotCompiled) {
  const nlohmann::json trial = only_trial(R"(
template <int N, typename T> struct Grow {
  static constexpr int value = Grow<N - 1, Grow<N, T>>::value + Grow<N - 1, Grow<N - 1, T*>>::value;
};
template <typename T> struct Grow<0, T> { static constexpr int value = 1; };
extern "C" __global__ void square(const float* x, float* y, int n) {
  y[0] = Grow<40, int>::value + THREADS + PER_THREAD;
}
)",
                                          "200MiB", 3);
  EXPECT_EQ(trial["status"], "not_compiled");
  EXPECT_THAT(trial["reason"].get<std::string>(),
              HasSubstr("plain.cu: the compiler ran out of memory (limit 200 MiB; "
                        "WARPWRIGHT_MEMORY_LIMIT sets it)"));
}

TEST_F(Isolation, AKernelThatEatsTheEmulatorsMemoryIsACrashThatNamesTheLimit) {
  // The kernel has 400 KiB of local memory for each of a block's 1024 threads.
  const nlohmann::json trial = only_trial(R"(
extern "C" __global__ void square(const float* x, float* y, int n) {
  float many[100000];
  const int at = blockIdx.x * THREADS * PER_THREAD + threadIdx.x;
  for (int i = 0; i < n; ++i) many[(i * 37) % 100000] = x[i % n];
  if (at < n) y[at] = x[at] * x[at] + 0 * many[at];
}
)",
                                          "200MiB", 1);
  EXPECT_EQ(trial["status"], "crashed");
  EXPECT_EQ(trial["reason"],
            "ran out of memory while checking results (limit 200 MiB; WARPWRIGHT_MEMORY_LIMIT sets "
            "it)");
}

TEST_F(Isolation, AMemoryLimitThatIsNoneIsTheUsersFault) {
  write_problems("{n: 1000}");
  const ProgramResult result =
      run_program(arguments("x.db", {"--quiet"}), {"WARPWRIGHT_MEMORY_LIMIT=plenty"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err,
              HasSubstr("WARPWRIGHT_MEMORY_LIMIT='plenty': expected `off` or a number"));
}

TEST_F(Isolation, WithoutALimitASweepRunsAsWell) {
  write_problems("{n: 1000}");
  EXPECT_EQ(run_program(arguments("x.db", {"--quiet"}), {"WARPWRIGHT_MEMORY_LIMIT=off"}).exit_code,
            0);
}

}  // namespace
}  // namespace warpwright::testing
