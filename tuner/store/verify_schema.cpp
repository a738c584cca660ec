#include "store/verify_schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/terminal_text.h"
#include "store/schema.h"
#include "store/sqlite_error.h"

namespace warpwright {
namespace {

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
    const bool blank = std::isspace(static_cast<unsigned char>(c)) != 0;
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

}  // namespace

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

}  // namespace warpwright
