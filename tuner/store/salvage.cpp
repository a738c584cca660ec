#include "store/salvage.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/files.h"
#include "core/words.h"
#include "store/file_header.h"
#include "store/open.h"
#include "store/row_rules.h"
#include "store/row_seal.h"
#include "store/schema.h"
#include "store/sqlite.h"

namespace warpwright {
namespace fs = std::filesystem;
namespace {

// A row comes after the rows that it refers to.
constexpr std::array kTables = {"device",        "kernel",         "problem", "configuration",
                                "run",           "trial",          "sample",  "ceiling",
                                "kernel_source", "contract_check", "ranking", "ranking_entry"};

// The number of rows to look for beyond the last readable one if the end of a table cannot be read.
constexpr std::int64_t kBlindRows = 4096;

// The number of rows that are looked for individually in a damaged table. Damaged numbers may claim
// a table of 2^62 rows.
constexpr int kMaxLostRows = 1 << 16;

class Salvage {
 public:
  Salvage(Connection& damaged, Connection& fresh)
      : damaged_(damaged),
        fresh_(fresh),
        is_current_(damaged.query_integer("PRAGMA user_version") == current_schema_version()) {}

  void copy_table(const std::string& table) {
    table_ = table;
    columns_ = shared_columns(table);
    has_checksums_ = std::erase(columns_, "checksum") > 0;
    if (!columns_.empty()) {
      select_ = "SELECT ";
      for (const std::string& column : columns_) select_ += stored_as_.at(column) + ", ";
      select_ += fmt::format("rowid, {} FROM {} WHERE rowid BETWEEN ? AND ?",
                             has_checksums_ ? stored_as_.at("checksum") : "NULL", table);
    }
    if (columns_.empty() || !readable()) {
      if (is_current_) static_cast<void>(loss_of(SalvageLoss::Kind::kTable, table, ""));
      return;
    }
    const std::string quoted = fmt::format("\"{}\"", fmt::join(columns_, "\", \""));
    // Leaves out a row whose damage makes it break a rule of the schema.
    insert_ = fmt::format("INSERT OR IGNORE INTO {} ({}) VALUES (?{})", table, quoted,
                          repeated(", ?", columns_.size() - 1));
    lost_rows_ = 0;
    copy_rows(0, last_row(table));
    if (lost_rows_ > 0) {
      SalvageLoss& loss = loss_of(SalvageLoss::Kind::kUnreadable, table, "");
      loss.rows = static_cast<std::uint64_t>(lost_rows_);
    }
  }

  [[nodiscard]] std::vector<SalvageLoss> take_losses() { return std::move(losses_); }

  // A row that refers to a lost one would break a reference.
  void drop_orphans() {
    for (const char* parent : {"run", "kernel", "device", "problem", "configuration"})
      drop("trial", fmt::format("{0}_id NOT IN (SELECT id FROM {0})", parent));
    fresh_.execute("UPDATE trial SET same_as = NULL WHERE same_as NOT IN (SELECT id FROM trial)");
    drop("sample", "trial_id NOT IN (SELECT id FROM trial)");
    drop("kernel_source", "kernel_id NOT IN (SELECT id FROM kernel)");
    drop("contract_check",
         "run_id NOT IN (SELECT id FROM run) "
         "OR kernel_id NOT IN (SELECT id FROM kernel) "
         "OR problem_id NOT IN (SELECT id FROM problem)");
    // A ranking without one of its finalists would claim that the others met alone. The entries of
    // a ranking are consecutive: a lost last one leaves no gap in the places, and belongs to the
    // ranking of the row before it.
    for (const std::int64_t lost : lost_entries_) {
      const auto after = entries_.lower_bound(lost);
      if (after != entries_.begin())
        drop("ranking", fmt::format("id = {}", std::prev(after)->second));
    }
    drop(
        "ranking",
        "run_id NOT IN (SELECT id FROM run) "
        "OR device_id NOT IN (SELECT id FROM device) OR problem_id NOT IN (SELECT id FROM problem) "
        "OR winner_id NOT IN (SELECT id FROM trial) "
        "OR id IN (SELECT ranking_id FROM ranking_entry WHERE trial_id NOT IN (SELECT id FROM "
        "trial)) OR id NOT IN (SELECT ranking_id FROM ranking_entry GROUP BY ranking_id "
        "HAVING count(*) = max(place))");
    drop("ranking_entry", "ranking_id NOT IN (SELECT id FROM ranking)");
    drop("ceiling", "device_id NOT IN (SELECT id FROM device)");
  }

 private:
  SalvageLoss& loss_of(SalvageLoss::Kind kind, const std::string& table,
                       const std::string& column) {
    for (SalvageLoss& loss : losses_)
      if (loss.kind == kind && loss.table == table && loss.column == column) return loss;
    return losses_.emplace_back(SalvageLoss{kind, table, column, 0, 0, ""});
  }

  void note(SalvageLoss::Kind kind, const std::string& column, std::int64_t row,
            const std::string& why) {
    SalvageLoss& loss = loss_of(kind, table_, column);
    if (++loss.rows > 1) return;
    loss.first_row = row;
    loss.why = why;
  }

  void drop(const std::string& table, const std::string& condition) {
    fresh_.execute(fmt::format("DELETE FROM {} WHERE {}", table, condition));
    const std::int64_t rows = fresh_.query_integer("SELECT changes()");
    if (rows > 0)
      loss_of(SalvageLoss::Kind::kOrphan, table, "").rows += static_cast<std::uint64_t>(rows);
  }

  // The columns that both schemas have; none if the table is missing or replaced by something else.
  // Computed columns are excluded, because a row does not store them.
  std::vector<std::string> shared_columns(const std::string& table) {
    constexpr const char* kTable =
        "SELECT count(*) FROM sqlite_master WHERE name = '{}' AND type = 'table' "
        "AND sql NOT LIKE 'CREATE VIRTUAL%'";
    if (damaged_.query_integer(fmt::format(kTable, table)) == 0) return {};
    const std::string sql = fmt::format("SELECT name FROM pragma_table_info('{}')", table);
    std::vector<std::string> damaged, fresh;
    for (Statement names(damaged_, sql); names.step();) damaged.push_back(names.next_text());
    for (Statement names(fresh_, sql); names.step();) fresh.push_back(names.next_text());
    // If both have the same number of columns, each is in its place, even if its name was damaged.
    stored_as_.clear();
    for (std::size_t i = 0; i < fresh.size(); ++i) {
      const bool known = std::find(damaged.begin(), damaged.end(), fresh[i]) != damaged.end();
      if (known) stored_as_[fresh[i]] = quoted_name(fresh[i]);
      if (!known && damaged.size() == fresh.size()) stored_as_[fresh[i]] = quoted_name(damaged[i]);
    }
    // Columns in the order that checksums use.
    std::vector<std::string> columns;
    for (const TableRules& rules : table_rules()) {
      if (table != rules.table) continue;
      for (const ColumnRule& rule : rules.columns)
        if (stored_as_.contains(rule.column)) columns.emplace_back(rule.column);
    }
    return columns;
  }

  // True if its rows can be addressed by number: a table that was made without them is not ours.
  bool readable() {
    try {
      static_cast<void>(Statement(damaged_, select_));
      return true;
    } catch (const Error&) {
      return false;
    }
  }

  static std::string quoted_name(const std::string& name) {
    std::string quoted = "\"";
    for (const char c : name) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
  }

  static std::string repeated(const std::string& text, std::size_t times) {
    std::string all;
    for (std::size_t i = 0; i < times; ++i) all += text;
    return all;
  }

  std::int64_t last_row(const std::string& table) {
    try {
      return damaged_.query_integer(fmt::format("SELECT max(rowid) FROM {}", table));
    } catch (const Error&) {
      return last_numbered() + kBlindRows;
    }
  }

  // The highest trial number ever assigned, if it can be read; samples have the same numbers.
  std::int64_t last_numbered() {
    try {
      return std::min(damaged_.query_integer("SELECT max(seq) FROM sqlite_sequence"),
                      std::numeric_limits<std::int64_t>::max() - kBlindRows);
    } catch (const Error&) {
      return 0;
    }
  }

  // Copies a range of rows; if a page is damaged, splits the range until only the page's own rows
  // are left out.
  void copy_rows(std::int64_t first, std::int64_t last) {
    if (copy_until_damage(first, last) || lost_rows_ >= kMaxLostRows) return;
    if (first == last) {
      ++lost_rows_;
      if (table_ == "ranking_entry") lost_entries_.insert(first);
      return;
    }
    const std::int64_t middle = first + (last - first) / 2;
    copy_rows(first, middle);
    copy_rows(middle + 1, last);
  }

  bool copy_until_damage(std::int64_t first, std::int64_t last) {
    Statement insert(fresh_, insert_);
    Statement select(damaged_, select_);
    select.bind(first).bind(last);
    for (;;) {
      try {
        if (!select.step()) return true;
      } catch (const Error&) {
        return false;
      }
      // Halves of a range are read again if a page is damaged.
      const std::int64_t number = select.integer_at(static_cast<int>(columns_.size()));
      if (!done_.emplace(table_, number).second) continue;
      const std::optional<std::set<std::string>> without = damaged_columns(select, number);
      if (!without) continue;
      const std::int64_t before = fresh_.query_integer("SELECT total_changes()");
      bind(insert, select, *without);
      if (table_ == "ranking_entry") entries_.emplace(number, ranking_of(select));
      insert.run();
      insert.reset();
      if (fresh_.query_integer("SELECT total_changes()") == before)
        note(SalvageLoss::Kind::kRow, "", number,
             "it repeats a row, or breaks a rule of the table");
    }
  }

  void bind(Statement& insert, const Statement& row, const std::set<std::string>& without) const {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (without.contains(columns_[i])) {
        insert.bind(std::optional<double>());
      } else {
        insert.bind_value(row, static_cast<int>(i));
      }
    }
  }

  // The optional columns that are left out of the saved row; nullopt if the row cannot be saved. An
  // import of the new database applies the same rules.
  std::optional<std::set<std::string>> damaged_columns(const Statement& row, std::int64_t number) {
    std::set<std::string> without;
    const auto leave_out = [&](const std::string& why) {
      note(SalvageLoss::Kind::kRow, "", number, why);
      if (table_ == "ranking_entry") lost_entries_.insert(number);
    };
    const auto note_column = [&](const std::string& column, const std::string& why) {
      if (without.insert(column).second) note(SalvageLoss::Kind::kColumn, column, number, why);
    };
    const int columns = static_cast<int>(columns_.size());
    if (row.type_of(columns + 1) != SQLITE_NULL) {
      const SealState seal = check_seal(table_, row, columns, row.bytes_at(columns + 1));
      if (!seal.readable) return leave_out("its checksum is damaged"), std::nullopt;
      for (const int at : seal.damaged) {
        const std::string& column = columns_[static_cast<std::size_t>(at)];
        const std::string why = fmt::format("{} does not match the checksum of the row", column);
        if (!is_optional_column(table_, column)) return leave_out(why), std::nullopt;
        note_column(column, why);
      }
    }
    while (const std::optional<BrokenRule> broken = broken_rule(table_, row, columns_, without)) {
      if (!broken->optional || without.contains(broken->column))
        return leave_out(broken->what), std::nullopt;
      note_column(broken->column, broken->what);
    }
    return without;
  }

  [[nodiscard]] std::int64_t ranking_of(const Statement& entry) const {
    const auto column = std::find(columns_.begin(), columns_.end(), "ranking_id");
    if (column == columns_.end()) return 0;
    return entry.integer_at(static_cast<int>(column - columns_.begin()));
  }

  Connection& damaged_;
  Connection& fresh_;
  bool is_current_ = false;                       // `damaged` has the current schema
  std::string table_, select_, insert_;           // for the table being copied, as those below
  std::vector<std::string> columns_;              // in the order of checksums
  std::map<std::string, std::string> stored_as_;  // the quoted name of each column in `damaged`
  bool has_checksums_ = false;                    // the rows have checksums
  std::set<std::pair<std::string, std::int64_t>> done_;
  std::vector<SalvageLoss> losses_;
  int lost_rows_ = 0;                             // in the table being copied
  std::map<std::int64_t, std::int64_t> entries_;  // saved rows of ranking_entry, and their rankings
  std::set<std::int64_t> lost_entries_;           // rows that were not saved
};

}  // namespace

namespace {

// Removes a new database that could not be completed, for example on a full disk. Must outlive its
// connection.
class UnfinishedDatabase {
 public:
  explicit UnfinishedDatabase(fs::path path) : path_(std::move(path)) {}
  ~UnfinishedDatabase() {
    if (path_.empty()) return;
    std::error_code ignored;
    for (const char* suffix : {"", "-wal", "-shm", "-journal"})
      fs::remove(path_.string() + suffix, ignored);
  }
  UnfinishedDatabase(const UnfinishedDatabase&) = delete;
  UnfinishedDatabase& operator=(const UnfinishedDatabase&) = delete;
  void finished() { path_.clear(); }

 private:
  fs::path path_;
};

}  // namespace

std::string SalvageLoss::text() const {
  const std::string count = plural(rows, "row");
  switch (kind) {
    case Kind::kColumn:
      return fmt::format("table '{}', column '{}': left out of {}, which {} kept; {}row {}: {}",
                         table, column, count, rows == 1 ? "is" : "are", rows == 1 ? "" : "first ",
                         first_row, why);
    case Kind::kRow:
      return fmt::format("table '{}': {} left out; {}row {}: {}", table, count,
                         rows == 1 ? "" : "first ", first_row, why);
    case Kind::kTable:
      return fmt::format("table '{}' cannot be found", table);
    case Kind::kUnreadable:
      return fmt::format("table '{}': {} or fewer cannot be read", table, count);
    case Kind::kOrphan:
      break;
  }
  return fmt::format("table '{}': {} left out, since what {} to is lost", table, count,
                     rows == 1 ? "it refers" : "they refer");
}

Salvaged salvage_database(const fs::path& damaged, const fs::path& fresh) {
  std::error_code ignored;
  if (fs::exists(fresh, ignored)) {
    throw user_error(
        fmt::format("{} exists already; name a new file for what is saved", fresh.string()));
  }
  if (inspect_file(damaged).kind == FileKind::kMissing)
    throw user_error(fmt::format("{} does not exist", damaged.string()));
  // SQLite may replay or roll back a journal when it opens a file, so it gets a copy.
  const TemporaryFolder folder("warpwright-salvage");
  const fs::path twin = folder.path() / "damaged.db";
  std::error_code failed;
  fs::copy_file(damaged, twin, failed);
  if (failed) {
    throw environment_error(fmt::format("cannot copy {} to {}: {}; is the disk full?",
                                        damaged.string(), twin.string(), failed.message()));
  }
  std::error_code no_log;
  fs::copy_file(damaged.string() + "-wal", twin.string() + "-wal", no_log);

  Connection source(twin, Connection::Access::kCreate, 0, damaged.string());
  source.refuse_views();
  // Without this, SQLite refuses a file that is shorter than its header says.
  source.read_damaged_schema();
  constexpr const char* kOurTables =
      "SELECT count(*) FROM sqlite_master WHERE name IN ('trial', 'configuration', 'kernel')";
  if (source.try_execute(kOurTables) != SQLITE_OK || source.query_integer(kOurTables) == 0) {
    throw user_error(fmt::format(
        "{}: nothing can be saved: not even its list of tables can be read", damaged.string()));
  }

  UnfinishedDatabase unfinished(fresh);
  OpenedDatabase opened = open_for_writing(fresh, 0);
  Connection& target = opened.connection;
  target.execute("PRAGMA foreign_keys = OFF");
  Transaction transaction(target);
  Salvage salvage(source, target);
  for (const char* table : kTables) salvage.copy_table(table);
  salvage.drop_orphans();
  seal_all(target);
  transaction.commit();
  unfinished.finished();
  const auto count = [&](const char* sql) {
    return static_cast<std::uint64_t>(target.query_integer(sql));
  };
  return {count("SELECT count(*) FROM trial"), count("SELECT count(*) FROM sample"),
          salvage.take_losses()};
}

}  // namespace warpwright
