// Tests the caches on disk in the states that users meet: damaged, full, shared by many, and over
// their limit.
#include <gmock/gmock.h>

#include "support/square_sweep.h"

namespace warpwright::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class Cache : public SquareSweep {
 protected:
  void SetUp() override {
    SquareSweep::SetUp();
    write_problems("{n: 1000}");
  }
  [[nodiscard]] fs::path cache() const { return folder_.path() / "cache"; }
  // Returns the first file below a folder of the cache.
  [[nodiscard]] fs::path entry(const char* folder) const {
    for (const auto& file : fs::recursive_directory_iterator(cache() / folder))
      if (file.is_regular_file()) return file.path();
    ADD_FAILURE() << "nothing in " << folder;
    return {};
  }
  // Changes the file as a disk that lost a block, or another person, would.
  static void damage(const fs::path& file) {
    std::string bytes = read_file(file);
    bytes[bytes.size() / 2] ^= 1;
    write_text(file, bytes);
  }
  static std::string note(const fs::path& file, const char* remedy) {
    return "warpwright: note: the cache's entry " + file.string() +
           " was damaged and was removed; " + remedy + "\n";
  }
};

TEST_F(Cache, DamagedEntriesAreMadeAgainAndNamed) {
  const nlohmann::json before = finish("x.db");
  const fs::path object = entry("reference/objects");
  const fs::path answer = entry("reference/expected");
  const fs::path compiled = entry("compile");
  for (const fs::path& file : {object, answer, compiled}) damage(file);
  const ProgramResult again = run_program(arguments("y.db", {"--json", "--quiet"}));
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(ranking(nlohmann::json::parse(again.out)), ranking(before));
  EXPECT_THAT(again.err, HasSubstr(note(object, "the reference is compiled again")));
  EXPECT_THAT(again.err, HasSubstr(note(answer, "the reference is asked again")));
  EXPECT_THAT(again.err, HasSubstr(note(compiled, "its kernel is compiled again")));
  EXPECT_EQ(run_program(arguments("z.db", {"--json", "--quiet"})).err, "");
}

TEST_F(Cache, DoctorReadsAllOfIt) {
  static_cast<void>(finish("x.db"));
  const fs::path object = entry("reference/objects");
  damage(object);
  const ProgramResult found = run_program({"doctor"});
  EXPECT_EQ(found.exit_code, 0) << found.err;
  EXPECT_THAT(found.out, HasSubstr("note cache          " + cache().string() + ": "));
  EXPECT_THAT(found.out, HasSubstr("; 1 damaged entry was found and removed"));
  EXPECT_EQ(found.err, note(object, "the reference is compiled again"));
  EXPECT_THAT(run_program({"doctor"}).out, HasSubstr("ok   cache          "));
}

TEST_F(Cache, DoctorPrunesItToItsLimit) {
  static_cast<void>(finish("x.db"));
  const ProgramResult pruned = run_program({"doctor", "--prune"}, {"WARPWRIGHT_CACHE_LIMIT=0"});
  EXPECT_EQ(pruned.exit_code, 0) << pruned.err;
  EXPECT_THAT(pruned.out, HasSubstr("the least recently used; 1 entries of "))
      << "the reference, which has just been used, stays";
  EXPECT_THAT(pruned.out, HasSubstr(" are left (limit 0 B)"));
  EXPECT_TRUE(fs::exists(entry("reference/objects")));
  EXPECT_EQ(run_program(arguments("y.db", {"--quiet"})).exit_code, 0);
}

TEST_F(Cache, ALimitThatIsNoneIsTheUsersFault) {
  const ProgramResult result =
      run_program(arguments("x.db", {"--quiet"}), {"WARPWRIGHT_CACHE_LIMIT=lots"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err,
            "warpwright: WARPWRIGHT_CACHE_LIMIT='lots': expected `off` or a number of bytes such "
            "as 4000000000, 800MiB or 4GiB\n");
}

TEST_F(Cache, AFolderThatCannotBeMadeIsTheEnvironmentsFault) {
  write_text(folder_.path() / "file", "");
  const std::string where = (folder_.path() / "file" / "cache").string();
  const ProgramResult result =
      run_program(arguments("x.db", {"--quiet"}), {"WARPWRIGHT_CACHE=" + where});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.err, "warpwright: cannot make the compile cache's folder " + where +
                            "/compile: Not a directory; set WARPWRIGHT_CACHE to a folder that can "
                            "be written\n");
}

// The folder exists but cannot be written, like a full disk; the sweep runs without it.
TEST_F(Cache, WithoutRoomASweepRunsAsWell) {
  fs::create_directories(cache() / "compile");
  write_text(cache() / "reference", "a file where a folder should be");
  const ProgramResult result = run_program(arguments("x.db", {"--json", "--quiet"}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err,
              HasSubstr("warpwright: note: the cache " + (cache() / "reference/objects").string() +
                        " cannot be written: Not a directory; what it would hold is "
                        "made again the next time; free some space or set "
                        "WARPWRIGHT_CACHE to a folder that can be written\n"));
}

TEST_F(Cache, SixSweepsAtOnceShareAnEmptyOne) {
  std::vector<int> sweeps;
  for (int i = 0; i < 6; ++i) {
    const std::string number = std::to_string(i);
    std::vector<std::string> words = arguments(number + ".db", {"--json", "--quiet"});
    sweeps.push_back(
        start_program(words, folder_.path() / ("out" + number), folder_.path() / ("err" + number)));
  }
  for (const int sweep : sweeps) EXPECT_EQ(wait_for(sweep), 0);
  for (int i = 0; i < 6; ++i) {
    const std::string number = std::to_string(i);
    EXPECT_EQ(read_file(folder_.path() / ("err" + number)), "");
    EXPECT_EQ(stored(number + ".db"), 11u);
  }
}

}  // namespace
}  // namespace warpwright::testing
