// The README's table of opcodes: every family that the decoder supports, its forms, and the tests
// that cover it. WARPWRIGHT_UPDATE_GOLDEN=1 rewrites the table; a family without a test fails.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "emu/decode/decoder.h"
#include "emu/lanes/lane_table.h"
#include "emu_harness.h"

namespace warpwright::emu {
namespace {

constexpr const char* kMark = "<!-- opcodes -->\n";

// Families without a table of cases with formulas (opcode_*_test.cpp, convert_test.cpp), and the
// test that shows their behaviour. The fixtures of hazards/ also cover the asynchronous ones.
const std::map<std::string, std::string>& named_tests() {
  static const std::map<std::string, std::string> kTests{
      {"activemask", "RestOfTheOpcodes.ActivemaskIsWhoIsHere"},
      {"addc", "CarryChain.Adds128Bits"},
      {"applypriority", "RestOfTheOpcodes.HintsChangeNothing"},
      {"atom", "Atomics.ThirtyTwoBits"},
      {"bar", "Barriers.ArriveAndSyncWithCounts"},
      {"barrier", "Pipeline.ClusterReductionThroughDistributedSharedMemory"},
      {"bra", "Divergence.LanesTakeALockInTurn"},
      {"brkpt", "RestOfTheOpcodes.BreakpointIsATrap"},
      {"brx", "Functions.SwitchesTakeEveryBranch"},
      {"call", "Functions.DivergedCallersGetTheirOwnResults"},
      {"cp", "Memory.AsyncCopyFillsWithZeros"},
      {"createpolicy", "RestOfTheOpcodes.HintsChangeNothing"},
      {"cvta", "Memory.OneGenericLoadReadsThreeSpaces"},
      {"discard", "RestOfTheOpcodes.DiscardComesBeforeStores"},
      {"elect", "WarpWide.ElectPicksTheLowestMember"},
      {"exit", "RestOfTheOpcodes.ExitEndsItsLanesOnly"},
      {"fence", "RestOfTheOpcodes.HintsChangeNothing"},
      {"fns", "RestOfTheOpcodes.FnsFindsTheNthSetBit"},
      {"getctarank", "RestOfTheOpcodes.MapaAndGetctarankAreInverse"},
      {"griddepcontrol", "RestOfTheOpcodes.HintsChangeNothing"},
      {"isspacep", "Memory.OneGenericLoadReadsThreeSpaces"},
      {"ld", "Memory.EveryWidthLoadsAndStores"},
      {"ldmatrix", "Matrix.LoadsEveryMatrixAndTransposes"},
      {"ldu", "RestOfTheOpcodes.UniformLoadReads"},
      {"madc", "CarryChain.Adds128Bits"},
      {"mapa", "Pipeline.ClusterReductionThroughDistributedSharedMemory"},
      {"match", "WarpWide.MatchReduxVoteAndActivemask"},
      {"mbarrier", "WgmmaPipeline.ProducerAndConsumersWithTma"},
      {"membar", "RestOfTheOpcodes.HintsChangeNothing"},
      {"mma", "Mma.EveryFormPlacesEveryElement"},
      {"mov", "RestOfTheOpcodes.SelpAndMovBySelf"},
      {"movmatrix", "Matrix.MovesAMatrixToItsTransposed"},
      {"nanosleep", "RestOfTheOpcodes.HintsChangeNothing"},
      {"pmevent", "RestOfTheOpcodes.HintsChangeNothing"},
      {"prefetch", "RestOfTheOpcodes.HintsChangeNothing"},
      {"prefetchu", "RestOfTheOpcodes.HintsChangeNothing"},
      {"red", "Atomics.ThirtyTwoBits"},
      {"redux", "WarpWide.MatchReduxVoteAndActivemask"},
      {"ret", "Functions.DivergedCallersGetTheirOwnResults"},
      {"selp", "RestOfTheOpcodes.SelpAndMovBySelf"},
      {"setmaxnreg", "Fixtures/HazardFixture.BrokenIsFound/register_budget"},
      {"shfl", "WarpWide.ShufflesWithPartialMasksAndSegments"},
      {"st", "Memory.EveryWidthLoadsAndStores"},
      {"stmatrix", "Matrix.StoresEveryMatrixAndTransposes"},
      {"subc", "CarryChain.Adds128Bits"},
      {"tex", "Textures.LinearMemoryIsFetchedAndZeroOutside"},
      {"trap", "Fault.Trap"},
      {"vabsdiff", "VideoOpcodes.SumsDifferencesAndExtremesOfParts"},
      {"vabsdiff2", "VideoOpcodes.HalvesAndBytesAtOnce"},
      {"vabsdiff4", "VideoOpcodes.HalvesAndBytesAtOnce"},
      {"vadd", "VideoOpcodes.SumsDifferencesAndExtremesOfParts"},
      {"vadd2", "VideoOpcodes.HalvesAndBytesAtOnce"},
      {"vadd4", "VideoOpcodes.HalvesAndBytesAtOnce"},
      {"vavrg2", "VideoOpcodes.HalvesAndBytesAtOnce"},
      {"vavrg4", "VideoOpcodes.HalvesAndBytesAtOnce"},
      {"vmad", "VideoOpcodes.MultiplyAddsOfParts"},
      {"vmax", "VideoOpcodes.SumsDifferencesAndExtremesOfParts"},
      {"vmax2", "VideoOpcodes.HalvesAndBytesAtOnce"},
      {"vmax4", "VideoOpcodes.HalvesAndBytesAtOnce"},
      {"vmin", "VideoOpcodes.SumsDifferencesAndExtremesOfParts"},
      {"vmin2", "VideoOpcodes.HalvesAndBytesAtOnce"},
      {"vmin4", "VideoOpcodes.HalvesAndBytesAtOnce"},
      {"vset", "VideoOpcodes.ComparisonsOfParts"},
      {"vset2", "VideoOpcodes.HalvesAndBytesAtOnce"},
      {"vset4", "VideoOpcodes.HalvesAndBytesAtOnce"},
      {"vshl", "VideoOpcodes.ShiftsOfParts"},
      {"vshr", "VideoOpcodes.ShiftsOfParts"},
      {"vsub", "VideoOpcodes.SumsDifferencesAndExtremesOfParts"},
      {"vsub2", "VideoOpcodes.HalvesAndBytesAtOnce"},
      {"vsub4", "VideoOpcodes.HalvesAndBytesAtOnce"},
      {"vote", "WarpWide.MembersMayArriveAtDifferentPlaces"},
      {"wgmma", "Wgmma.EveryLayoutOfEitherOperand"},
      {"wmma", "Wmma.EveryFormAndLayout"},
  };
  return kTests;
}

// Returns the full names of the tests of this program.
std::set<std::string> registered_tests() {
  std::set<std::string> names;
  const testing::UnitTest& program = *testing::UnitTest::GetInstance();
  for (int s = 0; s < program.total_test_suite_count(); ++s) {
    const testing::TestSuite& suite = *program.GetTestSuite(s);
    for (int t = 0; t < suite.total_test_count(); ++t)
      names.insert(std::string(suite.name()) + "." + suite.GetTestInfo(t)->name());
  }
  return names;
}

struct Coverage {
  std::string test;  // "Suite.Name", or "Suite.Name/*" with the number of its cases
  int cases = 0;
};

// The cases with formulas are named after the instruction that they run:
// "All/IntegerOpcode.MatchesFormula/add_u32".
std::vector<Coverage> coverage_of(const std::string& family, const std::set<std::string>& tests) {
  std::map<std::string, int> tables;
  for (const std::string& test : tests) {
    const bool by_formula = test.find("Opcode.") != test.npos || test.starts_with("All/Convert.");
    const std::size_t slash = test.rfind('/');
    if (!by_formula || slash == test.npos) continue;
    const std::string name = test.substr(slash + 1);
    if (name == family || name.starts_with(family + "_")) ++tables[test.substr(0, slash)];
  }
  std::vector<Coverage> found;
  for (const auto& [test, cases] : tables) found.push_back({test, cases});
  if (const auto named = named_tests().find(family); named != named_tests().end())
    found.push_back({named->second, 0});
  return found;
}

// Returns the types and modifiers of a family's lane operations; empty for families that are
// decoded without the lane table.
std::string forms_of(const std::string& family) {
  std::set<std::string> parts;
  for (const std::string& name : lane_table().names()) {
    if (!name.starts_with(family + ".")) continue;
    std::istringstream words(name.substr(family.size() + 1));
    for (std::string part; std::getline(words, part, '.');) parts.insert(part);
  }
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "." : " .") + part;
  return text.empty() ? "as decoded" : text;
}

std::string table_of(const std::set<std::string>& tests) {
  std::string text = "| family | types and modifiers | covered by |\n|---|---|---|\n";
  for (const std::string& family : opcode_table()) {
    std::string covered;
    for (const Coverage& one : coverage_of(family, tests)) {
      covered += (covered.empty() ? "" : ", ") + one.test;
      if (one.cases > 0) covered += " (" + std::to_string(one.cases) + ")";
    }
    text += "| `" + family + "` | " + forms_of(family) + " | " + covered + " |\n";
  }
  return text;
}

TEST(OpcodeCoverage, EveryFamilyHasATestThatExists) {
  const std::set<std::string> tests = registered_tests();
  for (const std::string& family : opcode_table()) {
    const std::vector<Coverage> found = coverage_of(family, tests);
    EXPECT_FALSE(found.empty()) << family << " is covered by no test; name one in named_tests()";
    for (const Coverage& one : found) {
      if (one.cases == 0) {
        EXPECT_TRUE(tests.contains(one.test)) << family << ": there is no test " << one.test;
      }
    }
  }
}

TEST(OpcodeCoverage, ReadmeListsFamiliesFormsAndTests) {
  const std::string path = std::string(WARPWRIGHT_SOURCE_DIR) + "/tuner/emu/README.md";
  std::ifstream file(path, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(file), {});
  const std::size_t first = text.find(kMark);
  ASSERT_NE(first, text.npos);
  const std::size_t begin = first + std::string_view(kMark).size();
  const std::size_t end = text.find(kMark, begin);
  ASSERT_NE(end, text.npos);
  const std::string table = table_of(registered_tests());
  if (std::getenv("WARPWRIGHT_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path, std::ios::binary) << text.replace(begin, end - begin, table);
    return;
  }
  EXPECT_EQ(text.substr(begin, end - begin), table)
      << "WARPWRIGHT_UPDATE_GOLDEN=1 rewrites the table";
}

}  // namespace
}  // namespace warpwright::emu
