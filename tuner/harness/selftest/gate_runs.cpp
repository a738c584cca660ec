#include "harness/selftest/gate_runs.h"

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "harness/selftest/spin_subject.h"
#include "trial/timing/abba.h"

namespace warpwright {
namespace {

constexpr double kRunTargetUs = 50;
constexpr int kBlocks = 20;

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

std::vector<AbbaBlock> abba_blocks_or_throw(Device& device, TimingPlan& baseline,
                                            TimingPlan& candidate, double about_us, int blocks) {
  AbbaOptions options;
  options.blocks = blocks;
  AbbaRun run = take_abba_blocks(device, baseline, candidate, about_us, options);
  if (run.status == Status::kNoisy) throw environment_error("comparing in blocks: " + run.reason);
  if (run.status != Status::kOk) throw environment_error("taking samples of time: " + run.reason);
  return std::move(run.blocks);
}

GateRuns run_gate(const Bench& bench, const std::string& kernel, int runs, int slower_permille) {
  const auto subject = Subject::make(bench, kernel, kRunTargetUs);
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
  result.noise_blocks =
      abba_blocks_or_throw(bench.device, *baseline, *again, result.about_us, kBlocks);
  for (int run = 0; run < runs; ++run) {
    result.runs.push_back(
        abba_blocks_or_throw(bench.device, *baseline, *candidate, result.about_us, kBlocks));
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
