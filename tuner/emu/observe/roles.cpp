#include "emu/observe/roles.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

#include "core/words.h"

namespace warpwright::emu {
namespace {

// Whether at least three quarters of what `a` executes is at places that `b` executes too.
bool mostly_within(const WarpRecord& a, const WarpRecord& b) {
  std::uint64_t all = 0, common = 0;
  for (std::size_t pc = 0; pc < a.executed.size(); ++pc) {
    all += a.executed[pc];
    if (b.executed[pc] != 0) common += a.executed[pc];
  }
  return common * 4 >= all * 3;
}

bool same_role(const WarpRecord& a, const WarpRecord& b) {
  return mostly_within(a, b) && mostly_within(b, a);
}

std::uint64_t copies_in(const Role& role) {
  return role.activities[Activity::kCpAsync] + role.activities[Activity::kBulkLoad];
}

std::uint64_t computation_in(const Role& role) {
  return role.activities[Activity::kTensor] + role.activities[Activity::kFloat];
}

void name_roles(std::vector<Role>& roles) {
  if (roles.size() == 1) {
    roles[0].name = std::popcount(roles[0].warps) == 1 ? "the warp" : "all warps";
    return;
  }
  const auto produces = [](const Role& role) {
    return copies_in(role) != 0 && computation_in(role) == 0;
  };
  const auto computes = [](const Role& role) {
    return copies_in(role) == 0 && computation_in(role) != 0;
  };
  const bool parted = std::any_of(roles.begin(), roles.end(), produces) &&
                      std::any_of(roles.begin(), roles.end(), computes);
  std::map<std::string, int> named;
  for (Role& role : roles) {
    role.name = parted && produces(role)   ? "producer"
                : parted && computes(role) ? "consumer"
                                           : warps_text(role.warps);
    ++named[role.name];
  }
  std::map<std::string, int> numbers;
  for (Role& role : roles)
    if (named[role.name] > 1) role.name += fmt::format(" {}", ++numbers[role.name]);
}

void find_partial(Role& role, const std::vector<WarpRecord>& warps) {
  for (std::size_t i = 0; i < kActivities; ++i) {
    std::uint32_t with = 0;
    for (std::size_t w = 0; w < warps.size(); ++w)
      if ((role.warps >> w & 1) != 0 && warps[w].activities.counts[i] != 0) with |= 1u << w;
    if (with != 0 && with != role.warps) role.partial.push_back({static_cast<Activity>(i), with});
  }
}

}  // namespace

std::vector<Role> find_roles(const std::vector<WarpRecord>& warps) {
  std::vector<Role> roles;
  for (std::size_t w = 0; w < warps.size(); ++w) {
    const auto known = std::find_if(roles.begin(), roles.end(), [&](const Role& role) {
      const auto first = static_cast<std::size_t>(std::countr_zero(role.warps));
      return same_role(warps[first], warps[w]);
    });
    Role& role = known == roles.end() ? roles.emplace_back() : *known;
    role.warps |= 1u << w;
    role.activities += warps[w].activities;
    role.registers = std::max(role.registers, warps[w].registers);
  }
  for (Role& role : roles) find_partial(role, warps);
  name_roles(roles);
  return roles;
}

std::string warps_text(std::uint32_t warps) {
  std::vector<std::string> runs;
  for (std::uint32_t left = warps; left != 0;) {
    const int first = std::countr_zero(left);
    const int length = std::countr_one(left >> first);
    runs.push_back(length == 1 ? std::to_string(first)
                               : fmt::format("{}-{}", first, first + length - 1));
    left = first + length >= 32 ? 0 : left >> (first + length) << (first + length);
  }
  return (std::popcount(warps) == 1 ? "warp " : "warps ") + join_with_and(runs);
}

}  // namespace warpwright::emu
