// Tests which results of a database a search receives as beliefs, and which it does not.
#include "sweep/warm_start.h"

#include <gmock/gmock.h>

#include "core/files.h"
#include "store/sqlite.h"
#include "support/program.h"
#include "support/raw_sql.h"
#include "sweep/run_records.h"

namespace warpwright::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

class WarmStartTest : public ::testing::Test {
 protected:
  WarmStartTest() {
    write_square_kernel(folder_.path());
    write_sweep("{n: 8}, {n: 16}");
  }

  void write_sweep(const std::string& sizes, const std::string& more = "") const {
    write_text(folder_.path() / "square.yaml",
               "kernel: square\nproblems: [" + sizes +
                   "]\nspace:\n  THREADS: [32, 64, 128, 256]\n  PER_THREAD: [1, 2]\n" +
                   (more.empty() ? "search: auto\n" : more));
  }
  void edit_contract(const std::string& from, const std::string& to) const {
    const auto file = folder_.path() / "kernels" / "square" / "kernel.yaml";
    std::string text = read_file(file);
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
      text.replace(at, from.size(), to);
    write_text(file, text);
  }
  static DeviceInfo device(const std::string& name = "fake", bool has_clock = true) {
    DeviceInfo device;
    device.id = name + ":0";
    device.name = name;
    device.arch = "sm_90a";
    device.has_clock = has_clock;
    return device;
  }
  SweepPlan plan(const DeviceInfo& on = device()) const {
    SweepOptions options = options_;
    options.config = folder_.path() / "square.yaml";
    Paths paths;
    paths.home = folder_.path();
    paths.kernel_roots = {folder_.path() / "kernels"};
    return make_plan(options, paths, {on});
  }

  // Stores a run of the plan with times of configurations, by index, on one of its boards.
  using Times = std::vector<std::pair<std::uint64_t, double>>;
  RowId store(const SweepPlan& plan, std::size_t board, const Times& times,
              const std::function<void(TrialRecord&)>& change = {}) {
    RunRecords records(database_);
    records.open(options_, plan, "99.1");
    for (const auto& [index, us] : times) {
      const PlannedBoard& planned = plan.boards[board];
      const Configuration configuration = planned.space->at(index);
      TrialRecord trial;
      trial.key = std::to_string(++keys_);
      trial.problem = planned.summary.problem;
      trial.problem_text = planned.summary.problem_text;
      trial.variant = configuration.variant;
      trial.parameters = configuration.values;
      trial.configuration_text = configuration.to_string();
      trial.median_us = us;
      trial.modelled = !planned.summary.device.has_clock;
      trial.protocol = trial.modelled ? "model-1" : "cold-graph-1";
      trial.started_utc = "2026-03-01T12:00:00Z";
      if (change) change(trial);
      records.add(trial, planned.device, records.variant_hash(configuration.variant), "");
    }
    records.close(RunEnd::kComplete);
    return records.run();
  }
  // Returns lines such as "n=16 on fake: 0=20.5": the costs that a board's strategy would receive.
  std::vector<std::string> told(const SweepPlan& plan, std::size_t board,
                                const std::function<void(WarmStart&)>& meanwhile = {}) {
    RunRecords records(database_);
    records.identify(plan);
    WarmStart warm(options_, plan, records.variant_hashes(), database_);
    const std::vector<BoardBeliefs> sources = [&] {
      if (meanwhile) meanwhile(warm);
      return warm.sources(board);
    }();
    trouble_ = warm.trouble();
    named_ = warm.named(sources);
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < sources.size(); ++i) {
      std::string line = named_[i].problem + " on " + named_[i].device + ":";
      for (const auto& [index, cost] : sources[i].costs)
        line += " " + std::to_string(index) + "=" + Value(cost).to_string();
      lines.push_back(line);
    }
    return lines;
  }

  TemporaryFolder folder_;
  Database database_{folder_.path() / "x.db"};
  SweepOptions options_;
  std::vector<KnowledgeSource> named_;
  std::string trouble_;
  int keys_ = 0;
};

TEST_F(WarmStartTest, AnotherProblemTellsWhatItTook) {
  const SweepPlan planned = plan();
  store(planned, 0, {{0, 10.5}, {5, 4.5}});
  EXPECT_THAT(told(planned, 1), ElementsAre("n=8 on fake: 0=10.5 5=4.5"));
  EXPECT_EQ(named_, (std::vector<KnowledgeSource>{{"board", "fake", "n=8", 2}}));
  EXPECT_EQ(warm_start_line("auto", named_),
            "auto begins with what 2 results of 1 other board say");
  EXPECT_THAT(told(planned, 0), IsEmpty()) << "its own results are answers, not beliefs";
}

TEST_F(WarmStartTest, MeasuredAndModelledAreSourcesOfTheirOwn) {
  store(plan(), 0, {{0, 10.5}});
  store(plan(device("emulated", false)), 0, {{0, 0.5}});
  EXPECT_THAT(told(plan(), 1), ElementsAre("n=8 on fake: 0=10.5", "n=8 on emulated: 0=0.5"));
  store(plan(), 0, {{1, 0.25}}, [](TrialRecord& trial) { trial.protocol = "hot-1"; });
  EXPECT_THAT(told(plan(), 1), UnorderedElementsAre("n=8 on fake: 0=10.5", "n=8 on fake: 1=0.25",
                                                    "n=8 on emulated: 0=0.5"));
}

TEST_F(WarmStartTest, FailuresTellNothing) {
  store(plan(), 0, {{0, 10.5}}, [](TrialRecord& trial) { trial.status = Status::kNoisy; });
  store(plan(), 0, {{1, 10.5}}, [](TrialRecord& trial) { trial.median_us = std::nullopt; });
  EXPECT_THAT(told(plan(), 1), IsEmpty());
  EXPECT_EQ(warm_start_line("auto", named_), "");
}

TEST_F(WarmStartTest, TimesThatTheDeviceCannotReachTellNothing) {
  DeviceInfo known = device();
  known.l2_bytes = 1000;
  known.memory_clock_mhz = 1000;
  known.memory_bus_bits = 4000;
  store(plan(known), 0, {{0, 10.5}, {1, 0.5}}, [](TrialRecord& trial) { trial.work_bytes = 1e6; });
  EXPECT_THAT(told(plan(known), 1), ElementsAre("n=8 on fake: 0=10.5"));
}

TEST_F(WarmStartTest, WhatWasGivenUpTellsHowLongItTookAtLeast) {
  store(plan(), 0, {{0, 10.5}});
  store(plan(), 0, {{1, 0}}, [](TrialRecord& trial) {
    trial.status = Status::kPruned;
    trial.median_us = std::nullopt;
    trial.at_least_us = 31.5;
    trial.protocol = "";
  });
  EXPECT_THAT(told(plan(), 1), ElementsAre("n=8 on fake: 0=10.5 1=31.5"));
}

TEST_F(WarmStartTest, OtherKernelsTellNothing) {
  SweepPlan other = plan();
  other.kernel.name = "cube";
  store(other, 0, {{0, 10.5}});
  EXPECT_THAT(told(plan(), 1), IsEmpty());
}

TEST_F(WarmStartTest, ASweepThatGoesOnIsToldWhatItWasToldWhenItBegan) {
  const SweepPlan planned = plan();
  store(planned, 0, {{0, 10.5}});
  store(planned, 1, {{0, 20.5}});
  EXPECT_THAT(told(planned, 0), IsEmpty()) << "board 1 came later";
  EXPECT_THAT(told(planned, 1), ElementsAre("n=8 on fake: 0=10.5"));
  const TrialRecord resumed = Database(folder_.path() / "x.db").trials({}).back().trial;
  EXPECT_THAT(told(planned, 0, [&](WarmStart& warm) { warm.note(1, resumed); }),
              ElementsAre("n=16 on fake: 0=20.5"))
      << "it has received the trial again";
  options_.seed = 2;
  EXPECT_THAT(told(planned, 0), ElementsAre("n=16 on fake: 0=20.5")) << "another search";
  options_.seed = 1;
  options_.fresh = true;
  EXPECT_THAT(told(planned, 0), ElementsAre("n=16 on fake: 0=20.5"));
}

TEST_F(WarmStartTest, AnEditedKernelIsToldOfItsOlderVersion) {
  store(plan(), 0, {{0, 10.5}, {1, 11.5}});
  edit_contract("summary: Squares every element", "summary: Squares all elements");
  EXPECT_THAT(told(plan(), 0), ElementsAre("n=8 on fake: 0=10.5 1=11.5"));
  EXPECT_THAT(told(plan(), 1), ElementsAre("n=8 on fake: 0=10.5 1=11.5"));
  store(plan(), 0, {{0, 9.5}});
  EXPECT_THAT(told(plan(), 1), ElementsAre("n=8 on fake: 0=9.5")) << "the newest version counts";
}

TEST_F(WarmStartTest, ARenamedParameterIsUnknown) {
  store(plan(), 0, {{0, 10.5}});
  edit_contract("PER_THREAD", "EACH");
  write_text(folder_.path() / "square.yaml",
             "kernel: square\nproblems: [{n: 16}]\nspace:\n  THREADS: [32, 64]\n  EACH: [1, 2]\n"
             "search: auto\n");
  EXPECT_THAT(told(plan(), 0), IsEmpty());
  EXPECT_EQ(trouble_, "");
}

TEST_F(WarmStartTest, DamagedColumnsAreLeftOut) {
  store(plan(), 0, {{0, 10.5}, {1, 11.5}});
  store(plan(), 0, {{2, 12.5}});
  Connection(folder_.path() / "x.db", Connection::Access::kCreate, 1000, "x.db")
      .execute(std::string(kForgetChecksums) +
               "PRAGMA ignore_check_constraints = ON;"
               "UPDATE configuration SET \"values\" = '{\"THREADS\": [' WHERE id = 1;"
               "UPDATE device SET details = '[1' ");
  EXPECT_THAT(told(plan(), 1), ElementsAre("n=8 on fake: 1=11.5 2=12.5"));
  EXPECT_EQ(trouble_, "");
}

TEST_F(WarmStartTest, WhatCannotBeReadIsSaid) {
  store(plan(), 0, {{0, 10.5}});
  Connection(folder_.path() / "x.db", Connection::Access::kCreate, 1000, "x.db")
      .execute(std::string(kForgetChecksums) +
               "PRAGMA ignore_check_constraints = ON; UPDATE trial SET status = 'odd'");
  EXPECT_THAT(told(plan(), 1), IsEmpty());
  EXPECT_THAT(trouble_, HasSubstr("the unknown status 'odd'"));
}

TEST_F(WarmStartTest, OtherObjectivesTakeTheirMetric) {
  write_sweep("{n: 8}, {n: 16}", "search: auto\nobjective: gbs\n");
  const auto with_bytes = [](TrialRecord& trial) { trial.work_bytes = 64000; };
  store(plan(), 0, {{0, 4}}, with_bytes);
  store(plan(), 0, {{1, 4}});
  EXPECT_THAT(told(plan(), 1), ElementsAre("n=8 on fake: 0=16.0"));
  write_sweep("{n: 8}, {n: 16}", "search: auto\nobjective: {maximize: gbs}\n");
  EXPECT_THAT(told(plan(), 1), ElementsAre("n=8 on fake: 0=0.0625")) << "low is good";
  write_sweep("{n: 8}, {n: 16}", "search: auto\nobjective: [gbs, time]\n");
  EXPECT_THAT(told(plan(), 1), IsEmpty()) << "a front has no single cost";
}

TEST_F(WarmStartTest, WhatBreaksARequirementIsNoGoodCost) {
  write_sweep("{n: 8}, {n: 16}", "search: auto\nrequire: [time_us < 5]\n");
  store(plan(), 0, {{0, 4}, {1, 6}});
  EXPECT_THAT(told(plan(), 1), ElementsAre("n=8 on fake: 0=4.0"));
}

TEST_F(WarmStartTest, OnlyWhoListensIsTold) {
  store(plan(), 0, {{0, 10.5}});
  write_sweep("{n: 8}, {n: 16}", "search: random\n");
  EXPECT_THAT(told(plan(), 1), IsEmpty());
  write_sweep("{n: 8}, {n: 16}", "search: {strategy: auto, warm_start: false}\n");
  EXPECT_THAT(told(plan(), 1), IsEmpty());
  options_.warm_start = true;
  EXPECT_THAT(told(plan(), 1), ElementsAre("n=8 on fake: 0=10.5"));
  write_sweep("{n: 8}, {n: 16}", "search: {warm_start: true}\nbudget: 3\n");
  options_.warm_start = false;
  EXPECT_THAT(told(plan(), 1), IsEmpty());
}

}  // namespace
}  // namespace warpwright::testing
