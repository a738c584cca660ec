#include "store/open.h"

#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/terminal_text.h"
#include "core/words.h"
#include "store/file_header.h"
#include "store/schema.h"
#include "store/sqlite.h"

namespace warpwright {

namespace fs = std::filesystem;

namespace {

// Checks that the tables of a file with our mark are ours: each defined as the migrations of its
// version define it, so that no view or virtual table replaces it, no column is computed, and every
// check, key and type that reading and merging rely on exists.

// An object of a schema: "table", the table it belongs to, and the statement that made it.
struct SchemaObject {
  std::string type, table, sql;
};
using SchemaObjects = std::map<std::string, SchemaObject>;  // by name

// Puts the text on one line, because a dump that was read in again may wrap it differently. Single
// spaces stay: TEXTNOTNULL is a type, not a rule.
std::string on_one_line(std::string_view sql) {
  std::string line;
  for (const char c : sql) {
    const bool blank = is_blank(c);
    if (!blank) line += c;
    if (blank && !line.empty() && line.back() != ' ') line += ' ';
  }
  if (line.ends_with(' ')) line.pop_back();
  return line;
}

SchemaObjects objects_of(Connection& connection) {
  SchemaObjects objects;
  Statement select(connection, "SELECT name, type, tbl_name, sql FROM sqlite_master");
  while (select.step()) {
    const std::string name = select.next_text();
    SchemaObject object;
    object.type = select.next_text();
    object.table = select.next_text();
    object.sql = on_one_line(select.next_text());
    objects.insert_or_assign(name, std::move(object));
  }
  return objects;
}

// The schema that the migrations up to a version create, in memory.
Connection model_of(std::int64_t version) {
  Connection model = Connection::in_memory("the schema");
  for (const Migration& step : migrations()) {
    if (step.version <= version) model.execute(step.sql);
  }
  return model;
}

SchemaObjects expected_objects(std::int64_t version) {
  Connection model = model_of(version);
  return objects_of(model);
}

std::vector<std::string> columns_of(Connection& connection, const std::string& table) {
  // table_info() would leave out computed columns.
  Statement select(connection, "SELECT name, hidden FROM pragma_table_xinfo(?)");
  std::vector<std::string> columns;
  for (select.bind(table); select.step();) {
    const std::string name = select.next_text();
    columns.push_back(select.next_integer() == 0 ? name : name + " (computed)");
  }
  return columns;
}

// Describes the difference as precisely as possible, for example "has no column 'median_us'".
std::string difference(Connection& connection, const std::string& table, std::int64_t version) {
  Connection model = model_of(version);
  const std::vector<std::string> expected = columns_of(model, table);
  const std::vector<std::string> got = columns_of(connection, table);
  const auto lacks = [](const std::vector<std::string>& all, const std::string& name) {
    return std::find(all.begin(), all.end(), name) == all.end();
  };
  for (const std::string& column : expected) {
    if (!lacks(got, column + " (computed)"))
      return fmt::format("has a column '{}' that is computed, not stored", column);
    if (lacks(got, column)) return fmt::format("has no column '{}'", column);
  }
  for (const std::string& column : got) {
    if (lacks(expected, column))
      return fmt::format("has a column '{}' too many", terminal_line(column));
  }
  return "has other types, keys or checks than warpwright gives it";
}

class SchemaCheck {
 public:
  explicit SchemaCheck(Connection& connection)
      : connection_(connection),
        version_(connection.query_integer("PRAGMA user_version")),
        got_(objects_of(connection)),
        expected_(expected_objects(version_)) {}

  void run() const {
    // A missing table takes its indices with it, so tables are checked first.
    for (const char* type : {"table", "index"}) {
      for (const auto& [name, object] : expected_)
        if (object.type == type) check_kind(name, object);
      for (const auto& [name, object] : expected_)
        if (object.type == type) check_ours(name, object);
    }
    // Objects that later migrations create must not exist yet.
    for (const auto& [name, object] : expected_objects(current_schema_version())) {
      if (!expected_.contains(name) && got_.contains(name)) {
        fail(fmt::format("{} '{}' is of a newer schema than {}, the version of the file",
                         got_.at(name).type, name, version_));
      }
    }
    for (const View& view : views()) {
      const auto found = got_.find(view.name);
      if (found != got_.end() && found->second.type != "view")
        fail(fmt::format("'{}' is not a view but {} {}", view.name, article(found->second.type),
                         found->second.type));
    }
    for (const auto& [name, object] : got_) check_other(name, object);
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw damaged_error(connection_.name(), why);
  }

  static const char* article(const std::string& type) { return type == "index" ? "an" : "a"; }

  void check_kind(const std::string& name, const SchemaObject& expected) const {
    const auto found = got_.find(name);
    if (found == got_.end()) fail(fmt::format("there is no {} '{}'", expected.type, name));
    const bool table = expected.type == "table";
    if (table && found->second.sql.starts_with("CREATE VIRTUAL"))
      fail(fmt::format("table '{}' is a virtual one, expected one that holds rows", name));
    if (found->second.type == expected.type) return;
    fail(fmt::format("'{}' is {} {}, expected {} {}", name, article(found->second.type),
                     found->second.type, article(expected.type), expected.type));
  }

  void check_ours(const std::string& name, const SchemaObject& expected) const {
    const SchemaObject& got = got_.at(name);
    if (got.sql == expected.sql && got.table == expected.table) return;
    if (got.type == "index") fail(fmt::format("index '{}' is of other columns", name));
    fail(fmt::format("table '{}' {}", name, difference(connection_, name, version_)));
  }

  void check_other(const std::string& name, const SchemaObject& got) const {
    if (got.type != "index" || expected_.contains(name)) return;
    const auto table = expected_.find(got.table);
    if (table == expected_.end() || table->second.type != "table") return;
    throw user_error(
        fmt::format("{}: index '{}' on table '{}' is not one of warpwright's and may refuse what "
                    "it stores; take "
                    "it out with sqlite3: DROP INDEX \"{}\"",
                    connection_.name(), terminal_line(name), got.table, terminal_line(name)));
  }

  Connection& connection_;
  std::int64_t version_;
  SchemaObjects got_, expected_;
};

// Additional tables, views and triggers are ignored: our code neither reads nor triggers them.
// Throws a damaged_error() that names the difference, and Error (user) for a foreign index on one
// of our tables, because it may reject our rows. Changes nothing.
void verify_schema(Connection& connection) {
  // Another process may be migrating the file, so everything is read from one state of it.
  connection.execute("BEGIN");
  try {
    SchemaCheck(connection).run();
  } catch (...) {
    static_cast<void>(connection.try_execute("ROLLBACK"));
    throw;
  }
  connection.execute("COMMIT");
}

// Recreates our views if they are missing or differ, in one transaction. Only at the current
// version.
void restore_views(Connection& connection) {
  const SchemaObjects there = objects_of(connection);
  const auto as_ours = [&](const View& view) {
    const auto found = there.find(view.name);
    return found != there.end() && found->second.sql == on_one_line(view.sql);
  };
  if (std::all_of(views().begin(), views().end(), as_ours)) return;
  Transaction transaction(connection);
  for (const View& view : views())
    connection.execute(fmt::format("DROP VIEW IF EXISTS {}", view.name));
  for (const View& view : views()) connection.execute(view.sql);
  transaction.commit();
}

// A full check of a larger file would delay every start noticeably; its damage is found when the
// page is read.
constexpr std::uint64_t kQuickCheckBytes = 32 << 20;

// The size limit, in bytes, of the list of another program's tables in a message.
constexpr std::size_t kShownTables = 200;

// Reads page 1, and with it any journal that lies next to the file.
constexpr const char* kTouch = "SELECT count(*) FROM sqlite_master";

bool needs_shared_memory(int code) {
  switch (code) {
    case SQLITE_IOERR_SHMOPEN:
    case SQLITE_IOERR_SHMSIZE:
    case SQLITE_IOERR_SHMLOCK:
    case SQLITE_IOERR_SHMMAP:
    case SQLITE_PROTOCOL:
      return true;
    default:
      return (code & 0xff) == SQLITE_CANTOPEN;
  }
}

std::string tables_of(Connection& connection) {
  return connection.query_text(
      "SELECT group_concat(name, ', ') FROM (SELECT name FROM sqlite_master WHERE type = 'table' "
      "ORDER BY name LIMIT 4)");
}

// An SQLite file without our mark is accepted only if it is empty. Another process may be creating
// the database at the same time, so everything is read from one state of it.
void refuse_foreign(Connection& connection) {
  connection.execute("BEGIN");
  const std::int64_t mark = connection.query_integer("PRAGMA application_id");
  const std::int64_t version = connection.query_integer("PRAGMA user_version");
  const std::string tables = tables_of(connection);
  connection.execute("COMMIT");
  if (mark == kApplicationId) return;
  if (!tables.empty()) {
    throw not_ours_error(connection.name(),
                         fmt::format("it is an SQLite database of another program (tables: {})",
                                     terminal_line(tables.substr(0, kShownTables))));
  }
  if (mark != 0 || version != 0)
    throw not_ours_error(connection.name(), "it is an empty SQLite database of another program");
}

void refuse_unusable(const fs::path& path, const FileHeader& file) {
  const std::string name = path.string();
  switch (file.kind) {
    case FileKind::kNotSqlite:
      throw not_ours_error(name, "it does not start as an SQLite file does");
    case FileKind::kTruncated:
      throw damaged_error(name, fmt::format("it is truncated: expected at least {} bytes, got {}",
                                            file.expected_bytes, file.bytes));
    case FileKind::kOther: {
      Connection look(path, Connection::Access::kImmutable, 0, name);
      refuse_foreign(look);
      break;
    }
    case FileKind::kMissing:
    case FileKind::kEmpty:
    case FileKind::kOurs:
    case FileKind::kUnsettled:
      break;
  }
}

void refuse_newer(Connection& connection) {
  const std::int64_t version = connection.query_integer("PRAGMA user_version");
  if (version > current_schema_version()) {
    throw user_error(
        fmt::format("{}: schema {} was written by a newer warpwright; this one reads {}; update it",
                    connection.name(), version, current_schema_version()));
  }
}

void refuse_damaged(Connection& connection, const FileHeader& file) {
  if (file.bytes == 0 || file.bytes > kQuickCheckBytes) return;
  std::string found = connection.query_text("PRAGMA quick_check(1)");
  if (found == "ok") return;
  // SQLite begins its list of findings with a line that names the database "main".
  if (const std::size_t end = found.find('\n'); end != std::string::npos) found.erase(0, end + 1);
  throw damaged_error(connection.name(), found);
}

// Checks the claims of the file about itself before any content is used.
void refuse_unfit(Connection& connection) {
  connection.refuse_views();
  refuse_foreign(connection);
  refuse_newer(connection);
  verify_schema(connection);
}

// If memory cannot be shared between processes (some network file systems), a database that was
// made elsewhere in WAL mode still opens for one process alone; it is then switched to a rollback
// journal.
void leave_wal(Connection& connection) {
  connection.execute("PRAGMA locking_mode = EXCLUSIVE");
  connection.execute(kTouch);
  connection.execute("PRAGMA journal_mode = DELETE");
  connection.execute("PRAGMA locking_mode = NORMAL");
  connection.execute(kTouch);
}

Connection open_read_only_place(const fs::path& path, const FileHeader& file,
                                std::unique_ptr<TemporaryFolder>& copy) {
  const std::string name = path.string();
  if (!file.has_log) return Connection(path, Connection::Access::kImmutable, 0, name);
  // The newest trials are still in the log, and reading a log requires a writable folder.
  copy = std::make_unique<TemporaryFolder>("warpwright-db");
  const fs::path twin = copy->path() / "copy.db";
  for (const char* part : {"", "-wal"}) {
    std::error_code failed;
    fs::copy_file(name + part, twin.string() + part, failed);
    if (failed) {
      throw environment_error(fmt::format("cannot copy {}{} to {}: {}", name, part,
                                          copy->path().string(), failed.message()));
    }
  }
  return Connection(twin, Connection::Access::kCreate, 0, name);
}

}  // namespace

OpenedDatabase open_for_writing(const fs::path& path, int busy_ms, const std::string& vfs) {
  const FileHeader file = inspect_file(path);
  refuse_unusable(path, file);
  const fs::path folder = fs::absolute(path).parent_path();
  std::error_code unreadable;
  if (fs::exists(folder, unreadable) && !fs::is_directory(folder, unreadable)) {
    throw environment_error(fmt::format(
        "{}: a file is in the place of its folder, {}; use --db FILE for another database",
        path.string(), folder.string()));
  }
  if (!fs::is_directory(folder, unreadable)) {
    throw user_error(
        fmt::format("{}: there is no folder {}; make it with `mkdir -p {}` or use --db "
                    "FILE for another database",
                    path.string(), folder.string(), folder.string()));
  }
  // A journal has to be created next to the file. SQLite would report "unable to open" and lose the
  // reason.
  if (access(folder.c_str(), W_OK) != 0)
    throw sqlite_error({path.string(), SQLITE_READONLY, "", errno, {}});

  OpenedDatabase opened{nullptr,
                        Connection(path, Connection::Access::kCreate, busy_ms, path.string(), vfs)};
  Connection& connection = opened.connection;
  if (const int code = connection.try_execute(kTouch); needs_shared_memory(code)) {
    leave_wal(connection);
  } else {
    connection.check(code);
  }
  refuse_unfit(connection);
  if (connection.read_only()) connection.fail(SQLITE_READONLY);
  refuse_damaged(connection, file);

  // The first migration runs before the switch to WAL, so that our mark is in the file itself,
  // where inspect_file() looks.
  if (!migrate(connection, migrations(), views())) restore_views(connection);
  // A file system without WAL keeps its rollback journal, which is slower but just as safe.
  static_cast<void>(connection.try_execute("PRAGMA journal_mode = WAL"));
  connection.execute("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
  return opened;
}

OpenedDatabase open_for_reading(const fs::path& path, int busy_ms) {
  const std::string name = path.string();
  const FileHeader file = inspect_file(path);
  if (file.kind == FileKind::kMissing || file.kind == FileKind::kEmpty) {
    throw user_error(fmt::format(
        "{} {}; run `warpwright sweep CONFIG` first, or use --db FILE for another database", name,
        file.kind == FileKind::kMissing ? "does not exist" : "is empty"));
  }
  refuse_unusable(path, file);

  OpenedDatabase opened{nullptr, Connection(path, Connection::Access::kRead, busy_ms, name)};
  const int code = opened.connection.try_execute(kTouch);
  if (needs_shared_memory(code) || (code & 0xff) == SQLITE_READONLY) {
    opened.connection = open_read_only_place(path, file, opened.copy);
  } else {
    opened.connection.check(code);
  }
  refuse_unfit(opened.connection);
  refuse_damaged(opened.connection, file);

  if (opened.connection.query_integer("PRAGMA user_version") < current_schema_version()) {
    Connection memory = Connection::in_memory(name);
    memory.refuse_views();
    memory.copy_from(opened.connection);
    migrate(memory, migrations(), views());
    opened.connection = std::move(memory);
  }
  return opened;
}

}  // namespace warpwright
