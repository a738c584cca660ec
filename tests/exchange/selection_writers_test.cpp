#include "exchange/header/selection_writers.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "analysis/sample_selection.h"
#include "output/golden.h"

namespace warpwright {
namespace {

using testing::expect_golden;
using testing::sample_selection;

constexpr const char* kWriterVersion = "warpwright 0.1.0";

TEST(SelectionWriters, CppGolden) {
  expect_golden("selection.h", cpp_header(sample_selection(), kWriterVersion));
}

TEST(SelectionWriters, CGolden) {
  expect_golden("selection_c.h", c_header(sample_selection(), kWriterVersion));
}

TEST(SelectionWriters, JsonGolden) {
  expect_golden("selection.json", select_json(sample_selection(), kWriterVersion));
}

TEST(SelectionWriters, AChangedResultChangesEveryFormat) {
  const SelectionModel before = sample_selection();
  SelectionModel time = before;
  time.boards[1].median_us += 0.25;
  SelectionModel winner = before;
  winner.boards[0].winner = 2;
  SelectionModel fraction = before;
  fraction.fractions[2][3] -= 1;
  SelectionModel tie = before;
  tie.boards[3].tied = {"wide HINT=none THREADS=1024"};
  for (const SelectionModel& after : {time, winner, fraction, tie}) {
    EXPECT_NE(cpp_header(after, kWriterVersion), cpp_header(before, kWriterVersion));
    EXPECT_NE(c_header(after, kWriterVersion), c_header(before, kWriterVersion));
    EXPECT_NE(select_json(after, kWriterVersion), select_json(before, kWriterVersion));
  }
}

TEST(SelectionWriters, ModelledTimesSaySo) {
  SelectionModel model = sample_selection();
  for (SelectionBoard& board : model.boards) board.modelled = true;
  EXPECT_NE(cpp_header(model, kWriterVersion).find("MODELLED by an emulator"), std::string::npos);
  EXPECT_NE(c_header(model, kWriterVersion).find("MODELLED by an emulator"), std::string::npos);
  EXPECT_TRUE(nlohmann::json::parse(select_json(model, kWriterVersion))["boards"][0]["modelled"]);
}

TEST(SelectionWriters, ALongTieSetIsCounted) {
  SelectionModel model = sample_selection();
  for (int i = 0; i < 40; ++i) model.boards[0].tied.push_back("wide THREADS=" + std::to_string(i));
  const std::string text = cpp_header(model, kWriterVersion);
  EXPECT_NE(text.find("\"wide THREADS=14\\n\""), std::string::npos);
  EXPECT_EQ(text.find("\"wide THREADS=15\\n\""), std::string::npos);
  EXPECT_NE(text.find(", 41,\n"), std::string::npos) << "all are counted";
}

TEST(SelectionWriters, JsonHoldsTreesThatNeedNoParser) {
  const auto json = nlohmann::json::parse(select_json(sample_selection(), kWriterVersion));
  EXPECT_EQ(json["format"], "warpwright-select-1");
  EXPECT_EQ(json["variants"][0]["constraints"][0]["tree"].dump(),
            R"(["==",["%",["name","THREADS"],32],0])");
  EXPECT_EQ(json["variants"][1]["constraints"][2]["text"],
            "dtype == 'f32' || rows % sizeof(dtype) == 0");
  EXPECT_EQ(json["sizes"][0]["min"], 1);
  EXPECT_EQ(json["sizes"][4]["min"], 0.0);
  EXPECT_EQ(json["fractions"].size(), 4U);
  EXPECT_EQ(json["configurations"].size(), 6U);
}

TEST(SelectionWriters, AWordOfTheHeaderThatIsAMacroOfTheKernelIsRenamed) {
  SelectionModel model = sample_selection();
  model.contract.parameters[0].name = "select";
  for (VariantSpec& variant : model.contract.variants) {
    variant.parameters[0] = "select";
    variant.constraints = {testing::constraint("select % 32 == 0")};
    for (LaunchSpec& launch : variant.launches) {
      launch.grid = launch.block = {Expr::parse("select")};
      launch.shared_bytes = Expr();
    }
  }
  const std::string text = cpp_header(model, kWriterVersion);
  EXPECT_NE(text.find("// `select` is called select_here: the kernel is compiled with -Dselect.\n"),
            std::string::npos);
  EXPECT_NE(text.find("Selection select_here(const Device& device"), std::string::npos);
  EXPECT_EQ(text.find("`HINT`"), std::string::npos) << "HINT stands in comments only";
}

}  // namespace
}  // namespace warpwright
