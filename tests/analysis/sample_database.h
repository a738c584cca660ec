// A database with devices, runs and trials of the tests' choice.
#pragma once

#include <filesystem>
#include <string>

#include "core/files.h"
#include "store/sample_records.h"

namespace warpwright::testing {

class SampleDatabase {
 public:
  explicit SampleDatabase(const std::filesystem::path& path) : database_(path) {}

  RowId device(const std::string& id, const std::string& name, const std::string& fingerprint) {
    DeviceRecord record = sample_device();
    record.id = id;
    record.name = name;
    record.fingerprint = fingerprint;
    return database_.put_device(record);
  }
  RowId run(const std::string& version = "0.1.0", std::uint64_t seed = 1) {
    RunRecord record = sample_run();
    record.version = version;
    record.seed = seed;
    return database_.start_run(record);
  }
  RowId trial(RowId run, RowId device, const std::string& configuration, double median_us,
              Status status = Status::kOk) {
    TrialRecord record = sample_trial(run, database_.put_kernel(sample_kernel()), device);
    record.key = configuration + " on " + std::to_string(device);
    record.configuration_text = configuration;
    record.status = status;
    if (status == Status::kOk) {
      record.median_us = median_us;
      record.ci_low_us = median_us - 0.5;
      record.ci_high_us = median_us + 0.5;
    } else {
      record.median_us.reset();
    }
    return database_.add_trial(record);
  }
  [[nodiscard]] Database& database() { return database_; }

 private:
  Database database_;
};

}  // namespace warpwright::testing
