#include "store/salvage.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <array>
#include <set>
#include <string>
#include <system_error>

#include "core/error.h"
#include "core/files.h"
#include "store/file_header.h"
#include "store/open.h"
#include "store/sqlite.h"

namespace warpwright {
namespace fs = std::filesystem;
namespace {

// What a row refers to comes before it.
constexpr std::array kTables = {"device",        "kernel",  "problem",      "configuration",
                                "run",           "trial",   "sample",       "ceiling",
                                "kernel_source", "ranking", "ranking_entry"};

// How far beyond the last readable row to look when the end of a table cannot be read.
constexpr std::int64_t kBlindRows = 4096;

class Salvage {
 public:
  Salvage(Connection& damaged, Connection& fresh) : damaged_(damaged), fresh_(fresh) {}

  void copy_table(const std::string& table) {
    const std::string columns = shared_columns(table);
    if (columns.empty()) return;
    select_ = fmt::format("SELECT {} FROM {} WHERE rowid BETWEEN ? AND ?", columns, table);
    // A row that was damaged into breaking a rule of the schema is left out.
    insert_ =
        fmt::format("INSERT OR IGNORE INTO {} ({}) SELECT {}", table, columns, marks(columns));
    copy_rows(0, last_row(table));
  }

  // A row whose partner was lost would break a reference.
  void drop_orphans() {
    for (const char* parent : {"run", "kernel", "device", "problem", "configuration"}) {
      fresh_.execute(
          fmt::format("DELETE FROM trial WHERE {0}_id NOT IN (SELECT id FROM {0})", parent));
    }
    fresh_.execute("UPDATE trial SET same_as = NULL WHERE same_as NOT IN (SELECT id FROM trial)");
    fresh_.execute("DELETE FROM sample WHERE trial_id NOT IN (SELECT id FROM trial)");
    fresh_.execute("DELETE FROM kernel_source WHERE kernel_id NOT IN (SELECT id FROM kernel)");
    // A ranking that lost a finalist would claim that the others met alone.
    fresh_.execute(
        "DELETE FROM ranking WHERE run_id NOT IN (SELECT id FROM run) "
        "OR device_id NOT IN (SELECT id FROM device) OR problem_id NOT IN (SELECT id FROM problem) "
        "OR winner_id NOT IN (SELECT id FROM trial) "
        "OR id IN (SELECT ranking_id FROM ranking_entry WHERE trial_id NOT IN (SELECT id FROM "
        "trial)) OR id NOT IN (SELECT ranking_id FROM ranking_entry GROUP BY ranking_id "
        "HAVING count(*) = max(place))");
    fresh_.execute("DELETE FROM ranking_entry WHERE ranking_id NOT IN (SELECT id FROM ranking)");
    fresh_.execute("DELETE FROM ceiling WHERE device_id NOT IN (SELECT id FROM device)");
  }

 private:
  // The columns that both schemas know, quoted; "" when there is no such table.
  std::string shared_columns(const std::string& table) {
    const std::string sql = fmt::format("SELECT name FROM pragma_table_info('{}')", table);
    std::set<std::string> known;
    for (Statement names(damaged_, sql); names.step();) known.insert(names.next_text());
    std::string columns;
    for (Statement names(fresh_, sql); names.step();) {
      const std::string name = names.next_text();
      if (known.contains(name)) columns += (columns.empty() ? "\"" : ", \"") + name + "\"";
    }
    return columns;
  }

  // "?, ?, ?" for as many columns.
  static std::string marks(const std::string& columns) {
    std::string text = "?";
    for (const char c : columns) {
      if (c == ',') text += ", ?";
    }
    return text;
  }

  std::int64_t last_row(const std::string& table) {
    try {
      return damaged_.query_integer(fmt::format("SELECT max(rowid) FROM {}", table));
    } catch (const Error&) {
      return last_numbered() + kBlindRows;
    }
  }

  // The highest trial number ever given out, where that can be read; samples have the same numbers.
  std::int64_t last_numbered() {
    try {
      return damaged_.query_integer("SELECT max(seq) FROM sqlite_sequence");
    } catch (const Error&) {
      return 0;
    }
  }

  // Copies a range of rows; where a page is damaged, by halves, until only its own rows are left
  // out.
  void copy_rows(std::int64_t first, std::int64_t last) {
    if (copy_until_damage(first, last) || first == last) return;
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
      insert.bind_row(select).run();
      insert.reset();
    }
  }

  Connection& damaged_;
  Connection& fresh_;
  std::string select_;
  std::string insert_;
};

}  // namespace

Salvaged salvage_database(const fs::path& damaged, const fs::path& fresh) {
  if (fs::exists(fresh)) {
    throw user_error(
        fmt::format("{} exists already; name a new file for what is saved", fresh.string()));
  }
  if (inspect_file(damaged).kind == FileKind::kMissing)
    throw user_error(fmt::format("{} does not exist", damaged.string()));
  // SQLite may roll a journal back or forth when it opens a file, so it gets a copy.
  const TemporaryFolder folder("warpwright-salvage");
  const fs::path twin = folder.path() / "damaged.db";
  fs::copy_file(damaged, twin);
  std::error_code no_log;
  fs::copy_file(damaged.string() + "-wal", twin.string() + "-wal", no_log);

  Connection source(twin, Connection::Access::kCreate, 0, damaged.string());
  // Otherwise SQLite refuses a file that is shorter than its header says.
  static_cast<void>(source.try_execute("PRAGMA writable_schema = ON"));
  constexpr const char* kOurTables =
      "SELECT count(*) FROM sqlite_master WHERE name IN ('trial', 'configuration', 'kernel')";
  if (source.try_execute(kOurTables) != SQLITE_OK || source.query_integer(kOurTables) == 0) {
    throw user_error(fmt::format(
        "{}: nothing can be saved: not even its list of tables can be read", damaged.string()));
  }

  OpenedDatabase opened = open_for_writing(fresh, 0);
  Connection& target = opened.connection;
  target.execute("PRAGMA foreign_keys = OFF");
  Transaction transaction(target);
  Salvage salvage(source, target);
  for (const char* table : kTables) salvage.copy_table(table);
  salvage.drop_orphans();
  transaction.commit();
  const auto count = [&](const char* sql) {
    return static_cast<std::uint64_t>(target.query_integer(sql));
  };
  return {count("SELECT count(*) FROM trial"), count("SELECT count(*) FROM sample")};
}

}  // namespace warpwright
