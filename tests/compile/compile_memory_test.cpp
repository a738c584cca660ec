// Tests that a source which exhausts memory fails only its own job, says so, and leaves the pool
// working.
#include <gmock/gmock.h>

#include <future>
#include <nlohmann/json.hpp>

#include "compile/compile_pool.h"
#include "compile/fixtures.h"
#include "core/process/memory_limit.h"
#include "core/process/subprocess.h"
#include "support/test_worker.h"

namespace warpwright {
namespace {

using ::testing::EndsWith;

// Every instantiation needs two more, whose types are twice as long.
constexpr std::string_view kEatsTheFrontEnd = R"(
template <int N, typename T> struct Grow {
  static constexpr int value = Grow<N - 1, Grow<N, T>>::value + Grow<N - 1, Grow<N - 1, T*>>::value;
};
template <typename T> struct Grow<0, T> { static constexpr int value = 1; };
extern "C" __global__ void scale(float* x) { x[0] = Grow<40, int>::value; }
)";

// A quarter of a million statements in a row are too much for ptxas, which does not say why it
// stops.
constexpr std::string_view kEatsPtxas = R"(
extern "C" __global__ void scale(const float* x, float* y) {
  float a[64];
  #pragma unroll
  for (int i = 0; i < 64; i++) a[i] = x[i];
  #pragma unroll
  for (int i = 0; i < 4000; i++) {
    #pragma unroll
    for (int j = 0; j < 64; j++)
      a[j] = __expf(a[j] * a[(j + i) % 64] + i) / (a[(j * 7 + 1) % 64] + j);
  }
  for (int i = 0; i < 64; i++) y[i] = a[i];
}
)";

WARPWRIGHT_TEST_WORKER(small_compiler) { return compile_worker_main(); }

WARPWRIGHT_TEST_WORKER(compiler_without_memory) {
  WorkerChannel channel;
  channel.send({{"nvrtc_version", "99.1"}, {"compiler", "fake"}});
  nlohmann::json message;
  return channel.receive(message) ? kOutOfMemoryExit : 0;
}

class CompileMemory : public ::testing::Test {
 protected:
  CompileResult compile(const char* worker, std::string_view source) {
    CompilePoolOptions options;
    options.workers = 1;
    options.worker_command = test_worker_command(worker);
#if !defined(__SANITIZE_ADDRESS__)  // sanitizers map terabytes of address space
    options.worker_private_bytes = 160u << 20;
#endif
    options.cache_folder = sources_.path() / "cache";
    std::promise<CompileResult> eaten, after;
    CompilePool pool(options, [&](std::uint64_t ticket, CompileResult result) {
      (ticket == 1 ? eaten : after).set_value(std::move(result));
    });
    pool.submit(job_for(sources_.write("k.cu", source)));
    CompileResult result = eaten.get_future().get();
    CompileJob scale = job_for(sources_.write("scale.cu", kScale));
    scale.defines = {{"FACTOR", "2.0f"}};
    pool.submit(scale);
    if (std::string_view(worker) == "small_compiler") {
      EXPECT_TRUE(after.get_future().get().ok) << "the pool goes on";
    }
    return result;
  }

  SourceFolder sources_;
};

#if !defined(__SANITIZE_ADDRESS__)
TEST_F(CompileMemory, ATemplateThatGrowsForEverIsAFailureThatNamesTheLimit) {
  SKIP_WITHOUT_NVRTC();
  const CompileResult result = compile("small_compiler", kEatsTheFrontEnd);
  EXPECT_FALSE(result.ok);
  EXPECT_THAT(result.failure, EndsWith("k.cu: the compiler ran out of memory (limit 160 MiB; "
                                       "WARPWRIGHT_MEMORY_LIMIT sets it)"));
  EXPECT_TRUE(result.crashed);
  EXPECT_TRUE(result.by_machine) << "so that it is not kept: another limit gives another answer";
}

TEST_F(CompileMemory, CodeThatIsTooMuchForPtxasIsAFailureThatNamesTheLimit) {
  SKIP_WITHOUT_NVRTC();
  EXPECT_THAT(compile("small_compiler", kEatsPtxas).failure,
              EndsWith("k.cu: the compiler ran out of memory (limit 160 MiB; "
                       "WARPWRIGHT_MEMORY_LIMIT sets it)"));
}

TEST_F(CompileMemory, ACompilerThatEndsForLackOfMemorySaysSo) {
  const CompileResult result = compile("compiler_without_memory", kScale);
  EXPECT_TRUE(result.by_machine);
  EXPECT_THAT(result.failure,
              EndsWith("k.cu: the machine stopped the compiler 3 times, which says nothing about "
                       "the source; the last time: it ran out of memory (limit 160 MiB; "
                       "WARPWRIGHT_MEMORY_LIMIT sets it)"));
}

// Such a small stack would make the compiler crash on an ordinary source. It is set like `ulimit
// -s`, including the hard limit, so that it cannot be raised.
TEST_F(CompileMemory, ASmallStackStopsNoInnocentSource) {
  SKIP_WITHOUT_NVRTC();
  std::string deep = "extern \"C\" __global__ void scale(float* x) { x[0] = ";
  constexpr int kDeep = 900;
  for (int i = 0; i < kDeep; ++i) deep += "(x[1] + ";
  deep += "1.0f";
  for (int i = 0; i < kDeep; ++i) deep += ")";
  deep += "; }\n";
  CompilePoolOptions options;
  options.workers = 1;
  options.worker_command = {"/bin/sh", "-c", "ulimit -s 256; exec \"$0\" \"$@\""};
  for (const std::string& word : test_worker_command("small_compiler"))
    options.worker_command.push_back(word);
  std::promise<CompileResult> compiled;
  CompilePool pool(
      options, [&](std::uint64_t, CompileResult result) { compiled.set_value(std::move(result)); });
  pool.submit(job_for(sources_.write("k.cu", deep)));
  const CompileResult result = compiled.get_future().get();
  EXPECT_TRUE(result.ok) << result.failure;
}
#endif

}  // namespace
}  // namespace warpwright
