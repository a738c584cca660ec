#include "exchange/t4/t4_export.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "exchange/import/import.h"
#include "exchange/sample_database.h"
#include "exchange/sample_t4.h"
#include "store/sqlite.h"
#include "support/raw_sql.h"
#include "support/stored_text.h"

namespace warpwright::testing {
namespace {

namespace fs = std::filesystem;

class T4Export : public ::testing::Test {
 protected:
  [[nodiscard]] fs::path file(const std::string& name) const { return folder_.path() / name; }

  static std::vector<ExportFile> exported(const fs::path& path, bool all_trials = false) {
    const Database database(path, OpenMode::kReadOnly);
    ExportRequest request{
        .database = database,
        .kernel = "",
        .boards = make_leaderboards(database.trials({.with_samples = true}), database.rankings({})),
        .version = "warpwright 0.1.0"};
    if (all_trials)
      request.all_trials = database.trials({.newest_per_key = false, .with_samples = true});
    return export_t4(request);
  }
  // Exports a database, and imports the files into another.
  void round_trip(const std::string& from, const std::string& to) const {
    std::vector<fs::path> files;
    for (const ExportFile& one : exported(file(from))) {
      files.push_back(file(one.name));
      write_bytes(files.back(), one.content);
    }
    ASSERT_FALSE(files.empty());
    import_files(files, file(to), {.now_utc = "2026-03-02T00:00:00Z"});
  }
  [[nodiscard]] std::vector<Database::TrialRow> rows(const std::string& name) const {
    return Database(file(name), OpenMode::kReadOnly).trials({.with_samples = true});
  }
  // The values that a round trip keeps, by configuration.
  static std::map<std::string, std::string> values(const std::vector<Database::TrialRow>& rows) {
    std::map<std::string, std::string> kept;
    for (const Database::TrialRow& row : rows) {
      const TrialRecord& t = row.trial;
      const auto number = [](const std::optional<double>& value) {
        return value ? fmt::format("{}", *value) : "-";
      };
      kept[t.problem_text + " " + t.configuration_text] = fmt::format(
          "{} {} {} {} {} {} {} {} {} {} {} {} {} {:.12g} {:.12g} {} {} {} {} {}",
          status_name(t.status), t.reason, t.variant, t.parameters.text(), t.problem.text(),
          number(t.median_us), number(t.ci_low_us), number(t.ci_high_us), number(t.raw_median_us),
          number(t.floor_us), number(t.at_least_us), fmt::join(t.samples_us, ","), t.started_utc,
          t.compile_seconds, t.validate_seconds, row.device_name, t.work_bytes, t.work_flops,
          number(t.work_bytes_written), t.arithmetic);
    }
    return kept;
  }

  TemporaryFolder folder_;
};

TEST_F(T4Export, HasTheMembersOfTheFormat) {
  {
    SampleDatabase a(file("a.db"));
    a.add(128, 372.125, 1);
    a.add_failed(256, Status::kCompileFailed, 2);
  }
  const std::vector<ExportFile> files = exported(file("a.db"));
  ASSERT_EQ(files.size(), 1u);
  EXPECT_EQ(files[0].name, "softmax_topk-NVIDIA_H200-rows_8192_V_50257_K_10_dtype_f32.json");
  const nlohmann::json root = nlohmann::json::parse(files[0].content);
  EXPECT_EQ(root["schema_version"], "1.0.0");
  EXPECT_EQ(root["metadata"]["timeunit"], "milliseconds");
  EXPECT_EQ(root["metadata"]["device"], "NVIDIA H200");
  const nlohmann::json& ok = root["results"][0];
  EXPECT_EQ(ok["timestamp"], "2026-03-01 13:00:01+00:00");
  EXPECT_EQ(ok["configuration"], nlohmann::json({{"variant", "threshold"}, {"THREADS", 128}}));
  EXPECT_EQ(ok["times"]["runtimes"], nlohmann::json::array({0.372125, 0.372375}));
  EXPECT_EQ(ok["times"]["compilation"], 500);
  EXPECT_EQ(ok["invalidity"], "correct");
  EXPECT_EQ(ok["correctness"], 1);
  EXPECT_EQ(ok["measurements"],
            nlohmann::json::parse(R"([{"name":"time","value":0.372125,"unit":"ms"}])"));
  EXPECT_EQ(ok["objectives"], nlohmann::json::array({"time"}));
  const nlohmann::json& failed = root["results"][1];
  EXPECT_EQ(failed["invalidity"], "compile");
  EXPECT_EQ(failed["correctness"], 0);
  EXPECT_EQ(failed["measurements"][0]["value"], "CompilationFailedConfig");
}

TEST_F(T4Export, EveryStatusHasAWordOfTheFormatAndComesBack) {
  {
    SampleDatabase a(file("a.db"));
    int threads = 32;
    for (const Status status : all_statuses()) {
      if (status != Status::kOk) a.add_failed(threads += 32, status, 1);
    }
  }
  const std::set<std::string> words = {"compile", "runtime", "timeout", "correctness",
                                       "constraints"};
  const nlohmann::json root = nlohmann::json::parse(exported(file("a.db"))[0].content);
  for (const nlohmann::json& result : root["results"])
    EXPECT_TRUE(words.contains(result["invalidity"].get<std::string>())) << result;
  round_trip("a.db", "b.db");
  EXPECT_EQ(values(rows("b.db")), values(rows("a.db")));
}

TEST_F(T4Export, AnImpossibleTimeIsNoTimeForOthersAndComesBack) {
  {
    SampleDatabase a(file("a.db"));
    TrialRecord trial = sample_trial();
    trial.status = Status::kImpossible;
    trial.reason = "too fast";
    a.database().add_trial(trial);
  }
  const nlohmann::json result =
      nlohmann::json::parse(exported(file("a.db"))[0].content)["results"][0];
  EXPECT_EQ(result["invalidity"], "correctness");
  EXPECT_EQ(result["correctness"], 0);
  EXPECT_EQ(result["measurements"][0]["value"], "RuntimeFailedConfig");
  round_trip("a.db", "b.db");
  EXPECT_EQ(values(rows("b.db")), values(rows("a.db")));
}

TEST_F(T4Export, ComesBackWithTheSameValues) {
  {
    SampleDatabase a(file("a.db"));
    a.add(128, 372.1, 1);
    a.add(256, 1.0 / 3.0, 2);
    a.add_failed(512, Status::kPruned, 3);
    TrialRecord other = sample_trial();
    other.key = "other problem";
    other.problem_text = "rows=1 V=8 K=2 dtype=f32";
    set_text(other.problem, R"({"K":2,"V":8,"dtype":"f32","rows":1})");
    a.database().add_trial(other);
  }
  round_trip("a.db", "b.db");
  EXPECT_EQ(values(rows("b.db")), values(rows("a.db")));
  for (const Database::TrialRow& row : rows("b.db")) {
    EXPECT_EQ(row.trial.protocol, "imported-t4-1") << "theirs now, not ours";
    EXPECT_NE(row.trial.measurement.text().find("\"protocol\":\"cold-events-1\""),
              std::string::npos);
  }
}

TEST_F(T4Export, AnImportedFileComesBackWithTheSameValues) {
  import_files({sample_t4_path()}, file("a.db"), {});
  round_trip("a.db", "b.db");
  EXPECT_EQ(values(rows("b.db")), values(rows("a.db")));
  const nlohmann::json first = nlohmann::json::parse(exported(file("b.db"))[0].content)["results"];
  bool found = false;
  for (const nlohmann::json& result : first) {
    if (result["configuration"]["block"] != 32) continue;
    found = true;
    EXPECT_EQ(result["timestamp"], "2024-05-01 10:00:00.250000+00:00");
    EXPECT_EQ(result["measurements"][0]["value"], 0.321) << "the mean that was published";
    EXPECT_EQ(result["measurements"][1]["value"], 1234.5);
    EXPECT_EQ(result["times"]["framework"], 1.5);
  }
  EXPECT_TRUE(found);
}

// Anyone who has the file can edit its columns.
TEST_F(T4Export, MembersOfAnotherTypeAreLeftOut) {
  import_files({sample_t4_path()}, file("a.db"), {});
  const auto results_with = [&](const std::string& measurement) {
    Connection(file("a.db"), Connection::Access::kCreate, 0, "a.db")
        .execute(std::string(kForgetChecksums) + "UPDATE trial SET measurement = '" + measurement +
                 "'");
    return nlohmann::json::parse(exported(file("a.db")).at(0).content).at("results");
  };
  for (const char* measurement :
       {R"({"imported":7})", R"({"imported":[]})",
        R"({"imported":{"timestamp":7,"times_us":[1],"published_us":"x","measurements":7,)"
        R"("objectives":{},"protocol":[]}})",
        R"({"imported":{"times_us":{"framework":"x"},"measurements":[1,{"name":2},{}]}})"}) {
    EXPECT_EQ(results_with(measurement).size(), 9u) << measurement;
  }
}

TEST_F(T4Export, ModelledTimesStayModelled) {
  {
    SampleDatabase a(file("a.db"));
    DeviceRecord emulator = sample_device();
    emulator.fingerprint = "emulator";
    emulator.id = "emu:sm_90a";
    emulator.name = "emulated NVIDIA H200";
    emulator.has_clock = false;
    TrialRecord trial = sample_trial(1, 1, a.database().put_device(emulator));
    trial.modelled = true;
    trial.protocol = "model-1";
    a.database().add_trial(trial);
  }
  round_trip("a.db", "b.db");
  const Leaderboard board = boards_of(file("b.db")).at(0);
  EXPECT_TRUE(board.modelled);
  ASSERT_TRUE(board.imported);
  EXPECT_TRUE(rows("b.db")[0].trial.modelled);
}

TEST_F(T4Export, BoardsOfOneNameGetFilesOfTheirOwn) {
  {
    SampleDatabase a(file("a.db"));
    a.add(128, 10, 1);
    a.use_device("cuda:1");
    a.add(128, 11, 1);
  }
  const std::vector<ExportFile> files = exported(file("a.db"));
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files[1].name, "softmax_topk-NVIDIA_H200-rows_8192_V_50257_K_10_dtype_f32-2.json");
}

TEST_F(T4Export, AllTrialsIncludeRepeatedOnes) {
  {
    SampleDatabase a(file("a.db"));
    a.add(128, 10, 1);
    a.add(128, 11, 2);
  }
  EXPECT_EQ(nlohmann::json::parse(exported(file("a.db"))[0].content)["results"].size(), 1u);
  EXPECT_EQ(nlohmann::json::parse(exported(file("a.db"), true)[0].content)["results"].size(), 2u);
}

}  // namespace
}  // namespace warpwright::testing
