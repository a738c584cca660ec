#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "analysis/board/board_additions.h"
#include "analysis/sample_rows.h"

namespace warpwright {
namespace {

using testing::RowMaker;

Database::ContractCheckRow check_of(const RowMaker& make, double allowed) {
  Database::ContractCheckRow row;
  row.kernel_name = make.kernel;
  row.contract_hash = make.contract;
  row.check.problem_text = make.problem_text;
  ContractRemark remark;
  remark.output = "probs";
  remark.allowed = allowed;
  row.check.remarks = std::vector<ContractRemark>{remark};
  return row;
}

class ContractRemarksOfBoards : public ::testing::Test {
 protected:
  std::vector<ContractRemark> remarks(const std::vector<Database::ContractCheckRow>& checks) {
    std::vector<Leaderboard> boards = make_leaderboards(rows_);
    EXPECT_EQ(boards.size(), 1U);
    add_contract_remarks(boards, checks);
    return boards.at(0).contract_remarks;
  }
  RowMaker make_;
  std::vector<Database::TrialRow> rows_ = {make_.ok("a", "", 1)};
};

TEST_F(ContractRemarksOfBoards, ThoseOfTheNewestRunAreShownOnce) {
  const std::vector<ContractRemark> found = remarks({check_of(make_, 1), check_of(make_, 2)});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].allowed, 2);
}

TEST_F(ContractRemarksOfBoards, ThoseOfAnotherContractProblemOrKernelAreNot) {
  RowMaker other = make_;
  other.contract = "hash-2";
  EXPECT_TRUE(remarks({check_of(other, 1)}).empty());
  other = make_;
  other.problem_text = "rows=1";
  EXPECT_TRUE(remarks({check_of(other, 1)}).empty());
  other = make_;
  other.kernel = "gemv";
  EXPECT_TRUE(remarks({check_of(other, 1)}).empty());
}

TEST_F(ContractRemarksOfBoards, AVariantThatOnlyFailedHasItsContractToo) {
  make_.contract = "hash-2";
  rows_.push_back(make_.failed("b", "", Status::kWrongResult, "wrong"));
  EXPECT_EQ(remarks({check_of(make_, 1)}).size(), 1U);
}

TEST_F(ContractRemarksOfBoards, OneThatCannotBeReadSaysNothing) {
  Database::ContractCheckRow damaged = check_of(make_, 1);
  damaged.check.remarks = Stored<std::vector<ContractRemark>>::from_column(
      "[7]", {"contract check", 1, "remarks"},
      [](const std::string& text, const ColumnName&) { return nlohmann::json::parse(text); });
  EXPECT_TRUE(remarks({damaged}).empty());
}

}  // namespace
}  // namespace warpwright
