// f32 and f64 arithmetic: bit for bit against the C++ operators, over NaN, infinities, subnormals
// and ties.
#include <cfenv>

#include "opcode_harness.h"

namespace warpwright::emu {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

float flushed(float value) {
  return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0f, value) : value;
}
float saturated(float value) {
  return std::isnan(value) ? 0.0f : value <= 0 ? 0.0f : value > 1 ? 1.0f : value;
}

template <class F>
auto f32(F formula) {
  return [formula](u64 a, u64 b, u64 c) {
    return float_bits(formula(as_float(a), as_float(b), as_float(c)));
  };
}
template <class F>
auto f64(F formula) {
  return [formula](u64 a, u64 b, u64 c) {
    return double_bits(formula(as_double(a), as_double(b), as_double(c)));
  };
}
template <class F>
auto ftz(F formula) {
  return [formula](float a, float b, float c) {
    return flushed(formula(flushed(a), flushed(b), flushed(c)));
  };
}
// .ftz of products: tiny means below the smallest normal number when rounded with an unlimited
// exponent.
float flushed_if_tiny(float result, long double exact) {
  const float scaled = static_cast<float>(std::ldexp(exact, 64));
  const bool tiny = std::fabs(scaled) < std::ldexp(1.0f, -62);
  return tiny ? std::copysign(0.0f, result) : flushed(result);
}
float mul_ftz(float a, float b, float) {
  const float x = flushed(a);
  const float y = flushed(b);
  return flushed_if_tiny(x * y, static_cast<long double>(x) * y);
}
float fma_ftz(float a, float b, float c) {
  const float x = flushed(a);
  const float y = flushed(b);
  const float z = flushed(c);
  return flushed_if_tiny(std::fma(x, y, z), static_cast<long double>(x) * y + z);
}
template <class F>
auto rounded(int mode, F formula) {
  return [mode, formula](auto a, auto b, auto c) {
    const int before = std::fegetround();
    std::fesetround(mode);
    volatile auto x = a;
    volatile auto y = b;
    volatile auto z = c;
    volatile auto result = formula(x, y, z);
    std::fesetround(before);
    return static_cast<decltype(a)>(result);
  };
}
float min_number(float a, float b) {
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  if (a == b) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
float max_number(float a, float b) {
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  if (a == b) return std::signbit(a) ? b : a;
  return a > b ? a : b;
}
const auto kAdd = [](auto a, auto b, auto) { return a + b; };
const auto kSub = [](auto a, auto b, auto) { return a - b; };
const auto kMul = [](auto a, auto b, auto) { return a * b; };
const auto kDiv = [](auto a, auto b, auto) { return a / b; };
const auto kFma = [](auto a, auto b, auto c) { return std::fma(a, b, c); };
const auto kSqrt = [](auto a, auto, auto) { return std::sqrt(a); };
const auto kRcp = [](auto a, auto, auto) { return 1 / a; };

std::vector<OpcodeCase> float_cases() {
  std::vector<OpcodeCase> cases;
  const auto add = [&](std::string opcode, std::string shapes, auto formula) {
    cases.push_back({std::move(opcode), std::move(shapes), formula, float_edges(), ""});
  };
  add("add.f32", "rrr", f32(kAdd));
  add("add.rn.f32", "rrr", f32(kAdd));
  add("add.ftz.f32", "rrr", f32(ftz(kAdd)));
  add("add.sat.f32", "rrr", f32([](float a, float b, float) { return saturated(a + b); }));
  add("sub.f32", "rrr", f32(kSub));
  add("mul.f32", "rrr", f32(kMul));
  add("mul.ftz.f32", "rrr", f32(mul_ftz));
  add("mul.sat.f32", "rrr", f32([](float a, float b, float) { return saturated(a * b); }));
  add("fma.rn.f32", "rrrr", f32(kFma));
  add("fma.rn.ftz.f32", "rrrr", f32(fma_ftz));
  add("fma.rn.sat.f32", "rrrr",
      f32([](float a, float b, float c) { return saturated(std::fma(a, b, c)); }));
  add("fma.rn.ftz.sat.f32", "rrrr",
      f32([](float a, float b, float c) { return saturated(fma_ftz(a, b, c)); }));
  add("div.rn.f32", "rrr", f32(kDiv));
  add("div.full.f32", "rrr", f32(kDiv));
  add("sqrt.rn.f32", "rr", f32(kSqrt));
  add("rcp.rn.f32", "rr", f32(kRcp));
  for (const auto& [name, mode] :
       {std::pair{"rz", FE_TOWARDZERO}, {"rm", FE_DOWNWARD}, {"rp", FE_UPWARD}}) {
    add(std::string("add.") + name + ".f32", "rrr", f32(rounded(mode, kAdd)));
    add(std::string("mul.") + name + ".f32", "rrr", f32(rounded(mode, kMul)));
    add(std::string("div.") + name + ".f32", "rrr", f32(rounded(mode, kDiv)));
    add(std::string("fma.") + name + ".f32", "rrrr", f32(rounded(mode, kFma)));
    add(std::string("fma.") + name + ".ftz.f32", "rrrr", f32(rounded(mode, fma_ftz)));
    add(std::string("fma.") + name + ".ftz.sat.f32", "rrrr",
        f32([fused = rounded(mode, fma_ftz)](float a, float b, float c) {
          return saturated(fused(a, b, c));
        }));
    add(std::string("add.") + name + ".ftz.sat.f32", "rrr",
        f32([sum = rounded(mode, ftz(kAdd))](float a, float b, float c) {
          return saturated(sum(a, b, c));
        }));
    add(std::string("sqrt.") + name + ".f32", "rr", f32(rounded(mode, kSqrt)));
  }
  add("min.f32", "rrr", f32([](float a, float b, float) { return min_number(a, b); }));
  add("max.f32", "rrr", f32([](float a, float b, float) { return max_number(a, b); }));
  add("min.NaN.f32", "rrr", f32([](float a, float b, float) {
        return std::isnan(a) || std::isnan(b) ? NAN : min_number(a, b);
      }));
  add("max.ftz.f32", "rrr",
      f32([](float a, float b, float) { return max_number(flushed(a), flushed(b)); }));
  add("abs.f32", "rr", f32([](float a, float, float) { return std::fabs(a); }));
  add("neg.f32", "rr", f32([](float a, float, float) { return -a; }));
  add("copysign.f32", "rrr",
      [](u64 a, u64 b, u64) { return (a & 0x80000000u) | (b & 0x7fffffffu); });
  add("setp.lt.f32", "prr", [](u64 a, u64 b, u64) { return u64(as_float(a) < as_float(b)); });
  add("setp.ltu.f32", "prr", [](u64 a, u64 b, u64) { return u64(!(as_float(a) >= as_float(b))); });
  add("setp.ne.f32", "prr", [](u64 a, u64 b, u64) {
    return u64(as_float(a) < as_float(b) || as_float(a) > as_float(b));
  });
  add("setp.neu.f32", "prr", [](u64 a, u64 b, u64) { return u64(as_float(a) != as_float(b)); });
  add("setp.eq.ftz.f32", "prr",
      [](u64 a, u64 b, u64) { return u64(flushed(as_float(a)) == flushed(as_float(b))); });
  add("setp.num.f32", "prr",
      [](u64 a, u64 b, u64) { return u64(!std::isnan(as_float(a)) && !std::isnan(as_float(b))); });
  add("setp.nan.f32", "prr",
      [](u64 a, u64 b, u64) { return u64(std::isnan(as_float(a)) || std::isnan(as_float(b))); });
  add("set.ge.f32.f32", "rrr",
      [](u64 a, u64 b, u64) { return as_float(a) >= as_float(b) ? 0x3f800000u : 0u; });
  add("testp.finite.f32", "pr", [](u64 a, u64, u64) { return u64(std::isfinite(as_float(a))); });
  add("testp.infinite.f32", "pr", [](u64 a, u64, u64) { return u64(std::isinf(as_float(a))); });
  add("testp.notanumber.f32", "pr", [](u64 a, u64, u64) { return u64(std::isnan(as_float(a))); });
  add("testp.normal.f32", "pr",
      [](u64 a, u64, u64) { return u64(std::isnormal(as_float(a)) || as_float(a) == 0); });
  add("testp.subnormal.f32", "pr",
      [](u64 a, u64, u64) { return u64(std::fpclassify(as_float(a)) == FP_SUBNORMAL); });
  add("slct.f32.f32", "rrrr", [](u64 a, u64 b, u64 c) { return as_float(c) >= 0 ? a : b; });
  return cases;
}

std::vector<OpcodeCase> double_cases() {
  std::vector<OpcodeCase> cases;
  const auto add = [&](std::string opcode, std::string shapes, auto formula) {
    cases.push_back({std::move(opcode), std::move(shapes), formula, double_edges(), ""});
  };
  add("add.f64", "ddd", f64(kAdd));
  add("sub.rn.f64", "ddd", f64(kSub));
  add("mul.f64", "ddd", f64(kMul));
  add("div.rn.f64", "ddd", f64(kDiv));
  add("fma.rn.f64", "dddd", f64(kFma));
  add("sqrt.rn.f64", "dd", f64(kSqrt));
  add("rcp.rn.f64", "dd", f64(kRcp));
  add("add.rz.f64", "ddd", f64(rounded(FE_TOWARDZERO, kAdd)));
  add("fma.rp.f64", "dddd", f64(rounded(FE_UPWARD, kFma)));
  add("min.f64", "ddd", f64([](double a, double b, double) {
        return std::isnan(a)   ? b
               : std::isnan(b) ? a
               : a == b        ? (std::signbit(a) ? a : b)
               : a < b         ? a
                               : b;
      }));
  add("setp.lt.f64", "pdd", [](u64 a, u64 b, u64) { return u64(as_double(a) < as_double(b)); });
  add("setp.gtu.f64", "pdd",
      [](u64 a, u64 b, u64) { return u64(!(as_double(a) <= as_double(b))); });
  add("abs.f64", "dd", [](u64 a, u64, u64) { return a & ~(u64{1} << 63); });
  return cases;
}

std::string name_of(const testing::TestParamInfo<OpcodeCase>& test) {
  return test_name(test.param.opcode);
}

class FloatOpcode : public testing::TestWithParam<OpcodeCase> {};
TEST_P(FloatOpcode, MatchesBitForBit) { run_opcode(GetParam()); }
INSTANTIATE_TEST_SUITE_P(All, FloatOpcode, testing::ValuesIn(float_cases()), name_of);

class DoubleOpcode : public testing::TestWithParam<OpcodeCase> {};
TEST_P(DoubleOpcode, MatchesUpToNanPayload) { run_opcode(GetParam(), same_double); }
INSTANTIATE_TEST_SUITE_P(All, DoubleOpcode, testing::ValuesIn(double_cases()), name_of);

// --- approximate instructions: within the stated distance of the exact value, and exact where PTX
// says so

struct Approximate {
  std::string opcode;
  std::function<double(double)> exact;
  double lowest;
  double highest;
  int ulps;
};

class ApproximateOpcode : public testing::TestWithParam<Approximate> {};
TEST_P(ApproximateOpcode, StaysWithinItsUlps) {
  const Approximate& test = GetParam();
  std::vector<u64> inputs;
  for (int i = 0; i <= 960; ++i) {
    inputs.push_back(std::bit_cast<u32>(
        static_cast<float>(test.lowest + (test.highest - test.lowest) * i / 960)));
  }
  const OpcodeCase opcode{
      test.opcode, "rr",
      [&](u64 a, u64, u64) { return float_bits(static_cast<float>(test.exact(as_float(a)))); },
      inputs, ""};
  run_opcode(opcode, [&](u64 got, u64 expected) {
    return std::abs(static_cast<std::int64_t>(got) - static_cast<std::int64_t>(expected)) <=
           test.ulps;
  });
}
INSTANTIATE_TEST_SUITE_P(
    All, ApproximateOpcode,
    testing::Values(
        Approximate{"ex2.approx.f32", [](double x) { return std::exp2(x); }, -126, 127.9, 1},
        Approximate{"ex2.approx.ftz.f32", [](double x) { return std::exp2(x); }, -1, 1, 1},
        Approximate{"lg2.approx.f32", [](double x) { return std::log2(x); }, 1e-30, 2, 1},
        Approximate{"lg2.approx.ftz.f32", [](double x) { return std::log2(x); }, 0.9, 1e30, 1},
        Approximate{"sin.approx.f32", [](double x) { return std::sin(x); }, -12, 12, 1},
        Approximate{"cos.approx.f32", [](double x) { return std::cos(x); }, -12, 12, 1},
        Approximate{"sin.approx.ftz.f32", [](double x) { return std::sin(x); }, 1e4, 1e5, 1},
        Approximate{"tanh.approx.f32", [](double x) { return std::tanh(x); }, -11, 11, 1},
        Approximate{"rcp.approx.ftz.f32", [](double x) { return 1 / x; }, 1e-3, 1e3, 0},
        Approximate{"rsqrt.approx.f32", [](double x) { return 1 / std::sqrt(x); }, 1e-3, 1e6, 0},
        Approximate{"sqrt.approx.f32", [](double x) { return std::sqrt(x); }, 0, 1e6, 0},
        Approximate{"tanh.approx.f32", [](double x) { return std::tanh(x); }, -1e-3, 1e-3, 1}),
    [](const auto& test) {
      return test_name(test.param.opcode) + "_" + std::to_string(test.index);
    });

TEST(ApproximateSpecials, FollowTheIsaTables) {
  const auto check = [](const std::string& opcode, u32 input, u32 expected) {
    run_opcode({opcode, "rr", [=](u64, u64, u64) { return expected; }, {input}, ""});
  };
  constexpr u32 kInf = 0x7f800000u;
  constexpr u32 kNan = 0x7fffffffu;
  check("ex2.approx.f32", 0xff800000u, 0);
  check("ex2.approx.f32", kInf, kInf);
  check("ex2.approx.f32", 0x80000000u, 0x3f800000u);
  check("lg2.approx.f32", 0, 0xff800000u);
  check("lg2.approx.f32", 0xbf800000u, kNan);
  check("lg2.approx.f32", kInf, kInf);
  check("lg2.approx.f32", 0x3f800000u, 0);
  check("rcp.approx.f32", 0x80000000u, 0xff800000u);
  check("rsqrt.approx.f32", 0, kInf);
  check("rsqrt.approx.f32", 0xbf800000u, kNan);
  check("sin.approx.f32", kInf, kNan);
  check("tanh.approx.f32", kInf, 0x3f800000u);
}

}  // namespace
}  // namespace warpwright::emu
