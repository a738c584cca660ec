// Tests foreign kernels (tests/fixtures/outside_kernels) through the program: their spaces have the
// same configurations as loops over the same lists, and the emulator runs their sources unchanged.
#include <gmock/gmock.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "core/files.h"
#include "support/program.h"

namespace warpwright::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

// A configuration as spelled in the sweep's YAML: {"ITEMS", "4"}, {"OP", "\"lib::Horner\""}.
class SuiteChoice {
 public:
  std::map<std::string, std::string> words;
  [[nodiscard]] long operator()(const std::string& name) const {
    const std::string& word = words.at(name);
    return word == "true" ? 1 : word == "false" ? 0 : std::stol(word);
  }
};

struct SuiteKernel {
  std::string name;
  std::size_t problems;
  // The combined effect of the constraints of the contract and of the sweep.
  std::function<bool(const SuiteChoice&)> valid;
  // Options for a sweep that takes the emulator a second or two, and how its trials end.
  std::vector<std::string> narrowed;
  std::size_t trials;
  // The checkers' findings, with the number of these trials that have each.
  std::map<std::string, std::size_t> objections = {};
};

void PrintTo(const SuiteKernel& kernel, std::ostream* out) { *out << kernel.name; }

// The predicates follow from the sources, not from the words of the YAML.
std::vector<SuiteKernel> suite_kernels() {
  constexpr long kStaticShared = 48 * 1024;
  return {
      {"polynomial",
       2,
       [](const SuiteChoice& c) {
         return c("THREADS") * c("ITEMS") <= 4096 && (c("ITEMS") != 1 || c("STRIPED") == 1);
       },
       {"--set", "THREADS=128 ITEMS=4"},
       4},
      {"convolution",
       1,
       [](const SuiteChoice& c) {
         const long threads = c("block_size_x") * c("block_size_y");
         const long pixels = c("tile_size_x") * c("tile_size_y");
         const long rows = c("block_size_y") * c("tile_size_y") + 16;
         const long columns = c("block_size_x") * c("tile_size_x") + 16;
         const long padding = c("use_padding") == 1 ? 31 : 0;
         return threads >= 64 && threads <= 1024 && pixels <= 4 &&
                (padding == 0 || c("block_size_x") == 16 || c("block_size_x") == 48) &&
                rows * (columns + padding) * 4 <= kStaticShared;
       },
       {"--set", "block_size_x=16 block_size_y=4 tile_size_x=2 tile_size_y=1"},
       4},
      {"hotspot",
       1,
       [](const SuiteChoice& c) {
         const long threads = c("block_size_x") * c("block_size_y");
         const long cells = c("tile_size_x") * c("tile_size_y");
         const long tile = (c("block_size_x") * c("tile_size_x") + 2 * 3) *
                           (c("block_size_y") * c("tile_size_y") + 2 * 3);
         return threads >= 128 && threads <= 512 && cells <= 4 &&
                (c("loop_unroll_factor_t") != 3 || cells > 1) &&
                tile * (c("sh_power") == 1 ? 3 : 2) * 4 <= kStaticShared;
       },
       {"--set", "block_size_x=64 block_size_y=4 tile_size_x=2 tile_size_y=1"},
       4},
      {"moving_average",
       1,
       [](const SuiteChoice& c) {
         const long elements = c("BLOCK_SIZE") * c("ITEMS");
         return elements <= 4096 &&
                (c("USE_SHARED") == 0 || (elements + 2 * 8) * 4 <= kStaticShared);
       },
       {"--set", "BLOCK_SIZE=128"},
       8,
       {{"exit before barrier", 4}}},
      {"matrix_product",
       1,
       [](const SuiteChoice& c) {
         const long threads = c("block_size_x") * c("block_size_y");
         const long columns = c("block_size_x") * c("tile_size_x");
         const long rows = c("block_size_y") * c("tile_size_y");
         const long sums = c("tile_size_x") * c("tile_size_y");
         return threads <= 512 && columns <= 128 && rows <= 128 && sums >= 4 && sums <= 32 &&
                (columns + rows) * c("tile_size_k") * 4 <= kStaticShared;
       },
       {"--set", "block_size_x=8 block_size_y=8 tile_size_x=4"},
       6},
      {"histogram",
       1,
       [](const SuiteChoice& c) {
         const long threads = c("BLOCK_SIZE") * c("NUM_BLOCKS");
         return c("COPIES") <= c("BLOCK_SIZE") / 32 && threads >= 132 * 256 &&
                threads <= 132 * 4096;
       },
       {"--set", "BLOCK_SIZE=256 NUM_BLOCKS=132 COPIES=4"},
       3},
      {"coulomb_sum",
       1,
       [](const SuiteChoice& c) {
         const long unroll = c("INNER_UNROLL_FACTOR"), points = c("Z_ITERATIONS");
         return c("BLOCK_SIZE_X") * c("BLOCK_SIZE_Y") >= 64 &&
                (c("VECTOR_SIZE") == 1 || c("USE_SOA") == 1) &&
                (unroll == 0 || (unroll <= points && 4 * unroll >= points));
       },
       {"--set", "BLOCK_SIZE_X=16 BLOCK_SIZE_Y=8 Z_ITERATIONS=4 INNER_UNROLL_FACTOR=4"},
       4},
      {"sparse_product",
       1,
       [](const SuiteChoice& c) { return c("UNROLL") * c("THREADS_PER_ROW") <= 32; },
       {"--set", "BLOCK_SIZE=128 UNROLL=1 THREADS_PER_ROW=8"},
       2},
      {"transpose",
       2,
       [](const SuiteChoice& c) {
         const long tile = c("TILE_DIM"), threads = tile * c("BLOCK_ROWS");
         return tile % c("BLOCK_ROWS") == 0 && threads >= 64 && threads <= 1024 &&
                tile * (tile + c("PADDING")) * 8 <= kStaticShared;
       },
       {"--set", "TILE_DIM=32 BLOCK_ROWS=8"},
       4},
      {"sieve",
       1,
       [](const SuiteChoice& c) {
         const long blocks = c("num_blocks") * c("slices");
         return blocks >= 128 && blocks * c("block_size") <= 512 * 1024;
       },
       {"--set", "block_size=64 num_blocks=32 slices=4"},
       2,
       {{"global race", 1}, {"global race of equal values", 1}}},
  };
}

fs::path suite_folder() {
  return fs::path(WARPWRIGHT_SOURCE_DIR) / "tests/fixtures/outside_kernels";
}

// Returns the lists of the sweep's `space`, one parameter per line.
std::vector<std::pair<std::string, std::vector<std::string>>> suite_lists(const std::string& name) {
  std::istringstream lines(read_file(suite_folder() / (name + ".yaml")));
  std::vector<std::pair<std::string, std::vector<std::string>>> lists;
  std::string line;
  while (std::getline(lines, line) && line != "space:") {
  }
  while (std::getline(lines, line) && line.starts_with("  ")) {
    const std::size_t colon = line.find(": [");
    std::istringstream words(line.substr(colon + 3, line.size() - colon - 4));
    lists.emplace_back(line.substr(2, colon - 2), std::vector<std::string>());
    for (std::string word; words >> word;) {
      if (word.back() == ',') word.pop_back();
      lists.back().second.push_back(word);
    }
  }
  return lists;
}

std::string suite_line(const std::map<std::string, std::string>& words) {
  std::string text;
  for (const auto& [name, word] : words) text += name + "=" + word + " ";
  return text;
}

class OutsideSuite : public ::testing::TestWithParam<SuiteKernel> {
 protected:
  [[nodiscard]] static std::vector<std::string> arguments_for(const std::string& verb) {
    return {verb,        (suite_folder() / (GetParam().name + ".yaml")).string(),
            "--kernels", (suite_folder() / "kernels").string(),
            "--device",  "emu:sm_90a",
            "--json"};
  }
  [[nodiscard]] nlohmann::json sweep(const std::vector<std::string>& more) const {
    std::vector<std::string> arguments = arguments_for("sweep");
    arguments.insert(arguments.end(), {"--db", (folder_.path() / "x.db").string(), "--quiet",
                                       "--compile-workers", "1", "--emulator-workers", "1"});
    arguments.insert(arguments.end(), more.begin(), more.end());
    // Entries of this cache are identified by their content, so tests share it.
    const ProgramResult result =
        run_program(arguments, {"WARPWRIGHT_CACHE=" WARPWRIGHT_BINARY_DIR "/test_cache"});
    auto json = nlohmann::json::parse(result.out, nullptr, /*allow_exceptions=*/false);
    EXPECT_FALSE(json.is_discarded()) << result.out << result.err;
    return json;
  }

  TemporaryFolder folder_;
};

TEST_P(OutsideSuite, TheSpaceIsWhatLoopsOverItsListsFind) {
  const auto lists = suite_lists(GetParam().name);
  std::set<std::string> expected;
  std::vector<std::size_t> at(lists.size());
  double combinations = 0;
  for (std::size_t turned = 0; turned < lists.size(); ++combinations) {
    SuiteChoice choice;
    for (std::size_t i = 0; i < lists.size(); ++i)
      choice.words[lists[i].first] = lists[i].second[at[i]];
    if (GetParam().valid(choice)) expected.insert(suite_line(choice.words));
    for (turned = 0; turned < lists.size() && ++at[turned] == lists[turned].second.size(); ++turned)
      at[turned] = 0;
  }
  std::vector<std::string> arguments = arguments_for("space");
  arguments.emplace_back("--list");
  const ProgramResult result = run_program(arguments);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  ASSERT_EQ(json["spaces"].size(), GetParam().problems);
  for (const nlohmann::json& space : json["spaces"]) {
    EXPECT_EQ(space["count"], expected.size());
    EXPECT_EQ(space["cartesian"], combinations);
    std::set<std::string> found;
    for (const nlohmann::json& configuration : space["configurations"]) {
      std::map<std::string, std::string> words;
      for (const auto& [name, value] : configuration["values"].items()) words[name] = value.dump();
      found.insert(suite_line(words));
    }
    EXPECT_EQ(found, expected);
  }
  EXPECT_THAT(
      read_file(suite_folder() / "README.md"),
      HasSubstr("\n| " + GetParam().name + " | " + std::to_string(expected.size()) + " | "));
}

TEST_P(OutsideSuite, TheEmulatorTakesItAsItIs) {
  const nlohmann::json json = sweep(GetParam().narrowed);
  EXPECT_EQ(json["sweep"]["statuses"], (nlohmann::json{{"ok", GetParam().trials}})) << json;
  EXPECT_EQ(json["sweep"]["objections"]["kinds"], nlohmann::json(GetParam().objections));
}

TEST_P(OutsideSuite, ItsSourcesKnowNothingOfThisProject) {
  int sources = 0;
  const fs::path kernel = suite_folder() / "kernels" / GetParam().name;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kernel)) {
    if (entry.path().extension() != ".cu" && entry.path().extension() != ".cuh") continue;
    std::string text = read_file(entry.path());
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    EXPECT_THAT(text, Not(HasSubstr("warpwright"))) << entry.path();
    EXPECT_THAT(text, Not(HasSubstr("ww_"))) << entry.path();
    ++sources;
  }
  EXPECT_GT(sources, 0);
}

INSTANTIATE_TEST_SUITE_P(Kernels, OutsideSuite, ::testing::ValuesIn(suite_kernels()),
                         [](const auto& kernel) { return kernel.param.name; });

class OutsideSuiteObjected : public OutsideSuite {};

TEST_P(OutsideSuiteObjected, IsRejectedWhenThatIsAskedFor) {
  std::size_t objected = 0;
  for (const auto& [kind, count] : GetParam().objections) objected += count;
  std::vector<std::string> options = GetParam().narrowed;
  options.insert(options.end(), {"--hazards", "reject"});
  nlohmann::json statuses = {{"hazard", objected}};
  if (objected < GetParam().trials) statuses["ok"] = GetParam().trials - objected;
  EXPECT_EQ(sweep(options)["sweep"]["statuses"], statuses);
}

std::vector<SuiteKernel> objected_kernels() {
  std::vector<SuiteKernel> kernels = suite_kernels();
  std::erase_if(kernels, [](const SuiteKernel& kernel) { return kernel.objections.empty(); });
  return kernels;
}

INSTANTIATE_TEST_SUITE_P(Kernels, OutsideSuiteObjected, ::testing::ValuesIn(objected_kernels()),
                         [](const auto& kernel) { return kernel.param.name; });

TEST(OutsideSuiteExport, EntriesWithNamesOfCppAreRefused) {
  const TemporaryFolder folder;
  const std::string database = (folder.path() / "x.db").string();
  const ProgramResult swept =
      run_program({"sweep", (suite_folder() / "sieve.yaml").string(), "--kernels",
                   (suite_folder() / "kernels").string(), "--device", "emu:sm_90a", "--db",
                   database, "--quiet", "--budget", "1"},
                  {"WARPWRIGHT_CACHE=" WARPWRIGHT_BINARY_DIR "/test_cache"});
  ASSERT_EQ(swept.exit_code, 0) << swept.err;
  const ProgramResult refused =
      run_program({"export", "sieve", "--format", "header", "--db", database});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err,
              HasSubstr("kernel 'sieve': its entries have C++ names, and exported headers name "
                        "entries as symbols; declare them extern \"C\" and sweep again, or export "
                        "JSON"));
}

TEST(OutsideSuiteTable, HasEveryKernel) {
  std::set<std::string> tested;
  for (const SuiteKernel& kernel : suite_kernels()) tested.insert(kernel.name);
  std::set<std::string> there;
  for (const fs::directory_entry& entry : fs::directory_iterator(suite_folder() / "kernels"))
    there.insert(entry.path().filename().string());
  EXPECT_EQ(tested, there);
}

}  // namespace
}  // namespace warpwright::testing
