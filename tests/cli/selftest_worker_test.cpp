// Tests the hidden worker of the selftest, as the program starts it: it compiles, opens the given
// device and validates, and reports failures as answers.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "core/files.h"
#include "core/process/subprocess.h"
#include "support/program.h"

namespace warpwright::testing {
namespace {

class SelftestWorkerProcess : public ::testing::Test {
 protected:
  nlohmann::json ask(const nlohmann::json& task) {
    const std::filesystem::path home = WARPWRIGHT_SOURCE_DIR;
    const std::filesystem::path references =
        std::filesystem::path(warpwright_program()).parent_path() / "references";
    nlohmann::json setup = {{"device", "emu:sm_90a"},
                            {"kernels", nlohmann::json::object()},
                            {"common_headers", (home / "kernels/common").string()},
                            {"cache_folder", (folder_.path() / "reference").string()}};
    for (const char* kernel : {"harness_spin", "harness_stream"}) {
      setup["kernels"][kernel] = {
          {"file", (home / "kernels" / kernel / "kernel.yaml").string()},
          {"reference_library", (references / (std::string(kernel) + ".so")).string()}};
    }
    Subprocess worker({warpwright_program(), "worker", "selftest"}, {},
                      {"WARPWRIGHT_CACHE=" + folder_.path().string()});
    EXPECT_TRUE(worker.send({{"setup", setup}, {"task", task}}));
    nlohmann::json reply;
    EXPECT_EQ(worker.receive(reply, std::chrono::minutes(2)), Subprocess::ReadResult::kMessage)
        << worker.stderr_tail();
    return reply;
  }

  TemporaryFolder folder_;
};

TEST_F(SelftestWorkerProcess, SaysWhichCompilerItUses) {
  EXPECT_THAT(ask({{"do", "identify"}}).at("result").at("nvrtc").get<std::string>(),
              ::testing::MatchesRegex("[0-9]+[.][0-9]+"));
}

TEST_F(SelftestWorkerProcess, ValidatesAndThenFindsNoClock) {
  const nlohmann::json reply =
      ask({{"do", "timer"}, {"kernel", "stream"}, {"target_us", 5}, {"size", 9}});
  EXPECT_EQ(reply.at("error").at("fault"), "environment");
  EXPECT_THAT(reply.at("error").at("message").get<std::string>(),
              ::testing::HasSubstr("its times are modelled, never sampled"));
}

}  // namespace
}  // namespace warpwright::testing
