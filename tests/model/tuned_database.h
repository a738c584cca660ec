// A database of one calibrated device with trials chosen by the test.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "core/files.h"
#include "store/sample_records.h"
#include "support/stored_text.h"

namespace warpwright::testing {

class TunedDatabase : public ::testing::Test {
 protected:
  TunedDatabase() : database_(folder_.path() / "r.db") {
    DeviceRecord device = sample_device();
    set_text(device.details, R"({"global_bytes":150000000000})");
    device_ = database_.put_device(device);
    run_ = database_.start_run(sample_run());
    kernel_ = database_.put_kernel(sample_kernel());
  }
  void calibrate() {
    for (const auto& [name, value] : std::map<std::string, double>{
             {"read", 4430}, {"tensor_bf16", 790'000}, {"fma_f32", 60'000}})
      database_.add_ceiling({device_, name, value, "", {}, {}, "p", "2026-03-01T12:00:00Z"});
  }
  void add_trial(const std::string& problem, double median_us, const std::string& protocol) {
    add_trial_of(kernel_, problem, median_us, protocol);
  }
  void add_trial_of(RowId kernel, const std::string& problem, double median_us,
                    const std::string& protocol) {
    TrialRecord trial = sample_trial(run_, kernel, device_);
    trial.key = std::to_string(kernel) + problem + protocol;
    set_text(trial.problem, problem);
    trial.problem_text = problem;
    trial.median_us = median_us;
    trial.protocol = protocol;
    database_.add_trial(trial);
  }
  void add_kernel_trial(const std::string& kernel, const std::string& problem, double median_us,
                        const std::string& protocol = "cold-graph-1") {
    KernelRecord record = sample_kernel("hash of " + kernel);
    record.name = kernel;
    add_trial_of(database_.put_kernel(record), problem, median_us, protocol);
  }

  const TemporaryFolder folder_;
  Database database_;
  RowId device_ = 0, run_ = 0, kernel_ = 0;
};

}  // namespace warpwright::testing
