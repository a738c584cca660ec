#include "emu/observe/source_sites.h"

#include <map>
#include <string_view>
#include <utility>

namespace warpwright::emu {
namespace {

using Spot = std::pair<int, int>;  // file, line

std::string_view folder_of(std::string_view file) {
  const std::size_t slash = file.rfind('/');
  return slash == file.npos ? std::string_view() : file.substr(0, slash);
}

// By file: whether it is in the folder of the entry's file, which is that of the outermost place of
// its first instruction with a line.
std::vector<bool> find_own_files(const Program& program, const Function& entry) {
  std::vector<bool> own(program.files.size());
  for (std::uint32_t pc = entry.first_pc; pc < entry.end_pc; ++pc) {
    const SourceLine* place = &program.lines[pc];
    if (place->line == 0) continue;
    while (place->caller >= 0) place = &program.callers[static_cast<std::size_t>(place->caller)];
    if (static_cast<std::size_t>(place->file) >= own.size()) continue;
    const std::string_view folder = folder_of(program.files[static_cast<std::size_t>(place->file)]);
    for (std::size_t file = 0; file < own.size(); ++file)
      own[file] = folder_of(program.files[file]) == folder;
    break;
  }
  return own;
}

Spot own_spot(const Program& program, std::uint32_t pc, const std::vector<bool>& own) {
  const SourceLine& innermost = program.lines[pc];
  for (const SourceLine* place = &innermost;;
       place = &program.callers[static_cast<std::size_t>(place->caller)]) {
    const auto file = static_cast<std::size_t>(place->file);
    if (place->line != 0 && file < own.size() && own[file]) return {place->file, place->line};
    if (place->caller < 0) return {innermost.file, innermost.line};
  }
}

}  // namespace

SourceSites::SourceSites(const Program& program, const Function& entry) {
  const std::vector<bool> own = find_own_files(program, entry);
  std::vector<Spot> spots;
  std::map<std::pair<std::string, int>, std::uint32_t> numbers;
  for (std::uint32_t pc = 0; pc < program.lines.size(); ++pc) {
    const Spot spot = own_spot(program, pc, own);
    const bool known =
        spot.second > 0 && static_cast<std::size_t>(spot.first) < program.files.size();
    spots.push_back(known ? spot : Spot{-1, 0});
    if (known) numbers[{program.files[static_cast<std::size_t>(spot.first)], spot.second}] = 0;
  }
  sites_.emplace_back();
  for (auto& [place, number] : numbers) {
    number = static_cast<std::uint32_t>(sites_.size());
    sites_.push_back({place.first, place.second, 0});
  }
  for (const Spot& spot : spots) {
    by_pc_.push_back(
        spot.first < 0
            ? 0
            : numbers.at({program.files[static_cast<std::size_t>(spot.first)], spot.second}));
  }
}

std::vector<SourceLocation> SourceSites::locations(const std::set<std::uint32_t>& sites) const {
  std::vector<SourceLocation> places;
  for (const std::uint32_t site : sites)
    if (site != 0) places.push_back(sites_[site]);
  return places;
}

}  // namespace warpwright::emu
