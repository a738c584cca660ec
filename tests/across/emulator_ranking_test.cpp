// The time model against an H200: whether it puts configurations into the order in which they were
// measured. Counters and resources are those that `warpwright profile all --against` collects;
// modelled times are computed here, so a change of the model shows without emulating anything.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "emu/emulator.h"
#include "exchange/gzip.h"
#include "stats/rank_correlation.h"

namespace warpwright::emu {
namespace {

constexpr std::size_t kMinProblems = 25;
constexpr double kLeastMedianTau = 0.6;
constexpr std::size_t kPicks = 10;
constexpr double kGoodEnough = 1.1;  // times the best that was measured
constexpr double kLeastHits = 0.7;   // of all problems

nlohmann::json read_table() {
  std::string text;
  unpack_gzip(
      std::string(WARPWRIGHT_SOURCE_DIR) + "/results/nvidia-h200/studies/model_ranking.json.gz",
      [&](std::string_view piece) { text += piece; });
  return nlohmann::json::parse(text);
}

double modelled(const nlohmann::json& row, const DeviceModel& device) {
  double sum = 0;
  for (const nlohmann::json& json : row.at("launches")) {
    Counters counters;
    for (const CounterField& field : kCounterFields)
      counters.*field.member = json.at("counters").value(field.name, std::uint64_t{0});
    EntryResources resources;
    resources.registers = json.at("registers");
    resources.static_shared_bytes = json.at("static_shared");
    resources.spill_store_bytes = json.at("spill_stores");
    resources.spill_load_bytes = json.at("spill_loads");
    Launch launch;
    launch.grid = json.at("grid");
    launch.block = json.at("block");
    launch.dynamic_shared_bytes = json.at("dynamic_shared");
    sum += model_us(device, resources, launch, counters);
  }
  return sum;
}

struct Standing {
  std::string name;
  double tau = 0;
  double best_pick = 0;  // of the model's first ten, over the best measured
};

std::vector<Standing> standings() {
  const DeviceModel device = *find_model("sm_90a");
  std::vector<Standing> all;
  const nlohmann::json table = read_table();
  for (const nlohmann::json& board : table.at("problems")) {
    std::vector<std::pair<double, double>> times;  // modelled, measured
    for (const nlohmann::json& row : board.at("configurations"))
      times.emplace_back(modelled(row, device), row.at("measured_us").get<double>());
    std::sort(times.begin(), times.end());
    std::vector<double> model;
    std::vector<double> measured;
    for (const auto& [ours, theirs] : times) {
      model.push_back(ours);
      measured.push_back(theirs);
    }
    const auto end = measured.begin() + static_cast<std::ptrdiff_t>(std::min(kPicks, times.size()));
    all.push_back(
        {board.at("kernel").get<std::string>() + " " + board.at("problem").get<std::string>(),
         kendall_tau_b(model, measured),
         *std::min_element(measured.begin(), end) /
             *std::min_element(measured.begin(), measured.end())});
  }
  return all;
}

std::string describe(const std::vector<Standing>& all) {
  std::string text;
  for (const Standing& one : all)
    text += one.name + ": tau " + std::to_string(one.tau) + ", best pick " +
            std::to_string(one.best_pick) + "\n";
  return text;
}

TEST(ModelRanking, OrdersConfigurationsAsTheDeviceDoes) {
  const std::vector<Standing> all = standings();
  std::vector<double> taus;
  for (const Standing& one : all) taus.push_back(one.tau);
  ASSERT_GE(taus.size(), kMinProblems);
  std::sort(taus.begin(), taus.end());
  EXPECT_GE(taus[taus.size() / 2], kLeastMedianTau) << describe(all);
}

TEST(ModelRanking, TenPicksHoldAGoodConfiguration) {
  const std::vector<Standing> all = standings();
  ASSERT_GE(all.size(), kMinProblems);
  const auto hits = std::count_if(all.begin(), all.end(),
                                  [](const Standing& one) { return one.best_pick <= kGoodEnough; });
  EXPECT_GE(static_cast<double>(hits), kLeastHits * static_cast<double>(all.size()))
      << describe(all);
}

}  // namespace
}  // namespace warpwright::emu
