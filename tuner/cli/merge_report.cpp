#include "cli/merge_report.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/process/file_users.h"
#include "sweep/run_records.h"
#include "terminal/numbers.h"
#include "terminal/screen.h"
#include "terminal/table.h"

namespace warpwright {
namespace {

struct Kind {
  const char* name;
  MergeCount MergedFile::*count;
};

constexpr std::array kKinds = {
    Kind{"trials", &MergedFile::trials},     Kind{"runs", &MergedFile::runs},
    Kind{"kernels", &MergedFile::kernels},   Kind{"devices", &MergedFile::devices},
    Kind{"rankings", &MergedFile::rankings}, Kind{"ceilings", &MergedFile::ceilings}};

std::string number(std::size_t count) { return format_thousands(static_cast<double>(count)); }

}  // namespace

std::string merge_report_text(const MergeReport& report, const std::vector<std::string>& formats,
                              const Screen& screen) {
  using Align = Table::Align;
  std::vector<Table::Column> columns = {middle_column("file", 12)};
  if (!formats.empty()) columns.push_back(word_column("format", 1));
  columns.insert(columns.end(), {{"new trials", Align::kRight}, {"known", Align::kRight}});
  for (std::size_t i = 1; i < kKinds.size(); ++i)
    columns.push_back(number_column(std::string("new ") + kKinds[i].name, 1 + static_cast<int>(i)));
  Table table(columns);
  for (std::size_t i = 0; i < report.files.size(); ++i) {
    const MergedFile& file = report.files[i];
    std::vector<std::string> cells = {file.name};
    if (!formats.empty()) cells.push_back(formats[i]);
    cells.insert(cells.end(), {number(file.trials.added), number(file.trials.known)});
    for (std::size_t kind = 1; kind < kKinds.size(); ++kind)
      cells.push_back(number((file.*kKinds[kind].count).added));
    table.add_row(std::move(cells));
  }
  std::string text = table.render(0, screen);
  if (report.renumbered > 0) {
    text += fmt::format("{} trials that were there have new numbers: older ones came before them\n",
                        number(report.renumbered));
  }
  return text;
}

nlohmann::json merge_report_json(const MergeReport& report) {
  nlohmann::json files = nlohmann::json::array();
  for (const MergedFile& file : report.files) {
    nlohmann::json& json = files.emplace_back(nlohmann::json{{"file", file.name}});
    for (const Kind& kind : kKinds) {
      const MergeCount& count = file.*kind.count;
      json[kind.name] = {{"added", count.added}, {"known", count.known}};
    }
  }
  return {{"files", std::move(files)}, {"renumbered", report.renumbered}};
}

void refuse_renumbering_in_use(const std::string& database) {
  const std::vector<std::string> users =
      other_users_of({database, database + "-wal", database + "-shm"});
  if (users.empty()) return;
  throw user_error(fmt::format(
      "{}: some of the trials to be added are older than ones that are there, which would get new "
      "numbers, but it is open in {}; wait for the end of that, or merge into a new file with "
      "`warpwright merge ... -o OUT`",
      database, fmt::join(users, ", ")));
}

}  // namespace warpwright
