// Replay files, mutated as texts and as JSON: read, held against the space that they describe, and
// replayed.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "fuzz/fuzz.h"
#include "fuzz/json_mutator.h"
#include "fuzz/mutator.h"
#include "replay/replay_report.h"
#include "replay/sample_recordings.h"

namespace warpwright::fuzz {
namespace {

// An accepted recording can be searched, and a search that asks for everything finds its best.
void check_replay(const std::string& text) {
  static_cast<void>(kind_of_json(text));
  const Recording recording = make_recording(read_replay_file(text, "x.json"));
  StrategyOptions options;
  const auto strategy = make_strategy("random", *recording.space, options);
  const std::uint64_t budget = recording.count();
  const ReplayRun run = run_strategy(*strategy, recording, {budget});
  const RunScore score = score_run(run, recording, budget);
  if (score.score != 1) throw PropertyFault{"a search of everything did not find the best"};
  if (!(score.area >= 0 && score.area <= 1)) throw PropertyFault{"an area outside of 0 to 1"};
}

TEST(Fuzz, ReplayFiles) {
  const std::vector<std::string> texts = {
      testing::kSmallRecording,
      R"({"parameters": {"T": ["f32", "f16"], "S": [true, false]}, "constraints": ["T == 'f32' || S"],
          "configs": [["f32", true], ["f32", false], ["f16", true]], "time_ms": [1, 2.5e3, null]})",
      R"({"parameters": {"A": [3, 1, 2]}, "configs": [[1], [3]], "time_ms": [0.25, 4]})"};
  std::vector<nlohmann::json> trees;
  for (const std::string& text : texts) trees.push_back(nlohmann::json::parse(text));
  const Mutator mutator(texts,
                        {"{",
                         "}",
                         "[",
                         "]",
                         ":",
                         ",",
                         "\"",
                         "null",
                         "true",
                         "NaN",
                         "1e999",
                         "-1",
                         "0",
                         "9223372036854775808",
                         "\"configs\": ",
                         "\"time_ms\": 7",
                         "\"status\": [0]",
                         "\"constraints\": []",
                         "\"A % 0\"",
                         "\\ud800",
                         "\xff"},
                        "[]{}");
  FuzzTarget target;
  target.name = "replay";
  target.inputs = 6000;
  target.make = [&](Random& random) {
    return random.one_in(2) ? mutator.make(random) : mutate_json(random.of(trees), random);
  };
  target.check = check_replay;
  target.least_taken = target.inputs / 40;
  target.least_refused = target.inputs / 20;
  run_fuzz(target);
}

}  // namespace
}  // namespace warpwright::fuzz
