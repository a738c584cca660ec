// Tests which request a device takes next.
#include "workers/measure_queue.h"

#include <gmock/gmock.h>

namespace warpwright {
namespace {

using ::testing::ElementsAre;

void push(MeasureQueue& queue, std::uint64_t ticket, std::uint64_t turn) {
  queue.push({ticket, nullptr, {std::nullopt, turn}});
}
std::uint64_t taken(MeasureQueue& queue, std::size_t device) {
  const auto item = queue.take(device);
  return item ? item->ticket : 0;
}

TEST(MeasureQueue, FewDevicesTakeTheLowestTurn) {
  MeasureQueue queue(8, false);
  push(queue, 1, 5);
  EXPECT_EQ(taken(queue, 0), 1u);
  push(queue, 2, 5);
  push(queue, 3, 4);
  EXPECT_EQ(taken(queue, 0), 3u);
}

TEST(MeasureQueue, OneOfManyKeepsToItsTurn) {
  MeasureQueue queue(9, false);
  push(queue, 1, 5);
  EXPECT_EQ(taken(queue, 0), 1u);
  push(queue, 2, 5);
  push(queue, 3, 4);
  EXPECT_EQ(taken(queue, 0), 2u);
  EXPECT_EQ(taken(queue, 0), 3u);
}

TEST(MeasureQueue, ManySpreadOverWhatWaits) {
  MeasureQueue queue(9, false);
  for (std::uint64_t ticket = 1; ticket <= 6; ++ticket) push(queue, ticket, ticket <= 4 ? 1 : 2);
  EXPECT_EQ(taken(queue, 0), 1u) << "four requests of turn 1 wait, and two of turn 2";
  EXPECT_EQ(taken(queue, 1), 5u) << "three for two devices, against two for one";
  EXPECT_EQ(taken(queue, 2), 2u) << "three for two, against one for two";
}

// Pushes a trial without a best time and returns the best time it carries when taken.
std::optional<double> best_when_taken(MeasureQueue& queue, std::uint64_t turn) {
  const auto request = std::make_shared<const MeasureRequest>(MeasureRequest{TrialToTime{}});
  queue.push({1, request, {std::nullopt, turn}});
  const auto item = queue.take(0);
  EXPECT_EQ(std::get<TrialToTime>(request->what).best_us, std::nullopt) << "others may hold it";
  return std::get<TrialToTime>(item->request->what).best_us;
}

TEST(MeasureQueue, TrialsAreTakenWithTheBestOfTheirTurn) {
  MeasureQueue queue(1, false);
  queue.note_best(5, 20);
  EXPECT_EQ(best_when_taken(queue, 4), std::nullopt);
  EXPECT_EQ(best_when_taken(queue, 5), 20);
  queue.note_best(5, 10);
  EXPECT_EQ(best_when_taken(queue, 5), 10);
}

TEST(MeasureQueue, WhatIsDroppedComesBackInTheOrderGiven) {
  MeasureQueue queue(2, true);
  push(queue, 3, 2);
  push(queue, 1, 1);
  queue.push({2, nullptr, {1, 0}});
  EXPECT_TRUE(queue.cancel(1));
  EXPECT_FALSE(queue.cancel(1));
  EXPECT_EQ(queue.size(), 2u);
  EXPECT_THAT(queue.clear(), ElementsAre(3, 2));
  EXPECT_TRUE(queue.empty());
}

}  // namespace
}  // namespace warpwright
