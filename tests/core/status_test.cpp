#include "core/status.h"

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
  EXPECT_EQ(names.size(), 10U);
}

TEST(Status, StoredNamesAreFixed) {
  EXPECT_EQ(status_name(Status::kOk), "ok");
  EXPECT_EQ(status_name(Status::kCompileFailed), "compile_failed");
  EXPECT_EQ(status_name(Status::kWrongResult), "wrong_result");
  EXPECT_EQ(parse_status("OK"), std::nullopt);
  EXPECT_EQ(parse_status(""), std::nullopt);
}

}  // namespace
}  // namespace warpwright
