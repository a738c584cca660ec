// cvt between integers and floats, rounding and saturation, 8-bit floats, tf32.
#include <algorithm>

#include "opcode_harness.h"

namespace warpwright::emu {
namespace {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

template <class D>
u64 clamped(long double value, bool is_nan) {
  if (is_nan) return sizeof(D) == 8 ? u64{1} << 63 : 0;
  const long double low = static_cast<long double>(std::numeric_limits<D>::min());
  const long double high = static_cast<long double>(std::numeric_limits<D>::max());
  return static_cast<u64>(value <= low    ? std::numeric_limits<D>::min()
                          : value >= high ? std::numeric_limits<D>::max()
                                          : static_cast<D>(value));
}

std::vector<OpcodeCase> convert_cases() {
  std::vector<OpcodeCase> cases;
  std::vector<u64> floats = float_edges();
  for (const float v : {0.5f, 1.5f, 2.5f, -0.5f, -1.5f, 254.5f, 255.5f, 127.5f, -128.5f, 32767.5f,
                        65535.5f, 2147483520.0f, 1e10f, -1e10f, 9.2e18f, 1.9e19f, 0.49999997f}) {
    floats.push_back(float_bits(v));
  }
  const auto to_integer = [&](const char* d, const char* shapes, auto type) {
    using D = decltype(type);
    const std::pair<const char*, long double (*)(long double)> modes[] = {
        {"rni", ::nearbyintl}, {"rzi", ::truncl}, {"rmi", ::floorl}, {"rpi", ::ceill}};
    for (const auto& [mode, round] : modes) {
      cases.push_back({std::string("cvt.") + mode + "." + d + ".f32", shapes,
                       [round = round](u64 a, u64, u64) {
                         return clamped<D>(round(as_float(a)), std::isnan(as_float(a)));
                       },
                       floats, ""});
    }
  };
  to_integer("s32", "rr", std::int32_t{});
  to_integer("u32", "rr", u32{});
  to_integer("s16", "hr", std::int16_t{});
  to_integer("u64", "dr", u64{});
  to_integer("s64", "dr", std::int64_t{});
  cases.push_back({"cvt.rzi.s32.f64", "rd",
                   [](u64 a, u64, u64) {
                     // A NaN from f64 becomes the top bit alone, also in 32 bits.
                     return std::isnan(as_double(a))
                                ? u64{0x80000000u}
                                : clamped<std::int32_t>(std::trunc(as_double(a)), false);
                   },
                   double_edges(), ""});
  cases.push_back({"cvt.rni.s64.f64", "dd",
                   [](u64 a, u64, u64) {
                     return clamped<std::int64_t>(std::nearbyintl(as_double(a)),
                                                  std::isnan(as_double(a)));
                   },
                   double_edges(), ""});
  cases.push_back({"cvt.rzi.ftz.u32.f32", "rr",
                   [](u64 a, u64, u64) {
                     return clamped<u32>(std::trunc(as_float(a)), std::isnan(as_float(a)));
                   },
                   floats, ""});
  cases.push_back(
      {"cvt.rn.f32.s32", "rr",
       [](u64 a, u64, u64) { return float_bits(static_cast<float>(static_cast<std::int32_t>(a))); },
       integer_edges(), ""});
  cases.push_back({"cvt.rn.f32.u64", "rd",
                   [](u64 a, u64, u64) { return float_bits(static_cast<float>(a)); },
                   integer_edges(), ""});
  cases.push_back({"cvt.rn.f64.s64", "dd",
                   [](u64 a, u64, u64) {
                     return double_bits(static_cast<double>(static_cast<std::int64_t>(a)));
                   },
                   integer_edges(), ""});
  cases.push_back({"cvt.rz.f32.u32", "rr",
                   [](u64 a, u64, u64) {
                     float f = static_cast<float>(static_cast<u32>(a));
                     if (static_cast<double>(f) > static_cast<double>(static_cast<u32>(a)))
                       f = std::nextafter(f, 0.0f);
                     return float_bits(f);
                   },
                   integer_edges(), ""});
  cases.push_back({"cvt.rn.f32.f64", "rd",
                   [](u64 a, u64, u64) { return float_bits(static_cast<float>(as_double(a))); },
                   double_edges(), ""});
  cases.push_back({"cvt.rz.f32.f64", "rd",
                   [](u64 a, u64, u64) {
                     float f = static_cast<float>(as_double(a));
                     if (std::fabs(static_cast<double>(f)) > std::fabs(as_double(a)))
                       f = std::nextafter(f, 0.0f);
                     return float_bits(f);
                   },
                   double_edges(), ""});
  cases.push_back({"cvt.f64.f32", "dr",
                   [](u64 a, u64, u64) { return double_bits(static_cast<double>(as_float(a))); },
                   float_edges(), ""});
  cases.push_back({"cvt.rni.f32.f32", "rr",
                   [](u64 a, u64, u64) { return float_bits(std::nearbyint(as_float(a))); }, floats,
                   ""});
  cases.push_back({"cvt.rpi.f32.f32", "rr",
                   [](u64 a, u64, u64) { return float_bits(std::ceil(as_float(a))); }, floats, ""});
  cases.push_back({"cvt.sat.f32.f32", "rr",
                   [](u64 a, u64, u64) {
                     const float f = as_float(a);
                     return float_bits(f > 0 ? std::min(f, 1.0f) : 0.0f);
                   },
                   floats, ""});
  cases.push_back({"cvt.s64.s32", "dr",
                   [](u64 a, u64, u64) {
                     return static_cast<u64>(
                         static_cast<std::int64_t>(static_cast<std::int32_t>(a)));
                   },
                   integer_edges(), ""});
  cases.push_back(
      {"cvt.u64.u32", "dr", [](u64 a, u64, u64) { return a & 0xffffffffu; }, integer_edges(), ""});
  cases.push_back({"cvt.s32.s8", "rr",
                   [](u64 a, u64, u64) { return static_cast<u64>(static_cast<std::int8_t>(a)); },
                   integer_edges(), ""});
  cases.push_back({"cvt.s8.s32", "rr",
                   [](u64 a, u64, u64) { return static_cast<u64>(static_cast<std::int8_t>(a)); },
                   integer_edges(), ""});
  cases.push_back({"cvt.u16.u64", "hd", [](u64 a, u64, u64) { return a; }, integer_edges(), ""});
  cases.push_back(
      {"cvt.u32.u16", "rh", [](u64 a, u64, u64) { return a & 0xffff; }, integer_edges(), ""});
  cases.push_back({"cvt.sat.s8.s32", "rr",
                   [](u64 a, u64, u64) {
                     return static_cast<u64>(
                         std::clamp<std::int64_t>(static_cast<std::int32_t>(a), -128, 127));
                   },
                   integer_edges(), ""});
  cases.push_back({"cvt.sat.u8.s32", "rr",
                   [](u64 a, u64, u64) {
                     return static_cast<u64>(
                         std::clamp<std::int64_t>(static_cast<std::int32_t>(a), 0, 255));
                   },
                   integer_edges(), ""});
  cases.push_back({"cvt.sat.u32.s64", "rd",
                   [](u64 a, u64, u64) {
                     return static_cast<u64>(
                         std::clamp<std::int64_t>(static_cast<std::int64_t>(a), 0, 0xffffffffll));
                   },
                   integer_edges(), ""});
  cases.push_back(
      {"cvt.rna.tf32.f32", "rr",
       [](u64 a, u64, u64) { return (std::isnan(as_float(a)) ? a : a + 0x1000) & 0xffffe000u; },
       float_edges(), ""});
  return cases;
}

class Convert : public testing::TestWithParam<OpcodeCase> {};
TEST_P(Convert, MatchesFormula) {
  run_opcode(GetParam(), [d = GetParam().shapes[0], from_double = GetParam().shapes == "rd"](
                             u64 got, u64 expected) {
    return d == 'd' ? same_double(got, expected)
                    : got == expected || (from_double && std::isnan(as_float(got)) &&
                                          std::isnan(as_float(expected)));
  });
}
INSTANTIATE_TEST_SUITE_P(All, Convert, testing::ValuesIn(convert_cases()),
                         [](const auto& test) { return test_name(test.param.opcode); });

// Every value of an 8-bit format, and the nearest one for each float.
struct Tiny {
  std::string name;
  std::vector<float> values;  // by code 0..0x7f
  float largest;
};
Tiny e4m3() {
  Tiny format{"e4m3", {}, 448};
  for (int code = 0; code < 0x7f; ++code) {
    const int exponent = code >> 3;
    format.values.push_back(exponent == 0
                                ? std::ldexp(static_cast<float>(code & 7), -9)
                                : std::ldexp(static_cast<float>(8 + (code & 7)), exponent - 10));
  }
  return format;
}
Tiny e5m2() {
  Tiny format{"e5m2", {}, 57344};
  for (int code = 0; code < 0x7c; ++code) {
    const int exponent = code >> 2;
    format.values.push_back(exponent == 0
                                ? std::ldexp(static_cast<float>(code & 3), -16)
                                : std::ldexp(static_cast<float>(4 + (code & 3)), exponent - 17));
  }
  return format;
}
u64 nearest_code(const Tiny& format, float value) {
  if (std::isnan(value)) return 0x7f;
  const u64 sign = std::signbit(value) ? 0x80 : 0;
  if (std::isinf(value)) return sign | (format.values.size() - 1);
  const double magnitude = std::fabs(static_cast<double>(value));
  std::size_t best = 0;
  for (std::size_t code = 1; code < format.values.size(); ++code) {
    const double now = std::fabs(static_cast<double>(format.values[code]) - magnitude);
    const double then = std::fabs(static_cast<double>(format.values[best]) - magnitude);
    if (now < then || (now == then && code % 2 == 0)) best = code;
  }
  return sign | best;
}

TEST(EightBitFloats, RoundToTheNearestAndSaturate) {
  for (const Tiny& format : {e4m3(), e5m2()}) {
    std::vector<u64> inputs;
    for (std::size_t code = 0; code + 1 < format.values.size(); ++code) {
      const float low = format.values[code];
      const float high = format.values[code + 1];
      for (const float v :
           {low, low + (high - low) / 2, std::nextafter(low + (high - low) / 2, 1e9f),
            low + (high - low) * 0.7f}) {
        inputs.push_back(float_bits(code % 2 == 0 ? v : -v));
      }
    }
    for (const float v :
         {1e9f, -1e9f, INFINITY, -INFINITY, NAN, format.largest * 1.03f, 0.0f, -0.0f, 1e-30f})
      inputs.push_back(float_bits(v));
    std::vector<u64> few(inputs.end() - 16, inputs.end());
    run_opcode({"cvt.rn.satfinite." + format.name + "x2.f32", "hrr",
                [&](u64 a, u64 b, u64) {
                  return nearest_code(format, as_float(a)) << 8 | nearest_code(format, as_float(b));
                },
                few, ""});
    OpcodeCase all{"cvt.rn.satfinite." + format.name + "x2.f32", "hr",
                   [&](u64 a, u64, u64) { return nearest_code(format, as_float(a)) << 8; }, inputs,
                   ", 0f00000000"};
    run_opcode(all);
  }
}

TEST(EightBitFloats, WidenExactly) {
  for (const Tiny& format : {e4m3(), e5m2()}) {
    std::vector<u64> codes;
    for (u64 code = 0; code < format.values.size(); ++code)
      codes.push_back(code | (code | 0x80) << 8);
    const auto half_of = [](float value) -> u64 {
      if (value == 0) return std::signbit(value) ? 0x8000 : 0;
      const int exponent = std::max(std::ilogb(value), -14);
      const float steps = std::ldexp(std::fabs(value), 10 - exponent);
      return (std::signbit(value) ? 0x8000u : 0u) |
             static_cast<u64>(static_cast<int>(steps) + (exponent + 14) * 1024);
    };
    run_opcode({"cvt.rn.f16x2." + format.name + "x2", "rh",
                [&](u64 a, u64, u64) {
                  return half_of(format.values[a & 0x7f]) | half_of(-format.values[a >> 8 & 0x7f])
                                                                << 16;
                },
                codes, ""});
  }
}

}  // namespace
}  // namespace warpwright::emu
