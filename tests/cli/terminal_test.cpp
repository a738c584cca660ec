// Tests the program's output on a real terminal, and that pipes receive all of it.
#include <gmock/gmock.h>

#include <sstream>

#include "core/files.h"
#include "support/program.h"
#include "terminal/text_width.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Returns everything that was shown in one line of the terminal at some time; a redraw begins a new
// line.
std::vector<std::string> drawn_lines(const std::string& sent) {
  std::vector<std::string> lines(1);
  for (std::size_t at = 0; at < sent.size(); ++at) {
    if (sent[at] == '\n' || sent[at] == '\r') {
      lines.emplace_back();
    } else if (sent.compare(at, 3, "\x1b[K") == 0) {
      at += 2;
    } else {
      lines.back() += sent[at];
    }
  }
  return lines;
}

class OnATerminal : public ::testing::Test {
 protected:
  OnATerminal() : folder_("terminal") {
    write_square_kernel(folder_.path());
    database_ = (folder_.path() / "my results.db").string();
  }
  std::vector<std::string> sweep() const {
    return {"sweep",     (folder_.path() / "square.yaml").string(),
            "--db",      database_,
            "--device",  "emu:sm_90a",
            "--kernels", (folder_.path() / "kernels").string()};
  }
  static void expect_fits(const std::string& sent, std::size_t columns) {
    for (const std::string& line : drawn_lines(sent)) {
      // Commands and file names are not broken across lines, so that they can be copied.
      if (line.find('`') != std::string::npos || line.find(".db") != std::string::npos) continue;
      EXPECT_LE(display_width(line), columns) << line;
    }
  }
  TemporaryFolder folder_;
  std::string database_;
};

TEST_F(OnATerminal, SweepAndShowFitItsWidth) {
  for (const auto& [columns, rows] :
       {std::pair<unsigned short, unsigned short>{100, 30}, {79, 24}, {40, 24}}) {
    std::vector<std::string> fresh = sweep();
    fresh.emplace_back("--fresh");
    const ProgramResult swept = run_on_terminal(fresh, columns, rows);
    ASSERT_EQ(swept.exit_code, 0) << swept.out;
    expect_fits(swept.out, columns);
    EXPECT_THAT(swept.out, HasSubstr("model µs"));
    bool best_whole = false;
    for (const std::string& line : drawn_lines(swept.out)) {
      const std::size_t best = line.find("best ");
      if (best == std::string::npos || line.find(" µs modelled", best) == std::string::npos)
        continue;
      best_whole = true;
    }
    EXPECT_TRUE(best_whole) << swept.out;
    for (const std::vector<std::string>& verb : {std::vector<std::string>{"show"},
                                                 {"show", "square"},
                                                 {"show", "--all", "--importance"}}) {
      std::vector<std::string> arguments = verb;
      arguments.insert(arguments.end(), {"--db", database_});
      const ProgramResult shown = run_on_terminal(arguments, columns, rows);
      ASSERT_EQ(shown.exit_code, 0) << shown.out;
      expect_fits(shown.out, columns);
      EXPECT_THAT(shown.out, HasSubstr("µs"));
    }
  }
}

TEST_F(OnATerminal, HintsNameTheDatabaseAndTheKernels) {
  const ProgramResult swept = run_program(sweep());
  ASSERT_EQ(swept.exit_code, 0) << swept.err;
  const std::string options =
      " --db '" + database_ + "' --kernels " + (folder_.path() / "kernels").string();
  EXPECT_THAT(swept.out, HasSubstr("`warpwright show square" + options + "`\n"));
  const ProgramResult shown = run_program({"show", "--db", database_});
  EXPECT_THAT(shown.out, HasSubstr("`warpwright show square --db '" + database_ + "'`"));
  EXPECT_THAT(shown.out, HasSubstr("`warpwright show --all --db '" + database_ + "'`"));
  const ProgramResult wrong = run_program({"repro", "99", "--db", database_});
  EXPECT_THAT(wrong.err, HasSubstr("`warpwright show --db '" + database_ + "'`"));
}

TEST_F(OnATerminal, ShowIsAnOverviewUnlessBoardsAreAskedFor) {
  ASSERT_EQ(run_program(sweep()).exit_code, 0);
  const auto show = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"show", "--db", database_});
    return run_program(more).out;
  };
  const std::string overview = show({});
  EXPECT_THAT(overview, HasSubstr("best µs"));
  EXPECT_THAT(overview, HasSubstr("modelled"));
  EXPECT_THAT(overview, Not(HasSubstr("configurations ranked")));
  for (const std::vector<std::string>& asking :
       {std::vector<std::string>{"--all"}, {"--top", "3"}, {"--importance"}, {"square"}})
    EXPECT_THAT(show(asking), HasSubstr("configurations ranked")) << asking.front();
}

TEST_F(OnATerminal, PipesKeepWholeRowsWhateverColumnsSays) {
  ASSERT_EQ(run_program(sweep()).exit_code, 0);
  const std::vector<std::string> show = {"show", "square", "--db", database_};
  const std::string whole = run_program(show).out;
  EXPECT_EQ(run_program(show, {"COLUMNS=40"}).out, whole);
  EXPECT_THAT(whole, HasSubstr("spill B  trial\n"));
}

TEST_F(OnATerminal, ALocaleWithoutUtf8GetsAscii) {
  ASSERT_EQ(run_program(sweep()).exit_code, 0);
  const ProgramResult shown = run_program({"show", "square", "--db", database_}, {"LC_ALL=C"});
  EXPECT_THAT(shown.out, HasSubstr("model us"));
  for (const char c : shown.out) ASSERT_GE(c, 0) << shown.out;
}

TEST_F(OnATerminal, SizesAreGivenWithBlanksOrCommas) {
  const auto space = [&](const std::string& set) {
    return run_program({"space", (folder_.path() / "square.yaml").string(), "--device",
                        "emu:sm_90a", "--kernels", (folder_.path() / "kernels").string(), "--set",
                        set});
  };
  const ProgramResult blanks = space("n=777 THREADS=64");
  ASSERT_EQ(blanks.exit_code, 0) << blanks.err;
  EXPECT_THAT(blanks.out, HasSubstr("n=777 on emu:sm_90a: 3 valid"));
  const ProgramResult commas = space("n=777,THREADS=64");
  EXPECT_THAT(commas.out, HasSubstr("n=777 on emu:sm_90a: 3 valid")) << commas.err;
}

}  // namespace
}  // namespace warpwright::testing
