#include "fuzz/read_database.h"

#include <functional>
#include <optional>

#include "analysis/board/board_additions.h"
#include "analysis/board/impossible.h"
#include "analysis/board/roofline.h"
#include "analysis/compare/comparison.h"
#include "analysis/compare/contender_choice.h"
#include "analysis/insight/failure_advice.h"
#include "analysis/insight/heat_map.h"
#include "analysis/insight/importance.h"
#include "analysis/insight/landscape.h"
#include "core/error.h"
#include "core/files.h"
#include "exchange/import/import.h"
#include "exchange/merge/snapshot.h"
#include "exchange/sample_database.h"
#include "exchange/t4/t4_export.h"
#include "exchange/trial_table.h"
#include "fuzz/corpus.h"
#include "fuzz/fuzz.h"

namespace warpwright::fuzz {
namespace {

std::vector<Leaderboard> read_boards(const Database& database) {
  std::vector<Leaderboard> boards =
      make_leaderboards(database.trials({.with_samples = true}), database.rankings({}),
                        BoardGoals(database), read_peaks(database));
  add_limits(boards, read_roofs(database));
  add_contract_remarks(boards, database.contract_checks());
  advise_on_failures(boards, database.devices());
  return boards;
}

void read_insights(const std::vector<Leaderboard>& boards) {
  for (const Leaderboard& board : boards) {
    const Importance importance = parameter_importance(board);
    static_cast<void>(make_landscape(board));
    if (const std::optional<ImportantPair> pair = most_important_pair(importance))
      static_cast<void>(make_heat_map(board, pair->variant, pair->first, pair->second));
  }
}

void read_comparison(const Database& database) {
  std::vector<Contender> contenders;
  for (const ChosenContender& chosen :
       choose_contenders({}, {{database.path().string(), &database}}, {})) {
    contenders.push_back(load_contender(database, chosen.trials, std::nullopt));
    contenders.back().name = chosen.name;
  }
  if (!contenders.empty()) static_cast<void>(compare(std::move(contenders)));
}

// Each reader on its own: what one refuses must not hide the others. Throws what the first threw.
void read_each(const std::vector<std::function<void()>>& readers) {
  std::optional<Error> refused;
  for (const auto& reader : readers) {
    try {
      reader();
    } catch (const Error& error) {
      if (error.fault() == Fault::kInternal || error.message().empty()) throw;
      if (!refused) refused = error;
    }
  }
  if (refused) throw Error(*refused);
}

}  // namespace

void read_database(const std::filesystem::path& file) {
  const Database database(file, OpenMode::kReadOnly);
  std::vector<Leaderboard> boards;
  ExportRequest request{database, "", {}, {}, "fuzz"};
  read_each(
      {[&] { static_cast<void>(read_snapshot(database)); },
       [&] { static_cast<void>(database.integrity()); }, [&] { boards = read_boards(database); },
       [&] { read_insights(boards); }, [&] { read_comparison(database); },
       [&] {
         request.boards = boards;
         request.all_trials = database.trials({.newest_per_key = false, .with_samples = true});
       },
       [&] { static_cast<void>(export_csv(request)); },
       [&] { static_cast<void>(export_json(request)); },
       [&] { static_cast<void>(export_t4(request)); }});
}

void import_database(const std::filesystem::path& file) {
  const TemporaryFolder folder;
  const std::filesystem::path target = folder.path() / "x.db";
  static_cast<void>(import_files({file}, target, {}));
  expect_whole(target, "import");
}

void expect_whole(const std::filesystem::path& file, const std::string& made_by) {
  const Database database(file, OpenMode::kReadOnly);
  if (const std::string found = database.integrity(); found != "ok")
    throw PropertyFault{made_by + " left a damaged file: " + found};
  if (const std::optional<std::string> row = database.broken_row())
    throw PropertyFault{made_by + " let a broken row through: " + *row};
}

void make_database(const std::filesystem::path& file) {
  {
    testing::SampleDatabase sample(file);
    std::vector<RowId> trials;
    for (const int threads : {64, 128, 256, 512})
      trials.push_back(sample.add(threads, 10 + threads / 100.0, threads / 64));
    sample.add_failed(1024, Status::kCompileFailed, 20);
    sample.add_failed(2048, Status::kPruned, 21);
    sample.add_failed(4096, Status::kNoisy, 22);
    sample.add_twin(96, trials[0], 10.7, 23);
    sample.rank({trials[0], trials[1]}, 10.6, 30);
    sample.add_ceiling(4000, 31);
    sample.use_device("cuda:1");
    sample.start_run("2026-03-02T12:00:00Z");
    for (const int threads : {64, 128})
      sample.add(threads, 11 + threads / 100.0, 40 + threads / 64);
  }
  static_cast<void>(import_files({source_folder() / "tests/exchange/blur-X100.json"}, file, {}));
}

}  // namespace warpwright::fuzz
