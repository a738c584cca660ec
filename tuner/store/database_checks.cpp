// The part of Database that stores and reads contract checks.
#include <fmt/format.h>

#include "store/columns.h"
#include "store/database.h"
#include "store/database_impl.h"
#include "store/row_seal.h"

namespace warpwright {

void Database::put_contract_check(const ContractCheckRecord& record) {
  Connection& connection = impl_->connection();
  Transaction transaction(connection);
  const RowId problem = put_problem(connection, record.problem.text(), record.problem_text);
  const std::string same = fmt::format("run_id = {} AND kernel_id = {} AND problem_id = {}",
                                       record.run, record.kernel, problem);
  require_sealed(connection, "contract_check", same);
  Statement(connection,
            "INSERT INTO contract_check (run_id, kernel_id, problem_id, remarks) "
            "VALUES (?, ?, ?, ?) ON CONFLICT (run_id, kernel_id, problem_id) "
            "DO UPDATE SET remarks = excluded.remarks")
      .bind(record.run)
      .bind(record.kernel)
      .bind(problem)
      .bind(record.remarks.text())
      .run();
  seal_row(connection, "contract_check",
           connection.query_integer("SELECT rowid FROM contract_check WHERE " + same));
  transaction.commit();
}

std::vector<Database::ContractCheckRow> Database::contract_checks(
    const std::optional<std::string>& kernel) const {
  Statement select(impl_->connection(), "SELECT " + sealed_columns("contract_check", "c") +
                                            sealed_columns("problem", "p") +
                                            sealed_columns("kernel", "k") + R"sql(
           c.run_id, c.kernel_id, p.sizes, p.text, c.remarks, k.name, k.contract_hash
    FROM contract_check c
    JOIN kernel k ON k.id = c.kernel_id
    JOIN problem p ON p.id = c.problem_id
    WHERE ? = '' OR k.name = ?
    ORDER BY c.run_id, c.rowid)sql");
  const std::string name = kernel.value_or("");
  select.bind(name).bind(name);
  std::vector<ContractCheckRow> rows;
  while (select.step()) {
    ContractCheckRow row;
    const RowId number = next_sealed_row(impl_->connection(), select, "contract_check");
    for (const char* table : {"problem", "kernel"})
      static_cast<void>(next_sealed_row(impl_->connection(), select, table));
    row.check.run = select.next_integer();
    row.check.kernel = select.next_integer();
    row.check.problem =
        stored_column<Problem>(select.next_text(), {"contract check", number, "problem"});
    row.check.problem_text = select.next_text();
    row.check.remarks = stored_column<std::vector<ContractRemark>>(
        select.next_text(), {"contract check", number, "remarks"});
    row.kernel_name = select.next_text();
    row.contract_hash = select.next_text();
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace warpwright
