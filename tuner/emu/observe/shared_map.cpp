#include "emu/observe/shared_map.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <tuple>

#include "emu/check/findings.h"
#include "emu/exec/block.h"
#include "emu/program/program.h"

namespace warpwright::emu {
namespace {

// Pieces of equal use are one range across gaps of up to this many bytes, such as padding.
constexpr std::uint32_t kMostGap = 64;
// Ranges of an array with more than this are joined, and marked as mixed.
constexpr std::size_t kMostRanges = 12;

std::vector<SharedUse> uses_of(const std::vector<SharedFact>& facts, const RoleOfWarp& role_of) {
  std::map<std::pair<Way, std::size_t>, std::set<std::size_t>> phases;
  for (const SharedFact& fact : facts) phases[{fact.way, role_of[fact.warp]}].insert(fact.phase);
  std::vector<SharedUse> uses;
  for (const auto& [key, when] : phases)
    uses.push_back({key.first, key.second, {when.begin(), when.end()}});
  return uses;
}

void add_uses(std::vector<SharedUse>& to, const std::vector<SharedUse>& more) {
  for (const SharedUse& use : more) {
    const auto known = std::find_if(to.begin(), to.end(), [&](const SharedUse& other) {
      return other.way == use.way && other.role == use.role;
    });
    if (known == to.end()) {
      to.push_back(use);
      continue;
    }
    std::vector<std::size_t> phases;
    std::set_union(known->phases.begin(), known->phases.end(), use.phases.begin(), use.phases.end(),
                   std::back_inserter(phases));
    known->phases = std::move(phases);
  }
  std::sort(to.begin(), to.end(), [](const SharedUse& a, const SharedUse& b) {
    return std::tie(a.way, a.role) < std::tie(b.way, b.role);
  });
}

void append(SharedRange& to, const SharedRange& next) {
  to.end = next.end;
  to.touched += next.touched;
  to.written += next.written;
  to.read += next.read;
}

// Maximal ranges of bytes with equal uses, none across the border of an array.
std::vector<SharedRange> cut(const SharedBytes& bytes, const RoleOfWarp& role_of,
                             const std::vector<SharedSymbol>& symbols) {
  std::vector<std::vector<SharedUse>> by_pattern;
  for (std::uint32_t pattern = 0; pattern < bytes.patterns(); ++pattern)
    by_pattern.push_back(uses_of(bytes.facts(pattern), role_of));
  std::vector<SharedRange> ranges;
  const SharedSymbol* symbol = nullptr;
  std::uint32_t before = 0;
  for (std::uint32_t byte = 0; byte < bytes.size(); ++byte) {
    const std::uint32_t pattern = bytes.pattern(byte);
    const SharedSymbol* here = symbol_at(symbols, byte);
    if (pattern != 0) {
      const bool continues = !ranges.empty() && before != 0 && here == symbol &&
                             (pattern == before || by_pattern[pattern] == ranges.back().uses);
      if (!continues) {
        SharedRange& range = ranges.emplace_back();
        range.first = byte;
        range.symbol = here == nullptr ? "" : here->name;
        range.offset = here == nullptr ? 0 : byte - here->first;
        range.uses = by_pattern[pattern];
      }
      SharedRange& range = ranges.back();
      range.end = byte + 1;
      ++range.touched;
      range.written += bytes.write_count(byte);
      range.read += bytes.read_count(byte);
    }
    symbol = here;
    before = pattern;
  }
  return ranges;
}

bool same_array(const SharedRange& a, const SharedRange& b) {
  return a.symbol == b.symbol && (a.symbol.empty() || a.first - a.offset == b.first - b.offset);
}

std::vector<SharedRange> join_gaps(const std::vector<SharedRange>& ranges) {
  std::vector<SharedRange> joined;
  for (const SharedRange& range : ranges) {
    if (!joined.empty() && same_array(joined.back(), range) &&
        range.first - joined.back().end <= kMostGap && joined.back().uses == range.uses) {
      append(joined.back(), range);
    } else {
      joined.push_back(range);
    }
  }
  return joined;
}

// Whether the same roles access both in the same ways, whatever the phases.
bool same_ways(const SharedRange& a, const SharedRange& b) {
  return std::equal(
      a.uses.begin(), a.uses.end(), b.uses.begin(), b.uses.end(),
      [](const SharedUse& x, const SharedUse& y) { return x.way == y.way && x.role == y.role; });
}

void join_into(SharedRange& to, const SharedRange& next) {
  append(to, next);
  add_uses(to.uses, next.uses);
  to.mixed = true;
}

// Makes the ranges of an array fewer: phases are distinguished last.
std::vector<SharedRange> joined(std::span<const SharedRange> array) {
  std::vector<SharedRange> fewer;
  for (const SharedRange& range : array) {
    if (!fewer.empty() && range.first - fewer.back().end <= kMostGap &&
        same_ways(fewer.back(), range)) {
      join_into(fewer.back(), range);
    } else {
      fewer.push_back(range);
    }
  }
  if (fewer.size() <= kMostRanges) return fewer;
  SharedRange all = array.front();
  for (const SharedRange& range : array.subspan(1)) join_into(all, range);
  return {all};
}

std::vector<SharedRange> join_mixed(const std::vector<SharedRange>& ranges) {
  std::vector<SharedRange> result;
  for (std::size_t first = 0; first < ranges.size();) {
    std::size_t end = first + 1;
    while (end < ranges.size() && same_array(ranges[first], ranges[end])) ++end;
    const std::span<const SharedRange> array(ranges.data() + first, end - first);
    if (array.size() <= kMostRanges) {
      result.insert(result.end(), array.begin(), array.end());
    } else {
      const std::vector<SharedRange> fewer = joined(array);
      result.insert(result.end(), fewer.begin(), fewer.end());
    }
    first = end;
  }
  return result;
}

}  // namespace

std::vector<SharedSymbol> shared_symbols(const LaunchContext& context) {
  std::vector<SharedSymbol> symbols;
  const auto entry = context.entry - context.program->functions.data();
  for (const SharedObject& object : context.program->shared_objects) {
    if (object.entry != -1 && object.entry != entry) continue;
    const std::uint64_t first =
        object.dynamic ? context.symbol_address(object.symbol) : object.offset;
    const std::uint64_t end = object.dynamic ? context.shared_bytes : first + object.bytes;
    symbols.push_back({static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(end),
                       variable_name(object.symbol)});
  }
  std::sort(symbols.begin(), symbols.end(), [](const SharedSymbol& a, const SharedSymbol& b) {
    return std::tie(a.first, a.end, a.name) < std::tie(b.first, b.end, b.name);
  });
  return symbols;
}

const SharedSymbol* symbol_at(const std::vector<SharedSymbol>& symbols, std::uint32_t byte) {
  const auto found = std::find_if(symbols.begin(), symbols.end(), [byte](const SharedSymbol& one) {
    return byte >= one.first && byte < one.end;
  });
  return found == symbols.end() ? nullptr : &*found;
}

std::vector<SharedRange> map_shared(const SharedBytes& bytes, const RoleOfWarp& role_of,
                                    const std::vector<SharedSymbol>& symbols) {
  return join_mixed(join_gaps(cut(bytes, role_of, symbols)));
}

}  // namespace warpwright::emu
