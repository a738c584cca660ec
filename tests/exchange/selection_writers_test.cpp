#include "exchange/header/selection_writers.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "analysis/sample_selection.h"
#include "output/golden.h"
#include "support/error_text.h"

namespace warpwright {
namespace {

using testing::expect_golden;
using testing::sample_selection;

constexpr const char* kWriterVersion = "warpwright 0.1.0";

std::string header_of(const SelectionModel& model, HeaderOptions options = {}) {
  options.version = kWriterVersion;
  if (options.asked.empty()) options.asked = R"({"kernel":"row_mix"})";
  return selection_header(model, options);
}

TEST(SelectionWriters, HeaderGolden) {
  expect_golden("selection.h", header_of(sample_selection()));
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
    EXPECT_NE(header_of(after), header_of(before));
    EXPECT_NE(select_json(after, kWriterVersion), select_json(before, kWriterVersion));
  }
}

TEST(SelectionWriters, ModelledTimesSaySo) {
  SelectionModel model = sample_selection();
  for (SelectionBoard& board : model.boards) board.modelled = true;
  EXPECT_NE(header_of(model).find("MODELLED by an emulator"), std::string::npos);
  EXPECT_TRUE(nlohmann::json::parse(select_json(model, kWriterVersion))["boards"][0]["modelled"]);
}

TEST(SelectionWriters, ALongTieSetIsCounted) {
  SelectionModel model = sample_selection();
  for (int i = 0; i < 40; ++i) model.boards[0].tied.push_back("wide THREADS=" + std::to_string(i));
  const std::string text = header_of(model);
  EXPECT_NE(text.find("\"wide THREADS=14\\n\""), std::string::npos);
  EXPECT_EQ(text.find("\"wide THREADS=15\\n\""), std::string::npos);
  EXPECT_NE(text.find(", 41,\n"), std::string::npos) << "all are counted";
}

TEST(SelectionWriters, JsonHoldsTreesThatNeedNoParser) {
  const auto json = nlohmann::json::parse(select_json(sample_selection(), kWriterVersion));
  EXPECT_EQ(json["format"], "warpwright-select-2");
  EXPECT_EQ(json["variants"][0]["constraints"][0]["tree"].dump(),
            R"(["==",["%",["name","THREADS"],32],0])");
  EXPECT_EQ(json["variants"][1]["constraints"][2]["text"],
            "dtype == 'f32' || rows % sizeof(dtype) == 0");
  EXPECT_EQ(json["sizes"][0]["min"], 1);
  EXPECT_EQ(json["sizes"][4]["min"], 0.0);
  EXPECT_EQ(json["fractions"].size(), 4U);
  EXPECT_EQ(json["configurations"].size(), 6U);
}

TEST(SelectionWriters, JsonHoldsTheRulesOfLaunchesToo) {
  const auto json = nlohmann::json::parse(select_json(sample_selection(), kWriterVersion));
  const auto& constraints = json["variants"][0]["constraints"];
  ASSERT_EQ(constraints.size(), 7U);
  EXPECT_EQ(constraints[3]["text"], "rows >= 1 && rows <= 2147483647");
  EXPECT_EQ(constraints[5]["text"], "THREADS <= device.max_threads");
  EXPECT_EQ(json["least_limits"]["sm_count"], 4);
  EXPECT_EQ(json["arch_shared_memory"]["80"], 166912);
  EXPECT_EQ(json["merits"].size(), 2U);
}

// A local variable has the name of its size or parameter, which may be any word of the header.
TEST(SelectionWriters, AWordOfTheHeaderThatIsAMacroOfTheKernelIsRenamed) {
  SelectionModel model = sample_selection();
  model.contract.parameters[0].name = "limits";
  for (VariantSpec& variant : model.contract.variants) {
    variant.parameters[0] = "limits";
    variant.constraints = {testing::constraint("limits % 32 == 0")};
    for (LaunchSpec& launch : variant.launches) {
      launch.grid = launch.block = {Expr::parse("limits")};
      launch.shared_bytes = Expr();
    }
  }
  const std::string text = header_of(model);
  EXPECT_NE(
      text.find("/* `limits` is called limits_here: the kernel is compiled with -Dlimits. */\n"),
      std::string::npos);
  EXPECT_EQ(text.find("`HINT`"), std::string::npos) << "HINT stands in comments only";
}

TEST(SelectionWriters, NamesBeginWithThePrefixAndAreInTheNamespace) {
  HeaderOptions options;
  options.prefix = "acme_";
  options.name_space = "acme::tuned";
  const std::string text = header_of(sample_selection(), options);
  EXPECT_NE(text.find("ww_selection acme_row_mix_select(ww_device device"), std::string::npos);
  EXPECT_NE(text.find("  ACME_ROW_MIX_BOARD_COUNT = 5,\n"), std::string::npos);
  EXPECT_NE(text.find("#if defined(__cplusplus)\nnamespace acme::tuned {\n#endif\n"),
            std::string::npos);
  EXPECT_EQ(text.find("ww_row_mix"), std::string::npos);
}

TEST(SelectionWriters, APrefixOrNamespaceThatNoCompilerTakesIsRefused) {
  const auto refused = [](const char* prefix, const char* name_space) {
    return testing::error_text([&] {
      check_header_options({kWriterVersion, prefix, name_space, ""});
    });
  };
  EXPECT_EQ(refused("2d_", ""),
            "--prefix '2d_': expected the beginning of a C identifier such as `ww_`, without a "
            "leading or a double underscore");
  EXPECT_EQ(refused("ww_", "acme:tuned"),
            "--namespace 'acme:tuned': expected names joined by `::`, such as `acme::tuned`");
  EXPECT_NE(refused("", ""), "(no error)");
  EXPECT_NE(refused("a__b", ""), "(no error)");
  EXPECT_NE(refused("_x", ""), "(no error)");
  EXPECT_NE(refused("ww_", "acme::"), "(no error)");
  EXPECT_EQ(refused("ww_", "acme::tuned"), "(no error)");
}

TEST(SelectionWriters, AnEntryWithMoreArgumentsThanAPlanHoldsIsRefused) {
  SelectionModel model = sample_selection();
  ArgumentSpec x;
  x.name = "x";
  x.dtype = "f32";
  x.shape = {Expr::parse("rows")};
  model.contract.arguments = {x};
  model.contract.variants[0].launches[0].arguments.assign(41, "x");
  EXPECT_EQ(testing::error_text([&] { static_cast<void>(header_of(model)); }),
            "kernel 'row_mix': the entry 'mix' of variant 'wide' takes 41 arguments, and exported "
            "headers hold 40; put some into one array, or export JSON");
}

}  // namespace
}  // namespace warpwright
