#include "support/broken_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>

#include "core/files.h"
#include "store/database.h"

namespace warpwright::testing {
namespace fs = std::filesystem;
namespace {

fs::path fixtures() { return fs::path(WARPWRIGHT_SOURCE_DIR) / "tests/fixtures/broken_kernels"; }

// "variant.cu:7" for the line that ends in "// here".
std::string marked_place(const fs::path& source) {
  const std::string text = read_file(source);
  const std::size_t at = text.find("// here\n");
  EXPECT_NE(at, std::string::npos) << source << " marks no line with `// here`";
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(at, text.size()));
  return source.filename().string() + ":" + std::to_string(1 + std::count(text.begin(), end, '\n'));
}

}  // namespace

std::vector<ExpectedFailure> expected_failures(const std::string& fixture, bool gpu) {
  static constexpr std::string_view kHere = "{here}";
  std::vector<ExpectedFailure> expected;
  for (const nlohmann::json& entry :
       nlohmann::json::parse(read_file(fixtures() / "expected.json"))) {
    if (entry.at("fixture") != fixture) continue;
    const nlohmann::json& how = entry.at(gpu && entry.contains("gpu") ? "gpu" : "emulator");
    if (how.is_null()) continue;  // it passes there
    ExpectedFailure failure{entry.at("variant"), how.at("status"), how.at("reason")};
    if (const std::size_t at = failure.reason.find(kHere); at != std::string::npos) {
      failure.reason.replace(
          at, kHere.size(), marked_place(fixtures() / fixture / (failure.variant + ".cu")) + "\\b");
    }
    expected.push_back(std::move(failure));
  }
  return expected;
}

std::vector<std::string> broken_fixtures() {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(fixtures())) {
    if (fs::exists(entry.path() / "kernel.yaml")) names.push_back(entry.path().filename());
  }
  std::sort(names.begin(), names.end());
  return names;
}

FixtureSweep sweep_fixture(const std::string& fixture, const std::string& device) {
  const TemporaryFolder folder("warpwright-broken");
  const fs::path database = folder.path() / "results.db";
  // The cache is keyed by content, so tests share it.
  const fs::path cache = fs::path(WARPWRIGHT_BINARY_DIR) / "test_cache";
  FixtureSweep sweep;
  sweep.program = run_program(
      {"sweep", (fixtures() / "configs" / (fixture + ".yaml")).string(), "--kernels",
       fixtures().string(), "--device", device, "--db", database.string(), "--compile-workers", "1",
       "--emulator-workers", "1", "--no-screening", "--hazards", "reject", "--quiet", "--json"},
      {"WARPWRIGHT_CACHE=" + cache.string()});
  sweep.json = nlohmann::json::parse(sweep.program.out, nullptr, /*allow_exceptions=*/false);
  if (sweep.json.is_discarded()) return sweep;
  for (const Database::TrialRow& row : Database(database, OpenMode::kReadOnly).trials({})) {
    sweep.trials.push_back({row.trial.variant, row.trial.configuration_text,
                            std::string(status_name(row.trial.status)), row.trial.reason});
  }
  return sweep;
}

void expect_rejections(const std::string& fixture, const std::string& device, bool gpu) {
  expect_rejections(fixture, sweep_fixture(fixture, device), gpu);
}

void expect_rejections(const std::string& fixture, const FixtureSweep& sweep, bool gpu) {
  EXPECT_EQ(sweep.program.exit_code, 0) << sweep.program.out << sweep.program.err;
  ASSERT_FALSE(sweep.json.is_discarded()) << sweep.program.out << sweep.program.err;
  EXPECT_EQ(sweep.json["sweep"]["ended"], "complete");

  std::set<std::string> good;
  std::map<std::string, const FixtureTrial*> failed;
  for (const FixtureTrial& trial : sweep.trials) {
    if (trial.status == "ok") {
      good.insert(trial.configuration);
    } else {
      failed[trial.variant] = &trial;
    }
  }
  for (const ExpectedFailure& expected : expected_failures(fixture, gpu)) {
    const auto found = failed.find(expected.variant);
    if (found == failed.end()) {
      // The contents of memory that was never written differ from run to run.
      if (std::regex_match("ok", std::regex(expected.status))) continue;
      ADD_FAILURE() << expected.variant << " was not rejected";
      continue;
    }
    const FixtureTrial& trial = *found->second;
    EXPECT_TRUE(std::regex_match(trial.status, std::regex(expected.status)))
        << expected.variant << ": " << trial.status << ", expected " << expected.status << "; "
        << trial.reason;
    EXPECT_TRUE(std::regex_search(trial.reason, std::regex(expected.reason)))
        << expected.variant << ": " << trial.reason << "\nexpected to match " << expected.reason;
    failed.erase(found);
  }
  for (const auto& [variant, trial] : failed)
    ADD_FAILURE() << variant << " failed although it is right: " << trial->reason;

  ASSERT_EQ(sweep.json["leaderboards"].size(), 1u);
  std::set<std::string> ranked;
  for (const nlohmann::json& entry : sweep.json["leaderboards"][0]["entries"])
    ranked.insert(entry["configuration_text"].get<std::string>());
  EXPECT_EQ(ranked, good);
  EXPECT_FALSE(good.empty());
}

}  // namespace warpwright::testing
