// The exact remarks about a contract that tests too little.
#include "records/contract_remark.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "records/records.h"
#include "support/error_text.h"

namespace warpwright {
namespace {

ContractRemark remark_of(RemarkCode code, const std::string& input = "") {
  ContractRemark remark;
  remark.code = code;
  remark.output = "y";
  remark.input = input;
  remark.axis = code == RemarkCode::kConstantAlongAxis ? 1 : 0;
  remark.largest_expected = 0.00029617;
  remark.allowed = 0.0100029617;
  return remark;
}

TEST(ContractRemark, SaysWhatPassesBesideTheLargestExpectedValueAndWhatIsAllowed) {
  const std::string limits =
      " for output 'y': its largest expected value is 0.000296, and an error of 0.01 is allowed "
      "there";
  EXPECT_EQ(describe(remark_of(RemarkCode::kZerosPass)), "zeros pass" + limits);
  EXPECT_EQ(describe(remark_of(RemarkCode::kMeanPasses)),
            "the mean of the expected values in every element passes" + limits);
  EXPECT_EQ(describe(remark_of(RemarkCode::kOtherSeedPasses)),
            "the result for another seed's inputs passes" + limits);
  EXPECT_EQ(describe(remark_of(RemarkCode::kInputCopyPasses, "x")),
            "a copy of input 'x' passes" + limits);
  EXPECT_EQ(describe(remark_of(RemarkCode::kInputCopyPasses, "y")),
            "what it held before the launch passes" + limits);
  EXPECT_EQ(describe(remark_of(RemarkCode::kConstantAlongAxis)),
            "one value repeated along axis 1 passes" + limits);
}

TEST(ContractRemark, SaysWhereNoErrorIsAllowed) {
  ContractRemark remark = remark_of(RemarkCode::kZerosPass);
  remark.largest_expected = remark.allowed = 0;
  EXPECT_EQ(describe(remark),
            "zeros pass for output 'y': its largest expected value is 0, and no error is allowed "
            "there");
}

TEST(ContractRemark, SaysHowLittleAnInputMatters) {
  ContractRemark remark = remark_of(RemarkCode::kInputUnused, "b");
  EXPECT_EQ(describe(remark),
            "input 'b' does not matter: another seed's content of it changes no expected value");
  remark.change = 2.5e-9;
  EXPECT_EQ(describe(remark),
            "input 'b' hardly matters: another seed's content of it changes output 'y' by at most "
            "2.5e-09, its largest expected value is 0.000296, and an error of 0.01 is allowed "
            "there");
}

TEST(ContractRemark, WhatPassesForOneOutputIsOneSentence) {
  const std::vector<ContractRemark> remarks = {
      remark_of(RemarkCode::kZerosPass), remark_of(RemarkCode::kMeanPasses),
      remark_of(RemarkCode::kInputUnused, "b"), remark_of(RemarkCode::kInputCopyPasses, "x")};
  const std::vector<std::string> expected = {
      "zeros, the mean of the expected values in every element and a copy of input 'x' pass for "
      "output 'y': its largest expected value is 0.000296, and an error of 0.01 is allowed there",
      "input 'b' does not matter: another seed's content of it changes no expected value"};
  EXPECT_EQ(describe(remarks), expected);
  EXPECT_TRUE(describe(std::vector<ContractRemark>()).empty());
}

TEST(ContractRemark, RemarksOfOneSubjectAreAddedOnce) {
  std::vector<ContractRemark> remarks = {remark_of(RemarkCode::kInputUnused, "b")};
  ContractRemark again = remarks.front();
  again.output = "z";
  again.change = 1;
  add_remarks(remarks,
              {again, remark_of(RemarkCode::kInputUnused, "c"), remark_of(RemarkCode::kZerosPass)});
  ASSERT_EQ(remarks.size(), 3U);
  EXPECT_EQ(remarks[0].output, "y");
  EXPECT_EQ(remarks[1].input, "c");
}

TEST(ContractRemark, CrossesJsonAndCarriesItsText) {
  for (const RemarkCode code : all_remark_codes()) {
    ContractRemark remark = remark_of(code, code == RemarkCode::kInputUnused ? "b" : "");
    if (code == RemarkCode::kInputUnused) remark.change = 0.5;
    const nlohmann::json json = remark;
    EXPECT_EQ(json["text"], describe(remark));
    EXPECT_EQ(json.get<ContractRemark>(), remark) << json;
  }
  EXPECT_EQ(nlohmann::json(remark_of(RemarkCode::kZerosPass)).dump(),
            R"({"allowed":0.0100029617,"code":"zeros_pass","largest_expected":0.00029617,)"
            R"("output":"y","text":"zeros pass for output 'y': its largest expected value is )"
            R"(0.000296, and an error of 0.01 is allowed there"})");
}

TEST(ContractRemark, OneOfANewerWarpwrightCannotBeRead) {
  using Remarks = Stored<std::vector<ContractRemark>>;
  const auto parse = [](const std::string& text, const ColumnName&) {
    return nlohmann::json::parse(text);
  };
  const Remarks newer =
      Remarks::from_column(R"([{"code":"ones_pass"}])", {"contract check", 3, "remarks"}, parse);
  EXPECT_EQ(newer.readable(), nullptr);
  EXPECT_EQ(testing::error_text([&] { (void)newer.value(); }),
            "contract check 3: its remarks are not JSON: [{\"code\":\"ones_pass\"}]; measure it "
            "again with --fresh");
}

}  // namespace
}  // namespace warpwright
