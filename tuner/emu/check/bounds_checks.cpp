// The checker's bounds checks for variables in shared memory.
#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <utility>

#include "emu/check/checker.h"
#include "emu/exec/block.h"

namespace warpwright::emu {

std::string variable_name(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> plain(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), std::free);
  if (plain == nullptr) return symbol;
  const std::string_view name = plain.get();
  const std::size_t scope = name.rfind("::");
  return std::string(scope == name.npos ? name : name.substr(scope + 2));
}

bool Checker::is_within_bounds(const AccessRecord& now, std::uint64_t address,
                               std::size_t bytes) const {
  const Program& program = *context_->program;
  const std::uint32_t set = program.accessed_set[now.pc];
  if (set == 0) return true;
  const std::vector<std::uint32_t>& objects = program.object_sets[set];
  return std::any_of(objects.begin(), objects.end(), [&](std::uint32_t object) {
    return address >= bounds_[object].begin && address + bytes <= bounds_[object].end;
  });
}

// Reports an access through a variable that is outside the variable, although it is inside the
// block's shared memory.
void Checker::check_bounds(const AccessRecord& now, std::uint64_t address, std::size_t bytes) {
  const SharedBounds& likely = likely_bounds_[now.pc];
  if (address >= likely.begin && address + bytes <= likely.end) return;
  if (!is_within_bounds(now, address, bytes)) overrun(now, address, bytes);
}

void Checker::overrun(const AccessRecord& now, std::uint64_t address, std::size_t bytes) {
  const Program& program = *context_->program;
  const std::uint64_t end = address + bytes;
  const std::vector<std::uint32_t>& objects = program.object_sets[program.accessed_set[now.pc]];
  const auto name = [&](std::uint32_t object) {
    return variable_name(program.shared_objects[object].symbol);
  };
  const SharedBounds& own = bounds_[objects[0]];
  std::string where = fmt::format("{} bytes past the end of", address - own.end);
  if (address < own.begin) {
    where = fmt::format("{} bytes before the start of", own.begin - address);
  } else if (address < own.end) {
    where = "across the end of";
  } else if (address == own.end) {
    where = "right behind the end of";
  }
  std::string met;
  for (std::uint32_t other = 0; other < bounds_.size(); ++other)
    if (address < bounds_[other].end && end > bounds_[other].begin && other != objects[0])
      met = fmt::format(", in '{}'", name(other));
  Hazard hazard;
  hazard.kind = HazardKind::kSharedOverrun;
  hazard.message =
      fmt::format("{} at shared address {}, {} '{}' ({} bytes){}", side(now, bytes).what, address,
                  where, name(objects[0]), own.end - own.begin, met);
  hazard.advice =
      "check the index against the size of the array, and the array against the tile's halo or "
      "padding";
  hazard.here = side(now, bytes);
  add(std::move(hazard), now.pc, now.pc);
}

}  // namespace warpwright::emu
