// Findings of runs about how contracts test problems, as rows.
#include <gtest/gtest.h>

#include "store/sample_records.h"
#include "store/sqlite.h"
#include "support/raw_sql.h"

namespace warpwright {
namespace {

using testing::sample_contract_check;
using testing::sample_kernel;

class ContractCheckRows : public testing::DatabaseTest {};

TEST_F(ContractCheckRows, OneComesBackWithItsKernel) {
  Database database = open();
  put_basics(database);
  database.put_contract_check(sample_contract_check());
  const std::vector<Database::ContractCheckRow> rows = database.contract_checks();
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].check, sample_contract_check());
  EXPECT_EQ(rows[0].check.remarks->at(0), testing::sample_remark());
  EXPECT_EQ(rows[0].kernel_name, "softmax_topk");
  EXPECT_EQ(rows[0].contract_hash, "hash-1");
  EXPECT_EQ(database.contract_checks("softmax_topk").size(), 1U);
  EXPECT_TRUE(database.contract_checks("gemv").empty());
}

TEST_F(ContractCheckRows, OneWithoutRemarksSaysThatNothingWasFound) {
  Database database = open();
  put_basics(database);
  ContractCheckRecord check = sample_contract_check();
  check.remarks = std::vector<ContractRemark>();
  database.put_contract_check(check);
  const ContractCheckRecord stored = database.contract_checks().at(0).check;
  EXPECT_TRUE(stored.remarks.known());
  EXPECT_TRUE(stored.remarks->empty());
}

TEST_F(ContractCheckRows, ARunHasOneForAKernelAndAProblem) {
  Database database = open();
  put_basics(database);
  database.put_contract_check(sample_contract_check());
  ContractCheckRecord newer = sample_contract_check();
  newer.remarks = std::vector<ContractRemark>();
  database.put_contract_check(newer);
  ASSERT_EQ(database.contract_checks().size(), 1U);
  EXPECT_EQ(database.contract_checks()[0].check, newer);
  const RowId run = database.start_run(testing::sample_run());
  const RowId kernel = database.put_kernel(sample_kernel("hash-2"));
  database.put_contract_check(sample_contract_check(run, kernel));
  ASSERT_EQ(database.contract_checks().size(), 2U);
  EXPECT_EQ(database.contract_checks()[1].check.run, run);
}

TEST_F(ContractCheckRows, ADamagedOneIsNoReasonToFail) {
  {
    Database database = open();
    put_basics(database);
    database.put_contract_check(sample_contract_check());
  }
  Connection(path_, Connection::Access::kCreate, 0, "x.db")
      .execute(std::string(testing::kForgetChecksums) +
               "UPDATE contract_check SET remarks = '[7]'");
  const Database database = open();
  EXPECT_EQ(database.contract_checks().at(0).check.remarks.readable(), nullptr);
  EXPECT_EQ(database.broken_row(), std::nullopt);
}

}  // namespace
}  // namespace warpwright
