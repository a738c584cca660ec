// Tests of all enumerations whose values are stored or shown under names: each value has a name of
// its own, which reads back, and no value is missing in the list of all.
#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "core/error.h"
#include "core/shared_names.h"
#include "records/contract_remark.h"
#include "records/goal_record.h"
#include "records/status.h"

namespace warpwright {
namespace {

template <class Code>
void expect_names(std::span<const Code> all, std::string_view (*name_of)(Code),
                  std::optional<Code> (*parse)(std::string_view)) {
  std::set<std::string_view> names;
  std::set<Code> codes;
  for (const Code code : all) {
    const std::string_view name = name_of(code);
    EXPECT_FALSE(name.empty());
    EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), std::string_view::npos)
        << name << " is not a name but a text";
    EXPECT_TRUE(names.insert(name).second) << name << " is used twice";
    EXPECT_TRUE(codes.insert(code).second) << name << " is listed twice";
    EXPECT_EQ(parse(name), code) << name;
  }
  // The values are consecutive from 0, so none is left out in the middle.
  EXPECT_EQ(static_cast<std::size_t>(*codes.begin()), 0U);
  EXPECT_EQ(static_cast<std::size_t>(*codes.rbegin()), codes.size() - 1);
  EXPECT_EQ(parse(""), std::nullopt);
  EXPECT_EQ(parse("no such name"), std::nullopt);
}

TEST(Codes, OfStatusesHaveNames) { expect_names(all_statuses(), status_name, parse_status); }

TEST(Codes, OfFailuresHaveNames) {
  expect_names(all_failure_codes(), failure_code_name, parse_failure_code);
}

TEST(Codes, OfRemarksHaveNames) {
  expect_names(all_remark_codes(), remark_code_name, parse_remark_code);
}

TEST(Codes, OfEndsOfRunsHaveNames) { expect_names(all_run_ends(), run_end_name, parse_run_end); }

TEST(Codes, OfStopsOfSearchesHaveNames) {
  expect_names(all_stop_codes(), stop_code_name, parse_stop_code);
}

TEST(Codes, OfRemarksHaveTextsOfTheirOwn) {
  std::set<std::string> texts;
  for (const RemarkCode code : all_remark_codes()) {
    ContractRemark remark;
    remark.code = code;
    const std::string text = describe(remark);
    EXPECT_FALSE(text.empty()) << remark_code_name(code);
    EXPECT_TRUE(texts.insert(text).second) << text;
  }
}

TEST(Codes, ASearchThatExplainsItsEndHadEnough) {
  SearchCourse course;
  EXPECT_EQ(course.stop(), std::nullopt);
  for (const StopCode code : all_stop_codes()) {
    course.ended = stop_code_name(code);
    EXPECT_EQ(course.stop(), code);
  }
  course.ended = "the chance of another 3 % is 2 %";
  EXPECT_EQ(course.stop(), StopCode::kEnough);
}

}  // namespace
}  // namespace warpwright
