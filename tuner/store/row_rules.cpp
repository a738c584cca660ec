#include "store/row_rules.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "core/terminal_text.h"
#include "core/utf8.h"
#include "records/status.h"
#include "records/times.h"
#include "records/trial_figures.h"
#include "store/columns.h"
#include "store/row_seal.h"

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

namespace {

// Programs that read numbers as doubles, JSON parsers included, lose rows beyond this.
constexpr std::int64_t kLargestInteger = std::int64_t{1} << 53;
constexpr std::int64_t kMaxPlaces = 1'000'000;
constexpr std::int64_t kMaxCounted = 1'000'000'000;
constexpr std::size_t kLongestName = 64 << 10;
constexpr std::size_t kLongestText = 64 << 20;

// A value as shown in a message.
std::string shown(const Statement& row, int at) {
  constexpr std::size_t kShown = 40;
  switch (row.type_of(at)) {
    case SQLITE_NULL:
      return "NULL";
    case SQLITE_INTEGER:
      return std::to_string(row.integer_at(at));
    case SQLITE_FLOAT:
      return fmt::format("{}", row.real_at(at));
    case SQLITE_BLOB:
      return fmt::format("a blob of {} bytes", row.bytes_at(at).size());
    default:
      break;
  }
  const std::string_view text = row.bytes_at(at);
  if (text.size() <= kShown) return fmt::format("'{}'", terminal_line(text));
  return fmt::format("a text of {} bytes, '{}...'", text.size(),
                     terminal_line(text.substr(0, kShown)));
}

bool is_optional(Holds holds) {
  return holds == Holds::kOptionalRow || holds == Holds::kOptionalFlag ||
         holds == Holds::kOptionalText || holds == Holds::kOptionalJson ||
         holds == Holds::kChecksum || holds == Holds::kOptionalTime ||
         holds == Holds::kOptionalAmount || holds == Holds::kOptionalNumber ||
         holds == Holds::kOptionalProbability;
}

bool is_json(const Statement& row, int at) {
  const std::string_view text = row.bytes_at(at);
  return row.type_of(at) == SQLITE_TEXT && text.size() <= kLongestText &&
         nlohmann::json::accept(text.begin(), text.end());
}

// Returns nullptr if the value is of the kind that the column holds, else a description of that
// kind.
const char* unmet(const Statement& row, int at, Holds holds) {
  const int type = row.type_of(at);
  if (type == SQLITE_NULL && is_optional(holds)) return nullptr;
  const auto integer = [&](std::int64_t least, std::int64_t most) {
    const std::int64_t value = row.integer_at(at);
    return type == SQLITE_INTEGER && value >= least && value <= most;
  };
  const auto text = [&](std::size_t most) {
    return type == SQLITE_TEXT && row.bytes_at(at).size() <= most;
  };
  const bool number = type == SQLITE_FLOAT || type == SQLITE_INTEGER;
  const double value = number ? row.real_at(at) : 0;
  const bool finite = number && std::isfinite(value);
  switch (holds) {
    case Holds::kRow:
    case Holds::kOptionalRow:
      return integer(1, kLargestInteger) ? nullptr : "the number of a row, 1 to 2^53";
    case Holds::kInteger:
      return integer(-kLargestInteger, kLargestInteger) ? nullptr : "a whole number within 2^53";
    case Holds::kFlag:
    case Holds::kOptionalFlag:
      return integer(0, 1) ? nullptr : "0 or 1";
    case Holds::kPlace:
      return integer(1, kMaxPlaces) ? nullptr : "a place from 1 to 1,000,000";
    case Holds::kCount:
      return integer(0, kMaxCounted) ? nullptr : "a whole number from 0 to 1,000,000,000";
    case Holds::kName:
      return text(kLongestName) && !has_control_characters(row.bytes_at(at))
                 ? nullptr
                 : "a text of at most 64 KiB without control characters";
    case Holds::kText:
    case Holds::kOptionalText:
      return text(kLongestText) ? nullptr : "a text of at most 64 MiB";
    case Holds::kJson:
    case Holds::kOptionalJson:
      return is_json(row, at) ? nullptr : "JSON";
    case Holds::kChecksum:
      return type == SQLITE_BLOB ? nullptr : "a blob";
    case Holds::kBlob:
      return type == SQLITE_BLOB && row.bytes_at(at).size() <= kLongestText
                 ? nullptr
                 : "a blob of at most 64 MiB";
    case Holds::kStatus:
      return text(kLongestName) && parse_status(std::string(row.bytes_at(at)))
                 ? nullptr
                 : "a status of this warpwright version";
    case Holds::kTime:
    case Holds::kOptionalTime:
      return number && is_time(value) ? nullptr : "a finite positive time";
    case Holds::kRatio:
      return number && is_time(value) ? nullptr : "a finite positive number";
    case Holds::kAmount:
    case Holds::kOptionalAmount:
      return finite && value >= 0 ? nullptr : "a finite number of at least 0";
    case Holds::kOptionalNumber:
      return finite ? nullptr : "a finite number";
    case Holds::kProbability:
    case Holds::kOptionalProbability:
      return finite && value >= 0 && value <= 1 ? nullptr : "a number from 0 to 1";
  }
  return "a value that is known";
}

// One row with the names of its columns.
class RowCheck {
 public:
  RowCheck(const std::string& table, const Statement& row, std::span<const std::string> columns,
           const std::set<std::string>& without)
      : table_(table), row_(row), columns_(columns), without_(without) {}

  [[nodiscard]] std::optional<BrokenRule> run() const {
    for (const TableRules& rules : table_rules()) {
      if (table_ != rules.table) continue;
      for (const ColumnRule& rule : rules.columns) {
        const int at = find(rule.column);
        if (at < 0) continue;
        if (without_.contains(rule.column)) continue;
        if (const char* expected = unmet(row_, at, rule.holds)) {
          return BrokenRule{
              rule.column,
              fmt::format("{} is {}, expected {}", rule.column, shown(row_, at), expected),
              is_optional(rule.holds)};
        }
      }
    }
    for (const IntervalRule& rule : interval_rules()) {
      if (table_ != rule.table) continue;
      if (std::optional<BrokenRule> broken = check_interval(rule)) return broken;
    }
    if (std::optional<BrokenRule> broken = check_samples()) return broken;
    return check_text();
  }

 private:
  [[nodiscard]] int find(std::string_view column) const {
    const auto found = std::find(columns_.begin(), columns_.end(), column);
    return found == columns_.end() ? -1 : static_cast<int>(found - columns_.begin());
  }

  [[nodiscard]] std::optional<double> number(const char* column) const {
    const int at = find(column);
    if (at < 0 || row_.type_of(at) == SQLITE_NULL || without_.contains(column)) return std::nullopt;
    return row_.real_at(at);
  }

  [[nodiscard]] BrokenRule broken(const char* column, std::string what) const {
    return {column, std::move(what), is_optional_column(table_, column)};
  }

  [[nodiscard]] std::optional<BrokenRule> check_interval(const IntervalRule& rule) const {
    const std::optional<double> low = number(rule.low);
    const std::optional<double> middle = number(rule.middle);
    const std::optional<double> high = number(rule.high);
    if (middle && low && *low > *middle) {
      return broken(rule.low, fmt::format("{} is {}, expected at most {}, its {}", rule.low, *low,
                                          *middle, rule.middle));
    }
    if (middle && high && *high < *middle) {
      return broken(rule.high, fmt::format("{} is {}, expected at least {}, its {}", rule.high,
                                           *high, *middle, rule.middle));
    }
    if (low && high && *low > *high) {
      return broken(rule.low, fmt::format("{} is {}, expected at most {}, its {}", rule.low, *low,
                                          *high, rule.high));
    }
    return std::nullopt;
  }

  // Another encoding comes from another warpwright; the decoder reports it. Samples that are not
  // numbers are left out when they are read.
  [[nodiscard]] std::optional<BrokenRule> check_samples() const {
    const int count = find("count"), encoding = find("encoding"), data = find("data");
    if (count < 0 || encoding < 0 || data < 0) return std::nullopt;
    if (row_.bytes_at(encoding) != kSampleEncoding) return std::nullopt;
    const std::string_view bytes = row_.bytes_at(data);
    if (static_cast<std::size_t>(row_.integer_at(count)) * 4 != bytes.size()) {
      return broken("data", fmt::format("data has {} bytes, expected 4 for each of {} samples",
                                        bytes.size(), row_.integer_at(count)));
    }
    return std::nullopt;
  }

  // People read the text, and programs read the values, so the two must agree.
  [[nodiscard]] std::optional<BrokenRule> check_text() const {
    const char* name = table_ == "configuration" ? "values" : table_ == "problem" ? "sizes" : "";
    const int values = find(name), text = find("text"), variant = find("variant");
    if (values < 0 || text < 0) return std::nullopt;
    const auto stored =
        stored_column<ParameterValues>(std::string(row_.bytes_at(values)), {"", 0, ""});
    const ParameterValues* read = stored.readable();
    const std::string_view lead = variant < 0 ? std::string_view() : row_.bytes_at(variant);
    // Unreadable columns are reported when they are needed, and pass through a merge.
    if (read == nullptr || names_values(row_.bytes_at(text), lead, *read)) return std::nullopt;
    return broken("text", fmt::format("text is {}, expected the names and values of {}, {}",
                                      shown(row_, text), name, shown(row_, values)));
  }

  const std::string& table_;
  const Statement& row_;
  std::span<const std::string> columns_;
  const std::set<std::string>& without_;
};

}  // namespace

bool names_values(std::string_view text, std::string_view lead, const ParameterValues& values) {
  if (values.empty() && lead.empty()) return text.find('=') == std::string_view::npos;
  if (text == configuration_text(std::string(lead), values)) return true;
  std::string rest = fmt::format(" {} ", text);
  if (!lead.empty()) {
    if (!rest.starts_with(fmt::format(" {} ", lead))) return false;
    rest.erase(1, lead.size() + 1);
  }
  for (const auto& [name, value] : values) {
    const std::string start = fmt::format(" {}=", name);
    const std::string word = fmt::format("{}{} ", start, value.to_string());
    std::size_t at = rest.find(word);
    std::size_t bytes = word.size();
    if (at == std::string::npos) {
      // The same number in other digits.
      at = rest.find(start);
      if (at == std::string::npos || !value.is_number()) return false;
      const char* number = rest.c_str() + at + start.size();
      char* end = nullptr;
      const double read = std::strtod(number, &end);
      if (end == number || *end != ' ' || read != value.as_real()) return false;
      bytes = static_cast<std::size_t>(end - rest.c_str()) + 1 - at;
    }
    rest.replace(at, bytes, " ");
  }
  return rest == " ";
}

std::optional<BrokenRule> broken_rule(const std::string& table, const Statement& row,
                                      std::span<const std::string> columns,
                                      const std::set<std::string>& without) {
  return RowCheck(table, row, columns, without).run();
}

bool is_optional_column(const std::string& table, const std::string& column) {
  for (const TableRules& rules : table_rules()) {
    if (table != rules.table) continue;
    for (const ColumnRule& rule : rules.columns)
      if (column == rule.column) return is_optional(rule.holds);
  }
  return false;
}

std::optional<std::string> find_broken_row(Connection& connection) {
  for (const TableRules& rules : table_rules()) {
    std::vector<std::string> columns;
    std::string quoted;
    for (const ColumnRule& rule : rules.columns) {
      columns.emplace_back(rule.column);
      quoted += fmt::format("\"{}\", ", rule.column);
    }
    Statement select(connection, fmt::format("SELECT {}rowid, {} FROM \"{}\" ORDER BY rowid",
                                             quoted, sealed_sql(rules.table, ""), rules.table));
    const int at = static_cast<int>(columns.size());
    while (select.step()) {
      const std::int64_t row = select.integer_at(at);
      if (const auto broken = broken_rule(rules.table, select, columns))
        return fmt::format("table '{}', row {}: {}", rules.table, row, broken->what);
      if (select.integer_at(at + 1) == 0)
        return fmt::format("table '{}', row {}: {}", rules.table, row, unsealed_text());
    }
  }
  return std::nullopt;
}

}  // namespace warpwright
