#include "analysis/compare/contender_choice.h"

#include <gmock/gmock.h>

#include <fstream>

#include "analysis/sample_database.h"

namespace warpwright {
namespace {

using ::testing::ElementsAre;
using testing::message_of;
using testing::SampleDatabase;

class ContenderChoice : public ::testing::Test {
 protected:
  ContenderChoice() {
    sample.trial(one, h200, "v X=1", 100);
    sample.trial(two, h200, "v X=2", 100);
    sample.trial(two, emulated, "v X=1", 100);
    sample.device("cuda:3", "never tried", "777777777777");
  }

  [[nodiscard]] std::vector<ChosenContender> choose(const std::vector<std::string>& texts,
                                                    ContendersBy by = ContendersBy::kName) {
    std::vector<ContenderWord> words;
    for (const std::string& text : texts) words.push_back(parse_contender_word(text));
    return choose_contenders(words, {{"x.db", &sample.database()}}, {}, by);
  }
  [[nodiscard]] std::vector<std::string> names(const std::vector<std::string>& texts,
                                               ContendersBy by = ContendersBy::kName) {
    std::vector<std::string> all;
    for (const ChosenContender& chosen : choose(texts, by)) all.push_back(chosen.name);
    return all;
  }
  [[nodiscard]] std::string fault(const std::vector<std::string>& texts,
                                  ContendersBy by = ContendersBy::kName) {
    return message_of([&] { static_cast<void>(choose(texts, by)); });
  }

  TemporaryFolder folder_;
  SampleDatabase sample{folder_.path() / "x.db"};
  RowId h200 = sample.device("cuda:0", "NVIDIA H200", "f1e2d3c4b5a6");
  RowId emulated = sample.device("emu:sm_90a", "emulated NVIDIA H200", "e9e9e9e9e9e9");
  RowId one = sample.run("warpwright 0.1.0 (commit 1a2b3c4d5e6f)");
  RowId two = sample.run("warpwright 0.1.0 (commit 9f8e7d6c5b4a)");
  RowId idle = sample.run("warpwright 0.1.0 (commit 1a2bffffffff)");
};

TEST_F(ContenderChoice, WithoutWordsEveryDeviceThatWasTried) {
  EXPECT_THAT(names({}), ElementsAre("NVIDIA H200", "emulated NVIDIA H200"));
}

TEST_F(ContenderChoice, ADeviceByIdNameFingerprintOrAPieceOfItsName) {
  for (const char* text : {"cuda:0", "device:cuda:0", "nvidia h200", "f1e2d3", "F1E2D3C4"}) {
    const auto chosen = choose({text});
    ASSERT_EQ(chosen.size(), 1u) << text;
    EXPECT_EQ(chosen[0].trials.devices, std::vector{h200}) << text;
    EXPECT_EQ(chosen[0].name, text);
    EXPECT_FALSE(chosen[0].trials.runs);
  }
  EXPECT_EQ(choose({"EMULATED"}).at(0).trials.devices, std::vector{emulated});
}

TEST_F(ContenderChoice, ARunByNumber) {
  for (const char* text : {"1", "run:1"}) {
    const auto chosen = choose({text});
    ASSERT_EQ(chosen.size(), 1u) << text;
    EXPECT_EQ(*chosen[0].trials.runs, std::vector{one});
    EXPECT_EQ(chosen[0].trials.devices, std::vector{h200});
  }
}

TEST_F(ContenderChoice, ARunOnSeveralDevicesIsAContenderEach) {
  EXPECT_THAT(names({"run:2"}), ElementsAre("run:2#NVIDIA H200", "run:2#emulated NVIDIA H200"));
  EXPECT_THAT(names({"run:2#cuda:0"}), ElementsAre("run:2#cuda:0"));
}

TEST_F(ContenderChoice, ACommitIsAllOfItsRuns) {
  const auto chosen = choose({"commit:1a2b"});
  ASSERT_EQ(chosen.size(), 1u);
  EXPECT_EQ(*chosen[0].trials.runs, (std::vector{one, idle}));
  EXPECT_EQ(*choose({"9f8e7d6#cuda:0"}).at(0).trials.runs, std::vector{two});
}

TEST_F(ContenderChoice, TheSameTwiceHasTwoNames) {
  EXPECT_THAT(names({"run:1", "run:1", "run:1"}), ElementsAre("run:1", "run:1 (2)", "run:1 (3)"));
}

TEST_F(ContenderChoice, UnknownNamesListWhatThereIs) {
  EXPECT_EQ(fault({"cuda:7"}), "x.db: no device 'cuda:7'; did you mean 'cuda:0'?");
  EXPECT_EQ(fault({"device:B200 of another house"}),
            "x.db: no device 'B200 of another house'; known: cuda:0, NVIDIA H200, emu:sm_90a, "
            "emulated NVIDIA H200");
  EXPECT_EQ(fault({"run:12"}), "x.db: no run 12; it holds 3 runs, 1 to 3");
  EXPECT_EQ(fault({"run:1x"}), "x.db: no run 1x; it holds 3 runs, 1 to 3");
  EXPECT_EQ(fault({"99999999999999999999999"}),
            "x.db: no run 99999999999999999999999; it holds 3 runs, 1 to 3");
  EXPECT_EQ(fault({"commit:abcdef"}),
            "x.db: no run of commit 'abcdef'; its runs are of warpwright 0.1.0 (commit "
            "1a2b3c4d5e6f), warpwright 0.1.0 (commit 9f8e7d6c5b4a), warpwright 0.1.0 (commit "
            "1a2bffffffff)");
  EXPECT_EQ(fault({"commit:1a2"}).substr(0, 31), "x.db: no run of commit '1a2'; i");  // too short
  EXPECT_EQ(fault({""}), "a contender's name is empty; name a device, run:N or a FILE");
  EXPECT_EQ(fault({"run:1#"}), "x.db: no device ''; known: cuda:0, NVIDIA H200");
}

TEST_F(ContenderChoice, ARunWithoutTrialsSaysWhy) {
  EXPECT_EQ(fault({"run:3"}),
            "x.db: run 3 stored no trials; what was known before is not tried again: `sweep "
            "--fresh` measures everything anew");
}

TEST_F(ContenderChoice, AnAmbiguousDeviceListsThem) {
  sample.trial(two, sample.device("cuda:0", "NVIDIA H200", "0123456789ab"), "v X=1", 90);
  EXPECT_EQ(fault({"NVIDIA H200"}, ContendersBy::kGpu),
            "x.db: 'NVIDIA H200' may be any of 2 devices:\n"
            "  cuda:0 NVIDIA H200, driver 580.159.04, fingerprint f1e2d3c4\n"
            "  cuda:0 NVIDIA H200, driver 580.159.04, fingerprint 01234567\n"
            "write more of the name, or device:FINGERPRINT");
  EXPECT_THAT(names({"012345"}), ElementsAre("012345"));
  EXPECT_THAT(names({}, ContendersBy::kGpu),
              ElementsAre("NVIDIA H200 f1e2d3c4", "emulated NVIDIA H200", "NVIDIA H200 01234567"));
  EXPECT_EQ(fault({"H200"}),
            "x.db: 'H200' may be any of 3 devices:\n"
            "  cuda:0 NVIDIA H200, driver 580.159.04, fingerprint f1e2d3c4\n"
            "  emu:sm_90a emulated NVIDIA H200, driver 580.159.04, fingerprint e9e9e9e9\n"
            "  cuda:0 NVIDIA H200, driver 580.159.04, fingerprint 01234567\n"
            "write more of the name, or device:FINGERPRINT");
}

TEST_F(ContenderChoice, GpusOfOneNameAreOneContender) {
  const RowId second = sample.device("cuda:1", "NVIDIA H200", "0123456789ab");
  sample.trial(two, second, "v X=1", 90);
  const auto all = choose({});
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].name, "NVIDIA H200");
  EXPECT_EQ(all[0].trials.devices, (std::vector{h200, second}));
  EXPECT_EQ(choose({"NVIDIA H200"}).at(0).trials.devices, (std::vector{h200, second}));
  EXPECT_EQ(choose({"cuda:1"}).at(0).trials.devices, std::vector{second});
  EXPECT_EQ(choose({"run:1"}).at(0).trials.devices, std::vector{h200});
  EXPECT_THAT(names({}, ContendersBy::kGpu),
              ElementsAre("cuda:0", "emulated NVIDIA H200", "cuda:1"));
}

TEST_F(ContenderChoice, GpusOfOneNameWithTwoDriversAreTwoContenders) {
  DeviceRecord record = testing::sample_device();
  record.id = "cuda:1";
  record.name = "NVIDIA H200";
  record.fingerprint = "0123456789ab";
  record.driver = "590.1";
  sample.trial(two, sample.database().put_device(record), "v X=1", 90);
  EXPECT_THAT(names({}), ElementsAre("cuda:0", "emulated NVIDIA H200", "cuda:1"));
}

TEST_F(ContenderChoice, ADeviceNamedAsACommitWantsItsPrefix) {
  const RowId odd = sample.device("cuda:4", "1a2b", "333333333333");
  sample.trial(one, odd, "v X=1", 90);
  EXPECT_EQ(fault({"1a2b"}),
            "x.db: '1a2b' is a device and a commit; write device:1a2b or commit:1a2b");
  EXPECT_EQ(choose({"device:1a2b"}).at(0).trials.devices, std::vector{odd});
}

TEST_F(ContenderChoice, UnicodeNamesAreFound) {
  const RowId odd = sample.device("cuda:5", "显卡 Ω", "444444444444");
  sample.trial(one, odd, "v X=1", 90);
  EXPECT_EQ(choose({"显卡 Ω"}).at(0).trials.devices, std::vector{odd});
  EXPECT_EQ(choose({"Ω"}).at(0).trials.devices, std::vector{odd});
}

TEST_F(ContenderChoice, OfSeveralDatabasesTheOneThatKnowsIt) {
  SampleDatabase other(folder_.path() / "y.db");
  other.trial(other.run(), other.device("cuda:1", "A100", "aaaaaaaaaaaa"), "v X=1", 50);
  const std::vector<ContenderSource> both = {{"x.db", &sample.database()},
                                             {"y.db", &other.database()}};
  const auto in_both = [&](const std::string& text) {
    return choose_contenders({parse_contender_word(text)}, both, {});
  };
  EXPECT_EQ(in_both("A100").at(0).database, &other.database());
  EXPECT_EQ(message_of([&] { static_cast<void>(in_both("run:1")); }),
            "'run:1' is in 2 databases; write one of x.db#run:1, y.db#run:1");
  EXPECT_EQ(message_of([&] { static_cast<void>(in_both("cuda:9")); }),
            "x.db: no device 'cuda:9'; did you mean 'cuda:0'?\nnor is it in the other databases: "
            "y.db");
  const auto everything = choose_contenders({}, both, {});
  ASSERT_EQ(everything.size(), 3u);
  EXPECT_EQ(everything[0].name, "x.db#NVIDIA H200");
  EXPECT_EQ(everything[2].name, "y.db");
}

TEST_F(ContenderChoice, AFileIsTakenWithWhatFollowsIt) {
  const std::string file = (folder_.path() / "a#b.db").string();
  std::ofstream(file) << "x";
  EXPECT_EQ(parse_contender_word(file).file, file);
  EXPECT_TRUE(parse_contender_word(file).parts.empty());
  const ContenderWord word = parse_contender_word(file + "#run:1#cuda:0");
  EXPECT_EQ(word.file, file);
  EXPECT_THAT(word.parts, ElementsAre("run:1", "cuda:0"));
  EXPECT_EQ(message_of([] { static_cast<void>(parse_contender_word("gone.db#run:1")); }),
            "gone.db does not exist; a contender is a device, run:N, commit:HASH or a FILE, or "
            "FILE#device");
  const auto chosen = choose_contenders({word}, {}, {{"a#b.db", &sample.database()}});
  EXPECT_EQ(chosen.at(0).name, file + "#run:1#cuda:0");
}

TEST_F(ContenderChoice, ADatabaseWithoutTrialsHasNoContenders) {
  SampleDatabase empty(folder_.path() / "empty.db");
  const ContenderSource source{"empty.db", &empty.database()};
  EXPECT_TRUE(choose_contenders({}, {source}, {}).empty());
  EXPECT_EQ(message_of([&] {
              static_cast<void>(choose_contenders({parse_contender_word("cuda:0")}, {source}, {}));
            }),
            "empty.db: it holds no trials");
}

}  // namespace
}  // namespace warpwright
