// The exact messages of the rules of tensor maps, the order of axes, the emulator's bytes, and the
// cache.
#include "device/tensor_map.h"

#include <gtest/gtest.h>

#include "device/emulated_device.h"

namespace warpwright {
namespace {

constexpr std::int64_t kGiga = std::int64_t{1} << 30;

// Three axes of bf16, 2 x 100 x 64 elements in a padded array.
TensorMapRequest good() {
  TensorMapRequest request;
  request.address = 0x7f0000000100;
  request.element = TensorElement::kBf16;
  request.axes = {{2, 8000, 1, 1}, {100, 80, 50, 2}, {64, 1, 32, 1}};
  request.swizzle = 64;
  request.l2_promotion = 128;
  return request;
}

struct BrokenRule {
  const char* name;
  void (*edit)(TensorMapRequest&);
  const char* message;
  const char* rule = "";
};

void PrintTo(const BrokenRule& broken, std::ostream* out) { *out << broken.name; }

class TensorMapRules : public ::testing::TestWithParam<BrokenRule> {};

TEST_P(TensorMapRules, AreSaidToTheLetter) {
  TensorMapRequest request = good();
  GetParam().edit(request);
  EXPECT_EQ(why_not_encodable(request), GetParam().message);
  ASSERT_TRUE(find_fault(request).has_value());
  EXPECT_EQ(find_fault(request)->rule, GetParam().rule);
}

const BrokenRule kRules[] = {
    {"NoAxes", [](TensorMapRequest& r) { r.axes.clear(); }, "the rank is 0, expected 1 to 5"},
    {"SixAxes", [](TensorMapRequest& r) { r.axes.resize(6); }, "the rank is 6, expected 1 to 5"},
    {"Address", [](TensorMapRequest& r) { r.address += 8; },
     "the address 0x7f0000000108 is 8 bytes past a multiple of 16, expected a multiple",
     "{} % 8 == 0"},
    {"SizeZero", [](TensorMapRequest& r) { r.axes[1].size = 0; },
     "shape[1] is 0, expected 1 to 2^32", "{} >= 1"},
    {"SizeTooLarge", [](TensorMapRequest& r) { r.axes[0].size = 4 * kGiga + 1; },
     "shape[0] is 4294967297, expected 1 to 2^32"},
    {"StrideOf8Bytes", [](TensorMapRequest& r) { r.axes[1].stride = 68; },
     "strides[1] is 68 elements or 136 bytes, expected a multiple of 16 bytes", "{} % 8 == 0"},
    {"StrideNegative", [](TensorMapRequest& r) { r.axes[0].stride = -8; },
     "strides[0] is -8 elements of 2 bytes, expected 0 to less than 2^40 bytes"},
    {"StrideTooLarge", [](TensorMapRequest& r) { r.axes[0].stride = 512 * kGiga; },
     "strides[0] is 549755813888 elements of 2 bytes, expected 0 to less than 2^40 bytes"},
    {"StrideInside", [](TensorMapRequest& r) { r.axes[2].stride = 2; },
     "strides[2] is 2, expected 1: elements of the innermost axis lie side by side"},
    {"BoxZero", [](TensorMapRequest& r) { r.axes[0].box = 0; }, "box[0] is 0, expected 1 to 256",
     "{} >= 1"},
    {"BoxTooLarge", [](TensorMapRequest& r) { r.axes[1].box = 257; },
     "box[1] is 257, expected 1 to 256", "{} <= 256"},
    {"InnerBoxOf8Bytes", [](TensorMapRequest& r) { r.axes[2].box = 4; },
     "box[2] is 4 elements or 8 bytes, expected a multiple of 16 bytes on the innermost axis",
     "{} % 8 == 0"},
    {"InnerBoxOverTheSwizzle", [](TensorMapRequest& r) { r.axes[2].box = 40; },
     "box[2] is 40 elements or 80 bytes, expected at most the 64 bytes that the swizzle spans",
     "{} <= 32"},
    {"Swizzle", [](TensorMapRequest& r) { r.swizzle = 16; },
     "swizzle is 16, expected 0 (none), 32, 64 or 128"},
    {"Promotion", [](TensorMapRequest& r) { r.l2_promotion = 32; },
     "l2_promotion is 32, expected 0 (none), 64, 128 or 256"},
    {"NanOfIntegers",
     [](TensorMapRequest& r) {
       r.element = TensorElement::kU16;
       r.fill_nan = true;
     },
     "fill is nan for an element that is not a floating-point type of tensor maps, expected zero"},
    {"ElementStrideZero", [](TensorMapRequest& r) { r.axes[1].element_stride = 0; },
     "element_strides[1] is 0, expected 1 to 8", "{} >= 1"},
    {"ElementStrideTooLarge", [](TensorMapRequest& r) { r.axes[1].element_stride = 9; },
     "element_strides[1] is 9, expected 1 to 8", "{} <= 8"},
    {"ElementStrideInside", [](TensorMapRequest& r) { r.axes[2].element_stride = 2; },
     "element_strides[2] is 2, expected 1: the innermost axis is copied without gaps"},
};

INSTANTIATE_TEST_SUITE_P(Device, TensorMapRules, ::testing::ValuesIn(kRules),
                         [](const auto& broken) { return std::string(broken.param.name); });

TEST(TensorMap, LimitsThemselvesAreAllowed) {
  TensorMapRequest request = good();
  request.axes = {{4 * kGiga, 512 * kGiga - 8, 256, 8}, {4 * kGiga, 1, 256, 1}};
  request.swizzle = 0;
  request.fill_nan = true;
  EXPECT_EQ(why_not_encodable(request), std::nullopt);
  request.axes = {{8, 1, 8, 1}};
  EXPECT_EQ(why_not_encodable(request), std::nullopt);
}

TEST(TensorMap, EveryDtypeIsCopiedAsAnElementOfItsWidth) {
  const std::pair<const char*, TensorElement> expected[] = {
      {"f64", TensorElement::kF64},   {"f32", TensorElement::kF32}, {"f16", TensorElement::kF16},
      {"bf16", TensorElement::kBf16}, {"i64", TensorElement::kS64}, {"u64", TensorElement::kU64},
      {"i32", TensorElement::kS32},   {"u32", TensorElement::kU32}, {"i16", TensorElement::kU16},
      {"u16", TensorElement::kU16},   {"i8", TensorElement::kU8},   {"u8", TensorElement::kU8},
      {"e4m3", TensorElement::kU8},   {"e5m2", TensorElement::kU8}, {"bool", TensorElement::kU8}};
  for (const auto& [dtype, element] : expected) EXPECT_EQ(tensor_element(dtype), element) << dtype;
  EXPECT_EQ(tensor_element("f8"), std::nullopt);
}

TEST(TensorMap, TheEmulatorsBytesHoldTheAxesInnermostFirst) {
  TensorMapRequest request = good();
  request.fill_nan = true;
  ASSERT_EQ(why_not_encodable(request), std::nullopt);
  const TensorMapBytes bytes = encode_emulated(request);
  const std::optional<emu::TensorMap> map = emu::tensor_map_of(bytes);
  ASSERT_TRUE(map.has_value());
  EXPECT_EQ(map->rank, 3);
  EXPECT_EQ(map->element, TensorElement::kBf16);
  EXPECT_EQ(map->swizzle, emu::TensorSwizzle::k64);
  EXPECT_EQ(map->fill, emu::TensorFill::kNan);
  EXPECT_EQ(map->address, 0x7f0000000100u);
  EXPECT_EQ(map->sizes, (std::array<std::uint64_t, 5>{64, 100, 2, 0, 0}));
  EXPECT_EQ(map->strides, (std::array<std::uint64_t, 4>{160, 16000, 0, 0}));
  EXPECT_EQ(map->box, (std::array<std::uint16_t, 5>{32, 50, 1, 0, 0}));
  EXPECT_EQ(map->element_strides, (std::array<std::uint8_t, 5>{1, 2, 1, 0, 0}));
}

TEST(TensorMap, EverySwizzleHasItsCode) {
  const std::pair<std::int64_t, emu::TensorSwizzle> expected[] = {{0, emu::TensorSwizzle::kNone},
                                                                  {32, emu::TensorSwizzle::k32},
                                                                  {64, emu::TensorSwizzle::k64},
                                                                  {128, emu::TensorSwizzle::k128}};
  for (const auto& [span, swizzle] : expected) {
    TensorMapRequest request = good();
    request.axes[2].box = 16;
    request.swizzle = span;
    EXPECT_EQ(emu::tensor_map_of(encode_emulated(request))->swizzle, swizzle) << span;
  }
}

TEST(TensorMapDevice, EncodesOncePerRequest) {
  const auto device = open_emulated_device("sm_90a", 1);
  const TensorMapRequest request = good();
  const EncodedTensorMap first = device->encode(request);
  const EncodedTensorMap again = device->encode(request);
  EXPECT_EQ(first.status, Status::kOk) << first.reason;
  EXPECT_EQ(first.bytes, encode_emulated(request));
  EXPECT_EQ(first.bytes, again.bytes);
  EXPECT_EQ(device->tensor_map_statistics().misses, 1u);
  EXPECT_EQ(device->tensor_map_statistics().hits, 1u);

  TensorMapRequest elsewhere = request;
  elsewhere.address += 16;
  EXPECT_NE(device->encode(elsewhere).bytes, first.bytes);
  TensorMapRequest smaller = request;
  smaller.axes[0].size = 1;
  EXPECT_NE(device->encode(smaller).bytes, first.bytes);
  EXPECT_EQ(device->tensor_map_statistics().misses, 3u);
  EXPECT_EQ(device->tensor_map_statistics().hits, 1u);
}

TEST(TensorMapDevice, WhatBreaksARuleIsInvalidAndNotCounted) {
  const auto device = open_emulated_device("sm_90a", 1);
  TensorMapRequest request = good();
  request.axes[0].box = 300;
  for (int i = 0; i < 2; ++i) {
    const EncodedTensorMap encoded = device->encode(request);
    EXPECT_EQ(encoded.status, Status::kInvalid);
    EXPECT_EQ(encoded.reason, "box[0] is 300, expected 1 to 256");
  }
  EXPECT_EQ(device->tensor_map_statistics().misses, 0u);
  EXPECT_EQ(device->tensor_map_statistics().hits, 0u);
}

TEST(TensorMapCache, KeepsNoFailureOfTheEncoder) {
  TensorMapCache cache;
  int asked = 0;
  const TensorMapCache::Encoder refuse = [&](const TensorMapRequest&) {
    ++asked;
    EncodedTensorMap encoded;
    encoded.status = Status::kInvalid;
    encoded.reason = "no";
    return encoded;
  };
  EXPECT_EQ(cache.find_or_encode(good(), refuse).reason, "no");
  EXPECT_EQ(cache.find_or_encode(good(), refuse).reason, "no");
  EXPECT_EQ(asked, 2);
  EXPECT_EQ(cache.statistics().misses, 0u);
}

}  // namespace
}  // namespace warpwright
