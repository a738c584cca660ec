// Tests which configurations --rank-only selects, given a database with results of several GPUs.
#include <gmock/gmock.h>

#include "core/files.h"
#include "support/error_text.h"
#include "support/program.h"
#include "sweep/ranking_stage.h"
#include "sweep/run_records.h"

namespace warpwright::testing {
namespace {

using ::testing::ElementsAre;

class RankOnly : public ::testing::Test {
 protected:
  RankOnly() {
    write_square_kernel(folder_.path());
    write_text(folder_.path() / "square.yaml",
               "kernel: square\nproblems: [{n: 8}]\nspace:\n  THREADS: [32, 64, 96, 128, 160, 192, "
               "224, 256]\n  PER_THREAD: [1]\n");
  }
  static DeviceInfo gpu(const std::string& uuid, const std::string& name = "fake") {
    DeviceInfo device;
    device.id = "fake:0";
    device.name = name;
    device.arch = "sm_90a";
    device.uuid = uuid;
    device.has_clock = name != "emulated";
    return device;
  }
  [[nodiscard]] SweepPlan plan(const DeviceInfo& device) const {
    SweepOptions options;
    options.config = folder_.path() / "square.yaml";
    Paths paths;
    paths.home = folder_.path();
    paths.kernel_roots = {folder_.path() / "kernels"};
    return make_plan(options, paths, {device});
  }
  // Stores a run on the GPU that timed the configurations of these indices.
  void store(const DeviceInfo& device, const std::vector<std::pair<std::uint64_t, double>>& times) {
    const SweepPlan planned = plan(device);
    RunRecords records(database_);
    records.open({}, planned, "99.1");
    for (const auto& [index, us] : times) {
      const Configuration configuration = planned.boards[0].space->at(index);
      TrialRecord trial;
      trial.key = device.uuid + configuration.to_string();
      trial.problem = planned.boards[0].summary.problem;
      trial.problem_text = planned.boards[0].summary.problem_text;
      trial.variant = configuration.variant;
      trial.parameters = configuration.values;
      trial.configuration_text = configuration.to_string();
      trial.median_us = us;
      trial.work_bytes = 64;
      trial.protocol = "cold-graph-1";
      trial.resources = TrialResources{};
      trial.errors = std::vector<OutputError>{};
      trial.counters = TrialCounters{};
      trial.options = std::vector<std::string>{};
      trial.started_utc = "2026-03-01T12:00:00Z";
      records.add(trial, 0, records.variant_hash(configuration.variant), "");
    }
  }
  std::vector<std::uint64_t> asked(const DeviceInfo& device) {
    SweepPlan planned = plan(device);
    require_rankable(planned, folder_.path() / "x.db");
    keep_finalists(planned, database_);
    std::vector<std::uint64_t> all;
    while (const auto index = planned.boards[0].strategy->ask()) all.push_back(*index);
    EXPECT_EQ(planned.boards[0].questions, all.size());
    return all;
  }

  TemporaryFolder folder_;
  Database database_{folder_.path() / "x.db"};
};

TEST_F(RankOnly, TheFinalistsOfAllGpusOfTheKindMeet) {
  // Each GPU sends the minimum of four finalists, and times of one GPU are not compared with the
  // other's.
  store(gpu("GPU-1"), {{0, 10}, {1, 11}, {2, 12}, {3, 13}, {4, 99}});
  store(gpu("GPU-2"), {{5, 20}, {6, 21}, {7, 22}, {3, 23}, {4, 99}});
  EXPECT_THAT(asked(gpu("GPU-3")), ElementsAre(0, 1, 2, 3, 5, 6, 7));
}

TEST_F(RankOnly, AGpuWithOneCandidateSendsIt) {
  store(gpu("GPU-1"), {{0, 10}});
  store(gpu("GPU-2"), {{5, 20}});
  EXPECT_THAT(asked(gpu("GPU-1")), ElementsAre(0, 5));
}

TEST_F(RankOnly, OtherKindsOfGpuSendNobody) {
  store(gpu("GPU-1"), {{0, 10}, {1, 11}});
  store(gpu("GPU-2", "another"), {{5, 20}, {6, 21}});
  EXPECT_THAT(asked(gpu("GPU-1")), ElementsAre(0, 1));
}

TEST_F(RankOnly, TimesThatTheirGpuCannotReachSendNobody) {
  DeviceInfo known = gpu("GPU-1");
  known.l2_bytes = 8;
  known.memory_clock_mhz = 1;
  known.memory_bus_bits = 8;  // 56 of the 64 bytes take 28 µs
  store(known, {{0, 10}, {1, 30}, {2, 31}});
  EXPECT_THAT(asked(known), ElementsAre(1, 2));
}

TEST_F(RankOnly, WithoutAnyTimesItIsAnError) {
  store(gpu("GPU-2", "another"), {{5, 20}});
  EXPECT_EQ(error_text([&] { (void)asked(gpu("GPU-1")); }),
            "--rank-only: " + (folder_.path() / "x.db").string() +
                " holds no times of square n=8 on fake, by the sources of now; expected those of a "
                "sweep, or of all its shards after `warpwright merge`");
}

// Opening the database would create it.
TEST_F(RankOnly, WithoutADatabaseItIsAnErrorAndMakesNone) {
  const std::filesystem::path missing = folder_.path() / "missing.db";
  EXPECT_EQ(error_text([&] { require_rankable(plan(gpu("GPU-1")), missing); }),
            "--rank-only: " + missing.string() +
                " does not exist; expected the results of a sweep, or of all its shards after "
                "`warpwright merge`");
  EXPECT_FALSE(std::filesystem::exists(missing));
}

TEST_F(RankOnly, ADeviceWithoutAClockRanksNothing) {
  EXPECT_EQ(
      error_text([&] { (void)asked(gpu("EMU-1", "emulated")); }),
      "--rank-only: fake:0 (emulated) only models times, and a final ranking measures; choose "
      "a GPU with --device, or look at the models with `warpwright show square`");
}

}  // namespace
}  // namespace warpwright::testing
