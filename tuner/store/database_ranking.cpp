// The part of Database that stores and reads final rankings.
#include <fmt/format.h>

#include "core/error.h"
#include "records/times.h"
#include "store/columns.h"
#include "store/database.h"
#include "store/database_impl.h"
#include "store/row_seal.h"
#include "store/sqlite.h"

namespace warpwright {
namespace {

// Returns the first broken invariant that readers of a ranking rely on; nullptr if all hold.
const char* broken_promise(const RankingRecord& record) {
  if (record.entries.empty()) return "a ranking has entries";
  int place = 0;
  for (const RankingEntryRecord& entry : record.entries) {
    if (entry.place != ++place) return "the places of a ranking count from 1 without gaps";
    for (const double time : {entry.median_us, entry.ci_low_us, entry.ci_high_us, entry.relative,
                              entry.relative_low, entry.relative_high})
      if (!is_time(time)) return "the times of a ranking are finite and positive";
  }
  return record.entries.front().trial == record.winner ? nullptr : "place 1 is the winner's";
}

// Checks that all trials of a ranking belong to one board; a ranking of others would be
// meaningless.
void check_one_board(Connection& connection, const RankingRecord& record, RowId problem) {
  Statement same(connection, R"sql(
    SELECT 1 FROM trial t JOIN kernel k ON k.id = t.kernel_id
    WHERE t.id = ? AND k.name = ? AND t.device_id = ? AND t.problem_id = ?
      AND t.protocol = (SELECT protocol FROM trial WHERE id = ?))sql");
  for (const RankingEntryRecord& entry : record.entries) {
    same.reset();
    same.bind(entry.trial).bind(record.kernel_name).bind(record.device).bind(problem);
    same.bind(record.winner);
    WARPWRIGHT_CHECK(same.step(), "the entries of a ranking are trials of one board");
  }
}

void insert_entry(Connection& connection, RowId ranking, const RankingEntryRecord& entry) {
  const std::vector<std::byte> data = encode_samples(entry.rounds_us);
  Statement insert(connection, R"sql(
    INSERT INTO ranking_entry (ranking_id, trial_id, place, tied, median_us, ci_low_us, ci_high_us,
      relative, relative_low, relative_high, p_adjusted, count, encoding, data)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?))sql");
  insert.bind(ranking)
      .bind(entry.trial)
      .bind(RowId{entry.place})
      .bind(RowId{entry.tied || entry.place == 1});
  insert.bind(entry.median_us).bind(entry.ci_low_us).bind(entry.ci_high_us);
  insert.bind(entry.relative).bind(entry.relative_low).bind(entry.relative_high);
  insert.bind(entry.p_adjusted).bind(static_cast<RowId>(entry.rounds_us.size()));
  insert.bind(kSampleEncoding).bind(std::span<const std::byte>(data)).run();
  seal_inserted(connection, "ranking_entry");
}

std::vector<RankingEntryRecord> read_entries(const Connection& connection, RowId ranking) {
  Statement select(connection, "SELECT " + sealed_columns("ranking_entry", "ranking_entry") + R"sql(
           trial_id, place, tied, median_us, ci_low_us, ci_high_us, relative, relative_low,
           relative_high, p_adjusted, encoding, data
    FROM ranking_entry WHERE ranking_id = ? ORDER BY place)sql");
  select.bind(ranking);
  std::vector<RankingEntryRecord> entries;
  while (select.step()) {
    static_cast<void>(next_sealed_row(connection, select, "ranking_entry"));
    RankingEntryRecord entry;
    entry.trial = select.next_integer();
    entry.place = static_cast<int>(select.next_integer());
    entry.tied = select.next_integer() != 0;
    entry.median_us = select.next_real();
    entry.ci_low_us = select.next_real();
    entry.ci_high_us = select.next_real();
    entry.relative = select.next_real();
    entry.relative_low = select.next_real();
    entry.relative_high = select.next_real();
    entry.p_adjusted = select.next_optional_real();
    const std::string encoding = select.next_text();
    try {
      entry.rounds_us = decode_samples(encoding, select.next_blob());
    } catch (Error& error) {
      throw error.add_context(
          fmt::format("in place {} of ranking {} of {}", entry.place, ranking, connection.name()));
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace

RowId Database::add_ranking(const RankingRecord& record) {
  const char* broken = broken_promise(record);
  WARPWRIGHT_CHECK(broken == nullptr, broken);
  Connection& connection = impl_->connection();
  Transaction transaction(connection);
  const RowId problem = put_problem(connection, record.problem.text(), record.problem_text);
  check_one_board(connection, record, problem);
  Statement insert(connection, R"sql(
    INSERT INTO ranking (run_id, kernel_name, device_id, problem_id, protocol, rounds, confidence,
      decided_by, started_utc, headline, winner_id, last_trial)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ifnull(nullif(?, 0), (SELECT max(id) FROM trial))))sql");
  insert.bind(record.run).bind(record.kernel_name).bind(record.device).bind(problem);
  insert.bind(record.protocol).bind(RowId{record.rounds}).bind(record.confidence);
  insert.bind(record.decided_by).bind(record.started_utc);
  insert.bind_text_or_null(record.headline.text())
      .bind(record.winner)
      .bind(record.last_trial)
      .run();
  const RowId row = seal_inserted(connection, "ranking");
  for (const RankingEntryRecord& entry : record.entries) insert_entry(connection, row, entry);
  transaction.commit();
  return row;
}

std::vector<Database::RankingRow> Database::rankings(const RankingFilter& filter) const {
  Connection& connection = impl_->connection();
  std::string condition = "1";
  if (filter.run) condition += fmt::format(" AND r.run_id = {}", *filter.run);
  if (filter.kernel) condition += " AND r.kernel_name = ?";
  Statement select(
      connection,
      fmt::format(
          R"sql(
    SELECT {}{} r.run_id, r.device_id, r.kernel_name, p.sizes, p.text, r.protocol, r.rounds,
           r.confidence, r.decided_by, r.started_utc, r.headline, r.winner_id, r.last_trial,
           d.fingerprint, w.protocol
    FROM ranking r JOIN problem p ON p.id = r.problem_id JOIN device d ON d.id = r.device_id
    JOIN trial w ON w.id = r.winner_id
    WHERE r.id IN (SELECT max(r.id) FROM ranking r JOIN problem p ON p.id = r.problem_id
                   JOIN trial w ON w.id = r.winner_id WHERE {}
                   GROUP BY {})
    ORDER BY r.id)sql",
          sealed_columns("ranking", "r"), sealed_columns("problem", "p"), condition,
          filter.newest_per_board ? "r.kernel_name, r.device_id, p.text, w.protocol" : "r.id"));
  if (filter.kernel) select.bind(*filter.kernel);
  std::vector<RankingRow> rows;
  while (select.step()) {
    RankingRow row;
    RankingRecord& ranking = row.ranking;
    ranking.id = next_sealed_row(connection, select, "ranking");
    static_cast<void>(next_sealed_row(connection, select, "problem"));
    ranking.run = select.next_integer();
    ranking.device = select.next_integer();
    ranking.kernel_name = select.next_text();
    ranking.problem =
        stored_column<Problem>(select.next_text(), {"ranking", ranking.id, "problem"});
    ranking.problem_text = select.next_text();
    ranking.protocol = select.next_text();
    ranking.rounds = static_cast<int>(select.next_integer());
    ranking.confidence = select.next_real();
    ranking.decided_by = select.next_text();
    ranking.started_utc = select.next_text();
    ranking.headline =
        stored_column<Headline>(select.next_text(), {"ranking", ranking.id, "headline"});
    ranking.winner = select.next_integer();
    ranking.last_trial = select.next_integer();
    row.device_fingerprint = select.next_text();
    row.board_protocol = select.next_text();
    ranking.entries = read_entries(connection, ranking.id);
    if (const char* broken = broken_promise(ranking))
      throw damaged_error(connection.name(), fmt::format("ranking {}: {}", ranking.id, broken));
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace warpwright
