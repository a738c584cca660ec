// Floats of 4, 6 and 8 bits: the tables of small_float.h compared with values that are written out
// or computed in a different way, and every conversion from and to them.
#include "emu/numbers/small_float.h"

#include "opcode_harness.h"
#include "tensor_harness.h"

namespace warpwright::emu {
namespace {

using u64 = std::uint64_t;

TEST(SmallFloat, E2m1IsTheEightNumbersOfTheStandard) {
  const double magnitudes[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  for (unsigned code = 0; code < 16; ++code) {
    const double expected = code < 8 ? magnitudes[code] : -magnitudes[code - 8];
    EXPECT_EQ(small_values(SmallFormat::kE2m1)[code], expected) << code;
    EXPECT_EQ(std::signbit(small_values(SmallFormat::kE2m1)[code]), code >= 8) << code;
  }
}

TEST(SmallFloat, SixBitsBeginAndEndWhereTheStandardSays) {
  const auto& e2m3 = small_values(SmallFormat::kE2m3);
  EXPECT_EQ(e2m3[0x01], 0.125);
  EXPECT_EQ(e2m3[0x07], 0.875);
  EXPECT_EQ(e2m3[0x08], 1.0);
  EXPECT_EQ(e2m3[0x1f], 7.5);
  EXPECT_EQ(e2m3[0x3f], -7.5);
  const auto& e3m2 = small_values(SmallFormat::kE3m2);
  EXPECT_EQ(e3m2[0x01], 0.0625);
  EXPECT_EQ(e3m2[0x03], 0.1875);
  EXPECT_EQ(e3m2[0x04], 0.25);
  EXPECT_EQ(e3m2[0x1f], 28.0);
  EXPECT_EQ(e3m2[0x3f], -28.0);
}

TEST(SmallFloat, EveryCodeIsWhatTheFormulaGives) {
  const std::pair<SmallFormat, const char*> formats[] = {{SmallFormat::kE2m1, "e2m1"},
                                                         {SmallFormat::kE2m3, "e2m3"},
                                                         {SmallFormat::kE3m2, "e3m2"},
                                                         {SmallFormat::kE4m3, "e4m3"},
                                                         {SmallFormat::kE5m2, "e5m2"}};
  for (const auto& [format, name] : formats) {
    for (unsigned code = 0; code < 1u << number_format(name).bits; ++code) {
      const double got = small_values(format)[code];
      const double expected = decode(name, code);
      EXPECT_TRUE(got == expected || (std::isnan(got) && std::isnan(expected))) << name << code;
    }
  }
}

TEST(SmallFloat, BitsAboveTheFormatAreIgnored) {
  EXPECT_EQ(small_values(SmallFormat::kE2m1)[0xf3], 1.5);
  EXPECT_EQ(small_values(SmallFormat::kE3m2)[0xc4], 0.25);
  EXPECT_EQ(small_values(SmallFormat::kUe4m3)[0xb8], 1.0);
}

TEST(SmallFloat, Ue4m3HasNoSignAndUe8m0NoZero) {
  for (unsigned code = 0; code < 256; ++code) {
    const double magnitude = decode("e4m3", code & 0x7f);
    const double scale = small_values(SmallFormat::kUe4m3)[code];
    EXPECT_TRUE(scale == magnitude || (std::isnan(scale) && (code & 0x7f) == 0x7f)) << code;
    const double power = small_values(SmallFormat::kUe8m0)[code];
    if (code == 255) {
      EXPECT_TRUE(std::isnan(power));
    } else {
      EXPECT_EQ(power, std::ldexp(1.0, static_cast<int>(code) - 127)) << code;
    }
  }
}

// --- conversions

struct Named {
  std::string name;
  std::vector<double> values;  // of the codes without a sign, ascending, numbers only
  u64 nan;                     // what a NaN becomes
};

std::vector<Named> named_formats() {
  std::vector<Named> formats;
  for (const char* name : {"e2m1", "e2m3", "e3m2", "e4m3", "e5m2"}) {
    Named format{name, {}, 0};
    const u64 signless = 1ull << (number_format(name).bits - 1);
    for (u64 code = 0; code < signless; ++code) {
      if (std::isfinite(decode(name, code))) format.values.push_back(decode(name, code));
    }
    format.nan = signless - 1;
    formats.push_back(std::move(format));
  }
  return formats;
}

u64 nearest(const Named& format, float value) {
  if (std::isnan(value)) return format.nan;
  const u64 sign = std::signbit(value) ? 1ull << (number_format(format.name).bits - 1) : 0;
  const double magnitude = std::fabs(static_cast<double>(value));
  if (std::isinf(magnitude)) return sign | (format.values.size() - 1);
  std::size_t best = 0;
  for (std::size_t code = 1; code < format.values.size(); ++code) {
    const double now = std::fabs(format.values[code] - magnitude);
    const double then = std::fabs(format.values[best] - magnitude);
    if (now < then || (now == then && code % 2 == 0)) best = code;
  }
  return sign | best;
}

std::vector<u64> around_every_boundary(const Named& format) {
  std::vector<u64> inputs;
  for (std::size_t code = 0; code + 1 < format.values.size(); ++code) {
    const auto low = static_cast<float>(format.values[code]);
    const auto high = static_cast<float>(format.values[code + 1]);
    const float tie = low + (high - low) / 2;
    for (const float v : {low, tie, std::nextafter(tie, 1e9f), std::nextafter(tie, 0.0f)})
      inputs.push_back(float_bits(code % 2 == 0 ? v : -v));
  }
  const auto largest = static_cast<float>(format.values.back());
  for (const float v :
       {1e9f, -1e9f, INFINITY, -INFINITY, NAN, largest, largest * 1.03f, 0.0f, -0.0f, 1e-30f})
    inputs.push_back(float_bits(v));
  return inputs;
}

// e2m1 has two values per byte, which are held in an 8-bit register.
std::string narrow_ptx(const std::string& convert) {
  return ptx_header() +
         ".visible .entry op(.param .u64 pin, .param .u64 pout) {\n"
         ".reg .b32 %r<4>; .reg .b16 %h<4>; .reg .f32 %f<4>; .reg .b64 %x<4>; .reg .b8 %b<4>;\n"
         "mov.u32 %r0, %ctaid.x; mad.lo.u32 %r0, %r0, 32, 0; mov.u32 %r1, %tid.x;\n"
         "add.u32 %r0, %r0, %r1; ld.param.u64 %x0, [pin]; ld.param.u64 %x1, [pout];\n"
         "mul.wide.u32 %x2, %r0, 8; add.u64 %x0, %x0, %x2; mul.wide.u32 %x2, %r0, 4;\n"
         "add.u64 %x1, %x1, %x2;\n" +
         convert + "st.global.b32 [%x1], %r2;\nret;\n}\n";
}

Words run_narrow(const std::string& convert, const Words& input) {
  Harness harness(narrow_ptx(convert));
  const std::size_t count = input.size() / 2;
  Words padded = input;
  padded.resize((count + 31) / 32 * 64);
  harness.launch.grid = {static_cast<std::uint32_t>((count + 31) / 32), 1, 1};
  const auto in = harness.upload(padded);
  const auto out = harness.zeros<std::uint32_t>(padded.size() / 2);
  harness.run_clean(in, out);
  Words output = harness.download(out);
  output.resize(count);
  return output;
}

// The same code as in cuda_fp4.h.
Words to_e2m1(const std::string& modifiers, const Words& pairs) {
  return run_narrow(
      "ld.global.v2.f32 {%f0, %f1}, [%x0];\ncvt.rn" + modifiers +
          ".e2m1x2.f32 %b0, %f1, %f0;\nmov.b16 %h0, {%b0, 0};\ncvt.u32.u16 %r2, %h0;\n",
      pairs);
}

TEST(SmallFloat, FourBitsRoundToTheNearestEvenAndSaturate) {
  const Named format = named_formats()[0];
  Words pairs;
  for (const u64 low : around_every_boundary(format)) {
    for (const u64 high : around_every_boundary(format)) {
      pairs.push_back(static_cast<std::uint32_t>(low));
      pairs.push_back(static_cast<std::uint32_t>(high));
    }
  }
  const Words plain = to_e2m1(".satfinite", pairs);
  const Words relu = to_e2m1(".satfinite.relu", pairs);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const float low = as_float(pairs[2 * i]);
    const float high = as_float(pairs[2 * i + 1]);
    ASSERT_EQ(plain[i], nearest(format, high) << 4 | nearest(format, low)) << low << " " << high;
    const auto positive = [&](float v) { return std::signbit(v) ? 0 : nearest(format, v); };
    if (std::isnan(low) || std::isnan(high)) continue;
    ASSERT_EQ(relu[i], positive(high) << 4 | positive(low)) << low << " " << high;
  }
}

TEST(SmallFloat, FourBitsWidenExactly) {
  Words codes;
  for (std::uint32_t code = 0; code < 256; ++code) {
    codes.push_back(code | 0xa500);  // the upper half of the register is not part of the operand
    codes.push_back(0);
  }
  const Words halves = run_narrow(
      "ld.global.u32 %r3, [%x0]; cvt.u16.u32 %h1, %r3; mov.b16 {%b0, %b1}, %h1;\n"
      "cvt.rn.f16x2.e2m1x2 %r2, %b0;\n",
      codes);
  for (std::uint32_t code = 0; code < 256; ++code) {
    EXPECT_EQ(decode("f16", halves[code] & 0xffff), decode("e2m1", code & 15)) << code;
    EXPECT_EQ(decode("f16", halves[code] >> 16), decode("e2m1", code >> 4)) << code;
  }
}

TEST(SmallFloat, SixBitsRoundToTheNearestEvenAndSaturate) {
  for (const Named& format : named_formats()) {
    if (format.name != "e2m3" && format.name != "e3m2") continue;
    run_opcode({"cvt.rn.satfinite." + format.name + "x2.f32", "hrr",
                [&](u64 a, u64 b, u64) {
                  return nearest(format, as_float(a)) << 8 | nearest(format, as_float(b));
                },
                around_every_boundary(format), ""});
  }
}

TEST(SmallFloat, SixAndEightBitsWidenExactly) {
  for (const Named& format : named_formats()) {
    if (format.name == "e2m1") continue;
    const u64 mask = (1ull << number_format(format.name).bits) - 1;
    std::vector<u64> pairs;
    for (u64 code = 0; code < 256; ++code) pairs.push_back(code | (code ^ 0xff) << 8);
    const auto half = [&](u64 code) -> u64 {
      const double value = decode(format.name, code & mask);
      return std::isnan(value)   ? 0x7fff
             : std::isinf(value) ? (value < 0 ? 0xfc00 : 0x7c00)
                                 : encode("f16", value);
    };
    run_opcode({"cvt.rn.f16x2." + format.name + "x2", "rh",
                [&](u64 a, u64, u64) { return half(a) | half(a >> 8) << 16; }, pairs, ""});
  }
}

TEST(SmallFloat, ScalesAreTheNextPowerOfTwo) {
  std::vector<u64> inputs;
  for (const float v : {1.0f, 1.5f, 2.0f, -3.0f, 0.0f, 0x1p-126f, 0x1p-127f, 0x1.000002p-127f,
                        0x1p-128f, 0x1p-149f, 0x1p127f, 0x1.8p127f, INFINITY, -INFINITY, NAN})
    inputs.push_back(float_bits(v));
  for (const bool up : {false, true}) {
    for (const bool saturates : {false, true}) {
      const auto code = [&](float value) -> u64 {
        const double size = std::fabs(static_cast<double>(value));
        if (std::isnan(size)) return 0xff;
        for (u64 c = 0; c < 255; ++c) {
          const double power = std::ldexp(1.0, static_cast<int>(c) - 127);
          if (up ? power >= size : 2 * power > size) return c;
        }
        return saturates ? 0xfe : 0xff;
      };
      run_opcode({std::string("cvt.") + (up ? "rp" : "rz") + (saturates ? ".satfinite" : "") +
                      ".ue8m0x2.f32",
                  "hrr",
                  [&](u64 a, u64 b, u64) { return code(as_float(a)) << 8 | code(as_float(b)); },
                  inputs, ""});
      const auto of_halves = [&](u64 a) {
        return code(as_float(a & 0xffff0000)) << 8 | code(as_float(a << 16 & 0xffff0000));
      };
      std::vector<u64> pairs;
      for (u64 bits = 0; bits < 0x8000; bits += 0x10) pairs.push_back(bits | (bits ^ 0x8055) << 16);
      run_opcode({std::string("cvt.") + (up ? "rp" : "rz") + (saturates ? ".satfinite" : "") +
                      ".ue8m0x2.bf16x2",
                  "hr", [&](u64 a, u64, u64) { return of_halves(a); }, pairs, ""});
    }
  }
}

TEST(SmallFloat, ScalesWidenToBf16Exactly) {
  std::vector<u64> pairs;
  for (u64 code = 0; code < 256; ++code) pairs.push_back(code | (255 - code) << 8);
  const auto widened = [](u64 code) -> u64 {
    return code == 255 ? 0x7fff : encode("bf16", std::ldexp(1.0, static_cast<int>(code) - 127));
  };
  run_opcode({"cvt.rn.bf16x2.ue8m0x2", "rh",
              [&](u64 a, u64, u64) { return widened(a & 255) | widened(a >> 8 & 255) << 16; },
              pairs, ""});
}

}  // namespace
}  // namespace warpwright::emu
