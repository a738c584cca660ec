#include "output/report/report_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analysis/compare/transfer.h"
#include "output/json/json_values.h"
#include "output/report/board_json.h"
#include "output/report/report_source.h"
#include "terminal/numbers.h"

namespace warpwright {
namespace {

using Json = nlohmann::json;

struct Place {
  const Leaderboard* board = nullptr;
  std::size_t index = 0;
};
// Places by database and device; if one has several protocols, the board with most times counts.
using Places = std::map<std::pair<std::size_t, std::string>, Place>;

const char* reached_name(Reached::How how) {
  switch (how) {
    case Reached::How::kNotTried:
      return "not tried";
    case Reached::How::kTimed:
      return "timed";
    case Reached::How::kPruned:
      return "pruned";
    case Reached::How::kFailed:
      return "failed";
    case Reached::How::kUntimed:
      return "not timed";
  }
  return "";
}

Json cells_json(const std::vector<std::vector<TransferCell>>& matrix) {
  Json rows = Json::array();
  for (const std::vector<TransferCell>& row : matrix) {
    Json cells = Json::array();
    for (const TransferCell& cell : row) {
      cells.push_back({{"how", reached_name(cell.reached.how)},
                       {"fraction", short_number(cell.reached.fraction)},
                       {"configuration", cell.configuration},
                       {"of_ties", cell.of_ties}});
    }
    rows.push_back(std::move(cells));
  }
  return rows;
}

// The matrices of report_json.h. Boards are counted over all sources, in order.
Json matrices_json(const std::vector<ReportSource>& sources) {
  std::map<std::pair<std::string, std::string>, Places> problems;  // by kernel and problem
  std::size_t index = 0;
  for (std::size_t source = 0; source < sources.size(); ++source) {
    for (const Leaderboard& board : sources[source].boards) {
      Place& place =
          problems[{board.kernel, board.problem_text}][{source, board.device_fingerprint}];
      if (place.board == nullptr || board.entries.size() > place.board->entries.size())
        place = {&board, index};
      ++index;
    }
  }
  Json matrices = Json::array();
  for (const auto& [problem, places] : problems) {
    if (places.size() < 2) continue;
    std::vector<const Leaderboard*> boards;
    Json indices = Json::array();
    for (const auto& [where, place] : places) {
      boards.push_back(place.board);
      indices.push_back(place.index);
    }
    matrices.push_back({{"kernel", problem.first},
                        {"problem_text", problem.second},
                        {"boards", std::move(indices)},
                        {"cells", cells_json(transfer_matrix(boards))}});
  }
  return matrices;
}

using Json = nlohmann::json;

Json runs_json(const ReportSource& source) {
  Json runs = Json::array();
  for (const auto& [id, run] : source.runs) {
    runs.push_back({{"id", id},
                    {"config", run.config_path},
                    {"strategy", run.strategy},
                    {"budget", run.budget},
                    {"seed", std::to_string(run.seed)},  // more digits than a double has
                    {"program", run.version},
                    {"nvrtc", run.nvrtc_version},
                    {"started_utc", run.started_utc},
                    {"finished_utc", run.finished_utc},
                    {"ended", run.ended}});
  }
  return runs;
}

Json ceilings_json(const Roofs& roofs) {
  Json list = Json::array();
  for (const auto& [name, ceiling] : roofs.ceilings) {
    list.push_back({{"name", name},
                    {"value", short_number(ceiling.value)},
                    {"unit", ceiling.unit},
                    {"low", short_number(ceiling.ci_low)},
                    {"high", short_number(ceiling.ci_high)},
                    {"protocol", ceiling.protocol},
                    {"measured_utc", ceiling.measured_utc}});
  }
  return list;
}

Json device_json(const DeviceRecord& device, const ReportSource& source) {
  const auto found = source.roofs.find(device.fingerprint);
  const Roofs roofs = found == source.roofs.end() ? Roofs{} : found->second;
  return {{"name", device.name},
          {"id", device.id},
          {"driver", device.driver},
          {"arch", device.arch},
          {"fingerprint", device.fingerprint},
          {"modelled", !device.has_clock},
          {"datasheet_gb_per_s", short_number(roofs.datasheet_gb_per_s)},
          {"ceilings", ceilings_json(roofs)},
          {"details", document_of(device.details)}};
}

// Every device that has a board, each once even if it is in several databases, with its index.
struct Devices {
  Json list = Json::array();
  std::map<std::string, std::size_t> index;  // by fingerprint
};

Devices collect_devices(const std::vector<ReportSource>& sources) {
  std::set<std::string> used;
  for (const ReportSource& source : sources)
    for (const Leaderboard& board : source.boards) used.insert(board.device_fingerprint);
  Devices devices;
  for (const ReportSource& source : sources) {
    for (const auto& [id, device] : source.devices) {
      if (!used.contains(device.fingerprint)) continue;
      Json json = device_json(device, source);
      const auto [known, fresh] =
          devices.index.try_emplace(device.fingerprint, devices.list.size());
      if (fresh) {
        devices.list.push_back(std::move(json));
      } else if (devices.list[known->second]["ceilings"].empty()) {
        // The ceilings are in another database of the same device.
        devices.list[known->second] = std::move(json);
      }
    }
  }
  return devices;
}

Json kernels_json(const std::vector<ReportSource>& sources) {
  std::map<std::string, std::string> summaries;
  for (const ReportSource& source : sources) {
    for (const Leaderboard& board : source.boards) {
      const auto it = source.summaries.find(board.kernel);
      summaries[board.kernel] = it == source.summaries.end() ? "" : it->second;
    }
  }
  Json kernels = Json::array();
  for (const auto& [name, summary] : summaries)
    kernels.push_back({{"name", name}, {"summary", summary}});
  return kernels;
}

std::size_t rows_per_board(std::size_t boards, const ReportLimits& limits) {
  return std::max(limits.fewest_per_board,
                  limits.configurations / std::max<std::size_t>(boards, 1));
}

}  // namespace

Json report_json(const std::vector<ReportSource>& sources, const ReportOptions& options) {
  std::size_t count = 0;
  for (const ReportSource& source : sources) count += source.boards.size();
  const std::size_t rows = rows_per_board(count, options.limits);
  const Devices devices = collect_devices(sources);
  Json databases = Json::array();
  Json boards = Json::array();
  Json left_out = Json::array();
  for (const ReportSource& source : sources) {
    for (const Leaderboard& board : source.boards) {
      Json json = report_board_json(board, source, rows, options.limits);
      const auto device = devices.index.find(board.device_fingerprint);
      json["device"] = device == devices.index.end() ? Json(nullptr) : Json(device->second);
      json["database"] = databases.size();
      if (const std::size_t left = json["counts"]["left_out"]; left > 0) {
        left_out.push_back(fmt::format(
            "{} {}: {} of {} configurations are left out of this page: of more than {} it keeps "
            "the best half and an even sample of the rest",
            board.kernel, board.problem_text, format_thousands(static_cast<double>(left)),
            format_thousands(static_cast<double>(board.trials)),
            format_thousands(static_cast<double>(rows))));
      }
      boards.push_back(std::move(json));
    }
    databases.push_back({{"name", source.name},
                         {"trials", source.trials},
                         {"repro_options", source.repro_options},
                         {"runs", runs_json(source)}});
  }
  return {{"schema", 1},
          {"program", options.program},
          {"made_utc", options.made_utc},
          {"databases", std::move(databases)},
          {"devices", devices.list},
          {"kernels", kernels_json(sources)},
          {"boards", std::move(boards)},
          {"matrices", matrices_json(sources)},
          {"left_out", std::move(left_out)}};
}

}  // namespace warpwright
