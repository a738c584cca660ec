#include "model/rates.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <utility>
#include <vector>

#include "analysis/board/impossible.h"
#include "core/error.h"
#include "core/shared_names.h"
#include "core/words.h"
#include "spec/yaml_document.h"
#include "spec/yaml_reader.h"
#include "stats/median.h"

namespace warpwright {
namespace {

// The default without a measurement: approximately the gap between kernels of one CUDA graph on a
// recent GPU.
constexpr double kAssumedFloorUs = 2;
constexpr const char* kMemory = "memory";

std::vector<std::string> known_names() {
  std::vector<std::string> names = memory_ceilings();
  const std::vector<std::string>& arithmetic = arithmetic_ceilings();
  names.insert(names.end(), arithmetic.begin(), arithmetic.end());
  names.emplace_back(kMemory);
  return names;
}

// `where` is a position in a file, or "--ceilings x".
void set_ceiling(const SourceLocation& where, const std::string& name, double value,
                 GivenCeilings& given) {
  const std::vector<std::string> known = known_names();
  if (std::find(known.begin(), known.end(), name) == known.end())
    throw user_error(where, fmt::format("unknown ceiling '{}'{}", name, suggestion(name, known)));
  if (!(value > 0) || !std::isfinite(value))
    throw user_error(where, fmt::format("{}: got {}, expected more than 0", name, value));
  if (name == kMemory) {
    given.memory_bytes = value * 1e9;
    return;
  }
  CeilingRecord ceiling;
  ceiling.name = name;
  ceiling.value = value;
  ceiling.unit = ceiling_unit(name);
  ceiling.protocol = "given";
  if (!given.roofs.ceilings.emplace(name, ceiling).second)
    throw user_error(where, fmt::format("'{}' is given twice", name));
}

void read_text(const std::string& text, GivenCeilings& given) {
  const SourceLocation where{"--ceilings " + text, 0, 0};
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string pair = text.substr(begin, end - begin);
    const std::size_t equals = pair.find('=');
    double value = 0;
    const char* last = pair.data() + pair.size();
    const bool number = equals != std::string::npos && equals > 0 &&
                        std::from_chars(pair.data() + equals + 1, last, value).ptr == last &&
                        equals + 1 < pair.size();
    if (!number) {
      throw user_error(where, fmt::format("got '{}', expected NAME=NUMBER as in "
                                          "read=4430,tensor_bf16=790000 (GB/s, GFLOP/s), or a file",
                                          pair));
    }
    set_ceiling(where, pair.substr(0, equals), value, given);
    begin = end + 1;
  }
}

void read_yaml(const std::filesystem::path& file, GivenCeilings& given) {
  const YamlDocument document =
      parse_yaml(read_yaml_text(file, "ceilings"), file.string(), "ceilings");
  for (const auto& [key, value] : YamlReader(document).entries())
    set_ceiling(value.where(), key.identifier(), value.number(), given);
}

// The device that is meant, with its row; without a name, the newest one with a clock and ceilings.
std::optional<std::pair<RowId, DeviceRecord>> find_device(const Database& database,
                                                          const std::string& wanted) {
  std::optional<std::pair<RowId, DeviceRecord>> found;
  std::vector<std::string> names;
  for (const auto& [id, device] : database.devices()) {
    names.push_back(device.id + " (" + device.name + ")");
    const bool meant = wanted.empty()
                           ? device.has_clock && !database.ceilings(id).empty()
                           : wanted == device.id || wanted == device.name ||
                                 (wanted.size() >= 6 && device.fingerprint.starts_with(wanted));
    if (meant) found.emplace(id, device);
  }
  if (!found && !wanted.empty()) {
    throw user_error(fmt::format("{}: no device '{}'; it holds {}", database.path().string(),
                                 wanted, names.empty() ? "none" : join(names)));
  }
  return found;
}

// The median over trials of the time of an empty kernel, under the protocol of the newest trial.
std::optional<double> measured_floor(const Database& database, const std::string& fingerprint,
                                     std::string& protocol) {
  Database::TrialFilter filter;
  filter.device = fingerprint;
  const std::vector<Database::TrialRow> rows = database.trials(filter);
  const auto measured = [](const TrialRecord& trial) {
    return !trial.modelled && trial.floor_us && *trial.floor_us > 0;
  };
  for (const Database::TrialRow& row : rows)
    if (measured(row.trial)) protocol = row.trial.protocol;
  std::vector<double> floors;
  for (const Database::TrialRow& row : rows)
    if (measured(row.trial) && row.trial.protocol == protocol)
      floors.push_back(*row.trial.floor_us);
  if (floors.empty()) return std::nullopt;
  return median(floors);
}

void set_floor(const Database* database, const RatesRequest& request, Rates& rates) {
  if (request.floor_us) {
    rates.floor_us = *request.floor_us;
    rates.floor_origin = "given";
    return;
  }
  std::string protocol;
  if (database != nullptr && !rates.fingerprint.empty()) {
    if (const auto floor = measured_floor(*database, rates.fingerprint, protocol)) {
      rates.floor_us = *floor;
      rates.floor_origin = fmt::format("an empty kernel's, measured ({})", protocol);
      return;
    }
  }
  rates.floor_us = kAssumedFloorUs;
  rates.floor_origin = "assumed; give --floor-us";
}

Error no_ceilings(const Database* database, const std::string& device) {
  return user_error(fmt::format(
      "{}: no measured ceilings{}; measure them with `warpwright calibrate`, or give some: "
      "--ceilings read=4430,tensor_bf16=790000,fma_f32=60000 (GB/s, GFLOP/s)",
      database == nullptr ? "no database" : database->path().string(),
      device.empty() ? "" : " of " + device));
}

}  // namespace

GivenCeilings read_ceilings(const std::string& text) {
  GivenCeilings given;
  if (text.find('=') == std::string::npos) {
    read_yaml(text, given);
  } else {
    read_text(text, given);
  }
  if (given.roofs.find("read") == nullptr && given.roofs.find("copy") == nullptr) {
    throw user_error(
        fmt::format("--ceilings {}: nothing for reading memory; add read=4430 (GB/s)", text));
  }
  return given;
}

Rates read_rates(const Database* database, const RatesRequest& request) {
  Rates rates;
  std::optional<std::pair<RowId, DeviceRecord>> device;
  if (database != nullptr) device = find_device(*database, request.device);
  if (device) {
    rates.device_name = device->second.name;
    rates.fingerprint = device->second.fingerprint;
    rates.roofs = make_roofs(device->second, database->ceilings(device->first));
    if (const auto bytes = device->second.details->global_bytes; bytes > 0)
      rates.memory_bytes = static_cast<double>(bytes);
  }
  if (!request.ceilings.empty()) {
    GivenCeilings given = read_ceilings(request.ceilings);
    rates.roofs = std::move(given.roofs);
    rates.given = true;
    if (given.memory_bytes) rates.memory_bytes = given.memory_bytes;
    if (rates.device_name.empty()) rates.device_name = "an unnamed device";
  } else if (!device || rates.roofs.ceilings.empty()) {
    throw no_ceilings(database, device ? device->second.id : "");
  }
  set_floor(database, request, rates);
  return rates;
}

namespace {

bool is_cold_and_measured(const Leaderboard& board) {
  return !board.modelled && !board.entries.empty() && board.protocol.starts_with("cold");
}

// Returns true if both have the same names, and equal values for all names that are not in `free`.
bool equal_but_for(const Problem& tuned, const Problem& wanted, const std::set<std::string>& free) {
  return std::equal(tuned.begin(), tuned.end(), wanted.begin(), wanted.end(),
                    [&](const auto& a, const auto& b) {
                      return a.first == b.first && (a.second == b.second || free.contains(a.first));
                    });
}

// "capacity=512": the tuned problem's values that differ from the wanted ones.
std::string differences(const Problem& tuned, const Problem& wanted) {
  std::string text;
  for (const auto& [name, value] : tuned) {
    if (value == wanted.at(name)) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value.to_string());
  }
  return text;
}

}  // namespace

TunedTimes::TunedTimes(const Database& database, std::string fingerprint)
    : database_(&database), fingerprint_(std::move(fingerprint)) {}

const std::vector<Leaderboard>& TunedTimes::boards_of(const std::string& kernel) {
  const auto known = boards_.find(kernel);
  if (known != boards_.end()) return known->second;
  Database::TrialFilter filter;
  filter.kernel = kernel;
  filter.device = fingerprint_;
  return boards_[kernel] =
             make_leaderboards(database_->trials(filter), database_->rankings({.kernel = kernel}),
                               {}, read_peaks(*database_));
}

std::optional<TunedTime> TunedTimes::measured(const KernelProblem& wanted,
                                              const std::set<std::string>& free) {
  std::optional<TunedTime> best;
  for (const Leaderboard& board : boards_of(wanted.kernel)) {
    if (!is_cold_and_measured(board) || !equal_but_for(*board.problem, wanted.sizes, free))
      continue;
    const LeaderboardEntry& winner = board.entries.front();
    // Among several protocols, prefer the one used last.
    if (best && best->trial > winner.row.trial.id) continue;
    best = {winner.median_us, winner.ci_low_us, winner.ci_high_us, board.protocol,
            winner.row.trial.id};
    best->others = differences(*board.problem, wanted.sizes);
  }
  return best;
}

std::optional<TunedTime> TunedTimes::interpolated(const KernelProblem& wanted) {
  const std::int64_t size = wanted.sizes.at(wanted.along).as_integer();
  std::set<std::string> free = wanted.idle;
  free.insert(wanted.along);
  std::optional<TunedTime::Neighbour> below, above;
  std::string protocol;
  for (const Leaderboard& board : boards_of(wanted.kernel)) {
    if (!is_cold_and_measured(board) || !equal_but_for(*board.problem, wanted.sizes, free))
      continue;
    const auto found = board.problem->find(wanted.along);
    if (found == board.problem->end() || !found->second.is_integer()) continue;
    const LeaderboardEntry& winner = board.entries.front();
    const TunedTime::Neighbour one{found->second.as_integer(), winner.median_us,
                                   winner.row.trial.id};
    std::optional<TunedTime::Neighbour>& side = one.size < size ? below : above;
    const bool nearer = !side || std::abs(one.size - size) < std::abs(side->size - size);
    const bool newer = side && one.size == side->size && one.trial > side->trial;
    if (!nearer && !newer) continue;
    side = one;
    protocol = board.protocol;
  }
  if (!below || !above) return std::nullopt;
  const double share =
      static_cast<double>(size - below->size) / static_cast<double>(above->size - below->size);
  TunedTime time;
  time.us = below->us + share * (above->us - below->us);
  time.protocol = protocol;
  time.trial = below->trial;
  time.along = wanted.along;
  time.below = *below;
  time.above = *above;
  return time;
}

std::optional<TunedTime> TunedTimes::find(const KernelProblem& wanted) {
  if (database_ == nullptr || fingerprint_.empty()) return std::nullopt;
  std::optional<TunedTime> found = measured(wanted, {});
  if (!found && !wanted.idle.empty()) found = measured(wanted, wanted.idle);
  if (!found && !wanted.along.empty()) found = interpolated(wanted);
  return found;
}

}  // namespace warpwright
