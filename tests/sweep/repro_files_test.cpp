#include <gmock/gmock.h>

#include "sweep/repro.h"

namespace warpwright {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// A trial of a kernel whose counter scratch is declared as given.
StoredTrial stored(const std::string& counter) {
  StoredTrial stored;
  stored.contract = R"yaml(kernel: rows
problem: {n: {doc: elements}}
arguments:
  - {name: y, out: f32, shape: [n], match: exact}
  - {name: counter, )yaml" +
                    counter + R"yaml(}
variants:
  plain: {source: plain.cu, launches: [{entry: rows, grid: 1, block: 1}]}
reference: {source: reference.cpp, units: n}
work: {bytes: n, flops: 0}
)yaml";
  return stored;
}

TEST(ReproReadme, NamesScratchThatHasToBeSet) {
  EXPECT_THAT(repro_readme(stored("scratch: u32, shape: [1], fill: zeros"), "cuda:0"),
              HasSubstr("\nThe scratch `counter` holds `zeros` before the first launch, and every "
                        "launch has to leave it ready for the next.\n"));
}

TEST(ReproReadme, SaysNothingOfOrdinaryScratch) {
  EXPECT_THAT(repro_readme(stored("scratch: u32, shape: [1]"), "cuda:0"),
              Not(HasSubstr("scratch `")));
}

TEST(ReproReadme, IsWrittenForAContractThatIsNoLongerUnderstood) {
  EXPECT_THAT(repro_readme(stored("workspace: u32, shape: [1]"), "cuda:0"),
              HasSubstr("| `kernels/` |"));
}

}  // namespace
}  // namespace warpwright
