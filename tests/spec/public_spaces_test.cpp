// Tests the published search spaces in the folder WARPWRIGHT_PUBLIC_DATA, converted by
// scripts/dev/convert_space.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "spec/spec_fixture.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;

void expect_same_space(const nlohmann::json& published, const SweepSpec& sweep) {
  const auto& order = published.at("parameter_order");
  ASSERT_EQ(sweep.space.size(), order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::string name = order[i];
    EXPECT_EQ(sweep.space[i].name, name);
    EXPECT_EQ(sweep.space[i].values, published.at("parameters").at(name).get<std::vector<Value>>());
  }
  EXPECT_EQ(sweep.constraints.size(), published.at("constraints").size());
}

TEST(PublicSpaces, AreReadAsBareSpaces) {
  const char* data = std::getenv("WARPWRIGHT_PUBLIC_DATA");
  if (data == nullptr) GTEST_SKIP() << "set WARPWRIGHT_PUBLIC_DATA to the folder of public data";
  const fs::path script = fs::path(WARPWRIGHT_SOURCE_DIR) / "scripts/dev/convert_space";
  const TemporaryFolder folder;
  const fs::path converted = folder.path() / "space.yaml";
  int spaces = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(data) / "spaces")) {
    if (entry.path().extension() != ".json") continue;
    SCOPED_TRACE(entry.path().filename().string());
    const std::string command = "python3 '" + script.string() + "' '" + entry.path().string() +
                                "' -o '" + converted.string() + "'";
    ASSERT_EQ(std::system(command.c_str()), 0);
    expect_same_space(nlohmann::json::parse(read_file(entry.path())), read_sweep(converted));
    ++spaces;
  }
  EXPECT_GT(spaces, 0);
}

}  // namespace
}  // namespace warpwright
