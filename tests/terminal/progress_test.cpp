#include "terminal/progress.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "terminal/text_width.h"

namespace warpwright {
namespace {

// An in-memory stream that Progress writes to.
class Capture {
 public:
  Capture() : stream_(open_memstream(&buffer_, &size_), std::fclose) {}
  ~Capture() {
    stream_.reset();
    std::free(buffer_);
  }
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;
  [[nodiscard]] std::FILE* stream() { return stream_.get(); }
  [[nodiscard]] std::string text() {
    std::fflush(stream_.get());
    return {buffer_, size_};
  }

 private:
  char* buffer_ = nullptr;
  std::size_t size_ = 0;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream_;
};

TEST(ProgressLine, ShowsCountRateAndTimeLeft) {
  EXPECT_EQ(Progress::line(12, 48, 1.5, "best 372.1 µs"),
            "12/48  8.0/s  4.5 s left  best 372.1 µs");
  EXPECT_EQ(Progress::line(48, 48, 6, ""), "48/48  8.0/s");
  EXPECT_EQ(Progress::line(0, 48, 1, "compiling"), "0/48  compiling");
  EXPECT_EQ(Progress::line(5, 0, 10, ""), "5  30.0/min");
  EXPECT_EQ(Progress::line(5000, 10000, 10, ""), "5000/10000  500/s  10 s left");
  EXPECT_EQ(Progress::line(3, 4, 0, ""), "3/4");
}

TEST(Progress, QuietPrintsNothing) {
  Capture capture;
  {
    Progress progress(
        {.title = "sweep", .terminal = true, .quiet = true, .stream = capture.stream()});
    progress.set_total(2);
    progress.update(1, "x");
    progress.say("line");
  }
  EXPECT_EQ(capture.text(), "");
}

TEST(Progress, PlainOutputIsWholeLinesAtASlowPace) {
  Capture capture;
  {
    Progress progress({.title = "sweep", .stream = capture.stream()});
    progress.set_total(3);
    for (std::size_t i = 1; i <= 3; ++i) progress.update(i, "best");
  }
  const std::string text = capture.text();
  EXPECT_TRUE(text.starts_with("sweep  3/3  ")) << text;
  EXPECT_TRUE(text.ends_with("  best\n")) << text;
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
  EXPECT_EQ(text.find('\r'), std::string::npos);
}

TEST(Progress, PlainLinesFollowTheInterval) {
  Capture capture;
  {
    Progress progress(
        {.title = "", .plain_interval = std::chrono::milliseconds(0), .stream = capture.stream()});
    progress.set_total(2);
    progress.update(1, "");
    progress.update(2, "");
  }
  const std::string text = capture.text();
  EXPECT_GE(std::count(text.begin(), text.end(), '\n'), 3);
}

TEST(Progress, TerminalRedrawsOneLineAndSaysAboveIt) {
  Capture capture;
  {
    Progress progress({.title = "sweep", .terminal = true, .stream = capture.stream()});
    progress.set_total(4);
    progress.say("warning: slow clock");
    progress.update(4, "");
  }
  const std::string text = capture.text();
  EXPECT_TRUE(
      text.starts_with("\rsweep  [....................] 0/4\x1b[K\r\x1b[Kwarning: slow clock\n"))
      << text;
  EXPECT_NE(text.find("[####################] 4/4"), std::string::npos) << text;
  EXPECT_TRUE(text.ends_with("\x1b[K\n")) << text;
}

TEST(Progress, TerminalLineIsCutToTheWidthBetweenCharacters) {
  Capture capture;
  {
    Progress progress({.title = "", .terminal = true, .columns = 30, .stream = capture.stream()});
    progress.update(1, "µµµµµµµµµµµµµµµµµµµµµµµµµµµµµµµµµµµµµµµµ");
  }
  const std::string text = capture.text();
  const std::string line = text.substr(1, text.find('\x1b') - 1);
  const auto cells =
      std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; });
  EXPECT_EQ(cells, 29);
  EXPECT_TRUE(line.ends_with("µ…"));
}

Progress::Parts parts_of_a_sweep() {
  return {
      .title = "softmax_topk",
      .bar = "[##########..........]",
      .count = "1234/98765",
      .rate = "123/s",
      .left = "13 min 12 s left",
      .note = "best 372.1 µs",
      .detail = "threshold CHUNK=4 CLUSTER_COLUMNS=2 COPY=bulk SCHEDULE=persistent THREADS=512"};
}

TEST(ProgressFit, EveryWidthHasTheBestTimeWhole) {
  for (std::size_t columns = 13; columns <= 200; ++columns) {
    const std::string text = Progress::fit(parts_of_a_sweep(), columns);
    EXPECT_LE(display_width(text), columns) << text;
    EXPECT_NE(text.find("best 372.1 µs"), std::string::npos) << columns << ": " << text;
  }
}

TEST(ProgressFit, PartsGiveWayInTheirOrder) {
  const auto at = [](std::size_t columns) { return Progress::fit(parts_of_a_sweep(), columns); };
  EXPECT_EQ(
      at(120),
      "softmax_topk  [##########..........] 1234/98765  123/s  13 min 12 s left  best 372.1 µs "
      "threshold CHUNK=…ent THREADS=512");
  EXPECT_EQ(at(99),
            "softmax_topk  1234/98765  123/s  13 min 12 s left  best 372.1 µs "
            "threshold CHUNK=4…tent THREADS=512");
  EXPECT_EQ(
      at(85),
      "softmax_topk  1234/98765  13 min 12 s left  best 372.1 µs threshold CHU…t THREADS=512");
  EXPECT_EQ(at(70), "1234/98765  13 min 12 s left  best 372.1 µs threshold CHU… THREADS=512");
  EXPECT_EQ(at(60), "softmax_topk  1234/98765  13 min 12 s left  best 372.1 µs");
  EXPECT_EQ(at(50), "1234/98765  13 min 12 s left  best 372.1 µs");
  EXPECT_EQ(at(40), "1234/98765  best 372.1 µs");
  EXPECT_EQ(at(20), "best 372.1 µs");
}

TEST(ProgressFit, WithoutALimitEverythingIsSaid) {
  const std::string text = Progress::fit(parts_of_a_sweep(), 0);
  EXPECT_TRUE(text.ends_with("best 372.1 µs " + parts_of_a_sweep().detail)) << text;
}

TEST(Progress, InAnotherLocaleMicrosecondsAreAscii) {
  ASSERT_EQ(setenv("LC_ALL", "C", 1), 0);
  Capture capture;
  {
    Progress progress({.title = "", .terminal = true, .stream = capture.stream()});
    progress.update(1, "best 5.01 µs", "A=1");
  }
  ASSERT_EQ(unsetenv("LC_ALL"), 0);
  EXPECT_NE(capture.text().find("best 5.01 us A=1"), std::string::npos) << capture.text();
}

TEST(Progress, FinishIsDoneOnce) {
  Capture capture;
  {
    Progress progress({.title = "", .stream = capture.stream()});
    progress.update(1, "");
    progress.finish();
    progress.finish();
  }
  const std::string text = capture.text();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
}

TEST(RichTerminal, NoColorAndDumbTerminalsAreHonoured) {
  ASSERT_EQ(setenv("NO_COLOR", "1", 1), 0);
  EXPECT_FALSE(stderr_progress("x", false).terminal);
  ASSERT_EQ(unsetenv("NO_COLOR"), 0);
  ASSERT_EQ(setenv("TERM", "dumb", 1), 0);
  EXPECT_FALSE(stderr_progress("x", false).terminal);
}

}  // namespace
}  // namespace warpwright
