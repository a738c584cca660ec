#include "emu/check/findings.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <utility>

#include "core/words.h"
#include "emu/exec/block.h"
#include "emu/program/program.h"

namespace warpwright::emu {
namespace {

// One mistake in a loop shows up at many lines; this many are enough to see the pattern.
constexpr std::size_t kMaxFindings = 100;

}  // namespace

Findings::Findings(const LaunchContext& context)
    : context_(&context), last_issuers_(context.program->code.size(), 0) {}

FindingSide Findings::side(std::uint64_t block, std::uint32_t pc, std::uint32_t thread,
                           std::string what) const {
  const Program& program = *context_->program;
  FindingSide result;
  result.what = std::move(what);
  const SourceLine line = program.lines[pc];
  if (line.line != 0 && static_cast<std::size_t>(line.file) < program.files.size()) {
    result.where.file = program.files[static_cast<std::size_t>(line.file)];
    result.where.line = line.line;
    result.callers = callers_of(program, line);
  }
  const auto& grid = context_->launch->grid;
  result.block = {static_cast<std::uint32_t>(block % grid[0]),
                  static_cast<std::uint32_t>(block / grid[0] % grid[1]),
                  static_cast<std::uint32_t>(block / grid[0] / grid[1])};
  const auto& shape = context_->launch->block;
  result.thread = {thread % shape[0], thread / shape[0] % shape[1], thread / shape[0] / shape[1]};
  return result;
}

std::uint32_t Findings::thread_of(const AccessRecord& record) const {
  const std::uint32_t lane =
      record.lanes == 0 ? 0 : static_cast<std::uint32_t>(std::countr_zero(record.lanes));
  if (record.actor < kFirstSlot) return record.actor * kWarpSize + lane;
  const Issuer& issuer = issuers_[issuer_place(record.block, record.actor)];
  const bool known =
      issuer.block == record.block && issuer.actor == record.actor && issuer.epoch == record.epoch;
  const std::uint32_t thread = known ? issuer.thread : last_issuers_[record.pc];
  // A cp.async belongs to each lane that the record names, a bulk copy to the lane that issued it.
  return record.lanes == kAllLanes ? thread : thread / kWarpSize * kWarpSize + lane;
}

FindingSide Findings::side(const AccessRecord& record, std::size_t bytes) const {
  return side(record.block, record.pc, thread_of(record), verb(record, bytes));
}

int Findings::reach(const Finding& finding) const {
  if (!finding.other) return 0;
  if (finding.here->block != finding.other->block) return 2;
  const auto& shape = context_->launch->block;
  const auto warp_of = [&](const FindingSide& side) {
    return (side.thread[0] + shape[0] * (side.thread[1] + shape[1] * side.thread[2])) / kWarpSize;
  };
  return warp_of(*finding.here) == warp_of(*finding.other) ? 0 : 1;
}

// Unrolled code repeats one mistake at many instructions of a line.
std::uint64_t Findings::place_of(std::uint32_t pc) const {
  constexpr std::uint64_t kNoLine = std::uint64_t{1} << 63;
  const SourceLine line = context_->program->lines[pc];
  return line.line == 0
             ? kNoLine | pc
             : static_cast<std::uint64_t>(line.file) << 32 | static_cast<std::uint32_t>(line.line);
}

void Findings::add(Finding finding, std::uint32_t pc, std::uint32_t other_pc) {
  const Key key{finding.kind, place_of(pc), place_of(other_pc)};
  add_as(key, std::move(finding));
}

void Findings::add_about(Finding finding, std::uint32_t pc, std::uint64_t object) {
  const Key key{finding.kind, place_of(pc), object};
  add_as(key, std::move(finding));
}

void Findings::add_as(const Key& key, Finding finding) {
  const auto [known, fresh] = index_.try_emplace(key, findings_.size());
  if (!fresh) {
    if (known->second >= findings_.size()) return;
    Finding& kept = findings_[known->second];
    // An order between lanes of a warp does not order warps, so the widest pair decides the fix.
    if (reach(finding) > reach(kept)) {
      finding.occurrences = kept.occurrences;
      kept = std::move(finding);
    }
    ++kept.occurrences;
    return;
  }
  if (findings_.size() < kMaxFindings) findings_.push_back(std::move(finding));
}

void Findings::report(FindingKind kind, const Warp& warp, std::uint32_t lane,
                      const std::string& what, const std::string& message,
                      const std::string& advice) {
  Finding finding;
  finding.kind = kind;
  finding.message = message;
  finding.advice = advice;
  finding.here =
      side(warp.block().linear_index(), warp.current_pc(), warp.index() * kWarpSize + lane, what);
  add(std::move(finding), warp.current_pc(), warp.current_pc());
}

// Lines that store equal values in some cases and different values in others are plain races.
std::vector<Finding> Findings::take() {
  std::vector<std::size_t> kept;
  for (const auto& [key, index] : index_) {
    const auto& [kind, here, other] = key;
    const bool is_shared = kind == FindingKind::kSharedSameValue;
    if (!is_shared && kind != FindingKind::kGlobalSameValue) continue;
    const FindingKind race = is_shared ? FindingKind::kSharedRace : FindingKind::kGlobalRace;
    if (index_.contains({race, here, other}) || index_.contains({race, other, here}))
      kept.push_back(index);
  }
  std::vector<Finding> result;
  for (std::size_t i = 0; i < findings_.size(); ++i) {
    if (std::find(kept.begin(), kept.end(), i) == kept.end())
      result.push_back(std::move(findings_[i]));
  }
  findings_.clear();
  index_.clear();
  return result;
}

// --- texts

std::string verb(const AccessRecord& record, std::size_t bytes) {
  if (record.async) return record.write ? "asynchronous write" : "asynchronous read";
  return fmt::format("{} of {} byte{}",
                     record.atomic  ? "atomic"
                     : record.write ? "store"
                                    : "load",
                     bytes, bytes == 1 ? "" : "s");
}

std::string where_of(bool is_shared, std::uint64_t address, const LaunchContext& context) {
  if (is_shared) return fmt::format("shared address {}", address);
  const Allocation* allocation = context.memory->find(address, 1);
  if (allocation == nullptr) return fmt::format("global address {:#x}", address);
  return fmt::format("offset {} of buffer '{}'", address - allocation->address, allocation->label);
}

std::string variable_name(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> plain(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), std::free);
  if (plain == nullptr) return symbol;
  const std::string_view name = plain.get();
  const std::size_t scope = name.rfind("::");
  return std::string(scope == name.npos ? name : name.substr(scope + 2));
}

}  // namespace warpwright::emu
