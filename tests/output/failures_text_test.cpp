#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/insight/failure_advice.h"
#include "analysis/valued_rows.h"
#include "output/golden.h"
#include "output/text/leaderboard_text.h"
#include "support/stored_text.h"

namespace warpwright {
namespace {

using testing::set_text;

using testing::expect_golden;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::ValuedRows;

std::string text_of(const ValuedRows& made, const FailuresTextOptions& options = {}) {
  std::vector<Leaderboard> boards = made.boards();
  DeviceRecord device;
  device.fingerprint = boards.at(0).device_fingerprint;
  set_text(device.details, R"({"max_threads_per_block":1024})");
  advise_on_failures(boards, {{1, device}});
  return failures_text(boards.at(0), options);
}

TEST(FailuresText, ConstraintsFollowTheFailuresTheyExclude) {
  ValuedRows made;
  for (const int threads : {64, 128, 256, 512, 1024, 2048}) {
    for (const int unroll : {1, 2, 4, 8}) {
      const ValuedRows::Json values = {{"THREADS", threads}, {"UNROLL", unroll}};
      if (threads > 1024) {
        made.failed("plain", values, Status::kLaunchFailed, "invalid argument");
      } else if (threads * unroll > 2048) {
        made.failed("plain", values, Status::kCompileFailed,
                    "error: too much shared data (0x20000 bytes)");
      } else if (threads == 64 && unroll == 8) {
        made.failed("plain", values, Status::kWrongResult, "output \"y\"[3]: got 1, expected 2");
      } else {
        made.ok("plain", values, threads + unroll);
      }
    }
  }
  expect_golden("failures_advised.txt", text_of(made));
}

TEST(FailuresText, APartialConstraintSaysWhatItLeaves) {
  ValuedRows made;
  for (const int n : {0, 1, 2, 3, 4, 5}) made.ok("plain", {{"N", n}, {"M", n % 2}}, n + 1);
  for (const int n : {8, 9, 10, 11, 12})
    made.failed("plain", {{"N", n}, {"M", n % 2}}, Status::kInvalid, "x");
  made.failed("plain", {{"N", 3}, {"M", 0}}, Status::kInvalid, "x");
  const std::string text = text_of(made);
  EXPECT_THAT(text, HasSubstr("      add to constraints: \"N <= 5\"  (seen in 5 of 6 failures and "
                              "none of 6 passes)\n        nothing simple explains the other 1\n"));
}

TEST(FailuresText, WhatTheReasonsNameSaysSo) {
  ValuedRows made;
  for (const int n : {1, 2, 3, 4, 5}) made.ok("plain", {{"N", n}}, n);
  made.failed("plain", {{"N", 9}}, Status::kInvalid,
              "a block of 9 threads exceeds the device's 8; add a constraint such as \"N <= 8\"");
  EXPECT_THAT(
      text_of(made),
      HasSubstr("      add to constraints: \"N <= 8\"  (named by the reasons; seen in 1 of 1 "
                "failure and none of 5 passes)\n"));
}

TEST(FailuresText, WithoutAdviceNothingIsAdded) {
  ValuedRows made;
  made.ok("plain", {{"N", 1}}, 1);
  made.failed("plain", {{"N", 2}}, Status::kInvalid, "why");
  EXPECT_EQ(failures_text(made.board(), {}),
            "failed: 1 of 2\n  1 invalid  why\n      in plain N=2 (trial 2)\n"
            "run one of them alone: warpwright repro 2\n");
}

TEST(FailuresText, WholeTellsEveryCauseAndLine) {
  ValuedRows made;
  for (char c = 'a'; c <= 'p'; ++c) {
    made.failed("v", {{"N", std::string(1, c)}}, Status::kHazard,
                std::string("race in ") + c + "\n1\n2\n3\n4\nthe last line");
  }
  EXPECT_THAT(text_of(made), HasSubstr("… and 4 more causes: show --why\n"));
  EXPECT_THAT(text_of(made), Not(HasSubstr("the last line")));
  const std::string whole = text_of(made, {.whole = true});
  EXPECT_THAT(whole, Not(HasSubstr("more causes")));
  EXPECT_THAT(whole, HasSubstr("the last line"));
}

}  // namespace
}  // namespace warpwright
