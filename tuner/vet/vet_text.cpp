#include "vet/vet_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/terminal_text.h"
#include "core/words.h"
#include "terminal/style.h"
#include "vet/explain/explain.h"

namespace warpwright {
namespace {

using nlohmann::json;

// Formats "file:12: ", which terminals and editors turn into a link.
std::string lead(const SourceLocation& location) { return location.to_string() + ": "; }

// Quotes the line, if its text is known.
std::string quote_of(const QuotedLocation& location, bool colour) {
  if (location.text.empty()) return "";
  return styled(fmt::format("{:>5} | {}", location.line, location.text), Style::kDim, colour) +
         "\n";
}

// The calls that lead to a line in a helper. A long chain shows only its innermost and outermost
// calls.
std::string calls_text(const std::vector<QuotedLocation>& callers, bool colour) {
  constexpr std::size_t kMax = 4;
  std::string text;
  for (std::size_t i = 0; i < callers.size(); ++i) {
    const bool is_between = callers.size() > kMax && i >= kMax / 2 && i + kMax / 2 < callers.size();
    if (is_between && i == kMax / 2)
      text += fmt::format("{}note: through {} more\n", lead(callers[i]),
                          plural(callers.size() - kMax, "call"));
    if (is_between) continue;
    text += fmt::format("{}note: called from here\n", lead(callers[i]));
    text += quote_of(callers[i], colour);
  }
  return text;
}

std::string schedules_of(const VetHazard& hazard) {
  if (hazard.seen_in == hazard.schedules)
    return hazard.schedules == 1 ? "" : fmt::format(" under all {} schedules", hazard.schedules);
  return fmt::format(" under {} of {} schedules", hazard.seen_in, hazard.schedules);
}

void add_hazard(const VetHazard& hazard, bool colour, std::string& text) {
  const Finding& finding = hazard.finding;
  const std::string where = finding.here ? lead(finding.here->where) : "";
  const char* level = finding.is_fault ? "fault" : finding.here ? "hazard" : "error";
  text +=
      where +
      styled(fmt::format("{}: {}:", level, finding_kind_name(finding.kind)), Style::kBold, colour) +
      " " + finding.message + "\n";
  if (finding.here)
    text += quote_of(finding.here->where, colour) + calls_text(finding.here->callers, colour);
  if (finding.other) {
    text += fmt::format("{}note: the other side: {}\n", lead(finding.other->where),
                        who(*finding.other));
    text += quote_of(finding.other->where, colour);
    if (!finding.here || finding.here->callers != finding.other->callers)
      text += calls_text(finding.other->callers, colour);
  }
  if (!finding.advice.empty()) text += fmt::format("{}fix: {}\n", where, finding.advice);
  const std::string problem =
      hazard.problem_text.empty() ? "" : fmt::format(" ({})", hazard.problem_text);
  const std::string at = hazard.case_name.empty()
                             ? hazard.problem_text
                             : fmt::format("case '{}'{}", hazard.case_name, problem);
  text += fmt::format("{}note: {}, {}{}{}; again with `{}`\n\n", where, hazard.configuration_text,
                      at, schedules_of(hazard),
                      hazard.elsewhere == 0
                          ? ""
                          : fmt::format(", and in {} more", plural(hazard.elsewhere, "case")),
                      hazard.replay);
}

// Reports the schedules that were skipped because they could not show anything else.
std::string spared(const VetReport& report) {
  if (report.same_under_all == 0) return "";
  const std::string who =
      report.same_under_all == report.runs
          ? ""
          : fmt::format(" for {} of {} runs", report.same_under_all, report.runs);
  return fmt::format("; one schedule was enough{}: no other can differ", who);
}

// Points to the pages that explain the kinds of findings.
std::string explain_hint(const VetReport& report) {
  std::vector<std::string> kinds;
  for (const VetHazard& hazard : report.hazards) {
    std::string word = kind_word(finding_kind_name(hazard.finding.kind));
    if (find_explanation(word) && std::find(kinds.begin(), kinds.end(), word) == kinds.end())
      kinds.push_back(std::move(word));
  }
  if (kinds.empty()) return "";
  const std::string first = kinds.front();
  kinds.erase(kinds.begin());
  return fmt::format(
      "more about it, with a broken and a fixed kernel: `warpwright vet --explain {}`{}\n", first,
      kinds.empty() ? "" : fmt::format(", or {}", fmt::join(kinds, ", ")));
}

json side_json(const std::optional<FindingSide>& side) {
  if (!side) return nullptr;
  json callers = json::array();
  for (const QuotedLocation& call : side->callers)
    callers.push_back({{"file", call.file}, {"line", call.line}, {"text", call.text}});
  return {{"file", side->where.file},
          {"line", side->where.line},
          {"text", side->where.text},
          {"who", who(*side)},
          {"callers", std::move(callers)}};
}

std::string left_out_text(const VetReport& report) {
  constexpr std::size_t kMax = 8;
  const std::vector<LeftOut> all = told_left_out(report);
  if (all.empty()) return "";
  std::vector<std::string> items;
  for (const LeftOut& one : all) {
    if (items.size() == kMax) break;
    items.push_back(fmt::format(
        "{} (line {}{})", describe(one), one.where.line,
        one.where.file == all.front().where.file ? "" : " of " + shown_name(one.where.file)));
  }
  if (all.size() > kMax) items.push_back(fmt::format("{} more", all.size() - kMax));
  return fmt::format("{}: note: left out as host code: {}\n", terminal_line(report.kernel),
                     join_with_and(items));
}

}  // namespace

std::string vet_text(const VetReport& report, bool colour) {
  std::string text;
  for (const VetHazard& hazard : report.hazards) add_hazard(hazard, colour, text);
  for (const VetFailure& failure : report.failures) {
    const std::string one =
        failure.case_name.empty() ? "" : fmt::format(", case '{}'", failure.case_name);
    text += fmt::format("{}{}: could not be run: {}\n\n", failure.configuration_text, one,
                        failure.reason);
  }
  for (const VetFailure& one : report.undecided) {
    text += fmt::format(
        "{}{}: not decided: {} (`--instructions N`, `--time SECONDS`)\n\n", one.configuration_text,
        one.case_name.empty() ? "" : fmt::format(", case '{}'", one.case_name), one.reason);
  }
  for (const VetRemark& remark : report.remarks) {
    text += fmt::format("note: {}: {}; sweeps refuse it, its PTX was looked at\n",
                        remark.configuration_text, remark.text);
  }
  text += left_out_text(report);
  for (const VetExclusion& exclusion : report.exclusions) {
    text += fmt::format("note: {}: without case '{}': {}\n", exclusion.configuration_text,
                        fmt::join(exclusion.case_names, "', '"), exclusion.reason);
  }
  for (const VetContractRemark& one : report.contract) {
    text += fmt::format("{}{} {}\n", lead(one.here),
                        styled(report.strict ? "error:" : "warning:", Style::kBold, colour),
                        describe(one.remark));
  }
  const std::uint64_t all = report.cases * report.configurations;
  const std::string what =
      report.launch_comments > 0
          ? plural(report.launch_comments, "launch comment")
          : fmt::format(
                "{} of {}{}", plural(report.cases, "case"),
                plural(report.configurations, "configuration"),
                report.runs == all ? "" : fmt::format(" ({} of {} runs)", report.runs, all));
  const std::string looked =
      fmt::format("{} under {} on {}", what, plural(report.schedules, "schedule"), report.device);
  if (!report.found()) {
    text += fmt::format("{}: nothing found in {}", terminal_line(report.kernel), looked);
  } else {
    const std::size_t findings =
        report.hazards.size() + (report.strict ? report.contract.size() : 0);
    text += fmt::format("{}: {} in {}", terminal_line(report.kernel), plural(findings, "finding"),
                        looked);
    if (!report.failures.empty())
      text += fmt::format("; {} could not be run", report.failures.size());
  }
  if (!report.undecided.empty()) text += fmt::format("; {} not decided", report.undecided.size());
  if (!report.strict && !report.contract.empty())
    text += "; " + plural(report.contract.size(), "warning");
  text += spared(report) + "\n";
  text += explain_hint(report);
  if (!report.validated && report.launch_comments == 0)
    text += "its contract has no reference: what the kernel computes was not looked at\n";
  return text;
}

std::string who(const FindingSide& side) {
  return fmt::format("{} by thread ({}) of block ({})", side.what.empty() ? "seen" : side.what,
                     fmt::join(side.thread, ","), fmt::join(side.block, ","));
}

std::vector<LeftOut> told_left_out(const VetReport& report) {
  std::vector<LeftOut> told;
  for (const LeftOut& one : report.left_out) {
    const auto is_whole = [&](const LeftOut& other) {
      return other.what == LeftOut::What::kDeclaration && other.where == one.where &&
             one.what != other.what;
    };
    if (std::none_of(report.left_out.begin(), report.left_out.end(), is_whole)) told.push_back(one);
  }
  return told;
}

std::string describe(const LeftOut& one) {
  const std::string name = shown_name(one.name);
  switch (one.what) {
    case LeftOut::What::kHeader:
      return fmt::format("the header '{}'", name);
    case LeftOut::What::kBody:
    case LeftOut::What::kLaunchingBody:
      return fmt::format("the body of '{}'", name);
    case LeftOut::What::kDeclaration:
      break;
  }
  return name.empty() ? "a declaration" : fmt::format("'{}'", name);
}

json hazard_json(const VetHazard& hazard) {
  const Finding& finding = hazard.finding;
  return {{"kind", finding_kind_name(finding.kind)},
          {"fault", finding.is_fault},
          {"message", finding.message},
          {"advice", finding.advice},
          {"here", side_json(finding.here)},
          {"other", side_json(finding.other)},
          {"configuration_text", hazard.configuration_text},
          {"case", hazard.case_name},
          {"problem_text", hazard.problem_text},
          {"seen_in", hazard.seen_in},
          {"schedules", hazard.schedules},
          {"seed", hazard.seed},
          {"replay", hazard.replay},
          {"elsewhere", hazard.elsewhere}};
}

json vet_json(const VetReport& report) {
  json left_out = json::array();
  for (const LeftOut& one : told_left_out(report)) {
    left_out.push_back({{"what", one.what == LeftOut::What::kHeader        ? "header"
                                 : one.what == LeftOut::What::kDeclaration ? "declaration"
                                                                           : "body"},
                        {"name", one.name},
                        {"here", {{"file", one.where.file}, {"line", one.where.line}}},
                        {"launches", one.what == LeftOut::What::kLaunchingBody},
                        {"compiler", one.why}});
  }

  json hazards = json::array();
  for (const VetHazard& hazard : report.hazards) hazards.push_back(hazard_json(hazard));
  json failures = json::array();
  for (const VetFailure& failure : report.failures) {
    failures.push_back({{"configuration_text", failure.configuration_text},
                        {"case", failure.case_name},
                        {"reason", failure.reason}});
  }
  json undecided = json::array();
  for (const VetFailure& one : report.undecided) {
    undecided.push_back({{"configuration_text", one.configuration_text},
                         {"case", one.case_name},
                         {"reason", one.reason}});
  }
  json remarks = json::array();
  for (const VetRemark& remark : report.remarks)
    remarks.push_back({{"configuration_text", remark.configuration_text}, {"text", remark.text}});
  json exclusions = json::array();
  for (const VetExclusion& exclusion : report.exclusions) {
    exclusions.push_back({{"configuration_text", exclusion.configuration_text},
                          {"cases", exclusion.case_names},
                          {"reason", exclusion.reason}});
  }
  json contract = json::array();
  for (const VetContractRemark& one : report.contract) {
    contract.push_back(one.remark);
    contract.back()["here"] = {{"file", one.here.file}, {"line", one.here.line}};
  }
  return {{"vet",
           {{"kernel", report.kernel},
            {"device", report.device},
            {"configurations", report.configurations},
            {"cases", report.cases},
            {"runs", report.runs},
            {"same_under_all_schedules", report.same_under_all},
            {"launch_comments", report.launch_comments},
            {"schedules", report.schedules},
            {"validated", report.validated},
            {"strict", report.strict},
            {"clean", report.clean()}}},
          {"hazards", std::move(hazards)},
          {"failures", std::move(failures)},
          {"undecided", std::move(undecided)},
          {"remarks", std::move(remarks)},
          {"contract_remarks", std::move(contract)},
          {"exclusions", std::move(exclusions)},
          {"left_out", std::move(left_out)}};
}

}  // namespace warpwright
