#include "store/column_rules.h"

#include <array>

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
constexpr std::array kTrialRules = {ColumnRule{"id", Holds::kRow},
                                    ColumnRule{"key", Holds::kName},
                                    ColumnRule{"run_id", Holds::kRow},
                                    ColumnRule{"kernel_id", Holds::kRow},
                                    ColumnRule{"device_id", Holds::kRow},
                                    ColumnRule{"problem_id", Holds::kRow},
                                    ColumnRule{"configuration_id", Holds::kRow},
                                    ColumnRule{"status", Holds::kStatus},
                                    ColumnRule{"reason", Holds::kText},
                                    ColumnRule{"median_us", Holds::kOptionalTime},
                                    ColumnRule{"ci_low_us", Holds::kOptionalTime},
                                    ColumnRule{"ci_high_us", Holds::kOptionalTime},
                                    ColumnRule{"modelled", Holds::kFlag},
                                    ColumnRule{"protocol", Holds::kName},
                                    ColumnRule{"resources", Holds::kOptionalJson},
                                    ColumnRule{"counters", Holds::kOptionalJson},
                                    ColumnRule{"errors", Holds::kOptionalJson},
                                    ColumnRule{"options", Holds::kOptionalJson},
                                    ColumnRule{"cubin_hash", Holds::kName},
                                    ColumnRule{"compile_seconds", Holds::kAmount},
                                    ColumnRule{"validate_seconds", Holds::kAmount},
                                    ColumnRule{"measure_seconds", Holds::kAmount},
                                    ColumnRule{"sm_clock_mhz", Holds::kCount},
                                    ColumnRule{"work_bytes", Holds::kAmount},
                                    ColumnRule{"work_flops", Holds::kAmount},
                                    ColumnRule{"started_utc", Holds::kName},
                                    ColumnRule{"floor_us", Holds::kOptionalAmount},
                                    ColumnRule{"at_least_us", Holds::kOptionalTime},
                                    ColumnRule{"raw_median_us", Holds::kOptionalTime},
                                    ColumnRule{"same_as", Holds::kOptionalRow},
                                    ColumnRule{"measurement", Holds::kOptionalJson},
                                    ColumnRule{"work_bytes_written", Holds::kOptionalAmount},
                                    ColumnRule{"arithmetic", Holds::kOptionalText},
                                    ColumnRule{"checksum", Holds::kChecksum}};
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
