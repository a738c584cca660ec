// Results databases: any column may hold anything, also what its own checks forbid, as people and
// other programs write them; and any byte of the file may be wrong. Reading gives a value or an
// Error; salvage too.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <set>

#include "core/error.h"
#include "core/files.h"
#include "fuzz/corpus.h"
#include "fuzz/fuzz.h"
#include "fuzz/json_mutator.h"
#include "fuzz/mutator.h"
#include "fuzz/read_database.h"
#include "store/database.h"
#include "store/salvage.h"
#include "store/sqlite.h"
#include "support/raw_sql.h"

namespace warpwright::fuzz {
namespace {

namespace fs = std::filesystem;

// A column that JSON, a number or a text is read from, with a value that it holds.
struct Column {
  std::string table, name;
  std::vector<std::string> values;
};

// A whole database as bytes, and what its columns hold.
struct Sample {
  std::string bytes;
  std::vector<Column> columns;
};

std::vector<std::string> texts_of(Connection& connection, const std::string& sql) {
  std::vector<std::string> texts;
  for (Statement rows(connection, sql); rows.step();) texts.push_back(rows.next_text());
  return texts;
}

// `sealed`: rows have checksums, so that edits of them are refused; else as an older warpwright
// stored them, so that values of others get as far as they can.
Sample make_sample(bool sealed) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "x.db";
  make_database(file);
  Sample sample;
  {
    Connection connection(file, Connection::Access::kCreate, 1000, "sample");
    // One file, without a log file.
    connection.execute("PRAGMA journal_mode = DELETE");
    if (!sealed) connection.execute(testing::kForgetChecksums);
    for (const std::string& table : texts_of(
             connection,
             "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")) {
      for (const std::string& column :
           texts_of(connection, fmt::format("SELECT name FROM pragma_table_info('{}')", table))) {
        sample.columns.push_back(
            {table, column,
             texts_of(connection,
                      fmt::format("SELECT DISTINCT \"{0}\" FROM {1} WHERE \"{0}\" IS NOT NULL",
                                  column, table))});
      }
    }
  }
  sample.bytes = read_file(file);
  return sample;
}

const Sample& sample() {
  static const Sample kSample = make_sample(/*sealed=*/false);
  return kSample;
}

const Sample& sealed_sample() {
  static const Sample kSample = make_sample(/*sealed=*/true);
  return kSample;
}

std::string literal(const std::string& bytes, bool as_text) {
  std::string hex;
  for (const char c : bytes) hex += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return fmt::format(fmt::runtime(as_text ? "CAST(X'{}' AS TEXT)" : "X'{}'"), hex);
}

std::string random_literal(const Column& column, Random& random) {
  static const std::vector<std::string> kValues = {"NULL",
                                                   "''",
                                                   "0",
                                                   "1",
                                                   "-1",
                                                   "9223372036854775807",
                                                   "-9223372036854775808",
                                                   "2147483648",
                                                   "1e308",
                                                   "-1e308",
                                                   "9e999",
                                                   "-9e999",
                                                   "1e-320",
                                                   "0.5",
                                                   "'ok'",
                                                   "'pruned'",
                                                   "'noisy'",
                                                   "'imported-t4-1'",
                                                   "'[]'",
                                                   "'{}'",
                                                   "'7'",
                                                   "'null'",
                                                   "X'ff'",
                                                   "zeroblob(70000)",
                                                   "CAST(X'fffe41' AS TEXT)"};
  if (column.values.empty() || random.one_in(4)) return random.of(kValues);
  const std::string& value = random.of(column.values);
  const nlohmann::json json = nlohmann::json::parse(value, nullptr, /*allow_exceptions=*/false);
  if (json.is_structured() && !random.one_in(8)) return literal(mutate_json(json, random), true);
  return literal(mutate_bytes(value, random), !random.one_in(8));
}

// One statement that stores something else in one column of one row, or of all.
std::string make_update(Random& random) {
  // As often one of those that hold JSON as any other.
  std::vector<const Column*> structured;
  for (const Column& column : sample().columns) {
    const bool json =
        std::any_of(column.values.begin(), column.values.end(), [](const auto& value) {
          return nlohmann::json::parse(value, nullptr, false).is_structured();
        });
    if (json) structured.push_back(&column);
  }
  const Column& column = random.one_in(2) ? *random.of(structured) : random.of(sample().columns);
  const std::string where =
      random.one_in(3) ? "" : fmt::format(" WHERE rowid = {}", 1 + random.below(10));
  return fmt::format("UPDATE OR IGNORE {} SET \"{}\" = {}{}", column.table, column.name,
                     random_literal(column, random), where);
}

// A folder that every input of a target is written to.
const fs::path& work_folder() {
  static const TemporaryFolder kFolder("warpwright-fuzz");
  return kFolder.path();
}

void check_update(const std::string& update) {
  const fs::path file = work_folder() / "columns.db";
  write_quickly(file, sample().bytes);
  {
    Connection connection(file, Connection::Access::kCreate, 1000, "fuzzed");
    connection.execute(
        "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; PRAGMA foreign_keys = OFF; "
        "PRAGMA ignore_check_constraints = ON");
    // Some values are refused by the column itself: a text as a row's number.
    if (connection.try_execute(update) != SQLITE_OK) throw user_error("cannot be stored");
  }
  // Writing a database takes several times as long as reading one.
  if (update.size() % 8 == 0) import_database(file);
  read_database(file);
}

void check_file(const std::string& bytes) {
  const fs::path file = work_folder() / "bytes.db";
  const fs::path saved = work_folder() / "saved.db";
  write_quickly(file, bytes);
  for (const char* suffix : {"", "-wal", "-shm", "-journal"}) fs::remove(saved.string() + suffix);
  std::optional<Error> refused;
  try {
    read_database(file);
  } catch (const Error& error) {
    refused = error;
  }
  // Saving takes several times as long as reading.
  const bool save = std::accumulate(bytes.begin(), bytes.end(), 0U) % 3 == 0;
  try {
    if (save) static_cast<void>(salvage_database(file, saved));
  } catch (const Error& error) {
    if (error.fault() == Fault::kInternal) throw;
    if (!refused) refused = error;
  }
  // A salvaged database is complete.
  if (fs::exists(saved)) expect_whole(saved, "salvage");
  if (refused) throw Error(*refused);
}

// Whether to include the values that salvage may leave out, which it reports.
enum class Optional { kShown, kHidden };

// The numbers of a trial, and the names of what they belong to.
std::string facts_of(const TrialRecord& trial, Optional optional) {
  std::string facts = fmt::format(
      "trial {} {} of {} on {}: seconds {} {} {}, work {} {}, at {} MHz", trial.id, trial.key,
      trial.configuration_text, trial.problem_text, trial.compile_seconds, trial.validate_seconds,
      trial.measure_seconds, trial.work_bytes, trial.work_flops, trial.sm_clock_mhz);
  if (optional == Optional::kHidden) return facts;
  for (const std::optional<double>& value :
       {trial.median_us, trial.ci_low_us, trial.ci_high_us, trial.floor_us, trial.raw_median_us,
        trial.at_least_us, trial.work_bytes_written})
    facts += value ? fmt::format(", {}", *value) : ", -";
  return facts + fmt::format(", like {}, samples {}", trial.same_as.value_or(0),
                             fmt::join(trial.samples_us, " "));
}

std::string facts_of(const RankingRecord& ranking, Optional optional) {
  std::string facts =
      fmt::format("ranking {} of {}: {} rounds, {}, up to {}", ranking.id, ranking.winner,
                  ranking.rounds, ranking.confidence, ranking.last_trial);
  for (const RankingEntryRecord& entry : ranking.entries) {
    facts +=
        fmt::format(" [{} {} {}: {} {} {}, {} {} {}, {}]", entry.place, entry.trial, entry.tied,
                    entry.median_us, entry.ci_low_us, entry.ci_high_us, entry.relative,
                    entry.relative_low, entry.relative_high, fmt::join(entry.rounds_us, " "));
    if (optional == Optional::kShown) facts += fmt::format("{}", entry.p_adjusted.value_or(-1));
  }
  return facts;
}

// Each of the readers on its own: what one refuses must not hide the others.
std::set<std::string> facts_in(const fs::path& file, Optional optional) {
  const Database database(file, OpenMode::kReadOnly);
  std::set<std::string> facts;
  const auto read = [](const auto& reader) {
    try {
      reader();
    } catch (const Error&) {
    }
  };
  read([&] {
    for (const auto& row : database.trials({.newest_per_key = false, .with_samples = true}))
      facts.insert(facts_of(row.trial, optional));
  });
  read([&] {
    for (const auto& row : database.rankings({.newest_per_board = false}))
      facts.insert(facts_of(row.ranking, optional));
  });
  read([&] {
    for (const auto& [id, device] : database.devices()) {
      for (const CeilingRecord& ceiling : database.ceilings(id, /*newest_per_name=*/false))
        facts.insert(fmt::format("ceiling {} {} {}", id, ceiling.name, ceiling.value));
    }
  });
  return facts;
}

void expect_known(const std::set<std::string>& facts, const std::set<std::string>& stored,
                  const std::string& by) {
  for (const std::string& fact : facts)
    if (!stored.contains(fact))
      throw PropertyFault{by + " gives a number that was never stored: " + fact};
}

std::set<std::string> stored_facts(Optional optional) {
  const fs::path whole = work_folder() / "whole.db";
  write_quickly(whole, sealed_sample().bytes);
  return facts_in(whole, optional);
}

// 1 to 2,000 bytes of a file that a faulty disk or memory changed.
std::string flip_bytes(Random& random) {
  constexpr int kDoublings = 11;
  std::string bytes = sealed_sample().bytes;
  const std::size_t most =
      std::min<std::size_t>(2000, std::size_t{1} << random.below(kDoublings + 1));
  for (std::size_t i = 1 + random.below(most); i > 0; --i)
    bytes[random.below(bytes.size())] ^= static_cast<char>(1U << random.below(8));
  return bytes;
}

// Everything that can still be read has its stored value, and so does everything that is salvaged,
// except for values that are left out.
void check_flips(const std::string& bytes) {
  static const std::set<std::string> kStored = stored_facts(Optional::kShown);
  static const std::set<std::string> kRequired = stored_facts(Optional::kHidden);
  const fs::path file = work_folder() / "flips.db";
  write_quickly(file, bytes);
  std::optional<Error> refused;
  try {
    expect_known(facts_in(file, Optional::kShown), kStored, "reading");
    read_database(file);
  } catch (const Error& error) {
    if (error.fault() == Fault::kInternal) throw;
    refused = error;
  }
  const fs::path saved = work_folder() / "flips-saved.db";
  for (const char* suffix : {"", "-wal", "-shm", "-journal"}) fs::remove(saved.string() + suffix);
  try {
    static_cast<void>(salvage_database(file, saved));
  } catch (const Error& error) {
    if (error.fault() == Fault::kInternal) throw;
  }
  if (fs::exists(saved)) {
    expect_whole(saved, "salvage");
    expect_known(facts_in(saved, Optional::kHidden), kRequired, "salvage");
  }
  if (refused) throw Error(*refused);
}

TEST(Fuzz, DatabaseFlips) {
  FuzzTarget target;
  target.name = "flips";
  target.inputs = 300;
  target.make = flip_bytes;
  target.check = check_flips;
  target.least_taken = 1;
  target.least_refused = target.inputs / 3;
  run_fuzz(target);
}

TEST(Fuzz, DatabaseColumns) {
  static_cast<void>(sample());
  FuzzTarget target;
  target.name = "column";
  target.inputs = 2000;
  target.make = make_update;
  target.check = check_update;
  target.least_taken = target.least_refused = target.inputs / 20;
  run_fuzz(target);
}

TEST(Fuzz, DatabaseFiles) {
  static_cast<void>(sample());
  FuzzTarget target;
  target.name = "database";
  target.inputs = 500;
  target.make = [](Random& random) { return mutate_bytes(sample().bytes, random); };
  target.check = check_file;
  target.least_taken = target.least_refused = target.inputs / 20;
  run_fuzz(target);
}

}  // namespace
}  // namespace warpwright::fuzz
