// Final rankings in the database.
#include <gtest/gtest.h>

#include "store/database.h"
#include "store/sample_records.h"
#include "store/sqlite.h"
#include "support/raw_sql.h"

namespace warpwright {
namespace {

using testing::DatabaseTest;
using testing::message_of;
using testing::sample_device;
using testing::sample_ranking;
using testing::sample_trial;

class RankingTest : public DatabaseTest {
 protected:
  RankingTest() {
    put_basics(database_);
    first_ = add("first");
    second_ = add("second");
  }
  RowId add(const std::string& configuration) {
    TrialRecord trial = sample_trial();
    trial.key = trial.configuration_text = configuration;
    return database_.add_trial(trial);
  }
  Connection raw() const { return {path_, Connection::Access::kCreate, 0, "x.db"}; }

  Database database_ = open();
  RowId first_ = 0;
  RowId second_ = 0;
};

TEST_F(RankingTest, ComesBackWhole) {
  const RankingRecord put = sample_ranking({second_, first_});
  EXPECT_EQ(database_.add_ranking(put), 1);
  const auto rows = database_.rankings({});
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].device_fingerprint, "f1e2d3c4b5a6");
  EXPECT_EQ(rows[0].board_protocol, "cold-events-1");
  const RankingRecord& got = rows[0].ranking;
  EXPECT_EQ(got.id, 1);
  EXPECT_EQ(got.run, put.run);
  EXPECT_EQ(got.device, put.device);
  EXPECT_EQ(got.kernel_name, put.kernel_name);
  EXPECT_EQ(got.problem, put.problem);
  EXPECT_EQ(got.problem_text, put.problem_text);
  EXPECT_EQ(got.protocol, put.protocol);
  EXPECT_EQ(got.rounds, put.rounds);
  EXPECT_EQ(got.confidence, put.confidence);
  EXPECT_EQ(got.decided_by, put.decided_by);
  EXPECT_EQ(got.started_utc, put.started_utc);
  EXPECT_EQ(got.headline, put.headline);
  EXPECT_EQ(got.winner, second_);
  ASSERT_EQ(got.entries.size(), 2U);
  const RankingEntryRecord& entry = got.entries[1];
  EXPECT_EQ(entry.trial, first_);
  EXPECT_EQ(entry.place, 2);
  EXPECT_TRUE(entry.tied);
  EXPECT_EQ(entry.median_us, 371.5);
  EXPECT_EQ(entry.ci_low_us, 371.25);
  EXPECT_EQ(entry.ci_high_us, 371.75);
  EXPECT_EQ(entry.relative, 1.001);
  EXPECT_EQ(entry.relative_low, 0.999);
  EXPECT_EQ(entry.relative_high, 1.003);
  EXPECT_EQ(entry.p_adjusted, 0.25);
  EXPECT_EQ(entry.rounds_us, (std::vector<double>{371.5, 371.25}));
  EXPECT_EQ(got.entries[0].p_adjusted, std::nullopt);
}

TEST_F(RankingTest, RemembersWhichTrialsAreNewer) {
  database_.add_ranking(sample_ranking({first_}));
  add("third");
  EXPECT_EQ(database_.rankings({})[0].ranking.last_trial, second_);
}

TEST_F(RankingTest, WhoMergesSaysWhichTrialsAreNewer) {
  RankingRecord put = sample_ranking({second_});
  put.last_trial = first_;
  database_.add_ranking(put);
  EXPECT_EQ(database_.rankings({})[0].ranking.last_trial, first_);
}

TEST_F(RankingTest, AllOfABoardAreGivenWhenAskedFor) {
  database_.add_ranking(sample_ranking({first_}));
  database_.add_ranking(sample_ranking({second_, first_}));
  const auto rows = database_.rankings({.newest_per_board = false});
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].ranking.winner, first_);
  EXPECT_EQ(rows[1].ranking.winner, second_);
}

TEST_F(RankingTest, TrialsAreRemovedWithTheirRankingsAndTheirNumbersAreNotGivenOutAgain) {
  TrialRecord twin = sample_trial();
  twin.key = "twin";
  twin.same_as = second_;
  database_.add_trial(twin);
  DeviceRecord other = sample_device();
  other.fingerprint = "other";
  TrialRecord elsewhere = sample_trial();
  elsewhere.device = database_.put_device(other);
  const RowId kept = database_.add_trial(elsewhere);
  database_.add_ranking(sample_ranking({second_, first_}));
  database_.remove_trials("softmax_topk", 1);
  EXPECT_TRUE(database_.rankings({}).empty());
  const auto rows = database_.trials({.with_samples = true});
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].trial.id, kept);
  EXPECT_FALSE(rows[0].trial.samples_us.empty());
  EXPECT_EQ(add("again"), kept + 1);
  EXPECT_EQ(database_.integrity(), "ok");
}

TEST_F(RankingTest, OnlyTheNewestOfABoardIsGiven) {
  database_.add_ranking(sample_ranking({first_}));
  database_.add_ranking(sample_ranking({second_, first_}));
  const auto rows = database_.rankings({});
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].ranking.id, 2);
}

TEST_F(RankingTest, BoardsOfTwoProtocolsHaveRankingsOfTheirOwn) {
  TrialRecord hot = sample_trial();
  hot.key = "hot";
  hot.protocol = "hot-events-1";
  database_.add_ranking(sample_ranking({first_}));
  database_.add_ranking(sample_ranking({database_.add_trial(hot)}));
  const auto rows = database_.rankings({});
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[1].board_protocol, "hot-events-1");
}

TEST_F(RankingTest, FiltersByKernelAndRun) {
  database_.add_ranking(sample_ranking({first_}));
  EXPECT_EQ(database_.rankings({.kernel = "softmax_topk", .run = 1}).size(), 1U);
  EXPECT_EQ(database_.rankings({.kernel = "softmax"}).size(), 0U);
  EXPECT_EQ(database_.rankings({.run = 2}).size(), 0U);
}

TEST_F(RankingTest, AFinalistOfAnotherBoardIsOurFault) {
  TrialRecord other = sample_trial();
  other.problem_text = "rows=1";
  const RowId stranger = database_.add_trial(other);
  EXPECT_NE(message_of([&] {
              database_.add_ranking(sample_ranking({first_, stranger}));
            }).find("the entries of a ranking are trials of one board"),
            std::string::npos);
  EXPECT_TRUE(database_.rankings({}).empty());
}

TEST_F(RankingTest, AWinnerBesidePlaceOneIsOurFault) {
  RankingRecord ranking = sample_ranking({first_, second_});
  ranking.winner = second_;
  EXPECT_NE(message_of([&] { database_.add_ranking(ranking); }).find("place 1 is the winner's"),
            std::string::npos);
}

TEST_F(RankingTest, OneThatLostItsEntriesIsDamaged) {
  database_.add_ranking(sample_ranking({first_}));
  raw().execute("DELETE FROM ranking_entry");
  const std::string message = message_of([&] { static_cast<void>(database_.rankings({})); }, path_);
  EXPECT_EQ(message.substr(0, message.find(';')),
            "{} is damaged: ranking 1: a ranking has entries");
}

TEST_F(RankingTest, OneThatLostItsWinnerIsDamaged) {
  database_.add_ranking(sample_ranking({second_, first_}));
  raw().execute("DELETE FROM ranking_entry WHERE place = 1");
  const std::string message = message_of([&] { static_cast<void>(database_.rankings({})); }, path_);
  EXPECT_EQ(message.substr(0, message.find(';')),
            "{} is damaged: ranking 1: the places of a ranking count from 1 without gaps");
}

TEST_F(RankingTest, DamagedRoundsNameTheirPlace) {
  database_.add_ranking(sample_ranking({first_}));
  raw().execute(std::string(testing::kForgetChecksums) + "UPDATE ranking_entry SET data = x'00'");
  EXPECT_EQ(message_of([&] { static_cast<void>(database_.rankings({})); }, path_),
            "samples are damaged: expected a multiple of 4 bytes, got 1\n"
            "  in place 1 of ranking 1 of {}");
}

}  // namespace
}  // namespace warpwright
