#include "store/column_rules.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "records/trial_figures.h"

namespace warpwright {
namespace {

constexpr std::array kDeviceRules = {ColumnRule{"id", Holds::kRow},
                                     ColumnRule{"fingerprint", Holds::kName},
                                     ColumnRule{"selector", Holds::kName},
                                     ColumnRule{"name", Holds::kName},
                                     ColumnRule{"arch", Holds::kName},
                                     ColumnRule{"uuid", Holds::kName},
                                     ColumnRule{"driver", Holds::kName},
                                     ColumnRule{"has_clock", Holds::kFlag},
                                     ColumnRule{"details", Holds::kOptionalJson},
                                     ColumnRule{"checksum", Holds::kChecksum}};
constexpr std::array kKernelRules = {ColumnRule{"id", Holds::kRow},
                                     ColumnRule{"name", Holds::kName},
                                     ColumnRule{"contract_hash", Holds::kName},
                                     ColumnRule{"summary", Holds::kText},
                                     ColumnRule{"contract", Holds::kText},
                                     ColumnRule{"generation", Holds::kInteger},
                                     ColumnRule{"default_configuration", Holds::kOptionalText},
                                     ColumnRule{"baseline", Holds::kOptionalFlag},
                                     ColumnRule{"checksum", Holds::kChecksum}};
constexpr std::array kProblemRules = {
    ColumnRule{"id", Holds::kRow}, ColumnRule{"sizes", Holds::kJson},
    ColumnRule{"text", Holds::kName}, ColumnRule{"checksum", Holds::kChecksum}};
constexpr std::array kConfigurationRules = {
    ColumnRule{"id", Holds::kRow}, ColumnRule{"variant", Holds::kName},
    ColumnRule{"values", Holds::kJson}, ColumnRule{"text", Holds::kName},
    ColumnRule{"checksum", Holds::kChecksum}};
constexpr std::array kRunRules = {
    ColumnRule{"id", Holds::kRow},           ColumnRule{"config_path", Holds::kText},
    ColumnRule{"config", Holds::kText},      ColumnRule{"seed", Holds::kName},
    ColumnRule{"strategy", Holds::kName},    ColumnRule{"budget", Holds::kName},
    ColumnRule{"version", Holds::kName},     ColumnRule{"nvrtc_version", Holds::kName},
    ColumnRule{"host", Holds::kName},        ColumnRule{"command_line", Holds::kText},
    ColumnRule{"started_utc", Holds::kName}, ColumnRule{"finished_utc", Holds::kName},
    ColumnRule{"ended", Holds::kName},       ColumnRule{"goal", Holds::kOptionalJson},
    ColumnRule{"checksum", Holds::kChecksum}};
constexpr ColumnRule figure_rule(const TrialFigure& figure) {
  const bool optional = std::holds_alternative<TrialFigure::Optional>(figure.member);
  if (std::holds_alternative<TrialFigure::Integer>(figure.member))
    return {figure.name, Holds::kCount};
  if (figure.above_zero) return {figure.name, optional ? Holds::kOptionalTime : Holds::kTime};
  return {figure.name, optional ? Holds::kOptionalAmount : Holds::kAmount};
}
consteval ColumnRule figure_rule(std::string_view name) {
  return figure_rule(*find_trial_figure(name));
}

// The columns of version 7, which has the first checksums, in the order of those.
constexpr std::array kFirstTrialRules = {ColumnRule{"id", Holds::kRow},
                                         ColumnRule{"key", Holds::kName},
                                         ColumnRule{"run_id", Holds::kRow},
                                         ColumnRule{"kernel_id", Holds::kRow},
                                         ColumnRule{"device_id", Holds::kRow},
                                         ColumnRule{"problem_id", Holds::kRow},
                                         ColumnRule{"configuration_id", Holds::kRow},
                                         ColumnRule{"status", Holds::kStatus},
                                         ColumnRule{"reason", Holds::kText},
                                         figure_rule("median_us"),
                                         figure_rule("ci_low_us"),
                                         figure_rule("ci_high_us"),
                                         ColumnRule{"modelled", Holds::kFlag},
                                         ColumnRule{"protocol", Holds::kName},
                                         ColumnRule{"resources", Holds::kOptionalJson},
                                         ColumnRule{"counters", Holds::kOptionalJson},
                                         ColumnRule{"errors", Holds::kOptionalJson},
                                         ColumnRule{"options", Holds::kOptionalJson},
                                         ColumnRule{"cubin_hash", Holds::kName},
                                         figure_rule("compile_seconds"),
                                         figure_rule("validate_seconds"),
                                         figure_rule("measure_seconds"),
                                         figure_rule("sm_clock_mhz"),
                                         figure_rule("work_bytes"),
                                         figure_rule("work_flops"),
                                         ColumnRule{"started_utc", Holds::kName},
                                         figure_rule("floor_us"),
                                         figure_rule("at_least_us"),
                                         figure_rule("raw_median_us"),
                                         ColumnRule{"same_as", Holds::kOptionalRow},
                                         ColumnRule{"measurement", Holds::kOptionalJson},
                                         figure_rule("work_bytes_written"),
                                         ColumnRule{"arithmetic", Holds::kOptionalText},
                                         ColumnRule{"checksum", Holds::kChecksum}};
// Later versions add figures.
constexpr auto kTrialRules = [] {
  constexpr auto is_later = [](const TrialFigure& figure) { return figure.schema > 7; };
  constexpr auto kLater = std::count_if(kTrialFigures.begin(), kTrialFigures.end(), is_later);
  std::array<ColumnRule, kFirstTrialRules.size() + kLater> rules{};
  auto* end = std::copy(kFirstTrialRules.begin(), kFirstTrialRules.end(), rules.begin());
  for (const TrialFigure& figure : kTrialFigures)
    if (is_later(figure)) *end++ = figure_rule(figure);
  return rules;
}();
constexpr std::array kSampleRules = {
    ColumnRule{"trial_id", Holds::kRow}, ColumnRule{"count", Holds::kCount},
    ColumnRule{"encoding", Holds::kName}, ColumnRule{"data", Holds::kBlob},
    ColumnRule{"checksum", Holds::kChecksum}};
constexpr std::array kCeilingRules = {ColumnRule{"id", Holds::kRow},
                                      ColumnRule{"device_id", Holds::kRow},
                                      ColumnRule{"name", Holds::kName},
                                      ColumnRule{"value", Holds::kAmount},
                                      ColumnRule{"unit", Holds::kName},
                                      ColumnRule{"ci_low", Holds::kOptionalNumber},
                                      ColumnRule{"ci_high", Holds::kOptionalNumber},
                                      ColumnRule{"protocol", Holds::kName},
                                      ColumnRule{"measured_utc", Holds::kName},
                                      ColumnRule{"checksum", Holds::kChecksum}};
constexpr std::array kKernelSourceRules = {
    ColumnRule{"kernel_id", Holds::kRow}, ColumnRule{"path", Holds::kName},
    ColumnRule{"text", Holds::kText}, ColumnRule{"checksum", Holds::kChecksum}};
constexpr std::array kContractCheckRules = {
    ColumnRule{"run_id", Holds::kRow}, ColumnRule{"kernel_id", Holds::kRow},
    ColumnRule{"problem_id", Holds::kRow}, ColumnRule{"remarks", Holds::kJson},
    ColumnRule{"checksum", Holds::kChecksum}};
constexpr std::array kRankingRules = {ColumnRule{"id", Holds::kRow},
                                      ColumnRule{"run_id", Holds::kRow},
                                      ColumnRule{"kernel_name", Holds::kName},
                                      ColumnRule{"device_id", Holds::kRow},
                                      ColumnRule{"problem_id", Holds::kRow},
                                      ColumnRule{"protocol", Holds::kName},
                                      ColumnRule{"rounds", Holds::kCount},
                                      ColumnRule{"confidence", Holds::kProbability},
                                      ColumnRule{"decided_by", Holds::kName},
                                      ColumnRule{"started_utc", Holds::kName},
                                      ColumnRule{"headline", Holds::kOptionalJson},
                                      ColumnRule{"winner_id", Holds::kRow},
                                      ColumnRule{"last_trial", Holds::kInteger},
                                      ColumnRule{"checksum", Holds::kChecksum}};
constexpr std::array kRankingEntryRules = {ColumnRule{"ranking_id", Holds::kRow},
                                           ColumnRule{"trial_id", Holds::kRow},
                                           ColumnRule{"place", Holds::kPlace},
                                           ColumnRule{"tied", Holds::kFlag},
                                           ColumnRule{"median_us", Holds::kTime},
                                           ColumnRule{"ci_low_us", Holds::kTime},
                                           ColumnRule{"ci_high_us", Holds::kTime},
                                           ColumnRule{"relative", Holds::kRatio},
                                           ColumnRule{"relative_low", Holds::kRatio},
                                           ColumnRule{"relative_high", Holds::kRatio},
                                           ColumnRule{"p_adjusted", Holds::kOptionalProbability},
                                           ColumnRule{"count", Holds::kCount},
                                           ColumnRule{"encoding", Holds::kName},
                                           ColumnRule{"data", Holds::kBlob},
                                           ColumnRule{"checksum", Holds::kChecksum}};

constexpr std::array kTableRules = {TableRules{"device", kDeviceRules},
                                    TableRules{"kernel", kKernelRules},
                                    TableRules{"problem", kProblemRules},
                                    TableRules{"configuration", kConfigurationRules},
                                    TableRules{"run", kRunRules},
                                    TableRules{"trial", kTrialRules},
                                    TableRules{"sample", kSampleRules},
                                    TableRules{"ceiling", kCeilingRules},
                                    TableRules{"kernel_source", kKernelSourceRules},
                                    TableRules{"contract_check", kContractCheckRules},
                                    TableRules{"ranking", kRankingRules},
                                    TableRules{"ranking_entry", kRankingEntryRules}};

constexpr std::array kIntervalRules = {
    IntervalRule{"trial", "ci_low_us", "median_us", "ci_high_us"},
    IntervalRule{"ranking_entry", "ci_low_us", "median_us", "ci_high_us"},
    IntervalRule{"ranking_entry", "relative_low", "relative", "relative_high"},
    IntervalRule{"ceiling", "ci_low", "value", "ci_high"}};

}  // namespace

std::span<const TableRules> table_rules() { return kTableRules; }

std::span<const IntervalRule> interval_rules() { return kIntervalRules; }

}  // namespace warpwright
