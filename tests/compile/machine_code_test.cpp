// Tests which machine code counts as the same, regardless of how the source is written.
#include "compile/machine_code.h"

#include <gmock/gmock.h>

#include "compile/fixtures.h"
#include "core/error.h"

namespace warpwright {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Key;

constexpr std::string_view kSquare =
    R"(extern "C" __global__ void square(const float* x, float* y, int n) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at < n) y[at] = x[at] * x[at];
}
)";
constexpr std::string_view kReformatted = R"(// The same, written otherwise.
extern "C" __global__ void square(const float* x,
                                  float* y,  // result
                                  int n) {

  const int place = blockIdx.x * blockDim.x
                    + threadIdx.x;
  if (place < n) {
    y[place] = x[place] * x[place];
  }
}
)";
constexpr std::string_view kCubed =
    R"(extern "C" __global__ void square(const float* x, float* y, int n) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at < n) y[at] = x[at] * x[at] * x[at];
}
)";
// Only a constant differs, and no instruction.
constexpr std::string_view kTable = R"(__constant__ float table[2] = {1.0f, 2.0f};
extern "C" __global__ void square(float* y) { y[threadIdx.x] = table[threadIdx.x & 1]; }
)";

class MachineCodeTest : public ::testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT_NVRTC(); }
  [[nodiscard]] std::string cubin(const std::filesystem::path& file, std::string_view text) const {
    const CompileResult result = nvrtc().compile(job_for(sources_.write(file, text)));
    EXPECT_TRUE(result.ok) << result.failure;
    return result.cubin;
  }
  SourceFolder sources_;
};

TEST_F(MachineCodeTest, AReformattedSourceElsewhereIsTheSame) {
  const std::string first = cubin("one/a.cu", kSquare);
  const std::string second = cubin("another/place/b.cu", kReformatted);
  EXPECT_NE(first, second) << "the line tables differ, or this proves nothing";
  EXPECT_EQ(read_machine_code(first).hash, read_machine_code(second).hash);
}

TEST_F(MachineCodeTest, AnotherInstructionIsNot) {
  EXPECT_NE(read_machine_code(cubin("a.cu", kSquare)).hash,
            read_machine_code(cubin("b.cu", kCubed)).hash);
}

TEST_F(MachineCodeTest, AnotherConstantIsNot) {
  std::string other(kTable);
  other.replace(other.find("2.0f"), 4, "3.0f");
  EXPECT_NE(read_machine_code(cubin("a.cu", kTable)).hash,
            read_machine_code(cubin("b.cu", other)).hash);
}

TEST_F(MachineCodeTest, AnotherLaunchBoundIsNot) {
  std::string bounded(kSquare);
  bounded.replace(bounded.find("void square"), 11, "void __launch_bounds__(64) square");
  EXPECT_NE(read_machine_code(cubin("a.cu", kSquare)).hash,
            read_machine_code(cubin("b.cu", bounded)).hash);
}

TEST_F(MachineCodeTest, EveryEntryHasItsSize) {
  const std::string two = std::string(kSquare) + "extern \"C\" __global__ void nothing() {}\n";
  const MachineCode code = read_machine_code(cubin("two.cu", two));
  EXPECT_THAT(code.code_bytes, ElementsAre(Key("nothing"), Key("square")));
  EXPECT_GT(code.code_bytes.at("square"), code.code_bytes.at("nothing"));
}

std::string message_of(std::string_view bytes) {
  try {
    (void)read_machine_code(bytes);
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::kEnvironment);
    return error.message();
  }
  return "";
}

TEST(MachineCode, WhatIsNoElfFileIsRefused) {
  EXPECT_EQ(message_of("cubin"),
            "the compiled code is not an ELF file of the kind NVRTC produces (cut short); please "
            "report this "
            "with the version of NVRTC");
  EXPECT_THAT(message_of(std::string(200, 'x')), HasSubstr("(no ELF magic)"));
  EXPECT_THAT(message_of(""), HasSubstr("(cut short)"));
}

TEST_F(MachineCodeTest, ACutOrDamagedFileNeverCrashes) {
  const std::string whole = cubin("a.cu", kSquare);
  for (std::size_t length = 0; length < whole.size(); length += 7)
    (void)message_of(std::string_view(whole).substr(0, length));
  for (std::size_t at = 0; at < whole.size(); at += 3) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(~damaged[at]);
    (void)message_of(damaged);
  }
}

}  // namespace
}  // namespace warpwright
