#include "cli/account_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/words.h"
#include "terminal/numbers.h"
#include "terminal/table.h"

namespace warpwright {
namespace {

using AccountJson = nlohmann::json;

constexpr const char* kUnknown = "-";

// "65,584" exactly, or "1.647 G" from ten million on.
std::string amount_text(const std::optional<double>& amount) {
  constexpr double kExact = 1e7;
  if (!amount) return kUnknown;
  if (std::abs(*amount) < kExact) return format_thousands(*amount);
  double value = *amount;
  const char* prefixes = "kMGTPE";
  std::size_t at = 0;
  for (value /= 1e3; std::abs(value) >= 999.95 && at < 5; ++at) value /= 1e3;
  return fmt::format("{:.4g} {}", value, prefixes[at]);
}

std::string ratio_text(const std::optional<double>& above, double below) {
  if (!above || !(below > 0)) return kUnknown;
  return fmt::format("{:.2f}", *above / below);
}

// "the same", "+1.3 %".
std::string difference_text(const std::optional<double>& counted,
                            const std::optional<double>& formula) {
  if (!counted || !formula) return kUnknown;
  const std::optional<double> difference = relative_difference(counted, formula);
  if (!difference) return "not 0";
  if (*difference == 0) return "same";
  return fmt::format("{:+.2f} %", 100 * *difference);
}

std::vector<std::string> amount_cells(const AccountSheet& sheet, const Amounts& amounts) {
  std::vector<std::string> cells;
  for (const AmountField& field : kAmountFields)
    cells.push_back(amount_text(amounts.*field.member));
  const std::optional<double> intensity = amounts.intensity();
  cells.push_back(ratio_text(amounts.traffic(), sheet.compulsory_bytes));
  cells.push_back(ratio_text(amounts.requested, sheet.compulsory_bytes));
  cells.push_back(intensity ? fmt::format("{:.2f}", *intensity) : kUnknown);
  return cells;
}

std::vector<std::string> row_of(const std::string& title, std::vector<std::string> cells) {
  cells.insert(cells.begin(), title);
  return cells;
}

std::string work_table(const AccountSheet& sheet, const Screen& screen) {
  Table table({middle_column("variant"), number_column("reads B"), number_column("writes B"),
               number_column("scratch B"), number_column("special", 3), number_column("flops", 2),
               number_column("tensor flops", 2), number_column("traffic x"),
               number_column("asked for x", 4), number_column("flop/B", 5)});
  for (const Account& account : sheet.accounts) {
    if (account.counted)
      table.add_row(row_of(account.title, amount_cells(sheet, *account.counted)));
    if (!account.formula) continue;
    table.add_row(row_of(account.counted ? "  by formula" : account.title,
                         amount_cells(sheet, *account.formula)));
    if (!account.counted) continue;
    std::vector<std::string> cells;
    for (const AmountField& field : kAmountFields)
      cells.push_back(
          difference_text((*account.counted).*field.member, (*account.formula).*field.member));
    cells.resize(cells.size() + 3);
    table.add_row(row_of("  difference", std::move(cells)));
  }
  return table.empty() ? "" : table.render(0, screen);
}

std::string time_table(const AccountSheet& sheet, const GpuFile& gpu, const Screen& screen) {
  Table table({middle_column("variant"), number_column("at best µs"), word_column("bound by"),
               number_column("speed-up"), prose_column("time of each part, µs", 20, 1)});
  std::vector<std::string> missing;
  for (const Account& account : sheet.accounts) {
    const AccountTime at = account_time(sheet, account, gpu);
    if (!at.time) continue;
    std::vector<std::string> parts;
    for (const CeilingTime::Term& term : at.time->terms)
      parts.push_back(fmt::format("{} {}", term.name, format_us(term.us)));
    for (const std::string& name : at.time->missing)
      if (std::find(missing.begin(), missing.end(), name) == missing.end()) missing.push_back(name);
    table.add_row({account.title, format_us(at.time->us()), at.time->bound(),
                   at.speed_up ? fmt::format("{:.2f}", *at.speed_up) : kUnknown, join(parts)});
  }
  if (table.empty()) return "";
  std::string text = fmt::format("\nAt the ceilings of {}:\n", gpu.title) + table.render(0, screen);
  if (!missing.empty())
    text += fmt::format("without the time of {}, for which configs/gpus has no ceiling\n",
                        join(missing));
  std::vector<std::string> sources;
  for (const GpuCeiling& ceiling : gpu.ceilings) {
    const bool used =
        std::any_of(sheet.accounts.begin(), sheet.accounts.end(), [&](const Account& a) {
          return a.amounts() != nullptr && a.amounts()->by_ceiling.contains(ceiling.name);
        });
    if (!used && ceiling.unit() != "GB/s") continue;
    text += fmt::format("  {} {} {}: {}\n", ceiling.name, format_thousands(ceiling.value),
                        ceiling.unit(), ceiling.source);
  }
  return text;
}

AccountJson or_none(const std::optional<double>& value) {
  return value ? AccountJson(*value) : AccountJson(nullptr);
}

AccountJson amounts_json(const std::optional<Amounts>& amounts, double compulsory) {
  if (!amounts) return nullptr;
  AccountJson json = AccountJson::object();
  for (const AmountField& field : kAmountFields)
    json[field.name] = or_none((*amounts).*field.member);
  json["requested"] = or_none(amounts->requested);
  json["traffic"] = or_none(amounts->traffic());
  const std::optional<double> traffic = amounts->traffic();
  json["of_compulsory"] = traffic && compulsory > 0 ? AccountJson(*traffic / compulsory) : nullptr;
  json["intensity"] = or_none(amounts->intensity());
  json["by_ceiling"] = amounts->by_ceiling;
  return json;
}

AccountJson differences_json(const Account& account) {
  if (!account.counted || !account.formula) return nullptr;
  AccountJson json = AccountJson::object();
  for (const AmountField& field : kAmountFields)
    if ((*account.formula).*field.member)
      json[field.name] = or_none(
          relative_difference((*account.counted).*field.member, (*account.formula).*field.member));
  return json;
}

AccountJson time_json(const AccountTime& at) {
  if (!at.time) return nullptr;
  AccountJson terms = AccountJson::object();
  for (const CeilingTime::Term& term : at.time->terms) terms[term.name] = term.us;
  return {{"us", at.time->us()},
          {"bound", at.time->bound()},
          {"terms_us", std::move(terms)},
          {"missing", at.time->missing},
          {"speed_up", or_none(at.speed_up)}};
}

AccountJson values_json(const ParameterValues& values) {
  AccountJson json = AccountJson::object();
  for (const auto& [name, value] : values) {
    if (value.is_string()) {
      json[name] = value.as_string();
    } else {
      json[name] = AccountJson::parse(value.to_string());
    }
  }
  return json;
}

}  // namespace

const Amounts* Account::amounts() const {
  return counted ? &*counted : formula ? &*formula : nullptr;
}

AccountTime account_time(const AccountSheet& sheet, const Account& account, const GpuFile& gpu) {
  AccountTime at;
  if (account.amounts() == nullptr) return at;
  at.time = ceiling_time(*account.amounts(), gpu);
  const auto baseline = std::find_if(sheet.accounts.begin(), sheet.accounts.end(),
                                     [](const Account& one) { return one.baseline; });
  if (!at.time || baseline == sheet.accounts.end() || baseline->amounts() == nullptr) return at;
  const std::optional<CeilingTime> other = ceiling_time(*baseline->amounts(), gpu);
  if (other && at.time->us() > 0) at.speed_up = other->us() / at.time->us();
  return at;
}

std::string account_text(const AccountSheet& sheet, const Screen& screen) {
  std::string text = fmt::format("{} {}\n", sheet.kernel, sheet.problem);
  text += sheet.counted ? fmt::format("counted by the emulator on {}", sheet.device)
                        : "by the contract's formulas; a time leaves out parts that have none";
  text += fmt::format("\nthe problem needs at least: {} bytes, {} flops\n\n",
                      amount_text(sheet.compulsory_bytes), amount_text(sheet.flops));
  text += work_table(sheet, screen);
  for (const GpuFile& gpu : sheet.gpus) text += time_table(sheet, gpu, screen);
  std::string notes;
  for (const Account& account : sheet.accounts) {
    if (account.refused) {
      notes += fmt::format("{} does not run on this problem: {}\n", account.title,
                           account.refused->text());
    } else if (!account.failed.empty()) {
      notes += fmt::format("{}: {}\n", account.title, account.failed);
    } else if (account.amounts() == nullptr) {
      notes +=
          fmt::format("{}: the contract's `accounting` has no formulas of it\n", account.title);
    }
  }
  return text + (notes.empty() ? "" : "\n" + notes);
}

nlohmann::json account_json(const AccountSheet& sheet) {
  AccountJson gpus = AccountJson::array();
  for (const GpuFile& gpu : sheet.gpus) {
    AccountJson ceilings = AccountJson::array();
    for (const GpuCeiling& ceiling : gpu.ceilings)
      ceilings.push_back({{"name", ceiling.name},
                          {"value", ceiling.value},
                          {"unit", ceiling.unit()},
                          {"source", ceiling.source}});
    gpus.push_back({{"gpu", gpu.name}, {"title", gpu.title}, {"ceilings", std::move(ceilings)}});
  }
  AccountJson variants = AccountJson::array();
  for (const Account& account : sheet.accounts) {
    AccountJson times = AccountJson::object();
    for (const GpuFile& gpu : sheet.gpus)
      times[gpu.name] = time_json(account_time(sheet, account, gpu));
    AccountJson reason = nullptr;
    if (account.refused) reason = account.refused->text();
    if (!account.failed.empty()) reason = account.failed;
    variants.push_back({{"title", account.title},
                        {"variant", account.configuration.variant},
                        {"values", values_json(account.configuration.values)},
                        {"baseline", account.baseline},
                        {"sources", account.sources},
                        {"runs", !account.refused && account.failed.empty()},
                        {"reason", std::move(reason)},
                        {"counted", amounts_json(account.counted, sheet.compulsory_bytes)},
                        {"formula", amounts_json(account.formula, sheet.compulsory_bytes)},
                        {"formulas", account.formulas},
                        {"difference", differences_json(account)},
                        {"times", std::move(times)}});
  }
  return {{"kernel", sheet.kernel},
          {"summary", sheet.summary},
          {"problem", sheet.problem},
          {"counted_on", sheet.counted ? AccountJson(sheet.device) : AccountJson(nullptr)},
          {"compulsory_bytes", sheet.compulsory_bytes},
          {"flops", sheet.flops},
          {"gpus", std::move(gpus)},
          {"variants", std::move(variants)}};
}

}  // namespace warpwright
