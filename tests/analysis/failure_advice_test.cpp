#include "analysis/insight/failure_advice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/valued_rows.h"
#include "support/stored_text.h"

namespace warpwright {
namespace {

using testing::set_text;

using ::testing::IsEmpty;
using testing::ValuedRows;

std::vector<std::pair<RowId, DeviceRecord>> devices_of(const ValuedRows& made) {
  DeviceRecord device;
  device.fingerprint = made.rows.front().device_fingerprint;
  set_text(
      device.details,
      R"({"max_threads_per_block":1024,"max_shared_per_block":232448,"registers_per_block":65536,"warp_size":32})");
  return {{1, device}};
}

std::vector<Leaderboard> advised(const ValuedRows& made) {
  std::vector<Leaderboard> boards = made.boards();
  advise_on_failures(boards, devices_of(made));
  return boards;
}

FailureAdvice first_advice(const ValuedRows& made) {
  return advised(made).at(0).failures.at(0).advice;
}

ValuedRows threads(const std::vector<int>& right, const std::vector<int>& failed, Status status,
                   const std::string& reason) {
  ValuedRows made;
  for (const int n : right) made.ok("plain", {{"THREADS", n}}, 100 + n);
  for (const int n : failed) made.failed("plain", {{"THREADS", n}}, status, reason);
  return made;
}

TEST(FailureAdvice, NamesTheLimitThatWasMet) {
  const FailureAdvice advice =
      first_advice(threads({32, 64, 96, 128, 256, 512, 1024}, {2048, 3072, 4096},
                           Status::kLaunchFailed, "invalid argument"));
  ASSERT_EQ(advice.constraints.size(), 1u);
  EXPECT_EQ(advice.constraints[0].expression, "THREADS <= device.max_threads");
  EXPECT_FALSE(advice.constraints[0].documented);
  EXPECT_EQ(advice.failures, 3u);
  EXPECT_EQ(advice.excluded, 3u);
  EXPECT_EQ(advice.kept, 7u);
  EXPECT_EQ(advice.problems, 1u);
  EXPECT_EQ(advice.note, "");
}

TEST(FailureAdvice, PrunedAndNoisyConfigurationsRanRight) {
  ValuedRows made =
      threads({128, 256}, {512, 520, 528}, Status::kCompileFailed, "error: too large");
  made.pruned("plain", {{"THREADS", 1024}}, 500);
  made.failed("plain", {{"THREADS", 768}}, Status::kNoisy, "the clocks moved");
  const FailureAdvice advice = first_advice(made);
  EXPECT_EQ(advice.kept, 4u);
  EXPECT_THAT(advice.constraints, IsEmpty());  // larger ones ran right
  EXPECT_EQ(advice.note, "no simple constraint tells these from the configurations that ran right");
}

TEST(FailureAdvice, WhatMustBeMendedIsNoConstraint) {
  struct Case {
    Status status;
    const char* reason;
    const char* note;
  };
  for (const Case& one :
       {Case{Status::kWrongResult, "output 'y' is wrong at [3]: got 1, expected 2",
             "the kernel, the tolerance or the reference is to be corrected: a constraint would "
             "only hide it"},
        Case{Status::kWrongResult, "1 of 200 checked elements differ, which looks like rounding",
             "see whether the tolerance is meant so before changing the kernel: a constraint would "
             "only hide it"},
        Case{Status::kNondeterministic, "output 'y' differs between run 1 and run 2",
             "a race, or rounding that depends on the order, which `deterministic: false` allows: "
             "a constraint would only hide it"},
        Case{Status::kHazard, "race at x.cu:3",
             "a fault in the kernel, to be fixed: a constraint would only hide it"},
        Case{Status::kImpossible,
             "8.3 µs would be 32342 GB/s, but this GPU moves at most 4572 GB/s (measured: read)",
             "the contract's `work` or the kernel is to be corrected: a constraint would only hide "
             "it"},
        Case{Status::kImpossible,
             "8.3 µs would be 32342 GB/s, but this GPU moves at most 4917 GB/s (by its memory "
             "clock and bus width)",
             "the contract's `work` or the kernel is to be corrected: a constraint would only hide "
             "it; should the driver be wrong about this GPU, `warpwright calibrate` measures what "
             "it reaches"},
        Case{Status::kCrashed, "bad",
             "the process died, and why is to be found out: a constraint would only hide it"},
        Case{Status::kLaunchFailed, "an illegal memory access was encountered while running k",
             "a fault while it runs, of the kernel or of what the contract passes to it: a "
             "constraint would only hide it"},
        Case{Status::kInvalid, "emulator lacks 'mad.wide.u99' at x.cu:3",
             "the emulator's limit, not the kernel's fault: no constraint follows from it"}}) {
    const FailureAdvice advice = first_advice(
        threads({32, 64, 96, 128, 160, 192, 224, 256}, {512, 768, 1024}, one.status, one.reason));
    EXPECT_THAT(advice.constraints, IsEmpty()) << one.reason;
    EXPECT_EQ(advice.note, one.note);
  }
}

TEST(FailureAdvice, CodesDecideNotWords) {
  ValuedRows made = threads({32, 64, 96}, {512, 768, 1024}, Status::kInvalid, "in other words");
  for (Database::TrialRow& row : made.rows) {
    if (row.trial.status != Status::kInvalid) continue;
    set_failure(row.trial, Status::kInvalid,
                {row.trial.reason, {FailureCode::kLaunchLimit, "THREADS <= 256"}});
  }
  const FailureAdvice advice = first_advice(made);
  ASSERT_EQ(advice.constraints.size(), 1u);
  EXPECT_EQ(advice.constraints[0].expression, "THREADS <= 256");
  EXPECT_TRUE(advice.constraints[0].documented);
  for (Database::TrialRow& row : made.rows) {
    if (row.trial.status != Status::kInvalid) continue;
    set_failure(row.trial, Status::kInvalid, {row.trial.reason, {FailureCode::kEmulatorLacks, ""}});
  }
  EXPECT_EQ(first_advice(made).note,
            "the emulator's limit, not the kernel's fault: no constraint follows from it");
}

TEST(FailureAdvice, TheEmulatorsTimeIsNoConstraintButAGpusMayBe) {
  const auto make = [](bool has_clock) {
    ValuedRows made;
    made.make.has_clock = has_clock;
    for (const int n : {32, 64, 96, 128, 160, 192, 224, 256})
      made.ok("plain", {{"THREADS", n}}, 100 + n);
    for (const int n : {512, 768, 1024})
      made.failed("plain", {{"THREADS", n}}, Status::kTimeout, "more than 5 ms");
    return first_advice(made);
  };
  const FailureAdvice emulated = make(false);
  EXPECT_THAT(emulated.constraints, IsEmpty());
  EXPECT_EQ(emulated.note,
            "the emulator's limit, which need not be the kernel's fault: no constraint follows "
            "from it, and a smaller problem may end in time");
  ASSERT_EQ(make(true).constraints.size(), 1u);
  EXPECT_EQ(make(true).constraints[0].expression, "THREADS <= 256");
}

TEST(FailureAdvice, OneOrTwoFailuresAreNoSupport) {
  const std::vector<int> right = {32, 64, 96, 128, 160, 192, 224, 256, 288, 320};
  for (const std::vector<int>& failed : {std::vector<int>{1024}, std::vector<int>{1024, 2048}}) {
    const FailureAdvice advice =
        first_advice(threads(right, failed, Status::kCompileFailed, "error: x"));
    EXPECT_THAT(advice.constraints, IsEmpty());
    EXPECT_EQ(advice.note,
              "too few failed (" + std::to_string(failed.size()) + ") to learn a constraint from");
  }
}

TEST(FailureAdvice, OtherFailuresAreNeitherExcludedNorKept) {
  ValuedRows made = threads({32, 64, 96, 128, 160, 192, 256}, {1024, 1056, 1088},
                            Status::kCompileFailed, "error: too large");
  made.failed("plain", {{"THREADS", 2048}}, Status::kWrongResult, "bad");
  const std::vector<Leaderboard> boards = advised(made);
  for (const FailureGroup& group : boards[0].failures) {
    if (group.status != Status::kCompileFailed) continue;
    EXPECT_EQ(group.advice.constraints.at(0).expression, "THREADS <= 256");
    EXPECT_EQ(group.advice.failures, 3u);
  }
}

TEST(FailureAdvice, CausesAreJudgedApart) {
  ValuedRows made = threads({64, 96, 128, 160, 192, 256, 512}, {1024, 1056, 1088},
                            Status::kCompileFailed, "error: large");
  for (const int n : {8, 16, 32})
    made.failed("plain", {{"THREADS", n}}, Status::kCompileFailed, "error: small");
  std::set<std::string> expressions;
  const std::vector<Leaderboard> boards = advised(made);
  for (const FailureGroup& group : boards[0].failures)
    expressions.insert(group.advice.constraints.at(0).expression);
  EXPECT_EQ(expressions, (std::set<std::string>{"THREADS <= 512", "THREADS >= 64"}));
}

TEST(FailureAdvice, ProblemsAreJudgedTogether) {
  ValuedRows made;
  for (const int n : {256, 1024, 64}) {
    made.make.problem_text = "n=" + std::to_string(n);
    made.make.problem_json = "{\"n\":" + std::to_string(n) + "}";
    for (const int threads : {64, 128, 256, 512, 1024}) {
      if (threads <= n) {
        made.ok("plain", {{"THREADS", threads}}, 10);
      } else {
        made.failed("plain", {{"THREADS", threads}}, Status::kInvalid,
                    "more threads than elements");
      }
    }
  }
  // THREADS alone separates the first problem's failures, but would cost passing configurations of
  // the second.
  const auto boards = advised(made);
  const auto board = std::find_if(boards.begin(), boards.end(), [](const Leaderboard& one) {
    return one.problem_text == "n=256";
  });
  ASSERT_NE(board, boards.end());
  const FailureAdvice& advice = board->failures.at(0).advice;
  EXPECT_EQ(advice.constraints.at(0).expression, "THREADS <= n");
  EXPECT_EQ(advice.kept, 9u);
  EXPECT_EQ(advice.failures, 6u);
  EXPECT_EQ(advice.problems, 3u);
}

TEST(FailureAdvice, OtherDevicesAndKernelsAreOthers) {
  ValuedRows made = threads({64, 96, 128, 160, 192, 256, 512}, {1024, 1056, 1088}, Status::kInvalid,
                            "too many threads");
  made.make.device_id = "cuda:1";
  made.ok("plain", {{"THREADS", 1024}}, 50);
  const std::vector<Leaderboard> boards = advised(made);
  ASSERT_EQ(boards.size(), 2u);
  for (const Leaderboard& board : boards) {
    if (board.failures.empty()) continue;
    EXPECT_EQ(board.failures[0].advice.constraints.at(0).expression, "THREADS <= 512");
    EXPECT_EQ(board.failures[0].advice.kept, 7u);
  }
}

TEST(FailureAdvice, AnOfferOfTheReasonIsTakenWhenItHolds) {
  ValuedRows made;
  for (const int stages : {1, 2, 3, 4})
    for (const int tile : {1024, 8192, 16384}) {
      const auto values = ValuedRows::Json{{"STAGES", stages}, {"TILE", tile}};
      if (4 * stages * tile <= 232448) {
        made.ok("plain", values, 10 + stages);
      } else {
        made.failed("plain", values, Status::kInvalid,
                    "shared memory " + std::to_string(4 * stages * tile) +
                        " B exceeds the device's 232448 B; add a constraint such as "
                        "\"4 * STAGES * TILE <= device.max_shared\"");
      }
    }
  const FailureAdvice advice = first_advice(made);
  ASSERT_EQ(advice.failures, 1u);
  EXPECT_EQ(advice.constraints.at(0).expression, "4 * STAGES * TILE <= device.max_shared");
  EXPECT_TRUE(advice.constraints.at(0).documented) << "which one failure is enough for";
}

TEST(FailureAdvice, AnOfferThatWouldCostWhatRanRightIsNotReplacedByACorrelation) {
  // Registers decide: each reason names the highest THREADS for its own registers, which depend on
  // WIDE.
  ValuedRows made;
  for (const int n : {256, 512, 768, 1024}) {
    for (const bool wide : {false, true}) {
      const auto values = ValuedRows::Json{{"THREADS", n}, {"WIDE", wide}};
      for (const char* mode : {"a", "b"}) {
        auto with_mode = values;
        with_mode["MODE"] = mode;
        if (wide && n > 256) {
          made.failed(
              "plain", with_mode, Status::kInvalid,
              std::to_string(n) +
                  " threads of 255 registers need 131072 registers, the "
                  "device has 65536 per block; add a constraint such as \"THREADS <= 256\", "
                  "or give the kernel __launch_bounds__(" +
                  std::to_string(n) + ")");
        } else {
          made.ok("plain", with_mode, 10);
        }
      }
    }
  }
  const FailureAdvice advice = first_advice(made);
  EXPECT_THAT(advice.constraints, IsEmpty());
  EXPECT_EQ(advice.note, "the constraints that their reasons name would exclude what ran right");
}

TEST(FailureAdvice, RegistersPerBlockDecideBeforeWhatGoesWithThem) {
  // THREADS <= 512 excludes the same failures, but is not the cause.
  ValuedRows made;
  for (const int n : {128, 256, 384, 512, 768, 896, 1024}) {
    for (const char* mode : {"a", "b"}) {
      const auto values = ValuedRows::Json{{"THREADS", n}, {"MODE", mode}};
      if (n > 512) {
        made.failed("plain", values, Status::kLaunchFailed,
                    "too many resources requested for launch while launching k");
      } else {
        made.ok("plain", values, 10);
      }
      set_text(made.rows.back().trial.resources, R"([{"entry":"e","registers":128}])");
    }
  }
  const FailureAdvice advice = first_advice(made);
  EXPECT_THAT(advice.constraints, IsEmpty());
  EXPECT_EQ(advice.note,
            "all of them break registers * THREADS <= device.registers_per_block, which no "
            "constraint can test before compiling: __launch_bounds__ may help");
}

TEST(FailureAdvice, ResourcesExplainWhatParametersDoNot) {
  ValuedRows made;
  const auto add = [&](int n, const char* mode, int registers) {
    const auto values = ValuedRows::Json{{"THREADS", n}, {"MODE", mode}, {"SEED", registers}};
    if (n * registers > 65536) {
      made.failed("plain", values, Status::kLaunchFailed,
                  "too many resources requested for launch");
    } else {
      made.ok("plain", values, 10);
    }
    set_text(made.rows.back().trial.resources,
             "[{\"entry\":\"e\",\"registers\":" + std::to_string(registers) + "}]");
    set_text(made.rows.back().trial.parameters,
             ValuedRows::Json{{"THREADS", n}, {"MODE", mode}}.dump());
  };
  for (const char* mode : {"a", "b", "c"}) {
    add(512, mode, 100);
    add(512, mode, 200);
    add(1024, mode, 50);
    add(1024, mode, 90);
  }
  const FailureAdvice advice = first_advice(made);
  EXPECT_THAT(advice.constraints, IsEmpty());
  EXPECT_EQ(advice.note,
            "all of them break registers * THREADS <= device.registers_per_block, which no "
            "constraint can test before compiling: __launch_bounds__ may help");
}

TEST(FailureAdvice, SaysWhyThereIsNone) {
  EXPECT_EQ(first_advice(threads({}, {64, 128}, Status::kCompileFailed, "error: x")).note,
            "no configuration of plain ran right: nothing to tell these apart from");
  EXPECT_EQ(first_advice(threads({32}, {64}, Status::kCompileFailed, "error: x")).note,
            "too few configurations ran right (1) to learn a constraint from");
  ValuedRows bare;
  for (int i = 0; i < 5; ++i) {
    bare.ok("plain", ValuedRows::Json::object(), 10);
    bare.rows.back().trial.configuration_text = "plain " + std::to_string(i);
  }
  bare.failed("plain", ValuedRows::Json::object(), Status::kInvalid, "why");
  EXPECT_EQ(first_advice(bare).note, "");
}

TEST(FailureAdvice, NoFailuresNoDevicesNoBoards) {
  std::vector<Leaderboard> none;
  advise_on_failures(none, {});
  std::vector<Leaderboard> boards =
      threads({64, 96, 128, 160, 192, 256, 1024}, {2048, 3072, 4096}, Status::kInvalid, "x")
          .boards();
  advise_on_failures(boards, {});
  EXPECT_EQ(boards[0].failures[0].advice.constraints.at(0).expression, "THREADS <= 1024");
  std::vector<std::pair<RowId, DeviceRecord>> damaged(1);
  damaged[0].second.fingerprint = boards[0].device_fingerprint;
  set_text(damaged[0].second.details, "{not json");
  advise_on_failures(boards, damaged);
  EXPECT_EQ(boards[0].failures[0].advice.constraints.at(0).expression, "THREADS <= 1024");
}

TEST(FailureGroups, KnowTheirTrials) {
  const Leaderboard board = threads({64}, {128, 256}, Status::kCompileFailed, "error: x").board();
  EXPECT_EQ(board.failures.at(0).trials, (std::vector<RowId>{2, 3}));
  EXPECT_EQ(board.untimed.size(), 2u);
}

}  // namespace
}  // namespace warpwright
