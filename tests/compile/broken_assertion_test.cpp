// Tests failed static assertions about values from the contract: the text that is added to the
// compiler's message.
#include <gmock/gmock.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>

#include "compile/compile_pool.h"
#include "compile/compiler_log.h"
#include "compile/fixtures.h"
#include "support/test_worker.h"

namespace warpwright {
namespace {

using ::testing::HasSubstr;

class BrokenAssertion : public ::testing::Test {
 protected:
  static std::vector<MacroPromise> promises() {
    return {{"BYTES", "kernel.yaml:12: `shared` of the launch of 'a' is 64 bytes"},
            {"BYTES_b", "kernel.yaml:13: `shared` of the launch of 'b' is 32 bytes"}};
  }
  [[nodiscard]] std::string added(std::string_view source, int line) const {
    const auto path = sources_.write("k.cu", source);
    return broken_assertion(path.string() + "(" + std::to_string(line) +
                                "): error: static assertion failed with \"x\"\n  static_assert(\n",
                            promises(), {{"k.cu", path, std::string(source), true, {}, false}});
  }
  SourceFolder sources_;
};

TEST_F(BrokenAssertion, SaysWhatTheContractSaysAndWhatTheSourceSays) {
  EXPECT_EQ(added("\n  static_assert(sizeof(S) == BYTES, \"x\");\n", 2),
            "; kernel.yaml:12: `shared` of the launch of 'a' is 64 bytes, but the source needs "
            "a different number: static_assert(sizeof(S) == BYTES, \"x\"); make the two agree");
}

TEST_F(BrokenAssertion, ReadsAnAssertionOfSeveralLines) {
  EXPECT_EQ(added("struct S {}; static_assert(\n    sizeof(S) ==\n    BYTES);\nint b;\n", 1),
            "; kernel.yaml:12: `shared` of the launch of 'a' is 64 bytes, but the source needs "
            "a different number: static_assert(sizeof(S) == BYTES); make the two agree");
}

TEST_F(BrokenAssertion, FindsTheMacroOfTheEntry) {
  EXPECT_THAT(added("static_assert(sizeof(S) == BYTES_b);\n", 1), HasSubstr("of 'b' is 32 bytes"));
}

TEST_F(BrokenAssertion, IsSilentAboutOtherAssertions) {
  EXPECT_EQ(added("static_assert(THREADS == 32);\nstatic_assert(S == BYTES);\n", 1), "");
  EXPECT_EQ(added("static_assert(THREADS == MY_BYTES);\n", 1), "");
  EXPECT_EQ(added("", 7), "");
}

TEST_F(BrokenAssertion, IsSilentAboutOtherErrorsAndSourcesThatAreGone) {
  sources_.write("other.cu", "static_assert(S == BYTES);\n");
  EXPECT_EQ(broken_assertion(
                (sources_.path() / "other.cu").string() + "(1): error: static assertion failed\n",
                promises()),
            "")
      << "a #line may name any file";
  EXPECT_EQ(broken_assertion("gone.cu(3): error: static assertion failed\n", promises()), "");
  EXPECT_EQ(broken_assertion("k.cu(3): error: identifier \"BYTES\" is undefined\n", promises()),
            "");
  EXPECT_EQ(broken_assertion("", promises()), "");
}

WARPWRIGHT_TEST_WORKER(asserting_compile) { return compile_worker_main(); }

// Promises name a place in a file that may be edited, so the cache must not keep them.
TEST_F(BrokenAssertion, TheCacheKeepsTheFailureWithoutWhatTheContractSaid) {
  SKIP_WITHOUT_NVRTC();
  CompileJob job = job_for(sources_.write("k.cu", "static_assert(sizeof(int) == BYTES);\n"));
  job.defines = {{"BYTES", "64"}};
  std::vector<CompileResult> results;
  for (const char* says : {"line 12 says 64", "line 20 says 64"}) {
    job.promises = {{"BYTES", says}};
    CompilePoolOptions options;
    options.workers = 1;
    options.worker_command = test_worker_command("asserting_compile");
    options.cache_folder = sources_.path() / "cache";
    std::mutex mutex;
    std::condition_variable arrived;
    std::optional<CompileResult> result;
    CompilePool pool(options, [&](std::uint64_t, CompileResult done) {
      const std::lock_guard lock(mutex);
      result = std::move(done);
      arrived.notify_all();
    });
    pool.submit(job);
    std::unique_lock lock(mutex);
    ASSERT_TRUE(
        arrived.wait_for(lock, std::chrono::seconds(60), [&] { return result.has_value(); }));
    results.push_back(*std::move(result));
  }
  EXPECT_FALSE(results[0].cached);
  EXPECT_TRUE(results[1].cached);
  const std::string failure =
      (sources_.path() / "k.cu").string() + ":1: error: static assertion failed";
  EXPECT_EQ(results[0].failure, failure +
                                    "; line 12 says 64, but the source needs a different number: "
                                    "static_assert(sizeof(int) == BYTES); make the two agree");
  EXPECT_EQ(results[1].failure, failure +
                                    "; line 20 says 64, but the source needs a different number: "
                                    "static_assert(sizeof(int) == BYTES); make the two agree");
}

}  // namespace
}  // namespace warpwright
