// Records and helpers that the tests of the results layers share.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <utility>

#include "core/error.h"
#include "core/files.h"
#include "store/database.h"
#include "support/stored_text.h"

namespace warpwright::testing {

inline DeviceRecord sample_device() {
  DeviceRecord device{"f1e2d3c4b5a6", "cuda:0",     "NVIDIA H200", "sm_90a",
                      "GPU-1234",     "580.159.04", true};
  set_text(device.details, R"({"sm_count":132})");
  return device;
}

inline KernelRecord sample_kernel(std::string hash = "hash-1") {
  return {"softmax_topk",
          std::move(hash),
          "Fused softmax + top-k",
          "kernel: softmax_topk\n",
          {{"kernels/common/topk.cuh", "// top-k\n"},
           {"kernels/softmax_topk/kernel.yaml", "kernel: softmax_topk\n"}}};
}

inline RunRecord sample_run() {
  RunRecord run;
  run.config_path = "configs/softmax_topk.yaml";
  run.config_text = "kernel: softmax_topk\n";
  run.seed = 18446744073709551615U;
  run.strategy = "exhaustive";
  run.budget = "200";
  run.version = "0.1.0";
  run.nvrtc_version = "13.0";
  run.host = "bench-1";
  run.command_line = "warpwright sweep configs/softmax_topk.yaml";
  run.started_utc = "2026-03-01T12:00:00Z";
  return run;
}

// Sets every member, so that a forgotten column shows.
inline TrialRecord sample_trial(RowId run = 1, RowId kernel = 1, RowId device = 1) {
  TrialRecord trial;
  trial.key = "key-1";
  trial.run = run;
  trial.kernel = kernel;
  trial.device = device;
  set_text(trial.problem, R"({"K":10,"V":50257,"dtype":"f32","rows":8192})");
  trial.problem_text = "rows=8192 V=50257 K=10 dtype=f32";
  trial.variant = "threshold";
  set_text(trial.parameters, R"({"THREADS":512})");
  trial.configuration_text = "threshold THREADS=512";
  trial.status = Status::kOk;
  trial.median_us = 372.1;
  trial.ci_low_us = 371.8;
  trial.ci_high_us = 372.6;
  trial.floor_us = 4.4;
  trial.raw_median_us = 376.5;
  trial.at_least_us = 370;
  set_text(trial.measurement, R"({"anchor_drift":0.001,"validity":null})");
  trial.protocol = "cold-events-1";
  set_text(
      trial.resources,
      R"([{"dynamic_shared":12288,"entry":"softmax_topk","registers":40,"spill_loads":0,"spill_stores":0,"static_shared":128}])");
  set_text(trial.counters, "{}");
  set_text(trial.errors, R"([{"output":"probs","wrong":0}])");
  trial.cubin_hash = "c0ffee";
  set_text(trial.options, R"(["-DTHREADS=512"])");
  trial.compile_seconds = 0.5;
  trial.validate_seconds = 0.25;
  trial.measure_seconds = 0.125;
  trial.sm_clock_mhz = 1980;
  trial.work_bytes = 1647476736;
  trial.work_flops = 2058747904;
  trial.work_bytes_written = 655360;
  trial.arithmetic = "fma_f32";
  trial.started_utc = "2026-03-01T12:00:01Z";
  trial.samples_us = {372.1, 371.9, 372.25};
  return trial;
}

inline ContractRemark sample_remark() {
  ContractRemark remark;
  remark.output = "probs";
  remark.largest_expected = 0.001;
  remark.allowed = 0.01;
  return remark;
}

inline ContractCheckRecord sample_contract_check(RowId run = 1, RowId kernel = 1) {
  ContractCheckRecord check;
  check.run = run;
  check.kernel = kernel;
  check.problem = sample_trial().problem;
  check.problem_text = sample_trial().problem_text;
  check.remarks = std::vector<ContractRemark>{sample_remark()};
  return check;
}

// A ranking of stored trials, the winner first, all tied.
inline RankingRecord sample_ranking(const std::vector<RowId>& trials) {
  RankingRecord ranking;
  ranking.run = ranking.device = 1;
  ranking.kernel_name = "softmax_topk";
  ranking.problem = sample_trial().problem;
  ranking.problem_text = sample_trial().problem_text;
  ranking.protocol = "rounds-1";
  ranking.rounds = 46;
  ranking.confidence = 0.99;
  ranking.decided_by = "fewer registers";
  ranking.started_utc = "2026-03-01T12:05:00Z";
  set_text(ranking.headline, R"({"cold":{"median_us":371.5}})");
  ranking.winner = trials.front();
  for (const RowId trial : trials) {
    RankingEntryRecord& entry = ranking.entries.emplace_back();
    entry.trial = trial;
    entry.place = static_cast<int>(ranking.entries.size());
    entry.tied = true;
    entry.median_us = 371.5;
    entry.ci_low_us = 371.25;
    entry.ci_high_us = 371.75;
    if (entry.place > 1) {
      entry.relative = 1.001;
      entry.relative_low = 0.999;
      entry.relative_high = 1.003;
      entry.p_adjusted = 0.25;
    }
    entry.rounds_us = {371.5, 371.25};
  }
  return ranking;
}

// A database in a folder of its own with one device, kernel and run, each of row 1.
class DatabaseTest : public ::testing::Test {
 protected:
  DatabaseTest() : path_(folder_.path() / "x.db") {}

  [[nodiscard]] Database open(OpenMode mode = OpenMode::kReadWrite) const {
    return Database(path_, mode, kPatientMs);
  }
  static void put_basics(Database& database) {
    database.put_device(sample_device());
    database.put_kernel(sample_kernel());
    database.start_run(sample_run());
  }
  // Makes a complete database file with `trials` trials.
  void make_database(int trials = 1) const {
    Database database = open();
    put_basics(database);
    for (int i = 0; i < trials; ++i) {
      TrialRecord trial = sample_trial();
      trial.key = "key-" + std::to_string(i + 1);
      database.add_trial(trial);
    }
  }

  // A busy machine with a slow disk must not fail a test of something else.
  static constexpr int kPatientMs = 60000;

  TemporaryFolder folder_;
  std::filesystem::path path_;
};

// The message of the Error that `work` throws, with {} in place of `path`; "no error" if it does
// not throw.
inline std::string message_of(const std::function<void()>& work,
                              const std::filesystem::path& path = {}) {
  try {
    work();
  } catch (const Error& error) {
    std::string message = error.what();
    for (std::size_t at = 0; !path.empty();) {
      at = message.find(path.string(), at);
      if (at == std::string::npos) break;
      message.replace(at, path.string().size(), "{}");
    }
    return message;
  }
  return "no error";
}

inline std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void write_bytes(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

}  // namespace warpwright::testing
