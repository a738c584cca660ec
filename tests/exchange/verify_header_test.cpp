// Tests the recorded origin of a header, and the checks against it.
#include <gtest/gtest.h>

#include "analysis/sample_selection.h"
#include "core/files.h"
#include "core/hash.h"
#include "exchange/header/header_origin.h"
#include "exchange/header/selection_writers.h"
#include "exchange/header/shared_files.h"
#include "support/write_text.h"

namespace warpwright {
namespace {

using testing::sample_selection;

SelectionModel recorded_by(const std::string& version) {
  SelectionModel model = sample_selection();
  for (SelectionBoard& board : model.boards) board.version = version;
  return model;
}

std::string verifiable(const SelectionModel& model, const std::string& version = "warpwright 9") {
  HeaderOptions options;
  options.version = version;
  options.asked = R"({"kernel":"row_mix","prefix":"ww_"})";
  return selection_header(model, options);
}

HeaderOrigin origin_of(const std::string& text) { return read_header_origin(text).value(); }

TEST(HeaderOrigin, IsWhatTheHeaderSays) {
  const HeaderOrigin origin =
      origin_of(verifiable(recorded_by("warpwright 0.1.0 (commit 1a2b3c4d5e6f)")));
  EXPECT_EQ(origin.asked, R"({"kernel":"row_mix","prefix":"ww_"})");
  EXPECT_EQ(origin.version, "warpwright 9");
  EXPECT_TRUE(origin.intact);
  EXPECT_EQ(origin.files, sample_selection().files);
  EXPECT_EQ(origin.tuners, (std::vector<std::string>{"warpwright 0.1.0 (commit 1a2b3c4d5e6f)"}));
}

TEST(HeaderOrigin, OfAnotherTextThereIsNone) {
  EXPECT_FALSE(read_header_origin(""));
  EXPECT_FALSE(read_header_origin("#pragma once\n"));
  const std::string text = verifiable(sample_selection());
  EXPECT_FALSE(read_header_origin(text.substr(0, text.size() / 2))) << "it has no end";
}

TEST(VerifyHeader, AnEditIsSeen) {
  std::string text = verifiable(sample_selection());
  EXPECT_TRUE(verify_intact(origin_of(text)).agrees);
  text.replace(text.find("7.5"), 3, "7.4");
  const HeaderCheck check = verify_intact(origin_of(text));
  EXPECT_FALSE(check.agrees);
  EXPECT_EQ(check.says, "was changed after it was written; export again");
}

TEST(VerifyHeader, TimesOfAChangedTreeAreNoCommits) {
  const auto says = [](const std::string& version) {
    return verify_commits(origin_of(verifiable(recorded_by(version))));
  };
  EXPECT_TRUE(says("warpwright 0.1.0 (commit 1a2b3c4d5e6f)").agrees);
  const HeaderCheck dirty = says("warpwright 0.1.0 (commit 1a2b3c4d5e6f-dirty)");
  EXPECT_FALSE(dirty.agrees);
  EXPECT_EQ(dirty.says,
            "its times are by warpwright 0.1.0 (commit 1a2b3c4d5e6f-dirty), with changes that no "
            "commit has; record again from a clean tree");
  EXPECT_EQ(says("warpwright 0.1.0").says, "its times are by warpwright 0.1.0, of no known commit");
}

TEST(VerifyHeader, ADatabaseThatGivesAnotherHeaderIsNamedWithTheLine) {
  const std::string text = verifiable(sample_selection());
  EXPECT_TRUE(verify_database(text, verifiable(sample_selection(), "warpwright 10"), "r.db").agrees)
      << "who wrote it does not count";
  SelectionModel other = sample_selection();
  other.contract.summary = "Mixes something else";
  const HeaderCheck check = verify_database(text, verifiable(other), "r.db");
  EXPECT_FALSE(check.agrees);
  EXPECT_EQ(check.says, "r.db gives another header, from line 2 on; export again");
}

TEST(VerifyHeader, SourcesHaveToBeThoseThatWereTuned) {
  const TemporaryFolder folder("warpwright-verify");
  const std::filesystem::path root = folder.path() / "my_kernels";
  SelectionModel model = sample_selection();
  model.files = {{"kernels/row_mix/warp.cu", sha256_hex("one")},
                 {"kernels/row_mix/wide.cu", sha256_hex("two")}};
  const HeaderOrigin origin = origin_of(verifiable(model));
  testing::write_text(root / "row_mix" / "warp.cu", "one");
  EXPECT_EQ(verify_sources(origin, {root}).says,
            "1 of 2 files are not those that it was tuned from: kernels/row_mix/wide.cu is "
            "missing; sweep again, or take the sources of the results (`warpwright repro`)");
  testing::write_text(root / "row_mix" / "wide.cu", "two, edited");
  EXPECT_EQ(verify_sources(origin, {root}).says,
            "1 of 2 files are not those that it was tuned from: kernels/row_mix/wide.cu differs; "
            "sweep again, or take the sources of the results (`warpwright repro`)");
  testing::write_text(root / "row_mix" / "wide.cu", "two");
  const HeaderCheck check = verify_sources(origin, {folder.path() / "nowhere", root});
  EXPECT_TRUE(check.agrees);
  EXPECT_EQ(check.says, "all 2 files are those that it was tuned from");
}

// scripts/record/export_headers writes it, and the headers next to it.
TEST(VerifyHeader, TheCommittedSharedHeaderIsWhatThisProgramWrites) {
  const std::filesystem::path folder =
      std::filesystem::path(WARPWRIGHT_SOURCE_DIR) / "results" / "nvidia-h200" / "headers";
  for (const EmbeddedFile& file : shared_header_files()) {
    const HeaderCheck check =
        verify_beside(folder / std::string(file.name), file.text, "this warpwright");
    EXPECT_TRUE(check.agrees) << file.name << " " << check.says;
  }
}

TEST(VerifyHeader, NoFileOutsideOfTheKernelsIsLookedAt) {
  const TemporaryFolder folder("warpwright-verify");
  const std::filesystem::path root = folder.path() / "my_kernels";
  testing::write_text(root / "row_mix" / "warp.cu", "one");
  testing::write_text(folder.path() / "secret.txt", "secret");
  SelectionModel model = sample_selection();
  model.files = {{"kernels/../secret.txt", sha256_hex("secret")}};
  EXPECT_EQ(verify_sources(origin_of(verifiable(model)), {root}).says,
            "1 of 1 files are not those that it was tuned from: kernels/../secret.txt is missing; "
            "sweep again, or take the sources of the results (`warpwright repro`)");
}

}  // namespace
}  // namespace warpwright
