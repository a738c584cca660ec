// SQLite behind RAII: a connection, statements, transactions, and the errors of failed calls. Every
// connection is guarded against what a foreign file may hold. Statements and transactions must not
// outlive their connection. One connection belongs to one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/error.h"

struct sqlite3;
struct sqlite3_stmt;

namespace warpwright {

// One failed call into SQLite.
struct SqliteFault {
  std::string path;                        // as the user gave it
  int code = 0;                            // extended result code
  std::string detail;                      // sqlite3_errmsg()
  int system_errno = 0;                    // sqlite3_system_errno(); 0 when there is none
  std::optional<std::uint64_t> committed;  // trials known to be safe, for faults while writing
};

// The only place that turns SQLite's error codes into an Error with a message and a remedy. Damage
// and foreign files are for the user to resolve (kUser); locks, full disks and read-only
// places are kEnvironment; faults that no user can cause (a broken constraint, misuse) are
// kInternal.
[[nodiscard]] Error sqlite_error(const SqliteFault& fault);

// The fault of a truncated or inconsistent database, with the command that saves the rest.
[[nodiscard]] Error damaged_error(const std::string& path, const std::string& why);

// The fault of a file that is not one of our databases. The file has not been changed.
[[nodiscard]] Error not_ours_error(const std::string& path, const std::string& why);

// Prepared statements that are not in use, by their text. Preparing one again takes longer than
// most of them run.
class KeptStatements {
 public:
  KeptStatements() = default;
  ~KeptStatements();
  KeptStatements(const KeptStatements&) = delete;
  KeptStatements& operator=(const KeptStatements&) = delete;

  // Null when none is kept.
  [[nodiscard]] sqlite3_stmt* take(std::string_view sql);
  // Ready to be bound and run again; its locks are gone.
  void put(sqlite3_stmt* statement);

 private:
  std::unordered_map<std::string, sqlite3_stmt*> statements_;
};

class Connection {
 public:
  enum class Access {
    kCreate,     // read and write; created if missing
    kRead,       // must exist
    kImmutable,  // as kRead, and SQLite takes no locks and looks for no journal: for read-only
                 // places
  };
  // `name` is the file's name in messages. `vfs` selects one of SQLite's file layers; "" is the
  // default.
  Connection(const std::filesystem::path& path, Access access, int busy_ms, std::string name,
             const std::string& vfs = "");
  // A database in memory, with `name` for messages.
  [[nodiscard]] static Connection in_memory(std::string name);

  void execute(const std::string& sql);  // any number of statements, rows are dropped
  // Like execute(), but returns the extended result code instead of throwing.
  [[nodiscard]] int try_execute(const std::string& sql);
  [[nodiscard]] std::int64_t query_integer(const std::string& sql);  // of the first row; 0: none
  [[nodiscard]] std::string query_text(const std::string& sql);      // "" if there is no row

  // From now on, used statements are kept for later calls with the same text.
  void keep_statements() { kept_ = std::make_unique<KeptStatements>(); }
  // From now on, a query of a view is a fault: a name used as a table must be a table.
  void refuse_views();
  // Continues reading if SQLite finds the schema or the file's length wrong. Only for copies that
  // are read and thrown away, because the schema becomes writable too.
  void read_damaged_schema();

  // Makes this database a copy of `from`.
  void copy_from(Connection& from);

  [[nodiscard]] std::int64_t last_insert_id() const;
  [[nodiscard]] bool in_transaction() const;
  // True if the file or its folder forbids writing, whatever access was requested.
  [[nodiscard]] bool read_only() const;
  [[nodiscard]] const std::string& name() const { return name_; }

  // From now on, faults state how many trials are safe.
  void note_committed(std::uint64_t trials) { committed_ = trials; }

  [[noreturn]] void fail(int code) const;
  void check(int code) const;  // throws unless SQLITE_OK
  [[nodiscard]] sqlite3* handle() const { return handle_.get(); }
  [[nodiscard]] KeptStatements* kept() const { return kept_.get(); }  // may be null

 private:
  struct Close {
    void operator()(sqlite3* handle) const;
  };
  Connection() = default;
  void open(const std::string& uri, int flags, const std::string& vfs, int busy_ms);

  std::unique_ptr<sqlite3, Close> handle_;
  std::unique_ptr<KeptStatements> kept_;  // destroyed before the handle
  std::string name_;
  std::optional<std::uint64_t> committed_;
};

// A prepared statement. bind() fills the parameters in order from the first; next_*() reads a row's
// columns in order.
class Statement {
 public:
  Statement(const Connection& connection, std::string_view sql);

  Statement& bind(std::int64_t value);
  Statement& bind(double value);
  Statement& bind(std::string_view text);
  Statement& bind(const std::optional<double>& value);
  Statement& bind(std::span<const std::byte> blob);
  // "" is stored as NULL, for JSON columns that may be missing.
  Statement& bind_text_or_null(std::string_view text);

  // Column `index` of the row that `from` stands on.
  Statement& bind_value(const Statement& from, int index);

  // True while there is a row; afterwards reading starts at its first column.
  bool step();
  void run();    // steps to the end
  void reset();  // ready to be bound and run again

  [[nodiscard]] std::int64_t next_integer();
  [[nodiscard]] double next_real();
  [[nodiscard]] std::optional<double> next_optional_real();
  [[nodiscard]] std::string next_text();                 // NULL reads as ""
  [[nodiscard]] std::span<const std::byte> next_blob();  // valid until the next step

  // Column `index` of the row as it is stored, without conversions: SQLITE_INTEGER and so on.
  [[nodiscard]] int type_of(int index) const;
  [[nodiscard]] std::int64_t integer_at(int index) const;
  [[nodiscard]] double real_at(int index) const;
  [[nodiscard]] std::string_view bytes_at(int index) const;  // of a text or blob; as next_blob()

 private:
  struct Finalize {
    KeptStatements* kept = nullptr;
    void operator()(sqlite3_stmt* handle) const;
  };
  const Connection* connection_;
  std::unique_ptr<sqlite3_stmt, Finalize> handle_;
  int parameter_ = 0;
  int column_ = 0;
};

// A transaction that is rolled back unless commit() is reached. The outermost one takes the write
// lock at once, so that it cannot fail half-way for lack of it; a nested one is a savepoint.
class Transaction {
 public:
  explicit Transaction(Connection& connection);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Connection& connection_;
  bool nested_;
  bool done_ = false;
};

}  // namespace warpwright
