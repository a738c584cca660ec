#include "emu/ptx/sync_sites.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "core/words.h"

namespace warpwright::emu {
namespace {

bool has_part(std::string_view opcode, std::string_view part) {
  for (std::size_t start = 0; start <= opcode.size();) {
    const std::size_t dot = std::min(opcode.find('.', start), opcode.size());
    if (opcode.substr(start, dot - start) == part) return true;
    start = dot + 1;
  }
  return false;
}

bool is_cluster_barrier(std::string_view opcode) { return opcode.starts_with("barrier.cluster."); }

bool is_block_barrier(std::string_view opcode) {
  const bool bar = opcode.starts_with("bar.") || opcode.starts_with("barrier.");
  return bar && !is_cluster_barrier(opcode) &&
         (has_part(opcode, "sync") || has_part(opcode, "arrive"));
}

bool is_sync(std::string_view opcode) {
  if (opcode.starts_with("bar.warp.sync") || is_block_barrier(opcode) || is_cluster_barrier(opcode))
    return true;
  if (opcode.starts_with("mbarrier."))
    return has_part(opcode, "try_wait") || has_part(opcode, "test_wait");
  if (opcode.starts_with("cp.async."))
    return has_part(opcode, "wait_group") || has_part(opcode, "wait_all");
  if (opcode.starts_with("wgmma."))
    return has_part(opcode, "fence") || has_part(opcode, "wait_group");
  return opcode.starts_with("fence.") || opcode.starts_with("membar.") ||
         opcode == "griddepcontrol.wait";
}

// SyncSite::untestable.
std::string why_untestable(std::string_view opcode) {
  if (opcode == "griddepcontrol.wait") return "the emulator ends a launch before the next begins";
  if (opcode.starts_with("fence.proxy.alias")) return "the emulator has one address for one byte";
  if (opcode.starts_with("fence.proxy.tensormap") && !has_part(opcode, "acquire"))
    return "the checkers ask only for the acquiring side of it";
  return "";
}

// The number of a barrier of the block, if it is written in the instruction.
std::optional<std::uint64_t> barrier_number(const Statement& statement) {
  if (statement.opcode.starts_with("bar.warp") || !is_block_barrier(statement.opcode))
    return std::nullopt;
  if (statement.operands.empty()) return 0;
  if (statement.operands[0].kind != Operand::Kind::kImmediate) return std::nullopt;
  return statement.operands[0].bits;
}

// "bar.sync 1, 64": the opcode and the operands that say which barrier, or which groups, are meant.
std::string text_of(const Statement& statement) {
  std::string text(statement.opcode);
  const bool numbers = barrier_number(statement) || has_part(statement.opcode, "wait_group");
  for (std::size_t i = 0; numbers && i < statement.operands.size(); ++i) {
    if (statement.operands[i].kind != Operand::Kind::kImmediate) break;
    text += fmt::format("{}{}", i == 0 ? " " : ", ", statement.operands[i].bits);
  }
  return text;
}

// The statements of a function that are left out together.
using Parts = std::vector<std::size_t>;  // indices, ascending

// Joins what belongs together within a function, apart from copies.
std::vector<Parts> parts_of(const ParsedFunction& function) {
  std::map<std::uint64_t, bool> split;  // named barriers, and whether there is an arrival
  for (const Statement& statement : function.statements) {
    if (statement.kind != Statement::Kind::kInstruction) continue;
    if (const auto number = barrier_number(statement))
      split[*number] = split[*number] || has_part(statement.opcode, "arrive");
  }
  std::vector<Parts> all;
  std::map<std::uint64_t, std::size_t> halves;  // index into `all`, by named barrier
  std::optional<std::size_t> cluster;           // index of the barrier whose wait is to come
  for (std::size_t i = 0; i < function.statements.size(); ++i) {
    const Statement& statement = function.statements[i];
    if (statement.kind != Statement::Kind::kInstruction || !is_sync(statement.opcode)) continue;
    if (is_cluster_barrier(statement.opcode)) {
      const bool arrives = has_part(statement.opcode, "arrive");
      // Several arrivals may precede a wait, and several waits follow, in different branches.
      const bool begins =
          !cluster ||
          (arrives && has_part(function.statements[all[*cluster].back()].opcode, "wait"));
      if (begins) {
        cluster = all.size();
        all.emplace_back();
      }
      all[*cluster].push_back(i);
      continue;
    }
    const std::optional<std::uint64_t> number = barrier_number(statement);
    if (!number || !split[*number]) {
      all.push_back({i});
      continue;
    }
    const auto [known, fresh] = halves.try_emplace(*number, all.size());
    if (fresh) all.emplace_back();
    all[known->second].push_back(i);
  }
  return all;
}

QuotedLocation location_of(const ParsedModule& module, const SourceLine& line) {
  const auto file = static_cast<std::size_t>(line.file);
  if (line.line == 0 || file >= module.files.size()) return {};
  return {{module.files[file], line.line, line.column}};
}

std::vector<QuotedLocation> callers_of(const ParsedModule& module, const SourceLine& line) {
  std::vector<QuotedLocation> calls;
  for (int at = line.caller; at >= 0; at = module.callers[static_cast<std::size_t>(at)].caller)
    calls.push_back(location_of(module, module.callers[static_cast<std::size_t>(at)]));
  return calls;
}

// Without a line, the line of the PTX identifies the place.
QuotedLocation place_of(const ParsedModule& module, const Statement& statement) {
  QuotedLocation place = location_of(module, statement.source);
  if (!place.known()) place = {{module.name, statement.ptx_line, 0}};
  return place;
}

// The identity of the site of these parts.
SyncSite named(const ParsedModule& module, const ParsedFunction& function, const Parts& parts) {
  const Statement& first = function.statements[parts.front()];
  SyncSite site;
  site.opcode = std::string(first.opcode);
  site.where = place_of(module, first);
  site.callers = callers_of(module, first.source);
  return site;
}

template <class T>
void add_once(std::vector<T>& to, const T& one) {
  if (std::find(to.begin(), to.end(), one) == to.end()) to.push_back(one);
}

// A site while its copies are collected.
struct Collected {
  SyncSite site;
  std::vector<std::string> texts;
};

}  // namespace

std::vector<SyncSite> sync_sites(const ParsedModule& module, std::span<const std::string> entries) {
  std::vector<Collected> all;
  for (const ParsedFunction& function : module.functions) {
    if (function.is_entry &&
        std::find(entries.begin(), entries.end(), function.name) == entries.end())
      continue;
    for (const Parts& parts : parts_of(function)) {
      SyncSite site = named(module, function, parts);
      auto known = std::find_if(all.begin(), all.end(),
                                [&](const Collected& one) { return same_site(one.site, site); });
      if (known == all.end()) {
        site.instructions = 0;
        site.untestable = why_untestable(site.opcode);
        known = all.insert(all.end(), {std::move(site), {}});
      }
      known->site.instructions += parts.size();
      for (const std::size_t part : parts) {
        const Statement& statement = function.statements[part];
        add_once(known->texts, text_of(statement));
        const QuotedLocation place = place_of(module, statement);
        if (!(place == known->site.where)) add_once(known->site.also, place);
      }
    }
  }
  std::vector<SyncSite> sites;
  for (Collected& one : all) {
    one.site.instruction = join_with_and(one.texts);
    sites.push_back(std::move(one.site));
  }
  return sites;
}

void leave_out(const SyncSite& site, ParsedModule& module) {
  for (ParsedFunction& function : module.functions) {
    for (const Parts& parts : parts_of(function)) {
      if (!same_site(named(module, function, parts), site)) continue;
      for (const std::size_t part : parts) function.statements[part].left_out = true;
    }
  }
}

}  // namespace warpwright::emu
