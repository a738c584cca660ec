// T4 files from elsewhere and from our own export, mutated as texts and as JSON: read, imported,
// and sometimes merged into a database that is read back.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "analysis/board/leaderboard.h"
#include "core/error.h"
#include "core/files.h"
#include "exchange/merge/merge.h"
#include "exchange/t4/t4_export.h"
#include "exchange/t4/t4_import.h"
#include "fuzz/corpus.h"
#include "fuzz/fuzz.h"
#include "fuzz/json_mutator.h"
#include "fuzz/mutator.h"
#include "fuzz/read_database.h"

namespace warpwright::fuzz {
namespace {

std::vector<std::string> sample_files() {
  std::vector<std::string> texts = read_all(corpus_files("tests/exchange", ".json"));
  const TemporaryFolder folder;
  make_database(folder.path() / "x.db");
  const Database database(folder.path() / "x.db", OpenMode::kReadOnly);
  const std::vector<Leaderboard> boards =
      make_leaderboards(database.trials({.with_samples = true}), database.rankings({}));
  for (ExportFile& file : export_t4({database, "", boards}))
    texts.push_back(std::move(file.content));
  return texts;
}

// The next program can read everything that a merge stores.
void merge_and_read(const Snapshot& snapshot) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "x.db";
  {
    Database database(file);
    static_cast<void>(merge_snapshots({snapshot}, database));
  }
  try {
    read_database(file);
  } catch (const Error& error) {
    throw PropertyFault{std::string("what was imported cannot be read: ") + error.what()};
  }
}

void check_t4(const std::string& text) {
  T4ImportOptions options;
  options.file_name = "blur-X100.json";
  options.sha256 = "abc123";
  options.now_utc = "2026-03-01T12:00:00Z";
  const T4Import imported = import_t4(read_t4(text, options.file_name), options);
  if (text.size() % 16 == 0) merge_and_read(imported.snapshot);
}

TEST(Fuzz, T4Files) {
  const std::vector<std::string> texts = sample_files();
  std::vector<nlohmann::json> trees;
  for (const std::string& text : texts) {
    // Those with a NaN are mutated as texts only.
    nlohmann::json tree = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (!tree.is_discarded()) trees.push_back(std::move(tree));
  }
  const Mutator mutator(texts,
                        {"{",
                         "}",
                         "[",
                         "]",
                         ":",
                         ",",
                         "\"",
                         "null",
                         "true",
                         "NaN",
                         "-Infinity",
                         "1e999",
                         "\\u0000",
                         "\\ud800",
                         "\xff",
                         "\"results\": ",
                         "\"time\"",
                         "\"times\": 7",
                         "\"2023-12-22 09:54:05.5+02:00\"",
                         "\"-001-01-01 0:0:0\""},
                        "[]{}");
  FuzzTarget target;
  target.name = "t4";
  target.inputs = 3000;
  target.make = [&](Random& random) {
    return random.one_in(3) ? mutator.make(random) : mutate_json(random.of(trees), random);
  };
  target.check = check_t4;
  target.least_taken = target.least_refused = target.inputs / 20;
  run_fuzz(target);
}

}  // namespace
}  // namespace warpwright::fuzz
