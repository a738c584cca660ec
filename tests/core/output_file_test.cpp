// Tests which targets a user may name for output, and what is left there.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <thread>

#include "core/files.h"
#include "support/error_text.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;
using testing::error_text;
using ::testing::HasSubstr;

class OutputFile : public ::testing::Test {
 protected:
  [[nodiscard]] fs::path path(const std::string& name) const { return folder_.path() / name; }
  TemporaryFolder folder_;
};

TEST_F(OutputFile, ARegularFileIsReplacedWholeAndKeepsItsPermissions) {
  write_output(path("a"), "first and long");
  ASSERT_EQ(::chmod(path("a").c_str(), 0640), 0);
  write_output(path("a"), "second");
  EXPECT_EQ(read_file(path("a")), "second");
  EXPECT_EQ(fs::status(path("a")).permissions(), fs::perms(0640));
}

TEST_F(OutputFile, ALinkStaysOneAndItsFileIsWritten) {
  fs::create_directory(path("below"));
  publish_file(path("below/real"), "old");
  fs::create_symlink("below/real", path("link"));
  fs::create_symlink("link", path("link of a link"));
  write_output(path("link of a link"), "new");
  EXPECT_TRUE(fs::is_symlink(path("link of a link")));
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(read_file(path("below/real")), "new");
}

TEST_F(OutputFile, ALinkToNothingYetMakesItsFile) {
  fs::create_symlink("later", path("link"));
  write_output(path("link"), "now");
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(read_file(path("later")), "now");
}

TEST_F(OutputFile, LinksInACircleAreRefused) {
  fs::create_symlink("b", path("a"));
  fs::create_symlink("a", path("b"));
  EXPECT_THAT(error_text([&] { write_output(path("a"), "x"); }),
              HasSubstr("Too many levels of symbolic links"));
}

TEST_F(OutputFile, APipeIsWrittenIntoAndStaysAPipe) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const int reader = ::open(path("pipe").c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  write_output(path("pipe"), "through");
  char got[16] = {};
  EXPECT_EQ(::read(reader, got, sizeof(got)), 7);
  EXPECT_STREQ(got, "through");
  ::close(reader);
  EXPECT_TRUE(fs::is_fifo(path("pipe")));
  EXPECT_FALSE(is_output_file(path("pipe")));
}

TEST_F(OutputFile, MoreThanAPipeHoldsGetsThrough) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const int reader = ::open(path("pipe").c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  ::fcntl(reader, F_SETFL, 0);
  // Held open until everything is written: for a reader, a pipe without a writer has ended.
  const int writer = ::open(path("pipe").c_str(), O_WRONLY);
  ASSERT_GE(writer, 0);
  std::size_t got = 0;
  std::thread drain([&] {
    std::vector<char> piece(4096);
    for (ssize_t n = 0; (n = ::read(reader, piece.data(), piece.size())) > 0;)
      got += static_cast<std::size_t>(n);
  });
  write_output(path("pipe"), std::string(1 << 20, 'x'));
  ::close(writer);
  drain.join();
  ::close(reader);
  EXPECT_EQ(got, std::size_t{1} << 20);
}

TEST_F(OutputFile, APipeThatNobodyReadsIsRefusedAtOnce) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(error_text([&] { write_output(path("pipe"), "x"); }),
            "cannot write " + path("pipe").string() + ": it is a pipe without a reader");
}

TEST_F(OutputFile, ADeviceStaysADevice) {
  fs::create_symlink("/dev/null", path("link"));
  write_output(path("link"), "gone");
  write_output("/dev/null", "gone");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_TRUE(fs::is_symlink(path("link")));
}

TEST_F(OutputFile, AFullDeviceIsAnErrorAndStays) {
  EXPECT_THAT(error_text([&] { write_output("/dev/full", "x"); }),
              HasSubstr("cannot write /dev/full: No space left on device"));
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(OutputFile, AnOpenDescriptorIsWrittenWhereItStands) {
  const int file = ::open(path("log").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  ASSERT_GE(file, 0);
  ASSERT_EQ(::write(file, "before ", 7), 7);
  const std::string number = std::to_string(file);
  write_output("/dev/fd/" + number, "in ");
  fs::create_symlink("/proc/self/fd/" + number, path("link"));
  write_output(path("link"), "between ");
  ASSERT_EQ(::write(file, "after", 5), 5);
  ::close(file);
  EXPECT_EQ(read_file(path("log")), "before in between after");
  EXPECT_TRUE(fs::is_symlink(path("link")));
}

TEST_F(OutputFile, AFolderIsNamed) {
  EXPECT_EQ(error_text([&] { write_output(folder_.path(), "x"); }),
            "cannot write " + folder_.path().string() +
                ": it is a folder; name a file in it, such as " + path("out").string());
}

TEST_F(OutputFile, AppendingMakesTheFileAndGoesOn) {
  append_output(path("summary"), "one\n");
  append_output(path("summary"), "two\n");
  fs::create_symlink("summary", path("link"));
  append_output(path("link"), "three\n");
  EXPECT_EQ(read_file(path("summary")), "one\ntwo\nthree\n");
}

TEST_F(OutputFile, AMissingFolderIsNamedWithTheWayOut) {
  EXPECT_THAT(error_text([&] { write_output(path("no/such"), "x"); }),
              HasSubstr("No such file or directory; create its folder first"));
}

}  // namespace
}  // namespace warpwright
