#include "core/finding.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "core/error.h"

namespace warpwright {
namespace {

struct NamedKind {
  FindingKind kind;
  std::string_view name;
};

// These names are stored in databases: add names, never rename one.
constexpr std::array kFindingKindNames = {
    NamedKind{FindingKind::kSharedRace, "shared race"},
    NamedKind{FindingKind::kGlobalRace, "global race"},
    NamedKind{FindingKind::kMissingWait, "missing wait"},
    NamedKind{FindingKind::kMissingProxyFence, "missing proxy fence"},
    NamedKind{FindingKind::kRegisterInFlight, "register in flight"},
    NamedKind{FindingKind::kUninitialisedShared, "uninitialised shared memory"},
    NamedKind{FindingKind::kUninitialisedGlobal, "uninitialised global memory"},
    NamedKind{FindingKind::kUninitialisedRegister, "uninitialised register"},
    NamedKind{FindingKind::kRegisterBudget, "register budget"},
    NamedKind{FindingKind::kDivergentBarrier, "divergent barrier"},
    NamedKind{FindingKind::kMissingWgmmaFence, "missing wgmma fence"},
    NamedKind{FindingKind::kSharedSameValue, "shared race of equal values"},
    NamedKind{FindingKind::kGlobalSameValue, "global race of equal values"},
    NamedKind{FindingKind::kExitBeforeBarrier, "exit before barrier"},
    NamedKind{FindingKind::kMbarrierOverwritten, "mbarrier overwritten"},
    NamedKind{FindingKind::kStaleRead, "stale read"},
    NamedKind{FindingKind::kDivergentWgmma, "divergent wgmma"},
    NamedKind{FindingKind::kWarpMask, "warp mask"},
    NamedKind{FindingKind::kSharedOverrun, "shared array overrun"},
    NamedKind{FindingKind::kUninitialisedLocal, "uninitialised local memory"},
    NamedKind{FindingKind::kForeignLocal, "local memory of another thread"},
    NamedKind{FindingKind::kClusterExit, "early exit in a cluster"},
    NamedKind{FindingKind::kMissingFence, "missing fence"},
    NamedKind{FindingKind::kStateKept, "state kept between launches"},
    NamedKind{FindingKind::kBranchIndex, "branch index out of range"},
    NamedKind{FindingKind::kNoInputRead, "no input read"},
    NamedKind{FindingKind::kOutputNotWritten, "output not from this launch"},
    NamedKind{FindingKind::kOutOfBounds, "out of bounds"},
    NamedKind{FindingKind::kMisaligned, "misaligned access"},
    NamedKind{FindingKind::kDeadlock, "deadlock"},
    NamedKind{FindingKind::kTrap, "trap"},
    NamedKind{FindingKind::kDoesNotEnd, "does not end"},
    NamedKind{FindingKind::kCancelled, "cancelled"},
    NamedKind{FindingKind::kInvalidLaunch, "invalid launch"},
    NamedKind{FindingKind::kWrongResult, "wrong result"},
    NamedKind{FindingKind::kLaunchFailed, "launch failed"},
    NamedKind{FindingKind::kDiffersBetweenSchedules, "differs between schedules"},
};

constexpr auto kFindingKinds = [] {
  std::array<FindingKind, kFindingKindNames.size()> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = kFindingKindNames[i].kind;
  return all;
}();

FindingKind known_kind(const std::string& name) {
  const std::optional<FindingKind> kind = parse_finding_kind(name);
  if (!kind) throw user_error(fmt::format("a finding has the unknown kind '{}'", name));
  return *kind;
}

nlohmann::json side_json(const FindingSide& side) {
  nlohmann::json callers = nlohmann::json::array();
  for (const SourceLocation& call : side.callers)
    callers.push_back({{"file", call.file}, {"line", call.line}});
  return {{"what", side.what},       {"file", side.where.file},
          {"line", side.where.line}, {"callers", std::move(callers)},
          {"block", side.block},     {"thread", side.thread}};
}

QuotedLocation read_location(const nlohmann::json& json) {
  QuotedLocation location;
  json.at("file").get_to(location.file);
  json.at("line").get_to(location.line);
  return location;
}

FindingSide read_side(const nlohmann::json& json) {
  FindingSide side;
  json.at("what").get_to(side.what);
  side.where = read_location(json);
  for (const nlohmann::json& call : json.at("callers")) side.callers.push_back(read_location(call));
  json.at("block").get_to(side.block);
  json.at("thread").get_to(side.thread);
  return side;
}

std::string line_text(const FindingSide& side) {
  return side.where.known() ? fmt::format("{}:{}", side.where.file, side.where.line)
                            : "an unknown line";
}

}  // namespace

std::string_view finding_kind_name(FindingKind kind) {
  for (const NamedKind& named : kFindingKindNames) {
    if (named.kind == kind) return named.name;
  }
  check_failed("kind has a name", __FILE__, __LINE__, "a kind of finding without a name");
}

std::optional<FindingKind> parse_finding_kind(std::string_view name) {
  for (const NamedKind& named : kFindingKindNames) {
    if (named.name == name) return named.kind;
  }
  return std::nullopt;
}

std::span<const FindingKind> all_finding_kinds() { return kFindingKinds; }

// An absent `here` is written as an empty side and "has_no_place".
void to_json(nlohmann::json& json, const Finding& finding) {
  json = {{"kind", finding_kind_name(finding.kind)},
          {"is_fault", finding.is_fault},
          {"has_no_place", !finding.here},
          {"message", finding.message},
          {"unplaced", finding.unplaced},
          {"advice", finding.advice},
          {"here", side_json(finding.here.value_or(FindingSide{}))},
          {"other", finding.other ? side_json(*finding.other) : nlohmann::json(nullptr)},
          {"occurrences", finding.occurrences}};
}

void from_json(const nlohmann::json& json, Finding& finding) {
  finding.kind = known_kind(json.at("kind").get<std::string>());
  json.at("is_fault").get_to(finding.is_fault);
  json.at("message").get_to(finding.message);
  json.at("unplaced").get_to(finding.unplaced);
  json.at("advice").get_to(finding.advice);
  finding.here.reset();
  if (!json.value("has_no_place", false)) finding.here = read_side(json.at("here"));
  finding.other.reset();
  if (!json.at("other").is_null()) finding.other = read_side(json.at("other"));
  json.at("occurrences").get_to(finding.occurrences);
}

bool voids_times(const Finding& finding) {
  return finding.kind == FindingKind::kStateKept || finding.kind == FindingKind::kNoInputRead ||
         finding.kind == FindingKind::kOutputNotWritten;
}

bool same_mistake(const Finding& a, const Finding& b) {
  const auto key = [](const Finding& finding) {
    const QuotedLocation here = finding.here.value_or(FindingSide{}).where;
    const QuotedLocation other = finding.other.value_or(FindingSide{}).where;
    // A list, so that copies are compared and kept.
    const auto [first, second] =
        std::minmax({std::tuple(here.file, here.line), std::tuple(other.file, other.line)});
    return std::tuple(finding.kind, first, second);
  };
  return key(a) == key(b);
}

const Finding& first_cause(const std::vector<Finding>& findings) {
  const auto conflict = std::find_if(findings.begin(), findings.end(), [](const Finding& finding) {
    return finding.other.has_value();
  });
  return conflict == findings.end() ? findings.front() : *conflict;
}

std::string describe(const Finding& finding) {
  std::string text(finding_kind_name(finding.kind));
  if (finding.here) text += " at " + line_text(*finding.here);
  if (finding.other) text += " with " + line_text(*finding.other);
  text += ": " + finding.message;
  if (!finding.advice.empty()) text += "; fix: " + finding.advice;
  return text;
}

}  // namespace warpwright
