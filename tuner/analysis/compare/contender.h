// A contender of a comparison: the trials of one device, or of several GPUs of one name, all of a
// database's or those of one run or commit. Its leaderboards follow the rules of
// analysis/board/leaderboard.h within these trials alone, so that an old run is judged by its own
// sources. Times are in microseconds.
//
// Several GPUs have one leaderboard per kernel, problem and protocol: the one of the GPU with the
// best time. To it come the configurations that only other GPUs of the contender have tried, so
// that it is known what they reach; none of those ties with the best. The sources of a variant that
// any of the GPUs has swept last count, and a configuration that is wrong on one of them is not
// ranked on any.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/board/leaderboard.h"
#include "store/database.h"

namespace warpwright {

// The origin of a time. Times of different kinds are never compared with each other.
enum class TimeKind { kMeasured, kImported, kModelled };
[[nodiscard]] std::string_view time_kind_name(TimeKind kind);  // "measured", ...
[[nodiscard]] TimeKind time_kind(const Leaderboard& board);

struct ContenderDevice {
  std::string id, fingerprint;
};

struct Contender {
  std::string name;    // as shown, unique among the contenders: "run:12", "NVIDIA H200"
  std::string source;  // the file, as given
  std::string device_name, device_arch, device_driver;
  std::vector<ContenderDevice> devices;  // at least one
  bool modelled = false;
  std::vector<RowId> runs;  // runs of its trials, ascending
  // Distinct values of those runs; an import adds none, because it does not record how the times
  // were taken.
  std::vector<std::string> versions, nvrtc_versions, seeds;
  std::string first_started_utc, last_started_utc;  // of its trials
  std::size_t trials = 0;
  std::vector<Leaderboard> boards;
  std::vector<CeilingRecord> ceilings;  // of the device: a run has none of its own
};

// Selects the trials of a database that make one contender.
struct ContenderTrials {
  // Rows of its `devices()`, which have one name, architecture and driver; at least one.
  std::vector<RowId> devices;
  std::optional<std::vector<RowId>> runs = std::nullopt;  // all without it
};
[[nodiscard]] Contender load_contender(const Database& database, const ContenderTrials& trials,
                                       const std::optional<std::string>& kernel);

// Differences between contenders other than their times: device, driver, toolkit, version,
// protocol, sources. They are shown before any explanation of a speed-up.

struct ContenderDifference {
  std::string what;                 // "driver", "sources of softmax_topk naive"
  std::vector<std::string> values;  // by contender; "" where there is none or it is not known
  std::string kernel = "";          // whose sources differ; "" for anything else
};

// `boards` holds, per problem, the board of each contender that the comparison uses; null if there
// is none. A contender without a value does not count as different.
[[nodiscard]] std::vector<ContenderDifference> contender_differences(
    const std::vector<Contender>& contenders,
    const std::vector<std::vector<const Leaderboard*>>& boards);

}  // namespace warpwright
