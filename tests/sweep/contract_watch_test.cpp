// Tests the stored findings about how well the contract tests the problems of a sweep, and the
// refusals of a strict sweep.
#include "sweep/contract_watch.h"

#include <gmock/gmock.h>

#include "core/files.h"
#include "support/program.h"

namespace warpwright::testing {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

ContractRemark remark_of(RemarkCode code) {
  ContractRemark remark;
  remark.code = code;
  remark.output = "y";
  return remark;
}

class ContractWatchTest : public ::testing::Test {
 protected:
  ContractWatchTest() {
    write_square_kernel(folder_.path());
    write_text(folder_.path() / "square.yaml",
               "kernel: square\nproblems: [{n: 8}, {n: 16}]\nspace: {THREADS: [32, 64]}\n");
  }
  void edit_contract(const std::string& from, const std::string& to) const {
    const auto file = folder_.path() / "kernels" / "square" / "kernel.yaml";
    std::string text = read_file(file);
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    write_text(file, text.replace(at, from.size(), to));
  }
  [[nodiscard]] SweepPlan plan() const {
    SweepOptions options = options_;
    options.config = folder_.path() / "square.yaml";
    Paths paths;
    paths.home = folder_.path();
    paths.kernel_roots = {folder_.path() / "kernels"};
    DeviceInfo device;
    device.id = "fake:0";
    device.arch = "sm_90a";
    device.has_clock = true;
    return make_plan(options, paths, {device});
  }
  // A sweep that has begun.
  struct Sweep {
    Sweep(const SweepOptions& options, SweepPlan the_plan, Database& database)
        : plan(std::move(the_plan)), records(database) {
      records.open(options, plan, "99.1");
      first = plan.kernel.variants.front().name;
    }
    SweepPlan plan;
    RunRecords records;
    ContractWatch watch{plan, records};
    std::string first;  // variant
  };

  const ContractRemark zeros_ = remark_of(RemarkCode::kZerosPass);
  const ContractRemark mean_ = remark_of(RemarkCode::kMeanPasses);
  TemporaryFolder folder_;
  Database database_{folder_.path() / "x.db"};
  SweepOptions options_;
};

TEST_F(ContractWatchTest, ARemarkIsToldOnceAProblemAndStoredOnceAVariant) {
  edit_contract("reference:",
                "  other: {source: other.cu, launches: [{entry: square, grid: n, block: 32}]}\n"
                "reference:");
  write_text(folder_.path() / "kernels" / "square" / "other.cu", "// another source\n");
  Sweep one(options_, plan(), database_);
  const std::string second = "other";
  EXPECT_THAT(one.watch.record(0, one.first, {zeros_}), SizeIs(1));
  EXPECT_THAT(one.watch.record(0, one.first, {zeros_}), IsEmpty());
  EXPECT_THAT(one.watch.record(0, second, {zeros_}), IsEmpty());
  EXPECT_THAT(one.watch.record(1, one.first, {zeros_}), SizeIs(1));
  EXPECT_THAT(database_.contract_checks("square"), SizeIs(3));
}

TEST_F(ContractWatchTest, FurtherRemarksOfOtherConfigurationsAreAdded) {
  Sweep one(options_, plan(), database_);
  (void)one.watch.record(0, one.first, {zeros_});
  EXPECT_THAT(one.watch.record(0, one.first, {mean_}), SizeIs(1));
  ASSERT_THAT(database_.contract_checks(), SizeIs(1));
  EXPECT_THAT(*database_.contract_checks()[0].check.remarks, SizeIs(2));
}

TEST_F(ContractWatchTest, ThatNothingWasFoundIsStoredToo) {
  Sweep one(options_, plan(), database_);
  EXPECT_FALSE(one.watch.is_tested(0, one.first));
  EXPECT_THAT(one.watch.record(0, one.first, {}), IsEmpty());
  EXPECT_TRUE(one.watch.is_tested(0, one.first));
  EXPECT_FALSE(one.watch.is_tested(1, one.first));
  Sweep later(options_, plan(), database_);
  EXPECT_FALSE(later.watch.is_tested(0, later.first));
  later.watch.recall();
  EXPECT_TRUE(later.watch.is_tested(0, later.first));
}

TEST_F(ContractWatchTest, OnlyAStrictSweepRefusesForIt) {
  Sweep lenient(options_, plan(), database_);
  (void)lenient.watch.record(0, lenient.first, {zeros_});
  EXPECT_EQ(lenient.watch.refusal(0, lenient.first), std::nullopt);
  options_.strict = true;
  Sweep strict(options_, plan(), database_);
  EXPECT_EQ(strict.watch.refusal(0, strict.first), std::nullopt);
  strict.watch.recall();
  EXPECT_THAT(strict.watch.refusal(0, strict.first).value_or(""),
              StartsWith("zeros pass for output 'y'"));
  EXPECT_EQ(strict.watch.refusal(1, strict.first), std::nullopt);
}

TEST_F(ContractWatchTest, WhatThisRunFindsComesBeforeWhatEarlierOnesFound) {
  options_.strict = true;
  Sweep early(options_, plan(), database_);
  (void)early.watch.record(0, early.first, {zeros_});
  Sweep late(options_, plan(), database_);
  late.watch.recall();
  (void)late.watch.record(0, late.first, {});
  EXPECT_EQ(late.watch.refusal(0, late.first), std::nullopt);
  EXPECT_TRUE(late.watch.is_tested(0, late.first));
}

TEST_F(ContractWatchTest, AnotherContractHasRemarksOfItsOwn) {
  options_.strict = true;
  Sweep before(options_, plan(), database_);
  (void)before.watch.record(0, before.first, {zeros_});
  edit_contract("rel: 1e-6", "rel: 1e-7");
  Sweep after(options_, plan(), database_);
  after.watch.recall();
  EXPECT_EQ(after.watch.refusal(0, after.first), std::nullopt);
}

TEST_F(ContractWatchTest, WhereLimitsDependOnParametersEveryConfigurationIsLookedAt) {
  options_.strict = true;
  edit_contract("rel: 1e-6", "rel: \"THREADS == 64 ? 1.0 : 1e-6\"");
  Sweep one(options_, plan(), database_);
  (void)one.watch.record(0, one.first, {zeros_});
  EXPECT_EQ(one.watch.refusal(0, one.first), std::nullopt);
  Sweep other(options_, plan(), database_);
  (void)other.watch.record(1, other.first, {});
  EXPECT_FALSE(other.watch.is_tested(1, other.first));
}

}  // namespace
}  // namespace warpwright::testing
