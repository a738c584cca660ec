// Rows of the results database as plain values. A JSON column is a Stored value: unknown, or a
// value with its text, whose keys are in alphabetical order. Records compare by everything they
// hold, row numbers included, and by the texts of columns: merging databases relies on it.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "records/configuration.h"
#include "records/contract_remark.h"
#include "records/device_info.h"
#include "records/goal_record.h"
#include "records/kernel_resources.h"
#include "records/status.h"
#include "records/stored.h"
#include "records/times.h"
#include "records/trial_figures.h"
#include "records/trial_measurement.h"

namespace warpwright {

using RowId = std::int64_t;

struct DeviceRecord {
  std::string fingerprint;  // unique
  std::string id;           // "cuda:0", "emu:sm_90a"
  std::string name;
  std::string arch;
  std::string uuid;
  std::string driver;
  bool has_clock = false;
  // For a foreign database or an imported file, with little or nothing in it.
  Stored<DeviceInfo> details = {};
  friend auto operator<=>(const DeviceRecord&, const DeviceRecord&) = default;
};

// One file that a kernel consists of, under the path it has below a folder of kernels:
// "kernels/softmax_topk/block_row.cu", "kernels/common/topk.cuh".
struct KernelSource {
  std::string path;
  std::string text;
  friend auto operator<=>(const KernelSource&, const KernelSource&) = default;
};

struct KernelRecord {
  std::string name;
  // SHA-256 of the files that determine results: kernel.yaml, the reference, and the source of one
  // variant (a row per variant) or of all, with everything they include.
  std::string contract_hash;
  std::string summary;
  std::string contract_text;  // kernel.yaml as it was
  // All files of the variant, kernel.yaml among them, each path once. Only for writing: reading
  // goes through Database::kernel_sources().
  std::vector<KernelSource> sources = {};
  // In a variant's row: the contract's defaults as Configuration::to_string() writes them, and
  // whether the contract names the variant as its baseline. Unknown for rows written before schema
  // 4.
  std::optional<std::string> default_configuration = std::nullopt;
  std::optional<bool> baseline = std::nullopt;
  friend auto operator<=>(const KernelRecord&, const KernelRecord&) = default;
};

struct RunRecord {
  std::string config_path;
  std::string config_text;
  std::uint64_t seed = 0;
  std::string strategy;
  std::string budget;
  std::string version;  // of warpwright, with its commit when known
  std::string nvrtc_version;
  std::string host;
  std::string command_line;
  std::string started_utc;   // "2026-03-01T12:00:00Z"
  std::string finished_utc;  // empty while it runs or after it was killed
  // "complete", "budget", "enough", "interrupted", "failed"; empty as above
  std::string ended;
  // Unknown if a short time was the only goal, and before schema 5.
  Stored<GoalRecord> goal = {};
  friend auto operator<=>(const RunRecord&, const RunRecord&) = default;
};

// The counters of the emulator and the harness, by name; empty on a GPU.
using TrialCounters = std::map<std::string, std::uint64_t>;

// One configuration on one problem on one device. `key` identifies the experiment: kernel hash,
// problem, configuration, device fingerprint, protocol and seed. Only the newest trial of a key is
// used.
struct TrialRecord : TrialFigures {
  RowId id = 0;  // set by the database
  std::string key;
  RowId run = 0;
  RowId kernel = 0;
  RowId device = 0;
  Stored<Problem> problem;   // completed
  std::string problem_text;  // "rows=8192 V=50257 K=10 dtype=f32", the contract's order
  // The configuration: its variant, the values of its parameters, and Configuration::to_string().
  std::string variant;
  Stored<ParameterValues> parameters;
  std::string configuration_text;
  Status status = Status::kOk;
  std::string reason;
  // The trial whose measurement was reused, because machine code, launch and arguments are equal.
  std::optional<RowId> same_as;
  bool modelled = false;
  std::string protocol;
  Stored<TrialResources> resources;
  Stored<TrialCounters> counters;
  Stored<std::vector<OutputError>> errors;
  Stored<TrialMeasurement> measurement;  // for an imported trial, from its file
  std::string cubin_hash;
  Stored<std::vector<std::string>> options;  // of the compiler, to compile it again
  std::string arithmetic;  // the ceiling that bounds the flops: "fma_f32"; "" for none
  std::string started_utc;
  std::vector<double> samples_us;  // in the order taken; kept as binary32, see store/columns.h
  friend auto operator<=>(const TrialRecord&, const TrialRecord&) = default;

  [[nodiscard]] Configuration configuration() const { return {variant, *parameters}; }
};

// The detail of the trial's failure; derived from the reason for trials that were stored without
// it.
[[nodiscard]] FailureDetail failure_of(const TrialRecord& trial);
// Makes it a failed trial with a status and a reason that do not come from its measurement.
void set_failure(TrialRecord& trial, Status status, FailureReason reason);

// The remarks that a run made on a contract and a problem. The list is empty when the run checked
// the contract and had no remarks. `kernel` is the row of a variant, so the record holds for the
// contract as it was then.
struct ContractCheckRecord {
  RowId run = 0;
  RowId kernel = 0;
  Stored<Problem> problem;  // as in TrialRecord
  std::string problem_text;
  Stored<std::vector<ContractRemark>> remarks;
  friend auto operator<=>(const ContractCheckRecord&, const ContractCheckRecord&) = default;
};

// One finalist of a final ranking. Times are in microseconds, from the rounds.
struct RankingEntryRecord {
  RowId trial = 0;
  int place = 0;      // from 1, the winner's
  bool tied = false;  // the tests cannot distinguish it from the winner; true for the winner
  double median_us = 0, ci_low_us = 0, ci_high_us = 0;
  double relative = 1, relative_low = 1, relative_high = 1;  // time / winner's, from paired rounds
  std::optional<double> p_adjusted;                          // none for the winner
  std::vector<double> rounds_us;  // one per round; kept as binary32, see store/columns.h
  friend auto operator<=>(const RankingEntryRecord&, const RankingEntryRecord&) = default;
};

// The best configurations of one kernel, problem and device, compared in rounds.
struct RankingRecord {
  RowId id = 0;  // set by the database
  RowId run = 0;
  RowId device = 0;
  std::string kernel_name;
  Stored<Problem> problem;  // as in TrialRecord
  std::string problem_text;
  std::string protocol;  // of the rounds
  int rounds = 0;
  double confidence = 0;   // of the tie set: 0.99
  std::string decided_by;  // the rule that chose among ties: "fewer registers"; may be empty
  std::string started_utc;
  Stored<Headline> headline;  // of the winner; unknown when it could not be measured
  RowId winner = 0;           // a trial with the protocol of the ranked board
  // Trials with higher numbers are newer. When adding, 0 means the latest.
  RowId last_trial = 0;
  std::vector<RankingEntryRecord> entries;  // by place
  friend auto operator<=>(const RankingRecord&, const RankingRecord&) = default;
};

// The measured maximum of a device: "read" in GB/s, "tensor_bf16" in GFLOP/s.
struct CeilingRecord {
  RowId device = 0;
  std::string name;
  double value = 0;
  std::string unit;
  std::optional<double> ci_low, ci_high;
  std::string protocol;
  std::string measured_utc;
  friend auto operator<=>(const CeilingRecord&, const CeilingRecord&) = default;
};

}  // namespace warpwright
