#include "core/notices.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

namespace warpwright {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Notices, EachIsToldOnceInTheOrderInWhichTheyCame) {
  static_cast<void>(take_notices());
  add_notice("notices_test: b");
  add_notice("notices_test: a");
  add_notice("notices_test: b");
  EXPECT_THAT(take_notices(), ElementsAre("notices_test: b", "notices_test: a"));
  add_notice("notices_test: a");
  EXPECT_THAT(take_notices(), IsEmpty());
}

TEST(Notices, GoToAReceiverAtOnce) {
  static_cast<void>(take_notices());
  std::vector<std::string> passed;
  pass_notices_on([&passed](const std::string& line) { passed.push_back(line); });
  add_notice("notices_test: f");
  add_notice("notices_test: f");
  EXPECT_THAT(passed, ElementsAre("notices_test: f"));
  pass_notices_on({});
  EXPECT_THAT(take_notices(), IsEmpty());
  add_notice("notices_test: g");
  EXPECT_THAT(take_notices(), ElementsAre("notices_test: g"));
}

TEST(Notices, GoWithAMessage) {
  static_cast<void>(take_notices());
  EXPECT_EQ(with_notices({{"done", true}}), (nlohmann::json{{"done", true}}));
  add_notice("notices_test: c");
  const nlohmann::json message = with_notices({{"done", true}});
  EXPECT_EQ(message, (nlohmann::json{{"done", true}, {"notices", {"notices_test: c"}}}));
  EXPECT_THAT(take_notices(), IsEmpty());
}

TEST(Notices, OfAMessageAreHeardAndAnythingElseIsPassedOver) {
  static_cast<void>(take_notices());
  hear_notices({{"notices", {"notices_test: d", 3}}});
  hear_notices({{"notices", "notices_test: e"}});
  hear_notices(nlohmann::json("notices"));
  EXPECT_THAT(take_notices(), ElementsAre("notices_test: d"));
}

}  // namespace
}  // namespace warpwright
