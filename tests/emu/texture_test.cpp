// tex of bound textures: texels at integer and real coordinates, beyond the edges, and between
// texels.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "emu_harness.h"

namespace warpwright::emu {
namespace {

constexpr std::uint64_t kHandle = 0x100000007;

// Lane l reads at `x`, and for two dimensions `y`, which it takes from its words in `in`; it stores
// four words.
std::string texture_kernel(const std::string& opcode, int dimensions) {
  return ptx_header() +
         ".visible .entry k(.param .u64 t, .param .u64 in, .param .u64 out) {\n"
         ".reg .b32 %r<9>; .reg .b64 %d<9>;\n"
         "ld.param.u64 %d0, [t]; ld.param.u64 %d1, [in]; ld.param.u64 %d2, [out];\n"
         "mov.u32 %r0, %tid.x; mul.wide.u32 %d3, %r0, 8; add.u64 %d1, %d1, %d3;\n"
         "mul.wide.u32 %d3, %r0, 16; add.u64 %d2, %d2, %d3;\n"
         "ld.global.v2.b32 {%r1, %r2}, [%d1];\n" +
         opcode + " {%r4, %r5, %r6, %r7}, [%d0, {%r1" + (dimensions == 2 ? ", %r2" : "") + "}]" +
         (opcode.find(".level") == opcode.npos ? "" : ", 0f00000000") +
         ";\nst.global.v4.b32 [%d2], {%r4, %r5, %r6, %r7};\nret;\n}\n";
}

using Words4 = std::array<std::uint32_t, 4>;
struct TextureRun {
  LaunchReport report;
  std::vector<Words4> lanes;
};

template <class T>
TextureRun read_texture(const std::string& opcode, Texture texture, const std::vector<T>& texels,
                        std::vector<std::uint32_t> coordinates) {
  Harness harness(texture_kernel(opcode, texture.height != 0 ? 2 : 1));
  texture.address = harness.upload(texels, "texels").address;
  harness.launch.textures[kHandle] = texture;
  coordinates.resize(64);
  const auto in = harness.upload(coordinates);
  const auto out = harness.zeros<Words4>(32);
  harness.options.check = true;
  TextureRun run;
  run.report = harness.run(kHandle, in, out);
  run.lanes = harness.download(out);
  return run;
}

std::vector<std::uint32_t> whole(const std::vector<int>& values) {
  std::vector<std::uint32_t> words;
  for (const int value : values) words.push_back(static_cast<std::uint32_t>(value));
  return words;
}
std::vector<std::uint32_t> real(const std::vector<float>& values) {
  std::vector<std::uint32_t> words;
  for (const float value : values) words.push_back(std::bit_cast<std::uint32_t>(value));
  return words;
}
float float_of(std::uint32_t word) { return std::bit_cast<float>(word); }

// tex1Dfetch
TEST(Textures, LinearMemoryIsFetchedAndZeroOutside) {
  Texture texture;
  texture.width = 5;
  texture.linear_memory = true;
  const auto run = read_texture<float>("tex.1d.v4.f32.s32", texture, {1, 2, 3, 4, 5},
                                       whole({0, 0, 4, 0, 2, 0, 5, 0, -1, 0, 1000000, 0}));
  ASSERT_FALSE(run.report.fault.has_value()) << run.report.fault->message;
  const float expected[6] = {1, 5, 3, 0, 0, 0};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(float_of(run.lanes[i][0]), expected[i]) << i;
  EXPECT_EQ(run.report.counters.global_load_requests, 2u);  // the coordinates, and the texels
  EXPECT_TRUE(run.report.hazards.empty());
}

TEST(Textures, TexelsOfEveryKind) {
  Texture bytes;
  bytes.width = 2;
  bytes.texel = Texture::Texel::kSigned;
  bytes.bits = 8;
  bytes.channels = 4;
  const std::vector<std::int8_t> values = {-1, 2, -128, 127, 5, 6, 7, 8};
  const auto integers = read_texture("tex.1d.v4.s32.s32", bytes, values, whole({0, 0, 1, 0}));
  ASSERT_FALSE(integers.report.fault.has_value()) << integers.report.fault->message;
  EXPECT_EQ(integers.lanes[0], (Words4{0xffffffffu, 2, 0xffffff80u, 127}));
  EXPECT_EQ(integers.lanes[1], (Words4{5, 6, 7, 8}));
  bytes.normalized_texels = true;
  const auto fractions = read_texture("tex.1d.v4.f32.s32", bytes, values, whole({0, 0}));
  EXPECT_EQ(float_of(fractions.lanes[0][1]), 2.0f / 127);
  EXPECT_EQ(float_of(fractions.lanes[0][2]), -1.0f);
  EXPECT_EQ(float_of(fractions.lanes[0][3]), 1.0f);
  Texture words;
  words.width = 3;
  words.texel = Texture::Texel::kUnsigned;
  words.bits = 16;
  words.channels = 2;
  const auto pairs = read_texture<std::uint16_t>("tex.1d.v4.u32.s32", words, {1, 2, 3, 65535, 5, 6},
                                                 whole({1, 0}));
  EXPECT_EQ(pairs.lanes[0], (Words4{3, 65535, 0, 0}));
  Texture halves;
  halves.width = 2;
  halves.bits = 16;
  const auto half =
      read_texture<std::uint16_t>("tex.1d.v4.f32.s32", halves, {0x3c00, 0xc100}, whole({1, 0}));
  EXPECT_EQ(float_of(half.lanes[0][0]), -2.5f);
}

// A table of 4 x 3 whose rows begin every 32 bytes; the texel of column x and row y is 10 y + x.
std::vector<float> table() {
  std::vector<float> texels;
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 8; ++x) texels.push_back(static_cast<float>(x < 4 ? 10 * y + x : -1000));
  return texels;
}
Texture table_texture() {
  Texture texture;
  texture.width = 4;
  texture.height = 3;
  texture.row_bytes = 32;
  return texture;
}

TEST(Textures, PointsOfTwoDimensionsAndTheirEdges) {
  for (const std::string opcode : {"tex.2d.v4.f32.f32", "tex.level.2d.v4.f32.f32"}) {
    const auto run = read_texture(opcode, table_texture(), table(),
                                  real({0, 0, 3.99f, 2.99f, 1.5f, 1, -5, 1, 9, 9, 2, -1e30f}));
    ASSERT_FALSE(run.report.fault.has_value()) << run.report.fault->message;
    const float expected[6] = {0, 23, 11, 10, 23, 2};
    for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(float_of(run.lanes[i][0]), expected[i]) << i;
  }
}

// The index of a coordinate of 1 and more, or below 0, along a line of 4 texels.
TEST(Textures, NormalizedCoordinatesWrapMirrorClampOrMeetTheBorder) {
  const std::vector<float> at = {0.0f, 0.3f, 0.99f, 1.0f, 1.3f, -0.1f, 2.6f, -1.3f};
  const auto reads = [&](Texture::Addressing how) {
    Texture texture;
    texture.width = 4;
    texture.normalized_coordinates = true;
    texture.addressing[0] = how;
    std::vector<float> coordinates;
    for (const float x : at) coordinates.insert(coordinates.end(), {x, 0});
    const auto run =
        read_texture<float>("tex.1d.v4.f32.f32", texture, {1, 2, 3, 4}, real(coordinates));
    std::vector<float> got;
    for (std::size_t i = 0; i < at.size(); ++i) got.push_back(float_of(run.lanes[i][0]));
    return got;
  };
  EXPECT_EQ(reads(Texture::Addressing::kWrap), (std::vector<float>{1, 2, 4, 1, 2, 4, 3, 3}));
  EXPECT_EQ(reads(Texture::Addressing::kMirror), (std::vector<float>{1, 2, 4, 4, 3, 1, 3, 3}));
  EXPECT_EQ(reads(Texture::Addressing::kClamp), (std::vector<float>{1, 2, 4, 4, 4, 1, 4, 1}));
  EXPECT_EQ(reads(Texture::Addressing::kBorder), (std::vector<float>{1, 2, 4, 0, 0, 0, 0, 0}));
}

// Texel i has its centre at i + 0.5; weights are multiples of 1/256.
TEST(Textures, LinearFiltersWeighNeighbours) {
  Texture texture = table_texture();
  texture.linear_filter = true;
  const std::vector<std::pair<float, float>> points = {
      {0.5f, 0.5f}, {1, 0.5f}, {1.25f, 0.5f}, {2, 1}, {0, 0}, {4, 3}, {1.501f, 0.5f}};
  std::vector<float> coordinates;
  for (const auto& [x, y] : points) coordinates.insert(coordinates.end(), {x, y});
  const auto run = read_texture("tex.2d.v4.f32.f32", texture, table(), real(coordinates));
  ASSERT_FALSE(run.report.fault.has_value()) << run.report.fault->message;
  for (std::size_t i = 0; i < points.size(); ++i) {
    // The table is a plane: between texels, within the edges, its value is linear in x and y.
    const float x = std::clamp(points[i].first - 0.5f, 0.0f, 3.0f);
    const float y = std::clamp(points[i].second - 0.5f, 0.0f, 2.0f);
    const float expected = 10 * std::round(y * 256) / 256 + std::round(x * 256) / 256;
    EXPECT_FLOAT_EQ(float_of(run.lanes[i][0]), expected) << i;
  }
}

// Textures are read through a separate cache, like ld.global.nc.
TEST(Textures, ReadingWhatTheLaunchHasWrittenIsFound) {
  const std::string kernel = texture_kernel("tex.1d.v4.f32.s32", 1);
  const std::size_t at = kernel.find("tex.");
  Harness harness(kernel.substr(0, at) + "st.global.b32 [%d2], %r0;\n" + kernel.substr(at));
  const auto in = harness.zeros<std::uint32_t>(64);
  const auto out = harness.zeros<Words4>(32, "out");
  Texture texture;
  texture.address = out.address;
  texture.linear_memory = true;
  harness.launch.textures[kHandle] = texture;
  harness.launch.block = {1, 1, 1};
  harness.options.check = true;
  const LaunchReport report = harness.run(kHandle, in, out);
  ASSERT_EQ(report.hazards.size(), 1u);
  EXPECT_EQ(report.hazards[0].kind, FindingKind::kStaleRead);
  EXPECT_EQ(
      report.hazards[0].message,
      "`tex.1d.v4.f32.s32` reads offset 0 of buffer 'out', which the same launch has written; "
      "it is only for data that no thread writes while the kernel runs, and may return the old "
      "value");
}

std::string texture_fault(const std::string& opcode, const Texture& texture) {
  const auto run = read_texture(opcode, texture, table(), {});
  return run.report.fault ? run.report.fault->message : "none";
}

TEST(Textures, WhatIsNotBoundIsAFault) {
  Harness harness(texture_kernel("tex.1d.v4.f32.s32", 1));
  const auto in = harness.zeros<std::uint32_t>(64);
  const auto out = harness.zeros<Words4>(32);
  const LaunchReport report = harness.run(kHandle, in, out);
  ASSERT_TRUE(report.fault.has_value());
  EXPECT_EQ(report.fault->kind, FindingKind::kOutOfBounds);
  EXPECT_EQ(report.fault->message,
            "`tex.1d.v4.f32.s32` reads the texture 0x100000007, which the launch has not bound at "
            "`tex.1d.v4.f32.s32` (no line information), thread (0,0,0) of block (0,0,0); read the "
            "memory itself where kernels run without the driver's textures");
}

TEST(Textures, WhatIsBoundMustFit) {
  const std::string at = "(no line information), thread (0,0,0) of block (0,0,0); ";
  const auto fault = [&](const std::string& opcode, const Texture& texture, const std::string& what,
                         const std::string& advice) {
    EXPECT_EQ(texture_fault(opcode, texture),
              "`" + opcode + "` " + what + " at `" + opcode + "` " + at + advice);
  };
  Texture line;
  line.width = 4;
  fault("tex.1d.v4.u32.s32", line, "reads a texture of floating point",
        "name the type of its texels");
  line.linear_memory = true;
  fault("tex.1d.v4.f32.f32", line, "reads a texture in linear memory by real coordinates",
        "use tex1Dfetch");
  Texture past = table_texture();
  past.height = 5;
  const auto run = read_texture("tex.2d.v4.f32.f32", past, table(), real({0, 3}));
  ASSERT_TRUE(run.report.fault.has_value());
  EXPECT_EQ(run.report.fault->message.substr(0, 64),
            "load of 4 bytes 0 bytes past the end of buffer 'texels' (96 byte");
}

TEST(Textures, DimensionsMustBeThoseOfTheTexture) {
  Harness harness(texture_kernel("tex.2d.v4.f32.f32", 2));
  const auto in = harness.zeros<std::uint32_t>(64);
  const auto out = harness.zeros<Words4>(32);
  Texture line;
  line.address = in.address;
  harness.launch.textures[kHandle] = line;
  const LaunchReport report = harness.run(kHandle, in, out);
  ASSERT_TRUE(report.fault.has_value());
  EXPECT_EQ(report.fault->message.substr(0, 57),
            "`tex.2d.v4.f32.f32` reads a texture of 1 dimensions at `t");
}

TEST(Textures, OtherFormsAreUnsupported) {
  for (const std::string opcode :
       {"tex.3d.v4.f32.f32", "tex.a2d.v4.f32.f32", "tex.cube.v4.f32.f32", "tex.1d.v2.f16x2.f32",
        "tex.level.1d.v4.f32.s32", "tex.grad.2d.v4.f32.f32", "tld4.r.2d.v4.f32.f32"}) {
    try {
      (void)Module::parse(texture_kernel(opcode, 2), "test.ptx");
      ADD_FAILURE() << opcode << " was taken";
    } catch (const UnsupportedPtx& unsupported) {
      EXPECT_EQ(std::string(unsupported.what()),
                "emulator lacks `" + opcode + "` at test.ptx:10 (PTX)");
    }
  }
}

}  // namespace
}  // namespace warpwright::emu
