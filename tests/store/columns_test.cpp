// A damaged column is reported in one way, when it is needed, and affects nothing else.
#include "store/columns.h"

#include <gtest/gtest.h>

#include "store/sample_records.h"
#include "store/sqlite.h"
#include "support/raw_sql.h"

namespace warpwright::testing {
namespace {

class ColumnsTest : public DatabaseTest {
 protected:
  ColumnsTest() {
    make_database(1);
    open().add_ranking(sample_ranking({1}));
  }
  // Edits by hand: the schema only rejects values that are not JSON at all.
  void damage(const std::string& table, const std::string& column) const {
    Connection raw(path_, Connection::Access::kCreate, kPatientMs, "x.db");
    raw.execute(std::string(testing::kForgetChecksums) + "UPDATE " + table + " SET \"" + column +
                "\" = '7'");
  }
  [[nodiscard]] TrialRecord trial() const { return open().trials({}).at(0).trial; }
};

struct TrialColumn {
  const char* table;
  const char* column;
  const char* message;
  std::function<void(const TrialRecord&)> read;
};

TEST_F(ColumnsTest, OfATrialAreNamed) {
  const std::vector<TrialColumn> columns = {
      {"problem", "sizes", "its problem is", [](const auto& t) { (void)*t.problem; }},
      {"configuration", "values", "its configuration is",
       [](const auto& t) { (void)t.configuration(); }},
      {"trial", "resources", "its resources are", [](const auto& t) { (void)*t.resources; }},
      {"trial", "counters", "its counters are", [](const auto& t) { (void)*t.counters; }},
      {"trial", "errors", "its errors are", [](const auto& t) { (void)*t.errors; }},
      {"trial", "measurement", "its measurement is", [](const auto& t) { (void)*t.measurement; }},
      {"trial", "options", "its options are", [](const auto& t) { (void)*t.options; }},
  };
  for (const TrialColumn& column : columns) {
    damage(column.table, column.column);
    const TrialRecord damaged = trial();
    EXPECT_EQ(
        message_of([&] { column.read(damaged); }),
        std::string("trial 1: ") + column.message + " not JSON: 7; measure it again with --fresh");
  }
  EXPECT_EQ(trial().configuration_text, "threshold THREADS=512") << "what needs no column";
}

TEST_F(ColumnsTest, OfARankingAreNamed) {
  damage("ranking", "headline");
  damage("problem", "sizes");
  const RankingRecord ranking = open().rankings({}).at(0).ranking;
  EXPECT_EQ(message_of([&] { (void)*ranking.headline; }),
            "ranking 1: its headline is not JSON: 7; measure it again with --fresh");
  EXPECT_EQ(message_of([&] { (void)*ranking.problem; }),
            "ranking 1: its problem is not JSON: 7; measure it again with --fresh");
}

TEST_F(ColumnsTest, OfADeviceAreNamed) {
  damage("device", "details");
  const DeviceRecord device = open().devices().at(0).second;
  EXPECT_EQ(message_of([&] { (void)*device.details; }),
            "device 1: its details are not JSON: 7; measure it again with --fresh");
}

TEST_F(ColumnsTest, WhatIsNotKnownStaysSo) {
  TrialRecord bare = sample_trial();
  bare.key = "bare";
  bare.resources = {};
  bare.counters = {};
  bare.errors = {};
  bare.measurement = {};
  bare.options = {};
  open().add_trial(bare);
  const TrialRecord got = open().find_trials({"bare"}).at("bare");
  EXPECT_FALSE(got.resources.known() || got.counters.known() || got.errors.known());
  EXPECT_FALSE(got.measurement.known() || got.options.known());
}

TEST_F(ColumnsTest, MembersOfAnotherWarpwrightAreStoredAgain) {
  TrialRecord other = sample_trial();
  other.key = "other";
  set_text(other.measurement, R"({"anchor_drift":null,"validity":{"blocks":1,"new":2}})");
  open().add_trial(other);
  const TrialRecord got = open().find_trials({"other"}).at("other");
  EXPECT_EQ(got.measurement->validity->blocks, 1);
  EXPECT_EQ(got.measurement, other.measurement);
}

}  // namespace
}  // namespace warpwright::testing
