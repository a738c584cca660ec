// Tests the order of events across threads, and which callers wait for which events.
#include "sweep/event_queue.h"

#include <gmock/gmock.h>

#include <atomic>
#include <thread>
#include <vector>

namespace warpwright {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::uint64_t> handle_all(EventQueue& queue, milliseconds patience = milliseconds(0)) {
  std::vector<std::uint64_t> tickets;
  queue.handle(patience, [&](const SweepEvent& event) {
    const auto* compiled = std::get_if<CompiledEvent>(&event);
    tickets.push_back(compiled != nullptr ? compiled->ticket : std::get<MeasuredEvent>(event).task);
  });
  return tickets;
}

TEST(EventQueue, HandsOverInTheOrderPostedOnce) {
  EventQueue queue;
  queue.post(CompiledEvent{3, {}});
  queue.post(MeasuredEvent{1, {}, {}});
  queue.post(CompiledEvent{2, {}});
  EXPECT_THAT(handle_all(queue), ElementsAre(3, 1, 2));
  EXPECT_THAT(handle_all(queue), IsEmpty());
}

TEST(EventQueue, WaitsForAnEventThatIsPostedMeanwhile) {
  EventQueue queue;
  std::thread poster([&] { queue.post(CompiledEvent{7, {}}); });
  std::vector<std::uint64_t> seen;
  while (seen.empty()) seen = handle_all(queue, std::chrono::seconds(10));
  poster.join();
  EXPECT_THAT(seen, ElementsAre(7));
}

TEST(EventQueue, WhatAHandlerPostsIsOfTheNextRound) {
  EventQueue queue;
  queue.post(CompiledEvent{1, {}});
  queue.handle(milliseconds(0), [&](const SweepEvent&) { queue.post(CompiledEvent{2, {}}); });
  EXPECT_THAT(handle_all(queue), ElementsAre(2));
}

TEST(EventQueue, ThePosterThatWaitsGoesOnWhenItsOwnEventWasHandled) {
  EventQueue queue;
  std::atomic<bool> handled = false, went_on_early = false;
  std::thread poster([&] {
    queue.post(CompiledEvent{1, {}});
    queue.post_and_wait(MeasuredEvent{2, {}, {}});
    went_on_early = !handled;
  });
  std::size_t seen = 0;
  while (seen < 2) {
    queue.handle(std::chrono::seconds(10), [&](const SweepEvent& event) {
      ++seen;
      if (std::holds_alternative<MeasuredEvent>(event)) handled = true;
    });
  }
  poster.join();
  EXPECT_FALSE(went_on_early);
}

TEST(EventQueue, NobodyWaitsAfterTheEnd) {
  EventQueue queue;
  std::thread poster([&] { queue.post_and_wait(MeasuredEvent{1, {}, {}}); });
  queue.close();
  poster.join();
  queue.post_and_wait(MeasuredEvent{2, {}, {}});
}

TEST(EventQueue, TheThreadThatHandlesDoesNotWaitForItself) {
  EventQueue queue;
  EXPECT_THAT(handle_all(queue), IsEmpty());
  queue.post_and_wait(CompiledEvent{4, {}});
  EXPECT_THAT(handle_all(queue), ElementsAre(4));
}

}  // namespace
}  // namespace warpwright
