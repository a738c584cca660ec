#include "vet/vet_sarif.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "vet/explain/explain.h"
#include "vet/vet_text.h"

namespace warpwright {
namespace {

using nlohmann::ordered_json;

constexpr const char* kFailure = "not run";
constexpr const char* kContract = "contract tests too little";

// Formats a path for a URI: percent-encodes every byte except letters, digits and "-._~/".
std::string uri_of(const std::string& path) {
  std::string uri;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || std::string_view("-._~/").find(c) != std::string_view::npos)
      uri += c;
    else
      uri += fmt::format("%{:02X}", byte);
  }
  return uri;
}

ordered_json location(const SourceLocation& place, const std::string& text = "") {
  ordered_json artifact;
  if (place.file.starts_with('/'))
    artifact = {{"uri", "file://" + uri_of(place.file)}};
  else
    artifact = {{"uri", uri_of(place.file)}, {"uriBaseId", "%SRCROOT%"}};
  ordered_json physical = {{"artifactLocation", artifact}};
  if (place.line > 0) {
    physical["region"] = {{"startLine", place.line}};
    if (!text.empty()) physical["region"]["snippet"] = {{"text", text}};
  }
  return {{"physicalLocation", physical}};
}

ordered_json quoted_location(const QuotedLocation& place) { return location(place, place.text); }

// Collects rules in the order in which results first use them.
class Rules {
 public:
  std::size_t index(std::string_view kind, const std::string& help) {
    const auto found = std::find(kinds_.begin(), kinds_.end(), kind);
    if (found != kinds_.end()) return static_cast<std::size_t>(found - kinds_.begin());
    kinds_.emplace_back(kind);
    ordered_json rule = {{"id", kind_word(kind)}, {"shortDescription", {{"text", kind}}}};
    if (const auto page = find_explanation(kind))
      rule["fullDescription"] = {{"text", page->meaning}};
    if (!help.empty()) rule["help"] = {{"text", help}};
    rules_.push_back(std::move(rule));
    return kinds_.size() - 1;
  }
  [[nodiscard]] const ordered_json& all() const { return rules_; }

 private:
  std::vector<std::string> kinds_;
  ordered_json rules_ = ordered_json::array();
};

ordered_json result_of(const VetHazard& hazard, Rules& rules) {
  const Finding& finding = hazard.finding;
  const std::string_view kind = finding_kind_name(finding.kind);
  std::string text = finding.message;
  if (!finding.advice.empty()) text += "\nFix: " + finding.advice;
  ordered_json result = {{"ruleId", kind_word(kind)},
                         {"ruleIndex", rules.index(kind, finding.advice)},
                         {"level", "error"},
                         {"message", {{"text", text}}}};
  if (finding.here) result["locations"] = {quoted_location(finding.here->where)};
  ordered_json related = ordered_json::array();
  const auto add_related = [&related](const QuotedLocation& place, const std::string& message) {
    ordered_json one = quoted_location(place);
    one["id"] = related.size() + 1;
    one["message"] = {{"text", message}};
    related.push_back(std::move(one));
  };
  if (finding.here)
    for (const QuotedLocation& call : finding.here->callers) add_related(call, "called from here");
  if (finding.other) {
    add_related(finding.other->where, "the other side: " + who(*finding.other));
    for (const QuotedLocation& call : finding.other->callers)
      add_related(call, "the other side is called from here");
  }
  if (!related.empty()) result["relatedLocations"] = std::move(related);
  result["properties"] = {{"configuration", hazard.configuration_text},
                          {"case", hazard.case_name},
                          {"problem", hazard.problem_text},
                          {"schedules", hazard.schedules},
                          {"seenIn", hazard.seen_in},
                          {"replay", hazard.replay}};
  return result;
}

std::string subject_of(const VetFailure& failure) {
  return failure.case_name.empty()
             ? failure.configuration_text
             : fmt::format("{}, case '{}'", failure.configuration_text, failure.case_name);
}

ordered_json notification(const std::string& level, const std::string& text) {
  return {{"level", level}, {"message", {{"text", text}}}};
}

}  // namespace

ordered_json vet_sarif(const VetReport& report, const std::string& version) {
  Rules rules;
  ordered_json results = ordered_json::array();
  for (const VetHazard& hazard : report.hazards) results.push_back(result_of(hazard, rules));
  for (const VetFailure& failure : report.failures) {
    results.push_back(
        {{"ruleId", kind_word(kFailure)},
         {"ruleIndex", rules.index(kFailure, "")},
         {"level", "error"},
         {"message", {{"text", fmt::format("{}: {}", subject_of(failure), failure.reason)}}}});
  }
  for (const VetContractRemark& one : report.contract) {
    results.push_back({{"ruleId", kind_word(kContract)},
                       {"ruleIndex", rules.index(kContract, "")},
                       {"level", report.strict ? "error" : "warning"},
                       {"message", {{"text", describe(one.remark)}}},
                       {"locations", {location(one.here)}}});
  }
  ordered_json notifications = ordered_json::array();
  for (const VetFailure& one : report.undecided)
    notifications.push_back(notification(
        "warning", fmt::format("{} was not decided: {}", subject_of(one), one.reason)));
  for (const VetRemark& remark : report.remarks)
    notifications.push_back(
        notification("note", fmt::format("{}: {}", remark.configuration_text, remark.text)));
  for (const LeftOut& one : told_left_out(report)) {
    notifications.push_back(notification(
        "note", fmt::format("left out as host code: {}{}", describe(one),
                            one.why.empty() ? "" : ", for the compiler says: " + one.why)));
    notifications.back()["locations"] = {location(one.where)};
  }
  return {
      {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
      {"version", "2.1.0"},
      {"runs",
       {{{"tool",
          {{"driver", {{"name", "warpwright vet"}, {"version", version}, {"rules", rules.all()}}}}},
         {"invocations",
          {{{"executionSuccessful", true}, {"toolExecutionNotifications", notifications}}}},
         {"results", results},
         {"properties", {{"kernel", report.kernel}, {"device", report.device}}}}}}};
}

}  // namespace warpwright
