// Vetting without one site: a worker lists the sites of a case, and runs cases up to the first that
// needs the one that is left out. Needs no compiler, because the PTX is written here.
#include <gmock/gmock.h>

#include "core/files.h"
#include "device/registry/device_registry.h"
#include "support/write_text.h"
#include "trial/tiny_kernel.h"
#include "trial/validation/vet_schedules.h"

namespace warpwright {
namespace {

using ::testing::SizeIs;

// Two warps exchange words, if `n` says so, through shared memory; barriers at lines 4, 6 and 8, of
// which the one at 6 is needed and the one at 8 is not reached.
constexpr const char* kExchangePtx = R"(.version 9.0
.target sm_90a
.address_size 64
.file 1 "exchange.cu"
.visible .entry exchange(.param .u64 x, .param .u64 y, .param .u32 n) {
  .reg .pred %p;
  .reg .b32 %r<9>;
  .reg .b64 %rd<6>;
  .shared .align 4 .b8 tile[256];
  ld.param.u64 %rd0, [x];
  ld.param.u64 %rd1, [y];
  ld.param.u32 %r5, [n];
  mov.u32 %r0, %tid.x;
  mul.wide.u32 %rd2, %r0, 4;
  add.u64 %rd0, %rd0, %rd2;
  add.u64 %rd1, %rd1, %rd2;
  ld.global.u32 %r4, [%rd0];
  mov.u32 %r1, tile;
  mad.lo.u32 %r2, %r0, 4, %r1;
  setp.gt.u32 %p, %r5, 64;
  selp.u32 %r3, 32, 0, %p;
  xor.b32 %r3, %r0, %r3;
  mad.lo.u32 %r3, %r3, 4, %r1;
  .loc 1 4 3
  bar.sync 0;
  .loc 1 5 3
  st.shared.u32 [%r2], %r4;
  .loc 1 6 3
  bar.sync 0;
  .loc 1 7 3
  ld.shared.u32 %r4, [%r3];
  st.global.u32 [%rd1], %r4;
  ret;
  .loc 1 8 3
  bar.sync 0;
  ret;
}
)";

class VetWithout : public ::testing::Test {
 protected:
  void SetUp() override {
    testing::write_text(folder_.path() / "exchange.cu", "");
    testing::write_text(folder_.path() / "exchange.yaml",
                        "problem: {n: {default: 64}}\n"
                        "arguments:\n"
                        "  - {name: x, in: u32, shape: [n], fill: \"uniform(0, 9)\"}\n"
                        "  - {name: y, out: u32, shape: [64]}\n"
                        "  - {name: n, value: n}\n"
                        "launches: [{entry: exchange, grid: 1, block: 64}]\n"
                        "cases:\n"
                        "  - {name: alone, problem: {n: 64}}\n"
                        "  - {name: exchanged, problem: {n: 65}}\n"
                        "  - {name: again, problem: {n: 66}}\n");
    kernel_ = read_launch_contract(folder_.path() / "exchange.yaml");
    device_ = open_device("emu:sm_90a", 1);
    configuration_.variant = kernel_.variants.at(0).name;
    for (CaseJob& job : case_jobs(kernel_, configuration_, device_->info(), {})) {
      CompileResult compiled;
      compiled.ok = true;
      compiled.ptx = kExchangePtx;
      cases_.push_back({std::move(job), std::move(compiled)});
    }
  }
  std::vector<VettedCase> vet(const VetRequest& request) {
    TrialRunner runner(kernel_, *device_, testing::tiny_options());
    return runner.vet(configuration_, cases_, request).vet()->cases;
  }
  std::vector<VettedCase> without(int line) {
    VetRequest request;
    request.schedules = 2;
    request.list_sites = true;
    request.without = site_at(line);
    return vet(request);
  }
  SyncSite site_at(int line) {
    SyncSite site;
    site.opcode = "bar.sync";
    site.where = {{"exchange.cu", line, 3}};
    return site;
  }

  TemporaryFolder folder_;
  KernelSpec kernel_;
  std::unique_ptr<Device> device_;
  Configuration configuration_;
  std::vector<TrialRunner::CompiledCase> cases_;
};

TEST_F(VetWithout, WholeItIsCleanAndListsItsSites) {
  VetRequest request;
  request.list_sites = true;
  const std::vector<VettedCase> cases = vet(request);
  ASSERT_THAT(cases, SizeIs(3));
  for (const VettedCase& one : cases) {
    EXPECT_FALSE(one.objects()) << one.reason;
    ASSERT_THAT(one.sites, SizeIs(3));
    EXPECT_TRUE(same_site(one.sites[1], site_at(6)));
    EXPECT_FALSE(one.passed);
    EXPECT_GT(one.modelled_us, 0);
  }
}

TEST_F(VetWithout, ANeededSiteEndsAtTheFirstCaseAndScheduleThatNeedIt) {
  const std::vector<VettedCase> cases = without(6);
  ASSERT_THAT(cases, SizeIs(2));
  EXPECT_FALSE(cases[0].objects());
  EXPECT_TRUE(cases[0].passed);
  EXPECT_EQ(cases[1].name, "exchanged");
  EXPECT_EQ(cases[1].schedules, 1u);
  std::vector<Finding> findings;
  for (const VetFinding& found : cases[1].findings) findings.push_back(found.finding);
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(first_cause(findings).kind, FindingKind::kSharedRace);
  EXPECT_EQ(first_cause(findings).here->where.file, "exchange.cu");
}

TEST_F(VetWithout, ASuperfluousSiteRunsAllCasesAndSavesModelledTime) {
  const std::vector<VettedCase> cases = without(4);
  const std::vector<VettedCase> whole = vet({});
  ASSERT_THAT(cases, SizeIs(3));
  for (std::size_t i = 0; i < cases.size(); ++i) {
    EXPECT_FALSE(cases[i].objects());
    EXPECT_TRUE(cases[i].passed);
    EXPECT_LT(cases[i].modelled_us, whole[i].modelled_us);
  }
}

TEST_F(VetWithout, ASiteThatNothingReachesIsNotPassed) {
  for (const VettedCase& one : without(8)) {
    EXPECT_FALSE(one.objects());
    EXPECT_FALSE(one.passed);
  }
}

}  // namespace
}  // namespace warpwright
