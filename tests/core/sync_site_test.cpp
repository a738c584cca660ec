// Sites of barriers, waits and fences: their serialization for the pipe, and their identity.
#include "core/sync_site.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace warpwright {
namespace {

SyncSite some_site() {
  SyncSite site;
  site.opcode = "bar.arrive";
  site.where = {{"pipeline.cuh", 12, 3}};
  site.callers = {QuotedLocation{{"kernel.cu", 40, 5}}};
  site.instruction = "bar.arrive 1, 64 and bar.sync 1, 64";
  site.also = {QuotedLocation{{"pipeline.cuh", 19, 3}}};
  site.instructions = 2;
  site.untestable = "for a reason";
  return site;
}

TEST(SyncSite, CrossesThePipeUnchanged) {
  const SyncSite site = some_site();
  const auto back = nlohmann::json(site).get<SyncSite>();
  EXPECT_TRUE(same_site(back, site));
  EXPECT_EQ(nlohmann::json(back), nlohmann::json(site));
  EXPECT_EQ(back.also.at(0).line, 19);
  EXPECT_EQ(back.instruction, site.instruction);
  EXPECT_EQ(back.untestable, "for a reason");
}

TEST(SyncSite, IsTheSameRegardlessOfWhatIsLeftOutWithIt) {
  SyncSite other = some_site();
  other.instruction = "bar.arrive 1, 128";
  other.also.clear();
  other.instructions = 7;
  EXPECT_TRUE(same_site(some_site(), other));
}

TEST(SyncSite, IsAnotherAtAnotherPlaceOrThroughAnotherCall) {
  SyncSite column = some_site(), call = some_site(), opcode = some_site(), direct = some_site();
  column.where.column = 9;
  call.callers[0].line = 41;
  opcode.opcode = "bar.sync";
  direct.callers.clear();
  for (const SyncSite& other : {column, call, opcode, direct})
    EXPECT_FALSE(same_site(some_site(), other));
}

}  // namespace
}  // namespace warpwright
