// A MeasurePool with a worker of the test's own, and the results that it delivered.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "support/test_worker.h"
#include "workers/measure_pool.h"

namespace warpwright::testing {

// Returns the trial of a request to time or keep one.
inline const CompiledTrial& trial_of(const MeasureRequest& request) {
  const auto* kept = std::get_if<TrialToKeep>(&request.what);
  return kept != nullptr ? kept->trial : std::get<TrialToTime>(request.what).trial;
}
inline std::string text_of(const MeasureRequest& request, const std::string& name) {
  const std::map<std::string, Value>& values = trial_of(request).configuration.values;
  const auto it = values.find(name);
  return it == values.end() ? "" : it->second.to_string();
}

class PoolUnderTest {
 public:
  explicit PoolUnderTest(const char* worker, int slots = 1, const std::string& device = "emu:fake",
                         int patience_ms = 60'000) {
    MeasurePoolOptions options;
    options.setup.device = device;
    options.setup.kernel_file = "x/kernel.yaml";
    options.on_waiting = [this](const std::string& line) {
      const std::lock_guard lock(mutex_);
      waited.push_back(line);
    };
    options.waiting_interval = std::chrono::milliseconds(300);
    options.slots = slots;
    options.worker_command = test_worker_command(worker);
    options.patience = std::chrono::milliseconds(patience_ms);
    start(std::move(options));
  }
  explicit PoolUnderTest(MeasurePoolOptions options) { start(std::move(options)); }
  ~PoolUnderTest() { pool.reset(); }

  // The worker finds the words under DO and WITH.
  void submit(std::uint64_t ticket, const std::string& what, const std::string& with = "") const {
    auto request = std::make_shared<MeasureRequest>();
    auto& values = request->what.emplace<TrialToTime>().trial.configuration.values;
    values["DO"] = what;
    values["WITH"] = with;
    pool->submit(ticket, std::move(request));
  }
  void wait_for(std::size_t count) {
    std::unique_lock lock(mutex_);
    ASSERT_TRUE(
        wake_.wait_for(lock, std::chrono::seconds(60), [&] { return outcomes.size() >= count; }));
  }

  std::map<std::uint64_t, Outcome> outcomes;
  std::vector<std::uint64_t> order;              // of the tickets
  std::map<std::uint64_t, std::size_t> devices;  // index of the pool's device
  std::map<std::uint64_t, Error> errors;
  std::vector<std::uint64_t> lost;  // tickets whose device was gone
  std::vector<std::string> waited;  // messages received meanwhile
  std::unique_ptr<MeasurePool> pool;

 private:
  void start(MeasurePoolOptions options) {
    pool = std::make_unique<MeasurePool>(std::move(options),
                                         [this](std::uint64_t ticket, MeasureAnswer answer) {
                                           const std::lock_guard lock(mutex_);
                                           order.push_back(ticket);
                                           devices[ticket] = answer.device;
                                           outcomes[ticket] = std::move(answer.outcome);
                                           if (answer.device_lost) lost.push_back(ticket);
                                           if (answer.error) errors.emplace(ticket, *answer.error);
                                           wake_.notify_all();
                                         });
  }

  std::mutex mutex_;
  std::condition_variable wake_;
};

}  // namespace warpwright::testing
