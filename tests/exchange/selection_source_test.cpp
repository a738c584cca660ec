#include "exchange/header/selection_source.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/files.h"
#include "core/hash.h"
#include "exchange/header/selection_writers.h"
#include "support/stored_text.h"

namespace warpwright {
namespace {

using testing::set_text;

// None of its source files exists here.
constexpr const char* kContract = R"yaml(kernel: scale
summary: y = a*x
problem:
  n: {doc: elements}
  dtype: {values: [f32, bf16], default: f32}
arguments:
  - {name: x, in: dtype, shape: [n], fill: "normal(0, 1)"}
  - {name: y, out: dtype, shape: [n], tolerance: {abs: 0, rel: 1e-2}}
parameters:
  THREADS: {default: 128, min: 32, max: 1024}
  SPLIT: {default: 1}
constraints: ["THREADS % 32 == 0"]
variants:
  plain:
    source: plain.cu
    parameters: [THREADS]
    launches: [{entry: scale, grid: ["ceil_div(n, THREADS)"], block: [THREADS]}]
  split:
    source: split.cu
    parameters: [THREADS, SPLIT]
    constraints: ["SPLIT * THREADS <= n"]
    launches: [{entry: scale, grid: ["ceil_div(n, THREADS)", SPLIT], block: [THREADS]}]
reference: {source: reference.cpp, units: n}
work: {bytes: "2*n*sizeof(dtype)", flops: n}
)yaml";

class SelectionSource : public ::testing::Test {
 protected:
  void SetUp() override {
    DeviceRecord device{"fp-1", "cuda:0", "NVIDIA H200", "sm_90a", "GPU-1", "580.1", true};
    set_text(device.details, R"({"max_shared_per_block":232448,"sm_count":132})");
    device_ = database_.put_device(device);
    emulator_ = database_.put_device(
        {"fp-2", "emu:sm_90a", "emulated NVIDIA H200", "sm_90a", "", "emulator 1", false});
    kernel_ = database_.put_kernel({"scale", "hash-1", "y = a*x", kContract});
    RunRecord run;
    run.version = "warpwright 0.1.0";
    run.nvrtc_version = "13.0";
    run.started_utc = "2026-03-01T12:00:00Z";
    run_ = database_.start_run(run);
  }

  TrialRecord trial(const std::string& variant, int threads, std::int64_t n,
                    Status status = Status::kOk) {
    TrialRecord record;
    record.key = "key-" + std::to_string(++keys_);
    record.run = run_;
    record.kernel = kernel_;
    record.device = device_;
    set_text(record.problem, R"({"dtype":"f32","n":)" + std::to_string(n) + "}");
    record.problem_text = "n=" + std::to_string(n) + " dtype=f32";
    record.variant = variant;
    const std::string split = variant == "split" ? R"("SPLIT":2,)" : "";
    set_text(record.parameters, "{" + split + R"("THREADS":)" + std::to_string(threads) + "}");
    record.configuration_text =
        variant + (variant == "split" ? " SPLIT=2" : "") + " THREADS=" + std::to_string(threads);
    record.status = status;
    record.protocol = "cold-graph-1";
    record.started_utc = "2026-03-01T12:00:01Z";
    set_text(record.resources,
             R"([{"entry":"scale","registers":24,"static_shared":0,"dynamic_shared":0}])");
    return record;
  }
  RowId add(const std::string& variant, int threads, std::int64_t n, double us) {
    TrialRecord record = trial(variant, threads, n);
    record.median_us = us;
    record.ci_low_us = us - 0.1;
    record.ci_high_us = us + 0.1;
    return database_.add_trial(record);
  }
  SelectionModel model() {
    return make_selection_model(
        database_, make_leaderboards(database_.trials({.kernel = "scale"}), database_.rankings({})),
        "scale");
  }
  std::vector<std::string> texts(const SelectionModel& model) {
    std::vector<std::string> list;
    for (const SelectionConfiguration& one : model.configurations) list.push_back(one.text);
    return list;
  }

  TemporaryFolder folder_;
  Database database_{folder_.path() / "r.db"};
  RowId device_ = 0, emulator_ = 0, kernel_ = 0, run_ = 0;
  int keys_ = 0;
};

TEST_F(SelectionSource, BoardsContractAndProvenanceMeet) {
  add("plain", 128, 4096, 5.0);
  add("plain", 256, 4096, 5.05);
  add("split", 64, 4096, 8.0);
  const SelectionModel result = model();
  EXPECT_EQ(result.contract.name, "scale");
  EXPECT_EQ(result.contract.variants[1].source.filename(), "split.cu");
  EXPECT_EQ(constraints_of(result.contract, result.contract.variants[1]).size(), 2U);
  ASSERT_EQ(result.boards.size(), 1U);
  const SelectionBoard& board = result.boards[0];
  EXPECT_EQ(result.configurations[board.winner].text, "plain THREADS=128");
  EXPECT_EQ(result.configurations[board.winner].values, (std::vector<Value>{128, 1}))
      << "SPLIT is its default";
  EXPECT_EQ(board.sizes, (std::vector<Value>{4096, "f32"}));
  EXPECT_EQ(board.tied, (std::vector<std::string>{"plain THREADS=256"}));
  EXPECT_EQ(board.driver, "580.1");
  EXPECT_EQ(board.nvrtc_version, "13.0");
  EXPECT_EQ(board.version, "warpwright 0.1.0");
  EXPECT_EQ(board.measured_utc, "2026-03-01T12:00:01Z");
  EXPECT_EQ(board.contract_hash, "hash-1");
  EXPECT_FALSE(board.modelled);
  EXPECT_EQ(result.devices[0].limits.at("max_shared"), Value(232448));
  EXPECT_EQ(result.configurations[0].resources.registers, 24);
}

TEST_F(SelectionSource, DefaultsOfEveryVariantComeLastTheBestFirst) {
  add("split", 64, 4096, 5.0);
  add("plain", 128, 4096, 8.0);
  const SelectionModel result = model();
  ASSERT_EQ(result.configurations.size(), result.candidates() + 2);
  const SelectionConfiguration& first = result.configurations[result.candidates()];
  EXPECT_TRUE(first.is_default);
  EXPECT_EQ(first.text, "split SPLIT=1 THREADS=128");
  EXPECT_EQ(result.configurations.back().text, "plain THREADS=128");
}

TEST_F(SelectionSource, AnObjectiveOfTheSweepChoosesAndWhatBreaksARequirementIsWorthNothing) {
  const auto add_with = [&](int threads, double us, double mj, std::int64_t n = 4096) {
    TrialRecord record = trial("plain", threads, n);
    record.median_us = us;
    TrialMeasurement measurement;
    measurement.energy_mj_per_launch = mj;
    record.measurement = measurement;
    database_.add_trial(record);
  };
  add_with(64, 5, 40);
  add_with(128, 8, 10);
  add_with(256, 6, 20);
  add_with(512, 7, 1);
  add_with(256, 9, 9, 8192);  // what has won somewhere is chosen from
  const auto chosen = [&](const GoalOverride& goal) {
    return make_selection_model(database_,
                                make_leaderboards(database_.trials({.kernel = "scale"}), {},
                                                  BoardGoals(database_, std::nullopt, goal)),
                                "scale");
  };
  const auto fraction_of = [](const SelectionModel& model, const std::string& text) {
    for (std::size_t i = 0; i < model.candidates(); ++i)
      if (model.configurations[i].text == text) return model.fractions[i].at(0);
    return -1;
  };
  const SelectionModel least = chosen({{"energy"}, {"THREADS < 512"}});
  EXPECT_EQ(least.configurations[least.boards[0].winner].text, "plain THREADS=128");
  EXPECT_EQ(least.boards[0].median_us, 8);
  EXPECT_EQ(fraction_of(least, "plain THREADS=256"), 500) << "twice the energy, though faster";
  EXPECT_LE(fraction_of(least, "plain THREADS=512"), 0);
  const SelectionModel front = chosen({{"time", "energy"}, {"THREADS < 512"}});
  EXPECT_EQ(front.configurations[front.boards[0].winner].text, "plain THREADS=64");
  EXPECT_TRUE(front.boards[0].tied.empty());
}

TEST_F(SelectionSource, WhatWasStoppedEarlyIsWorthAtMostItsBound) {
  add("plain", 128, 4096, 5.0);
  add("plain", 256, 65536, 40.0);
  TrialRecord pruned = trial("plain", 256, 4096, Status::kPruned);
  pruned.at_least_us = 10;
  database_.add_trial(pruned);
  const SelectionModel result = model();
  ASSERT_EQ(result.candidates(), 2U);
  EXPECT_EQ(result.fractions[0], (std::vector<int>{1000, kUnknownFraction}));
  EXPECT_EQ(result.fractions[1], (std::vector<int>{500, 1000}));
}

TEST_F(SelectionSource, WhatTheDeviceRefusedIsWorthNothingThere) {
  add("plain", 128, 4096, 5.0);
  add("plain", 1024, 65536, 40.0);
  database_.add_trial(trial("plain", 1024, 4096, Status::kLaunchFailed));
  EXPECT_EQ(model().fractions[1], (std::vector<int>{0, 1000}));
}

TEST_F(SelectionSource, AnImpossibleTimeIsWorthNothingThereAndWinsNothing) {
  add("plain", 128, 4096, 5.0);
  add("plain", 1024, 65536, 40.0);
  TrialRecord stored = trial("plain", 1024, 4096, Status::kImpossible);
  stored.median_us = 0.001;
  database_.add_trial(stored);
  EXPECT_EQ(model().configurations[model().boards[0].winner].text, "plain THREADS=128");
  EXPECT_EQ(model().fractions[1], (std::vector<int>{0, 1000}));
}

TEST_F(SelectionSource, ATimeThatTheDeviceCannotReachIsAsGoodAsNone) {
  add("plain", 128, 4096, 5.0);
  add("plain", 512, 65536, 40.0);
  TrialRecord stored = trial("plain", 512, 4096);
  stored.median_us = 0.001;
  stored.work_bytes = 1e6;
  database_.add_trial(stored);
  Peaks peaks;
  peaks.memory = Peak{4572, 4800, "measured: read"};
  PeaksByDevice by_device;
  for (const auto& [id, device] : database_.devices()) by_device[device.fingerprint] = peaks;
  const SelectionModel result = make_selection_model(
      database_, make_leaderboards(database_.trials({.kernel = "scale"}), {}, {}, by_device),
      "scale");
  EXPECT_EQ(result.configurations[result.boards[0].winner].text, "plain THREADS=128");
  EXPECT_EQ(result.fractions[1], (std::vector<int>{0, 1000}));
}

TEST_F(SelectionSource, WhatWasEverWrongIsNotOffered) {
  add("plain", 64, 4096, 5.0);
  add("plain", 128, 4096, 6.0);
  database_.add_trial(trial("plain", 64, 65536, Status::kWrongResult));
  add("plain", 128, 65536, 50.0);
  const SelectionModel result = model();
  EXPECT_EQ(texts(result), (std::vector<std::string>{"plain THREADS=128", "plain THREADS=128",
                                                     "split SPLIT=1 THREADS=128"}));
  EXPECT_EQ(result.boards.size(), 2U);
}

TEST_F(SelectionSource, ModelledTimesCountOnlyWithoutMeasuredOnes) {
  TrialRecord modelled = trial("plain", 512, 4096);
  modelled.device = emulator_;
  modelled.protocol = "model-1";
  modelled.modelled = true;
  modelled.median_us = 1;
  database_.add_trial(modelled);
  ASSERT_TRUE(model().boards[0].modelled);
  add("plain", 128, 65536, 50.0);
  const SelectionModel result = model();
  ASSERT_EQ(result.boards.size(), 1U);
  EXPECT_FALSE(result.boards[0].modelled);
}

TEST_F(SelectionSource, OfTwoProtocolsAndDriversTheNewestCounts) {
  add("plain", 128, 4096, 5.0);
  const RowId newer =
      database_.put_device({"fp-3", "cuda:0", "NVIDIA H200", "sm_90a", "GPU-1", "590.2", true});
  TrialRecord record = trial("plain", 256, 4096);
  record.device = newer;
  record.median_us = 4;
  database_.add_trial(record);
  const SelectionModel result = model();
  ASSERT_EQ(result.boards.size(), 1U);
  EXPECT_EQ(result.boards[0].driver, "590.2");
  EXPECT_EQ(result.devices.size(), 1U);
}

TEST_F(SelectionSource, OlderSourcesOfAVariantAreLeftOut) {
  add("plain", 128, 4096, 5.0);
  add("split", 64, 4096, 9.0);
  kernel_ = database_.put_kernel({"scale", "hash-2", "y = a*x", kContract});
  add("plain", 256, 65536, 40.0);
  const SelectionModel result = model();
  ASSERT_EQ(result.boards.size(), 2U);
  EXPECT_EQ(result.configurations[result.boards[0].winner].text, "split SPLIT=2 THREADS=64");
  EXPECT_EQ(result.boards[1].contract_hash, "hash-2");
}

TEST_F(SelectionSource, DefaultsKnowWhatTheBestOfTheirVariantReached) {
  add("plain", 128, 4096, 5.0);
  add("plain", 256, 4096, 10.0);
  add("split", 64, 4096, 8.0);
  add("plain", 128, 65536, 50.0);
  const SelectionModel result = model();
  ASSERT_EQ(result.merits.size(), 2U);
  EXPECT_EQ(result.configurations[result.candidates()].variant, 0U);
  EXPECT_EQ(result.merits[0], (std::vector<int>{1000, 1000}));
  EXPECT_EQ(result.merits[1], (std::vector<int>{625, kUnknownFraction}));
}

TEST_F(SelectionSource, HoldsTheFilesOfTheVariantsThatWereTried) {
  add("plain", 128, 4096, 5.0);
  KernelRecord record{"scale", "hash-2", "y = a*x", kContract};
  record.sources = {{"kernels/scale/split.cu", "extern \"C\" two"},
                    {"kernels/common/types.cuh", "shared"}};
  kernel_ = database_.put_kernel(record);
  add("split", 64, 4096, 9.0);
  EXPECT_EQ(model().files,
            (std::vector<SelectionFile>{
                {"kernels/common/types.cuh", sha256_hex("shared"), "shared"},
                {"kernels/scale/split.cu", sha256_hex("extern \"C\" two"), "extern \"C\" two"}}));
}

TEST_F(SelectionSource, BoardsAreInOrderOfSize) {
  for (const std::int64_t n : {8192, 64, 1024}) add("plain", 128, n, 5.0);
  const SelectionModel result = model();
  EXPECT_EQ(result.boards[0].sizes[0], Value(64));
  EXPECT_EQ(result.boards[1].sizes[0], Value(1024));
  EXPECT_EQ(result.boards[2].sizes[0], Value(8192));
}

TEST_F(SelectionSource, AnAlteredDatabaseAltersTheHeader) {
  add("plain", 128, 4096, 5.0);
  add("plain", 256, 4096, 7.0);
  const std::string before = selection_header(model(), {"v"});
  EXPECT_EQ(selection_header(model(), {"v"}), before);
  add("plain", 512, 4096, 4.5);
  const std::string after = selection_header(model(), {"v"});
  EXPECT_NE(after, before);
  EXPECT_NE(after.find("plain THREADS=512; wins 1 problem"), std::string::npos);
}

TEST_F(SelectionSource, NothingTimedIsTheUsersToMend) {
  database_.add_trial(trial("plain", 128, 4096, Status::kWrongResult));
  try {
    static_cast<void>(model());
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), 2);
    EXPECT_EQ(
        std::string(error.what()),
        (folder_.path() / "r.db").string() +
            ": no configuration of kernel 'scale' was timed on what was asked for; `warpwright "
            "show scale` lists what there is, and `warpwright sweep configs/scale.yaml` makes "
            "more");
  }
}

TEST_F(SelectionSource, AContractThatCannotBeReadNamesItsPlace) {
  kernel_ = database_.put_kernel({"scale", "hash-3", "", "kernel: scale\nproblem: [\n"});
  add("plain", 128, 4096, 5.0);
  try {
    static_cast<void>(model());
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), 2);
    EXPECT_NE(std::string(error.what()).find("scale/kernel.yaml:"), std::string::npos)
        << error.what();
    EXPECT_NE(std::string(error.what()).find("while reading the contract of 'scale' stored in"),
              std::string::npos);
  }
}

TEST_F(SelectionSource, ADamagedColumnNamesItsTrial) {
  TrialRecord record = trial("plain", 128, 4096);
  record.median_us = 5;
  set_text(record.parameters, "[1]");
  const RowId id = database_.add_trial(record);
  try {
    static_cast<void>(model());
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              "trial " + std::to_string(id) +
                  ": its configuration is not JSON: [1]; measure it again with --fresh");
  }
}

TEST_F(SelectionSource, AParameterThatTheContractLostTakesItsTrialsAlong) {
  add("plain", 128, 4096, 5.0);
  TrialRecord record = trial("plain", 256, 4096);
  set_text(record.parameters, R"({"THREADS":256,"GONE":1})");
  record.configuration_text = "plain GONE=1 THREADS=256";
  record.median_us = 1;
  database_.add_trial(record);
  EXPECT_EQ(texts(model()).front(), "plain THREADS=128");
}

}  // namespace
}  // namespace warpwright
