// Results databases: any column may hold anything, also what its own checks forbid, as people and
// other programs write them; and any byte of the file may be wrong. Reading gives a value or an
// Error; salvage too.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

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

Sample make_sample() {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "x.db";
  make_database(file);
  Sample sample;
  {
    Connection connection(file, Connection::Access::kCreate, 1000, "sample");
    // One file, without a log beside it.
    connection.execute("PRAGMA journal_mode = DELETE");
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
  static const Sample kSample = make_sample();
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
  // What is saved is whole.
  if (fs::exists(saved)) expect_whole(saved, "salvage");
  if (refused) throw Error(*refused);
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
