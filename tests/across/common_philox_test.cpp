// kernels/common: philox.cuh against the vectors that its authors publish with Random123
// (kat_vectors, philox4x32 of 10 rounds).
#include <gmock/gmock.h>

#include "header_harness.h"

namespace warpwright::emu {
namespace {

using ::testing::ElementsAre;

class PhiloxHeader : public HeaderTest {
 protected:
  void SetUp() override {
    HeaderTest::SetUp();
    if (!IsSkipped()) compile("philox.cu");
  }
};

TEST_F(PhiloxHeader, MakesTheBitsOfItsAuthors) {
  constexpr std::uint32_t kOnes = 0xffffffff;
  const std::vector<std::uint32_t> in = {
      0,          0,          0,          0,          0,          0,           //
      kOnes,      kOnes,      kOnes,      kOnes,      kOnes,      kOnes,       //
      0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0,  //
  };
  const auto out = harness_->zeros<std::uint32_t>(12);
  shape("philox", 3);
  works(
      [&] {
        EXPECT_THAT(harness_->download(out),
                    ElementsAre(0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8,  //
                                0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd,  //
                                0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1));
      },
      harness_->upload(in), out);
}

TEST_F(PhiloxHeader, TakesNumbersOf64BitsWithTheLowWordFirst) {
  const std::vector<std::uint64_t> in = {
      0,
      0,
      0,  //
      0x85a308d3243f6a88,
      0x0370734413198a2e,
      0x299f31d0a4093822,
  };
  const auto out = harness_->zeros<std::uint64_t>(2);
  shape("bits", 2);
  works(
      [&] {
        EXPECT_THAT(harness_->download(out), ElementsAre(0xe169c58d6627e8d5, 0x94fdccebd16cfe09));
      },
      harness_->upload(in), out);
}

}  // namespace
}  // namespace warpwright::emu
