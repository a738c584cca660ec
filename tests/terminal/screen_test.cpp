#include "terminal/screen.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <optional>

namespace warpwright {
namespace {

// Sets environment variables for a test and restores their previous values.
class Environment {
 public:
  void set(const std::string& name, const std::optional<std::string>& value) {
    const char* old = std::getenv(name.c_str());
    before_.try_emplace(name, old == nullptr ? std::nullopt : std::optional<std::string>(old));
    put(name, value);
  }
  ~Environment() {
    for (const auto& [name, value] : before_) put(name, value);
  }

 private:
  static void put(const std::string& name, const std::optional<std::string>& value) {
    value ? setenv(name.c_str(), value->c_str(), 1) : unsetenv(name.c_str());
  }
  std::map<std::string, std::optional<std::string>> before_;
};

// The slave end of a new pseudo-terminal with the given number of columns.
class Terminal {
 public:
  explicit Terminal(unsigned short columns) : master_(posix_openpt(O_RDWR | O_NOCTTY)) {
    if (master_ < 0 || grantpt(master_) != 0 || unlockpt(master_) != 0) return;
    stream_.reset(std::fopen(ptsname(master_), "r+"));
    resize(columns);
  }
  ~Terminal() {
    stream_.reset();
    if (master_ >= 0) close(master_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  void resize(unsigned short columns) const {
    const winsize size{30, columns, 0, 0};
    ioctl(master_, TIOCSWINSZ, &size);
  }
  [[nodiscard]] std::FILE* stream() const { return stream_.get(); }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  int master_;
  std::unique_ptr<std::FILE, Close> stream_;
};

TEST(Screen, ATerminalSaysItsWidthWhateverColumnsSays) {
  const Terminal terminal(100);
  ASSERT_NE(terminal.stream(), nullptr);
  Environment environment;
  environment.set("COLUMNS", "60");
  EXPECT_EQ(screen_of(terminal.stream()).columns, 100U);
  terminal.resize(79);
  EXPECT_EQ(screen_of(terminal.stream()).columns, 79U) << "queried again";
}

TEST(Screen, ATerminalWithoutASizeHasThatOfColumns) {
  const Terminal terminal(0);
  ASSERT_NE(terminal.stream(), nullptr);
  Environment environment;
  environment.set("COLUMNS", "60");
  EXPECT_EQ(screen_of(terminal.stream()).columns, 60U);
  environment.set("COLUMNS", "wide");
  EXPECT_EQ(screen_of(terminal.stream()).columns, 80U);
  environment.set("COLUMNS", std::nullopt);
  EXPECT_EQ(screen_of(terminal.stream()).columns, 80U);
}

TEST(Screen, FilesAndPipesHaveNoLimit) {
  Environment environment;
  environment.set("COLUMNS", "60");
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), std::fclose);
  EXPECT_EQ(screen_of(file.get()).columns, 0U);
}

TEST(Screen, TheFirstVariableOfTheLocaleThatIsSetDecides) {
  Environment environment;
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) environment.set(name, std::nullopt);
  EXPECT_TRUE(locale_is_utf8()) << "UTF-8 is the default";
  environment.set("LANG", "de_DE.ISO-8859-1");
  EXPECT_FALSE(locale_is_utf8());
  environment.set("LC_CTYPE", "de_DE.utf8");
  EXPECT_TRUE(locale_is_utf8());
  environment.set("LC_ALL", "");
  EXPECT_TRUE(locale_is_utf8());
  environment.set("LC_ALL", "C");
  EXPECT_FALSE(locale_is_utf8());
  environment.set("LC_ALL", "C.UTF-8");
  EXPECT_TRUE(locale_is_utf8());
}

TEST(Screen, SymbolsHaveTheirAsciiAndNamesStay) {
  EXPECT_EQ(to_ascii("5.01 µs ±0.1 %, ≥ 2 … – R² ──"), "5.01 us +-0.1 %, >= 2 ... - R2 --");
  EXPECT_EQ(to_ascii("kernel_ä日"), "kernel_ä日");
  EXPECT_EQ(for_screen("1 µs", {0, true}), "1 µs");
  EXPECT_EQ(for_screen("1 µs", {0, false}), "1 us");
}

}  // namespace
}  // namespace warpwright
