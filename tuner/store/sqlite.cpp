#include "store/sqlite.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "store/row_seal.h"

namespace warpwright {
namespace {

// Connections to files from untrusted sources are restricted. A schema is a program: its triggers
// run on every change, its views can replace tables, and its checks and generated columns call
// functions. None of it is trusted, not even with our mark, which anybody can write. Sources:
// SQLite, "Defense Against The Dark Arts"; sqlite3_db_config().

// The same limit as for unpacking compressed results (exchange/gzip.h); stored values are far
// smaller.
constexpr int kLargestValueBytes = 256 << 20;

// The checks of our tables call json_valid(), which SQLite does not count among the functions that
// an untrusted schema may call; this replacement may be called. It is no stricter than the readers
// of the columns, and returns 0 for a blob, for which SQLite's own fails.
void json_valid(sqlite3_context* context, int /*count*/, sqlite3_value** values) {
  const int type = sqlite3_value_type(values[0]);
  if (type == SQLITE_NULL) return;
  if (type == SQLITE_BLOB) {
    sqlite3_result_int(context, 0);
    return;
  }
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(values[0]));
  const auto bytes = static_cast<std::size_t>(sqlite3_value_bytes(values[0]));
  const bool valid = text != nullptr && nlohmann::json::accept(text, text + bytes);
  sqlite3_result_int(context, valid ? 1 : 0);
}

int configure(sqlite3* handle, int option, int value) {
  return sqlite3_db_config(handle, option, value, nullptr);
}

// Call it before anything is read: forbids triggers, direct writes to the schema, functions with
// side effects in it, and values of more than 256 MiB. Cascading keys keep working. Returns an
// SQLite result code.
[[nodiscard]] int guard(sqlite3* handle) {
  static constexpr std::array<std::pair<int, int>, 3> kSettings = {
      {{SQLITE_DBCONFIG_DEFENSIVE, 1},
       {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
       {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0}}};
  for (const auto& [option, value] : kSettings) {
    if (const int code = configure(handle, option, value); code != SQLITE_OK) return code;
  }
  sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, kLargestValueBytes);
  if (const int code = add_seal_functions(handle); code != SQLITE_OK) return code;
  return sqlite3_create_function_v2(handle, "json_valid", 1,
                                    SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, nullptr,
                                    &json_valid, nullptr, nullptr, nullptr);
}

// Forbids reading views. People and tests read them before this call.
[[nodiscard]] int refuse_views(sqlite3* handle) {
  return configure(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0);
}

// "; 12 trials committed so far are safe", or "" if nothing was being written.
std::string safe_clause(const std::optional<std::uint64_t>& committed) {
  if (!committed) return "";
  return *committed == 1 ? "; 1 trial committed so far is safe"
                         : fmt::format("; {} trials committed so far are safe", *committed);
}

// SQLite reports a quota or a file size limit as a plain I/O error; to the user, both are a full
// disk.
bool means_full(const SqliteFault& fault) {
  if ((fault.code & 0xff) == SQLITE_FULL) return true;
  return (fault.code & 0xff) == SQLITE_IOERR &&
         (fault.system_errno == ENOSPC || fault.system_errno == EDQUOT ||
          fault.system_errno == EFBIG);
}

Error full_error(const SqliteFault& fault) {
  const std::string why =
      fault.system_errno != 0 ? std::strerror(fault.system_errno) : "no room for another trial";
  return environment_error(fmt::format(
      "disk is full: {}: {}{}; free some space and run the same command again, it resumes",
      fault.path, why, safe_clause(fault.committed)));
}

// Our statements fit the schema that every open checks or creates, so an object that they miss was
// removed from the file by damage or by hand, and a forbidden action in its schema was added the
// same way.
bool comes_from_the_file(const SqliteFault& fault) {
  constexpr std::array kBeginnings = {
      "no such column: ", "no such table: ", "access to view ",
      "unsafe use of ",   "malformed JSON",  "unsupported file format"};
  return fault.code == SQLITE_ERROR &&
         std::any_of(kBeginnings.begin(), kBeginnings.end(),
                     [&](const char* beginning) { return fault.detail.starts_with(beginning); });
}

Error io_error(const SqliteFault& fault) {
  const std::string why =
      fault.system_errno != 0 ? std::strerror(fault.system_errno) : fault.detail;
  return environment_error(fmt::format(
      "{}: the disk failed: {}{}; check the disk and run the same command again, it resumes",
      fault.path, why, safe_clause(fault.committed)));
}

}  // namespace

Error damaged_error(const std::string& path, const std::string& why) {
  const std::filesystem::path file(path);
  const std::string saved =
      (file.parent_path() / (file.stem().string() + "-recovered.db")).string();
  return user_error(fmt::format(
      "{} is damaged: {}; save what is left with `warpwright salvage {} -o {}`, then use --db {}",
      path, why, path, saved, saved));
}

Error not_ours_error(const std::string& path, const std::string& why) {
  return user_error(
      fmt::format("{} is not a Warpwright database: {}; it was left untouched; use --db FILE for "
                  "another database",
                  path, why));
}

Error sqlite_error(const SqliteFault& fault) {
  if (means_full(fault)) return full_error(fault);
  if (comes_from_the_file(fault)) return damaged_error(fault.path, fault.detail);
  switch (fault.code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return environment_error(
          fmt::format("{} is locked by another process; wait for it or use --db FILE for another "
                      "database",
                      fault.path));
    case SQLITE_READONLY:
      if (fault.code == SQLITE_READONLY_DBMOVED) {
        return environment_error(fmt::format(
            "{} was moved or deleted while it was in use{}; put it back or run the command again",
            fault.path, safe_clause(fault.committed)));
      }
      return environment_error(fmt::format(
          "{} cannot be written: the file or its folder is read-only; make both writable "
          "or use --db FILE for another database",
          fault.path));
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return environment_error(fmt::format(
          "{} cannot be opened: {}; check the folder and its permissions or use --db FILE for "
          "another "
          "database",
          fault.path, fault.system_errno != 0 ? std::strerror(fault.system_errno) : fault.detail));
    case SQLITE_IOERR:
      return io_error(fault);
    case SQLITE_NOTADB:
      return not_ours_error(fault.path, fault.detail);
    case SQLITE_CORRUPT:
      return damaged_error(fault.path, fault.detail);
    case SQLITE_TOOBIG:
      return user_error(fmt::format(
          "{}: a row with a text or blob of more than 256 MiB, which nothing of warpwright's comes "
          "near; take it out, or use --db FILE for another database",
          fault.path));
    case SQLITE_NOMEM:
      return environment_error(fmt::format("{}: out of memory{}; free some memory and run again",
                                           fault.path, safe_clause(fault.committed)));
    default:
      return Error(Fault::kInternal, fmt::format("{}: SQLite error {}: {}; please report this",
                                                 fault.path, fault.code, fault.detail));
  }
}

namespace {

// SQLite reads file names as URIs here, so `?`, `#` and `%` in a folder's name must be escaped.
std::string file_uri(const std::filesystem::path& path) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  std::string uri = "file:";
  for (const unsigned char c : std::filesystem::absolute(path).string()) {
    if (c == '?' || c == '#' || c == '%') {
      uri += {'%', kHex[c >> 4], kHex[c & 15]};
    } else {
      uri += static_cast<char>(c);
    }
  }
  return uri;
}

}  // namespace

void Connection::Close::operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }

void Connection::open(const std::string& uri, int flags, const std::string& vfs, int busy_ms) {
  sqlite3* raw = nullptr;
  const int code =
      sqlite3_open_v2(uri.c_str(), &raw, flags | SQLITE_OPEN_URI | SQLITE_OPEN_EXRESCODE,
                      vfs.empty() ? nullptr : vfs.c_str());
  handle_.reset(raw);  // also after a failure: the handle then holds SQLite's message
  check(code);
  check(guard(raw));
  check(sqlite3_busy_timeout(raw, busy_ms));
}

Connection::Connection(const std::filesystem::path& path, Access access, int busy_ms,
                       std::string name, const std::string& vfs)
    : name_(std::move(name)) {
  const int flags =
      access == Access::kCreate ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
  open(file_uri(path) + (access == Access::kImmutable ? "?immutable=1" : ""), flags, vfs, busy_ms);
}

Connection Connection::in_memory(std::string name) {
  Connection connection;
  connection.name_ = std::move(name);
  connection.open(":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, "", 0);
  return connection;
}

void Connection::fail(int code) const {
  const int last_errno = errno;
  SqliteFault fault{name_, code, "", 0, committed_};
  if (handle_ != nullptr) {
    const int extended = sqlite3_extended_errcode(handle_.get());
    // The handle keeps its last fault; the message belongs to this one only if the codes agree.
    const bool same = (extended & 0xff) == (code & 0xff);
    fault.code = same ? extended : code;
    fault.detail = same ? sqlite3_errmsg(handle_.get()) : sqlite3_errstr(code);
    if (same) fault.system_errno = sqlite3_system_errno(handle_.get());
    // SQLite does not record why a COMMIT could not write; the system's error code is still
    // available.
    if (fault.system_errno == 0 && (code & 0xff) == SQLITE_IOERR) fault.system_errno = last_errno;
  } else {
    fault.detail = sqlite3_errstr(code);
  }
  throw sqlite_error(fault);
}

void Connection::refuse_views() { check(warpwright::refuse_views(handle_.get())); }

void Connection::read_damaged_schema() {
  check(sqlite3_db_config(handle_.get(), SQLITE_DBCONFIG_DEFENSIVE, 0, nullptr));
  static_cast<void>(try_execute("PRAGMA writable_schema = ON"));
}

void Connection::check(int code) const {
  if (code != SQLITE_OK) fail(code);
}

int Connection::try_execute(const std::string& sql) {
  errno = 0;
  return sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr);
}

void Connection::execute(const std::string& sql) { check(try_execute(sql)); }

std::int64_t Connection::query_integer(const std::string& sql) {
  Statement statement(*this, sql);
  return statement.step() ? statement.next_integer() : 0;
}

std::string Connection::query_text(const std::string& sql) {
  Statement statement(*this, sql);
  return statement.step() ? statement.next_text() : "";
}

void Connection::copy_from(Connection& from) {
  sqlite3_backup* backup = sqlite3_backup_init(handle_.get(), "main", from.handle(), "main");
  if (backup == nullptr) fail(sqlite3_errcode(handle_.get()));
  const int stepped = sqlite3_backup_step(backup, -1);
  const int finished = sqlite3_backup_finish(backup);
  if (stepped != SQLITE_DONE) from.fail(finished != SQLITE_OK ? finished : stepped);
}

std::int64_t Connection::last_insert_id() const { return sqlite3_last_insert_rowid(handle_.get()); }

bool Connection::in_transaction() const { return sqlite3_get_autocommit(handle_.get()) == 0; }

bool Connection::read_only() const { return sqlite3_db_readonly(handle_.get(), "main") == 1; }

KeptStatements::~KeptStatements() {
  for (const auto& [sql, statement] : statements_) sqlite3_finalize(statement);
}

sqlite3_stmt* KeptStatements::take(std::string_view sql) {
  const auto found = statements_.find(std::string(sql));
  if (found == statements_.end()) return nullptr;
  return statements_.extract(found).mapped();
}

void KeptStatements::put(sqlite3_stmt* statement) {
  constexpr std::size_t kMax = 64;
  sqlite3_reset(statement);  // repeats the fault of the last step, which has been thrown already
  sqlite3_clear_bindings(statement);
  if (statements_.size() >= kMax || !statements_.emplace(sqlite3_sql(statement), statement).second)
    sqlite3_finalize(statement);
}

void Statement::Finalize::operator()(sqlite3_stmt* handle) const {
  kept != nullptr ? kept->put(handle) : static_cast<void>(sqlite3_finalize(handle));
}

Statement::Statement(const Connection& connection, std::string_view sql)
    : connection_(&connection), handle_(nullptr, Finalize{connection.kept()}) {
  sqlite3_stmt* raw = connection.kept() != nullptr ? connection.kept()->take(sql) : nullptr;
  if (raw == nullptr) {
    connection.check(sqlite3_prepare_v2(connection.handle(), sql.data(),
                                        static_cast<int>(sql.size()), &raw, nullptr));
  }
  handle_.reset(raw);
}

Statement& Statement::bind(std::int64_t value) {
  connection_->check(sqlite3_bind_int64(handle_.get(), ++parameter_, value));
  return *this;
}

Statement& Statement::bind(double value) {
  connection_->check(sqlite3_bind_double(handle_.get(), ++parameter_, value));
  return *this;
}

Statement& Statement::bind(std::string_view text) {
  // An empty view may hold a null pointer, which SQLite would store as NULL.
  const char* data = text.data() != nullptr ? text.data() : "";
  connection_->check(sqlite3_bind_text64(handle_.get(), ++parameter_, data, text.size(),
                                         SQLITE_TRANSIENT, SQLITE_UTF8));
  return *this;
}

Statement& Statement::bind(const std::optional<double>& value) {
  if (value) return bind(*value);
  connection_->check(sqlite3_bind_null(handle_.get(), ++parameter_));
  return *this;
}

Statement& Statement::bind(std::span<const std::byte> blob) {
  connection_->check(
      sqlite3_bind_blob64(handle_.get(), ++parameter_, blob.data(), blob.size(), SQLITE_TRANSIENT));
  return *this;
}

Statement& Statement::bind_text_or_null(std::string_view text) {
  return text.empty() ? bind(std::optional<double>()) : bind(text);
}

Statement& Statement::bind_value(const Statement& from, int index) {
  connection_->check(sqlite3_bind_value(handle_.get(), ++parameter_,
                                        sqlite3_column_value(from.handle_.get(), index)));
  return *this;
}

bool Statement::step() {
  errno = 0;
  const int code = sqlite3_step(handle_.get());
  column_ = 0;
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) connection_->fail(code);
  return false;
}

void Statement::run() {
  while (step()) {
  }
}

void Statement::reset() {
  sqlite3_reset(
      handle_.get());  // repeats the fault of the last step, which has been thrown already
  sqlite3_clear_bindings(handle_.get());
  parameter_ = 0;
}

std::int64_t Statement::next_integer() { return sqlite3_column_int64(handle_.get(), column_++); }

double Statement::next_real() { return sqlite3_column_double(handle_.get(), column_++); }

std::optional<double> Statement::next_optional_real() {
  if (sqlite3_column_type(handle_.get(), column_) == SQLITE_NULL) {
    ++column_;
    return std::nullopt;
  }
  return next_real();
}

std::string Statement::next_text() {
  const int column = column_++;
  const unsigned char* text = sqlite3_column_text(handle_.get(), column);
  if (text == nullptr) return "";
  return std::string(reinterpret_cast<const char*>(text),
                     static_cast<std::size_t>(sqlite3_column_bytes(handle_.get(), column)));
}

std::span<const std::byte> Statement::next_blob() {
  const int column = column_++;
  const void* data = sqlite3_column_blob(handle_.get(), column);
  return {static_cast<const std::byte*>(data),
          static_cast<std::size_t>(sqlite3_column_bytes(handle_.get(), column))};
}

int Statement::type_of(int index) const { return sqlite3_column_type(handle_.get(), index); }

std::int64_t Statement::integer_at(int index) const {
  return sqlite3_column_int64(handle_.get(), index);
}

double Statement::real_at(int index) const { return sqlite3_column_double(handle_.get(), index); }

std::string_view Statement::bytes_at(int index) const {
  // The text may be stored as UTF-16.
  const void* data = type_of(index) == SQLITE_TEXT ? sqlite3_column_text(handle_.get(), index)
                                                   : sqlite3_column_blob(handle_.get(), index);
  return {static_cast<const char*>(data),
          static_cast<std::size_t>(sqlite3_column_bytes(handle_.get(), index))};
}

Transaction::Transaction(Connection& connection)
    : connection_(connection), nested_(connection.in_transaction()) {
  connection_.execute(nested_ ? "SAVEPOINT inner" : "BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  if (done_) return;
  try {
    // SQLite has already rolled back by itself after a full disk or an I/O error.
    if (!connection_.in_transaction()) return;
    connection_.execute(nested_ ? "ROLLBACK TO inner; RELEASE inner" : "ROLLBACK");
  } catch (const std::exception&) {
    // The journal brings the old state back when the file is next opened.
  }
}

void Transaction::commit() {
  connection_.execute(nested_ ? "RELEASE inner" : "COMMIT");
  done_ = true;
}

}  // namespace warpwright
