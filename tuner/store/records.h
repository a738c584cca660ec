// Rows of the results database as plain values. JSON columns hold objects with keys in alphabetical
// order; "" is "not known", anything else must be valid JSON. Records compare by all that they
// hold, row numbers included: who merges databases relies on it.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/status.h"

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
  std::string details_json;  // the whole DeviceInfo
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
  // SHA-256 of what decides results: kernel.yaml, the reference, and the source of one variant (a
  // row per variant) or of all, with everything they include.
  std::string contract_hash;
  std::string summary;
  std::string contract_text;  // kernel.yaml as it was
  // All files of the variant, kernel.yaml among them, each path once. Only for putting: reading
  // goes through Database::kernel_sources().
  std::vector<KernelSource> sources = {};
  // Of a variant's row: the contract's defaults as Configuration::to_string() writes them, and
  // whether the contract names the variant as its baseline. Not known of the rows of a warpwright
  // before schema 4.
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
  std::string ended;         // "complete", "budget", "interrupted", "failed"; empty as above
  friend auto operator<=>(const RunRecord&, const RunRecord&) = default;
};

// One configuration on one problem on one device. `key` identifies what was tried: kernel hash,
// problem, configuration, device fingerprint, protocol and seed; the newest trial of a key is the
// one that counts.
struct TrialRecord {
  RowId id = 0;  // set by the database
  std::string key;
  RowId run = 0;
  RowId kernel = 0;
  RowId device = 0;
  std::string problem_json;  // {"K":10,"V":50257,"rows":8192,...}, completed
  std::string problem_text;  // "rows=8192 V=50257 K=10 dtype=f32", the contract's order
  std::string variant;
  std::string configuration_json;  // {"THREADS":512,...}
  std::string configuration_text;  // Configuration::to_string()
  Status status = Status::kOk;
  std::string reason;
  std::optional<double> median_us, ci_low_us, ci_high_us, floor_us;
  std::optional<double> raw_median_us;  // before the floor was subtracted; absent when it was not
  std::optional<double> at_least_us;    // of a pruned trial: it takes this long or longer
  // The trial whose measurement this is, because machine code, launch and arguments are equal.
  std::optional<RowId> same_as;
  bool modelled = false;
  std::string protocol;
  std::string resources_json;  // as analysis/resource_summary.h reads them
  std::string counters_json;   // emulator counters, {} on a GPU
  std::string errors_json;     // per output: checked, wrong, max_abs, max_rel
  // What was seen beside the samples: {"anchor_drift", "validity": {...}}.
  std::string measurement_json;
  std::string cubin_hash;
  std::string options_json;  // compiler options, to obtain it again
  double compile_seconds = 0, validate_seconds = 0, measure_seconds = 0;
  int sm_clock_mhz = 0;
  double work_bytes = 0, work_flops = 0;     // of the contract on this problem; 0 when not given
  std::optional<double> work_bytes_written;  // of work_bytes; absent when not known
  std::string arithmetic;  // the ceiling that bounds the flops: "fma_f32"; "" for none
  std::string started_utc;
  std::vector<double> samples_us;  // in the order taken; kept as binary32, see sample_codec.h
  friend auto operator<=>(const TrialRecord&, const TrialRecord&) = default;
};

// One finalist of a final ranking. Times are in microseconds and of the rounds.
struct RankingEntryRecord {
  RowId trial = 0;
  int place = 0;      // from 1, the winner's
  bool tied = false;  // the tests cannot tell it from the winner; true for the winner itself
  double median_us = 0, ci_low_us = 0, ci_high_us = 0;
  double relative = 1, relative_low = 1, relative_high = 1;  // time / winner's, from paired rounds
  std::optional<double> p_adjusted;                          // none for the winner
  std::vector<double> rounds_us;  // one per round; kept as binary32, see sample_codec.h
  friend auto operator<=>(const RankingEntryRecord&, const RankingEntryRecord&) = default;
};

// The best configurations of one kernel, problem and device, measured against each other in rounds.
struct RankingRecord {
  RowId id = 0;  // set by the database
  RowId run = 0;
  RowId device = 0;
  std::string kernel_name;
  std::string problem_json, problem_text;  // as in TrialRecord
  std::string protocol;                    // of the rounds
  int rounds = 0;
  double confidence = 0;   // of the tie set: 0.99
  std::string decided_by;  // what chose the winner among ties: "fewer registers"; may be empty
  std::string started_utc;
  std::string headline_json;  // of the winner, as analysis/headline.h reads it
  RowId winner = 0;           // a trial; its protocol is that of the board this ranks
  // Trials with higher numbers are newer. 0 when adding: the last one there is.
  RowId last_trial = 0;
  std::vector<RankingEntryRecord> entries;  // by place
  friend auto operator<=>(const RankingRecord&, const RankingRecord&) = default;
};

// What a device can reach at best, measured: "read" in GB/s, "tensor_bf16" in GFLOP/s.
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
