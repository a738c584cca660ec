#include "store/open.h"

#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "core/error.h"
#include "core/terminal_text.h"
#include "store/file_header.h"
#include "store/schema.h"
#include "store/sqlite_error.h"
#include "store/verify_schema.h"

namespace warpwright {
namespace fs = std::filesystem;
namespace {

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
