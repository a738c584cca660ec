// Small recordings, written by hand.
#pragma once

#include <string>

#include "replay/replay_file.h"

namespace warpwright::testing {

// Six configurations of which one fails to compile and one to run; A=2 B=8 is the best.
inline const char* const kSmallRecording = R"({
  "name": "blur-X100", "kernel": "blur", "gpu": "X100", "licence": {"text": [["MIT"]]},
  "parameters": {"B": [4, 8, 16], "A": [1, 2]},
  "constraints": ["A * B <= 16"],
  "configs": [[4, 1], [4, 2], [8, 1], [8, 2], [16, 1]],
  "time_ms": [4, 2.5, null, 2, null],
  "status": [0, 0, 1, 0, 2],
  "n_configs": 5, "n_failed": 2, "optimum_ms": 2
})";

inline Recording recording_of(const std::string& text, const std::string& file = "x.json") {
  return make_recording(read_replay_file(text, file));
}

inline Recording small_recording() { return recording_of(kSmallRecording); }

// Replaces the first `from` in the text.
inline std::string edited(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  return at == std::string::npos ? "no '" + from + "' to edit" : text.replace(at, from.size(), to);
}

// One parameter, N = 1 .. times.size(); 0 marks a failed one.
inline Recording line_of(const std::vector<double>& times_ms, const std::string& name = "line") {
  RecordingDraft draft;
  draft.head.name = name;
  draft.head.file = name + ".json";
  draft.head.kind = "measured";
  draft.groups.push_back({"", {{"N", {}}}});
  for (std::size_t i = 0; i < times_ms.size(); ++i) {
    draft.groups[0].axes[0].values.emplace_back(static_cast<std::int64_t>(i + 1));
    RecordedRow row;
    row.place.levels = {static_cast<std::uint32_t>(i)};
    if (times_ms[i] > 0) row.us = times_ms[i] * 1e3;
    row.status = row.us ? Status::kOk : Status::kLaunchFailed;
    draft.rows.push_back(row);
  }
  return make_recording(std::move(draft));
}

}  // namespace warpwright::testing
