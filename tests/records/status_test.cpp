#include "records/status.h"

#include <gtest/gtest.h>

#include <set>

namespace warpwright {
namespace {

TEST(Status, EveryNameReadsBack) {
  std::set<std::string_view> names;
  for (const Status status : all_statuses()) {
    EXPECT_EQ(parse_status(status_name(status)), status);
    names.insert(status_name(status));
  }
  EXPECT_EQ(names.size(), 14U);
}

TEST(Status, StoredNamesAreFixed) {
  EXPECT_EQ(status_name(Status::kOk), "ok");
  EXPECT_EQ(status_name(Status::kCompileFailed), "compile_failed");
  EXPECT_EQ(status_name(Status::kNotCompiled), "not_compiled");
  EXPECT_EQ(status_name(Status::kWrongResult), "wrong_result");
  EXPECT_EQ(status_name(Status::kPruned), "pruned");
  EXPECT_EQ(status_name(Status::kNoisy), "noisy");
  EXPECT_EQ(status_name(Status::kImpossible), "impossible");
  EXPECT_EQ(parse_status("OK"), std::nullopt);
  EXPECT_EQ(parse_status(""), std::nullopt);
}

TEST(Status, WhatSettlesNothingIsTriedAgain) {
  for (const Status status : all_statuses())
    EXPECT_EQ(settled(status), status != Status::kNoisy && status != Status::kNotCompiled)
        << status_name(status);
}

TEST(Status, PrunedAndNoisyAreNoFaultOfTheKernel) {
  EXPECT_TRUE(ran_right(Status::kOk));
  EXPECT_TRUE(ran_right(Status::kPruned));
  EXPECT_TRUE(ran_right(Status::kNoisy));
  EXPECT_FALSE(ran_right(Status::kTimeout));
  EXPECT_FALSE(ran_right(Status::kInvalid));
  EXPECT_FALSE(ran_right(Status::kImpossible));
}

}  // namespace
}  // namespace warpwright
