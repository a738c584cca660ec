// Tests `accounting` of contracts: its formulas, its messages, and that it does not identify
// trials. The fixture has the sizes rows, V and K, and the variants block_row (THREADS, LOCAL_K)
// and warp_row (THREADS, ORDER).
#include "spec/accounting.h"

#include <gtest/gtest.h>

#include <fstream>

#include "spec/spec_fixture.h"

namespace warpwright {
namespace {

constexpr std::string_view kAccounts = R"(accounting:
  # indented comments belong to the section

  warp_row: {reads: "4*rows*V", scratch: 0}
  block_row:
    writes: "8*rows*K + LOCAL_K"
)";
constexpr std::string_view kKeyAfter = "baseline: block_row\n";

std::string with_accounts(std::string_view accounts) {
  return edited_kernel(kKeyAfter, std::string(accounts) + std::string(kKeyAfter));
}

// A contract in a file: formulas are read from it a second time.
class AccountingOfAFile : public testing::Test {
 protected:
  std::vector<VariantAccounting> read(const std::string& text) {
    const std::filesystem::path folder = folder_.path() / "softmax_topk";
    std::filesystem::copy(kernel_folder(), folder, std::filesystem::copy_options::recursive);
    std::ofstream(folder / "kernel.yaml") << text;
    return read_accounting(read_kernel(folder));
  }
  TemporaryFolder folder_{"accounting"};
};

TEST_F(AccountingOfAFile, HasTheFormulasInOrder) {
  const std::vector<VariantAccounting> all = read(with_accounts(kAccounts));
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].variant, "warp_row");
  EXPECT_FALSE(all[0].writes);
  Environment environment;
  environment.set("rows", 3);
  environment.set("V", 10);
  environment.set("K", 2);
  environment.set("LOCAL_K", 5);
  EXPECT_EQ(all[0].reads->evaluate_integer(environment), 120);
  EXPECT_EQ(all[0].scratch->evaluate_integer(environment), 0);
  EXPECT_EQ(all[1].writes->evaluate_integer(environment), 53);
}

TEST_F(AccountingOfAFile, MayUseLets) {
  std::string text = with_accounts(
      "let: {wide: 4*rows*V}\n"
      "accounting:\n"
      "  warp_row: {reads: \"wide + 1\"}\n");
  const std::vector<VariantAccounting> all = read(text);
  ASSERT_EQ(all.size(), 1U);
  Environment environment;
  environment.set("rows", 2);
  environment.set("V", 3);
  EXPECT_EQ(all[0].reads->evaluate_integer(environment), 25);
}

TEST_F(AccountingOfAFile, IsEmptyWithoutTheSection) {
  EXPECT_TRUE(read(read_file(kernel_folder() / "kernel.yaml")).empty());
}

// Keys of stored trials must not change when a formula is written.
TEST(Accounting, IsLeftOutOfTheTextThatIdentifiesTrials) {
  const std::string without = read_file(kernel_folder() / "kernel.yaml");
  EXPECT_EQ(text_without_accounting(without), without);
  EXPECT_EQ(text_without_accounting(with_accounts(kAccounts)), without);
  EXPECT_EQ(text_without_accounting(without + std::string(kAccounts)), without);
  EXPECT_EQ(text_without_accounting(""), "");
}

class AccountingErrors : public testing::TestWithParam<BadText> {};

TEST_P(AccountingErrors, SayPlaceCauseAndFix) {
  EXPECT_EQ(kernel_message(with_accounts(GetParam().text)), GetParam().message);
}

const BadText kAccountingErrors[] = {
    {"UnknownVariant", "accounting:\n  warp_raw: {reads: 1}\n",
     "kernel.yaml:45:3: accounting.warp_raw: unknown variant 'warp_raw'; did you mean 'warp_row'?"},
    {"UnknownDimension", "accounting:\n  warp_row: {reads: \"4*rows*W\"}\n",
     "kernel.yaml:45:29: unknown parameter 'W' in \"4*rows*W\"; known: THREADS, ORDER, rows, V, K, "
     "dtype, scale, device.max_shared, device.max_shared_per_block, device.max_threads, "
     "device.warp_size, device.sm_count, ...\n"
     "  4*rows*W\n"
     "         ^"},
    {"ParameterOfAnotherVariant", "accounting:\n  warp_row: {reads: LOCAL_K}\n",
     "kernel.yaml:45:21: 'LOCAL_K' is not a parameter of variant 'warp_row'; add it to the "
     "variant's `parameters`"},
    {"UnknownAmount", "accounting:\n  warp_row: {read: 1}\n",
     "kernel.yaml:45:14: unknown key 'read' in accounting.warp_row; did you mean 'reads'?"},
    {"NotOnLinesOfItsOwn", "? accounting\n: {warp_row: {reads: 1}}\n",
     "kernel.yaml:45:3: accounting: the section does not identify a trial, so its lines must be "
     "its "
     "own; begin one with `accounting:` in the first column"},
};

INSTANTIATE_TEST_SUITE_P(Sections, AccountingErrors, testing::ValuesIn(kAccountingErrors),
                         case_name<BadText>);

}  // namespace
}  // namespace warpwright
