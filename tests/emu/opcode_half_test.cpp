// f16 and bf16: a slow reference that rounds an exact value once, digit by digit, against every
// packed and scalar form.
#include "opcode_harness.h"

namespace warpwright::emu {
namespace {

using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

struct Format {
  int exponent_bits;
  int mantissa_bits;
};
constexpr Format kF16{5, 10};
constexpr Format kBf16{8, 7};

double widen(u16 bits, Format format) {
  const int bias = (1 << (format.exponent_bits - 1)) - 1;
  const int field = bits >> format.mantissa_bits & ((1 << format.exponent_bits) - 1);
  const int fraction = bits & ((1 << format.mantissa_bits) - 1);
  double value = 0;
  if (field == (1 << format.exponent_bits) - 1) {
    value = fraction != 0 ? NAN : INFINITY;
  } else if (field == 0) {
    value = std::ldexp(fraction, 1 - bias - format.mantissa_bits);
  } else {
    value = std::ldexp(fraction + (1 << format.mantissa_bits), field - bias - format.mantissa_bits);
  }
  return (bits >> 15) != 0 ? -value : value;
}

// Long double represents every sum of a product of two halves (either format of these inputs) and a
// half with sufficient precision.
u16 narrow(long double value, Format format) {
  if (std::isnan(value)) return 0x7fff;
  const u16 sign = std::signbit(value) ? 0x8000 : 0;
  const int bias = (1 << (format.exponent_bits - 1)) - 1;
  const u16 infinity = static_cast<u16>(((1 << format.exponent_bits) - 1) << format.mantissa_bits);
  long double magnitude = std::fabs(value);
  if (std::isinf(value)) return sign | infinity;
  if (magnitude == 0) return sign;
  const int exponent = std::max(std::ilogb(magnitude), 1 - bias);
  const long double steps = std::nearbyint(std::ldexp(magnitude, format.mantissa_bits - exponent));
  // Steps carry into the exponent field by themselves.
  const long double bits =
      steps + std::ldexp(static_cast<long double>(exponent + bias - 1), format.mantissa_bits);
  return bits >= infinity ? sign | infinity : static_cast<u16>(sign | static_cast<u16>(bits));
}

using Formula = std::function<long double(double, double, double)>;

std::vector<OpcodeCase> half_cases() {
  std::vector<OpcodeCase> cases;
  const std::vector<std::pair<std::string, Formula>> binary = {
      {"add", [](double a, double b, double) { return static_cast<long double>(a) + b; }},
      {"sub", [](double a, double b, double) { return static_cast<long double>(a) - b; }},
      {"mul", [](double a, double b, double) { return static_cast<long double>(a) * b; }},
  };
  const Formula fma = [](double a, double b, double c) {
    return static_cast<long double>(a) * b + c;
  };
  for (const auto& [type, format] :
       {std::pair{std::string("f16"), kF16}, {std::string("bf16"), kBf16}}) {
    std::vector<u64> inputs = half_edges();
    if (type == "bf16") {
      inputs = {0x0000, 0x8000, 0x0001, 0x0080, 0x3f80, 0xbf80, 0x3f81, 0x3f7f,
                0x4049, 0x7f7f, 0x7f80, 0xff80, 0x7fc0, 0x4b80, 0x3380, 0x42f7};
    }
    std::vector<u64> pairs;
    for (std::size_t i = 0; i < inputs.size(); ++i)
      pairs.push_back(inputs[i] | inputs[(i * 7 + 3) % inputs.size()] << 16);
    const auto scalar = [format = format](const Formula& f) {
      return [=](u64 a, u64 b, u64 c) {
        return u64(
            narrow(f(widen(u16(a), format), widen(u16(b), format), widen(u16(c), format)), format));
      };
    };
    const auto packed = [scalar](const Formula& f) {
      return [one = scalar(f)](u64 a, u64 b, u64 c) {
        return one(a, b, c) | one(a >> 16, b >> 16, c >> 16) << 16;
      };
    };
    for (const auto& [name, formula] : binary) {
      cases.push_back({name + ".rn." + type, "hhh", scalar(formula), inputs, ""});
      cases.push_back({name + ".rn." + type + "x2", "rrr", packed(formula), pairs, ""});
    }
    cases.push_back({"fma.rn." + type, "hhhh", scalar(fma), inputs, ""});
    cases.push_back({"fma.rn." + type + "x2", "rrrr", packed(fma), pairs, ""});
    const auto extreme = [format = format](bool maximum) {
      return [=](u64 a, u64 b, u64) -> u64 {
        const double x = widen(u16(a), format);
        const double y = widen(u16(b), format);
        if (std::isnan(x)) return std::isnan(y) ? 0x7fff : b;
        if (std::isnan(y)) return a;
        if (x == y) return std::signbit(x) == maximum ? b : a;
        return (x > y) == maximum ? a : b;
      };
    };
    cases.push_back({"min." + type, "hhh", extreme(false), inputs, ""});
    cases.push_back({"max." + type, "hhh", extreme(true), inputs, ""});
    // The sign of a NaN is not preserved: neg and abs return the canonical NaN.
    const auto by_halves = [format = format](u16 keep, u16 flip) {
      return [=](u64 a, u64, u64) {
        const auto one = [&](u64 half) -> u64 {
          return std::isnan(widen(u16(half), format)) ? 0x7fff : (u16(half) & keep) ^ flip;
        };
        return one(a) | one(a >> 16) << 16;
      };
    };
    cases.push_back({"neg." + type + "x2", "rr", by_halves(0xffff, 0x8000), pairs, ""});
    cases.push_back({"abs." + type + "x2", "rr", by_halves(0x7fff, 0), pairs, ""});
    cases.push_back({"setp.lt." + type, "phh",
                     [format = format](u64 a, u64 b, u64) {
                       return u64(widen(u16(a), format) < widen(u16(b), format));
                     },
                     inputs, ""});
    cases.push_back(
        {"set.ge." + type + "x2." + type + "x2", "rrr",
         [format = format, type = type](u64 a, u64 b, u64) {
           const u64 one = type == "f16" ? 0x3c00 : 0x3f80;
           return (widen(u16(a), format) >= widen(u16(b), format) ? one : 0) |
                  (widen(u16(a >> 16), format) >= widen(u16(b >> 16), format) ? one << 16 : 0);
         },
         pairs, ""});
    // Conversions from float round once, ties to even.
    std::vector<u64> floats = float_edges();
    for (const u16 bits : {u16(0x3c00), u16(0x0001), u16(0x0400), u16(0x7bff)}) {
      const auto below = static_cast<float>(widen(bits, format));
      const auto above = static_cast<float>(widen(static_cast<u16>(bits + 1), format));
      const float middle = below + (above - below) / 2;
      if (!std::isfinite(middle)) continue;
      floats.push_back(float_bits(middle));
      floats.push_back(float_bits(std::nextafter(middle, 0.0f)));
      floats.push_back(float_bits(std::nextafter(middle, INFINITY)));
    }
    cases.push_back(
        {"cvt.rn." + type + ".f32", "hr",
         [format = format](u64 a, u64, u64) { return u64(narrow(as_float(a), format)); }, floats,
         ""});
    cases.push_back({"cvt.rn." + type + "x2.f32", "rrr",
                     [format = format](u64 a, u64 b, u64) {
                       return u64(narrow(as_float(a), format)) << 16 | narrow(as_float(b), format);
                     },
                     floats, ""});
    cases.push_back({"cvt.f32." + type, "rh",
                     [format = format](u64 a, u64, u64) {
                       return std::isnan(widen(u16(a), format))
                                  ? u64{0x7fc00000u}
                                  : float_bits(static_cast<float>(widen(u16(a), format)));
                     },
                     inputs, ""});
    cases.push_back({"cvt.rn." + type + ".s32", "hr",
                     [format = format](u64 a, u64, u64) {
                       return u64(narrow(static_cast<std::int32_t>(a), format));
                     },
                     integer_edges(), ""});
    cases.push_back({"cvt.rn." + type + ".u64", "hd",
                     [format = format](u64 a, u64, u64) {
                       return u64(narrow(static_cast<long double>(a), format));
                     },
                     integer_edges(), ""});
    cases.push_back(
        {"cvt.rn." + type + ".f64", "hd",
         [format = format](u64 a, u64, u64) { return u64(narrow(as_double(a), format)); },
         double_edges(), ""});
  }
  return cases;
}

class HalfOpcode : public testing::TestWithParam<OpcodeCase> {};
TEST_P(HalfOpcode, RoundsOnce) {
  const std::string& opcode = GetParam().opcode;
  const bool converts = opcode.starts_with("cvt");
  const bool to_float = opcode.starts_with("cvt.f32");
  const Format format = opcode.find("bf16") != std::string::npos ? kBf16 : kF16;
  const auto is_nan = [=](u64 bits) {
    return std::isnan(to_float ? as_float(bits) : widen(u16(bits), format));
  };
  // Conversions may keep the payload of a NaN.
  run_opcode(GetParam(), [=](u64 got, u64 expected) {
    return got == expected || (converts && is_nan(got) && is_nan(expected));
  });
}
INSTANTIATE_TEST_SUITE_P(All, HalfOpcode, testing::ValuesIn(half_cases()),
                         [](const auto& test) { return test_name(test.param.opcode); });

TEST(HalfConversion, RoundTripsEveryF16) {
  std::vector<u64> all;
  for (u64 bits = 0; bits < 0x10000; bits += 1) {
    if ((bits & 0x7c00) != 0x7c00 || (bits & 0x3ff) == 0) all.push_back(bits);
  }
  std::vector<u64> floats;
  for (const u64 bits : all)
    floats.push_back(float_bits(static_cast<float>(widen(u16(bits), kF16))));
  run_opcode({"cvt.rn.f16.f32", "hr",
              [](u64 a, u64, u64) { return u64(narrow(as_float(a), kF16)); }, floats, ""});
  run_opcode({"cvt.f32.f16", "rh",
              [](u64 a, u64, u64) { return float_bits(static_cast<float>(widen(u16(a), kF16))); },
              all, ""});
}

}  // namespace
}  // namespace warpwright::emu
