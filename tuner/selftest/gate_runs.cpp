#include "selftest/gate_runs.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "selftest/subject.h"
#include "stats/median.h"
#include "trial/validity.h"

namespace warpwright {
namespace {

constexpr double kTargetUs = 50;
constexpr int kBlocks = 20;
constexpr double kTurnUs = 1000;
// What overwriting L2 takes beside every sample, about.
constexpr double kBetweenSamplesUs = 40;

nlohmann::json pairs_of(const std::vector<AbbaBlock>& blocks) {
  nlohmann::json pairs = nlohmann::json::array();
  for (const AbbaBlock& block : blocks) pairs.push_back({block.baseline_us, block.candidate_us});
  return pairs;
}

std::vector<AbbaBlock> blocks_of(const nlohmann::json& pairs) {
  std::vector<AbbaBlock> blocks;
  for (const nlohmann::json& pair : pairs)
    blocks.push_back({pair.at(0).get<double>(), pair.at(1).get<double>()});
  return blocks;
}

}  // namespace

void to_json(nlohmann::json& json, const GateRuns& runs) {
  json = {{"kernel", runs.kernel},
          {"protocol", runs.protocol},
          {"slower_permille", runs.slower_permille},
          {"true_slowdown", runs.true_slowdown},
          {"about_us", runs.about_us},
          {"noise_blocks", pairs_of(runs.noise_blocks)},
          {"runs", nlohmann::json::array()}};
  for (const auto& blocks : runs.runs) json["runs"].push_back(pairs_of(blocks));
}

void from_json(const nlohmann::json& json, GateRuns& runs) {
  json.at("kernel").get_to(runs.kernel);
  json.at("protocol").get_to(runs.protocol);
  json.at("slower_permille").get_to(runs.slower_permille);
  json.at("true_slowdown").get_to(runs.true_slowdown);
  json.at("about_us").get_to(runs.about_us);
  runs.noise_blocks = blocks_of(json.at("noise_blocks"));
  runs.runs.clear();
  for (const nlohmann::json& blocks : json.at("runs")) runs.runs.push_back(blocks_of(blocks));
}

std::vector<AbbaBlock> take_abba_blocks(Device& device, TimingPlan& baseline, TimingPlan& candidate,
                                        double about_us, int blocks) {
  const int samples =
      static_cast<int>(std::max(1.0, std::ceil(kTurnUs / (about_us + kBetweenSamplesUs))));
  ValidityWatch watch(device);
  std::vector<AbbaBlock> taken;
  while (static_cast<int>(taken.size()) < blocks) {
    std::vector<double> baseline_us;
    std::vector<double> candidate_us;
    const auto turn = [&](TimingPlan& plan, std::vector<double>& into) {
      const Samples one = take_or_throw(plan, samples);
      for (const double sample : one.elapsed_us)
        into.push_back(without_floor(sample, one.floor_us));
    };
    watch.begin_block();
    turn(baseline, baseline_us);
    turn(candidate, candidate_us);
    turn(candidate, candidate_us);
    turn(baseline, baseline_us);
    if (watch.end_block()) taken.push_back({median(baseline_us), median(candidate_us)});
    if (watch.noisy()) throw environment_error("comparing in blocks: " + watch.describe());
  }
  return taken;
}

GateRuns run_gate(const Bench& bench, const std::string& kernel, int runs, int slower_permille) {
  const auto subject = Subject::make(bench, kernel, kTargetUs);
  GateRuns result;
  result.kernel = kernel;
  result.slower_permille = slower_permille;
  result.about_us = subject->about_us();
  const auto baseline = subject->kernel().plan(subject->configuration());
  const auto again = subject->kernel().plan(subject->configuration());
  const auto candidate = subject->kernel().plan(subject->configuration(slower_permille));
  result.protocol = take_or_throw(*baseline, 1).protocol;
  (void)take_or_throw(*again, 1);
  (void)take_or_throw(*candidate, 1);
  if (slower_permille > 0) result.true_slowdown = subject->true_slowdown(slower_permille);
  result.noise_blocks = take_abba_blocks(bench.device, *baseline, *again, result.about_us, kBlocks);
  for (int run = 0; run < runs; ++run) {
    result.runs.push_back(
        take_abba_blocks(bench.device, *baseline, *candidate, result.about_us, kBlocks));
  }
  return result;
}

Verdicts judge(const GateRuns& runs) {
  Verdicts verdicts;
  const double noise = aa_noise(runs.noise_blocks);
  verdicts.delta = gate_delta(noise);
  for (const std::vector<AbbaBlock>& blocks : runs.runs) {
    ++verdicts.all;
    switch (judge_blocks(blocks, noise).verdict) {
      case GateVerdict::kRegression:
        ++verdicts.regressions;
        break;
      case GateVerdict::kImproved:
        ++verdicts.improvements;
        break;
      case GateVerdict::kInconclusive:
        ++verdicts.inconclusive;
        break;
      case GateVerdict::kOk:
        break;
    }
  }
  return verdicts;
}

}  // namespace warpwright
