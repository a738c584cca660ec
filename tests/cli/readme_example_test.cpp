// Tests that the README's "Find races" and "Tune a kernel of your own" work literally: their files
// are taken from the page itself.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "core/files.h"
#include "support/program.h"

namespace warpwright::testing {
namespace {

// Returns the fenced block after the first mention of `marker`.
std::string block_after(const std::string& page, const std::string& marker) {
  const std::size_t mention = page.find(marker);
  EXPECT_NE(mention, std::string::npos) << marker;
  const std::size_t fence = page.find("```", mention);
  const std::size_t begin = page.find('\n', fence) + 1;
  return page.substr(begin, page.find("```", begin) - begin);
}

TEST(Readme, TheKernelOfYourOwnSweepsAndEveryConfigurationPasses) {
  const std::string page = read_file(std::string(WARPWRIGHT_SOURCE_DIR) + "/README.md");
  const TemporaryFolder folder;
  const auto kernel = folder.path() / "my_kernels" / "saxpy";
  for (const char* file : {"saxpy.cu", "kernel.yaml", "reference.cpp"})
    write_text(kernel / file, block_after(page, std::string("`my_kernels/saxpy/") + file + "`"));
  write_text(folder.path() / "saxpy.yaml", block_after(page, "`saxpy.yaml`"));

  const ProgramResult result =
      run_program({"sweep", (folder.path() / "saxpy.yaml").string(), "--kernels",
                   (folder.path() / "my_kernels").string(), "--device", "emu:sm_90a", "--db",
                   (folder.path() / "r.db").string(), "--json", "--quiet"},
                  {"WARPWRIGHT_CACHE=" + (folder.path() / "cache").string()});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const nlohmann::json json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["sweep"]["trials"], 19);  // 20 combinations, of which the constraint excludes 1024
                                           // x 8
  EXPECT_EQ(json["sweep"]["statuses"]["ok"], 19) << result.out;
}

TEST(Readme, TheKernelThatIsVettedShowsWhatIsPrinted) {
  const std::string page = read_file(std::string(WARPWRIGHT_SOURCE_DIR) + "/README.md");
  const std::string section = page.substr(page.find("## Find races in a kernel of your own"));
  const TemporaryFolder folder;
  write_text(folder.path() / "reverse.cu", block_after(section, "write the launch in a comment"));
  const std::string file = (folder.path() / "reverse.cu").string();
  const ProgramResult result = run_program(
      {"vet", file, "--quiet"}, {"WARPWRIGHT_CACHE=" + (folder.path() / "cache").string()});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  std::string printed = result.out;
  for (std::size_t at = printed.find(file); at != std::string::npos; at = printed.find(file))
    printed.replace(at, file.size(), "reverse.cu");
  const std::string command = "$ warpwright vet reverse.cu\n";
  const std::string shown = section.substr(section.find(command) + command.size());
  EXPECT_THAT(printed, ::testing::StartsWith(shown.substr(0, shown.find("```"))));
}

}  // namespace
}  // namespace warpwright::testing
