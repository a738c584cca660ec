// Integer and bit instructions against formulas written with plain C++ and 128-bit integers.
#include <algorithm>

#include "opcode_harness.h"

namespace warpwright::emu {
namespace {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using s16 = std::int16_t;
using u32 = std::uint32_t;
using s32 = std::int32_t;
using u64 = std::uint64_t;
using s64 = std::int64_t;
__extension__ using s128 = __int128;
__extension__ using u128 = unsigned __int128;

u64 bit_reverse(u64 value, int bits) {
  u64 result = 0;
  for (int i = 0; i < bits; ++i) result |= (value >> i & 1) << (bits - 1 - i);
  return result;
}

u64 lop3(u32 a, u32 b, u32 c, u32 lut) {
  u32 result = 0;
  for (int i = 0; i < 32; ++i) {
    const u32 index = (a >> i & 1) * 4 + (b >> i & 1) * 2 + (c >> i & 1);
    result |= (lut >> index & 1) << i;
  }
  return result;
}

u64 prmt(u32 a, u32 b, u32 selector) {
  u8 bytes[8];
  std::memcpy(bytes, &a, 4);
  std::memcpy(bytes + 4, &b, 4);
  u32 result = 0;
  for (int i = 0; i < 4; ++i) {
    const u32 nibble = selector >> (4 * i) & 15;
    u32 byte = bytes[nibble & 7];
    if ((nibble & 8) != 0) byte = (byte & 0x80) != 0 ? 0xff : 0;
    result |= byte << (8 * i);
  }
  return result;
}

u64 bfe(u64 value, u64 position, u64 length, int bits, bool is_signed) {
  position &= 0xff;
  length &= 0xff;
  const u64 msb = static_cast<u64>(bits) - 1;
  const u64 sign =
      !is_signed || length == 0 ? 0 : value >> std::min(position + length - 1, msb) & 1;
  u64 result = 0;
  for (u64 i = 0; i <= msb; ++i)
    result |= (i < length && position + i <= msb ? value >> (position + i) & 1 : sign) << i;
  return result;
}

class IntegerOpcode : public testing::TestWithParam<OpcodeCase> {};
TEST_P(IntegerOpcode, MatchesFormula) { run_opcode(GetParam()); }

std::vector<OpcodeCase> integer_cases() {
  std::vector<OpcodeCase> cases;
  const auto add = [&](std::string opcode, std::string shapes, auto formula,
                       std::string tail = "") {
    cases.push_back(
        {std::move(opcode), std::move(shapes), formula, integer_edges(), std::move(tail)});
  };
  add("add.u16", "hhh", [](u64 a, u64 b, u64) { return a + b; });
  add("add.s32", "rrr", [](u64 a, u64 b, u64) { return a + b; });
  add("add.s64", "ddd", [](u64 a, u64 b, u64) { return a + b; });
  add("sub.u16", "hhh", [](u64 a, u64 b, u64) { return a - b; });
  add("sub.s32", "rrr", [](u64 a, u64 b, u64) { return a - b; });
  add("sub.s64", "ddd", [](u64 a, u64 b, u64) { return a - b; });
  add("add.sat.s32", "rrr", [](u64 a, u64 b, u64) {
    return u64(std::clamp<s64>(s64(s32(a)) + s32(b), INT32_MIN, INT32_MAX));
  });
  add("sub.sat.s32", "rrr", [](u64 a, u64 b, u64) {
    return u64(std::clamp<s64>(s64(s32(a)) - s32(b), INT32_MIN, INT32_MAX));
  });
  add("mul.lo.s16", "hhh", [](u64 a, u64 b, u64) { return a * b; });
  add("mul.lo.s32", "rrr", [](u64 a, u64 b, u64) { return a * b; });
  add("mul.lo.s64", "ddd", [](u64 a, u64 b, u64) { return a * b; });
  add("mul.hi.u16", "hhh", [](u64 a, u64 b, u64) { return u64(u16(a)) * u16(b) >> 16; });
  add("mul.hi.s16", "hhh", [](u64 a, u64 b, u64) { return u64(s64(s16(a)) * s16(b) >> 16); });
  add("mul.hi.u32", "rrr", [](u64 a, u64 b, u64) { return u64(u32(a)) * u32(b) >> 32; });
  add("mul.hi.s32", "rrr", [](u64 a, u64 b, u64) { return u64(s64(s32(a)) * s32(b) >> 32); });
  add("mul.hi.u64", "ddd", [](u64 a, u64 b, u64) { return u64(u128(a) * b >> 64); });
  add("mul.hi.s64", "ddd", [](u64 a, u64 b, u64) { return u64(s128(s64(a)) * s64(b) >> 64); });
  add("mul.wide.u16", "rhh", [](u64 a, u64 b, u64) { return u64(u16(a)) * u16(b); });
  add("mul.wide.s16", "rhh", [](u64 a, u64 b, u64) { return u64(s64(s16(a)) * s16(b)); });
  add("mul.wide.u32", "drr", [](u64 a, u64 b, u64) { return u64(u32(a)) * u32(b); });
  add("mul.wide.s32", "drr", [](u64 a, u64 b, u64) { return u64(s64(s32(a)) * s32(b)); });
  add("mad.lo.s32", "rrrr", [](u64 a, u64 b, u64 c) { return a * b + c; });
  add("mad.lo.s64", "dddd", [](u64 a, u64 b, u64 c) { return a * b + c; });
  add("mad.hi.u32", "rrrr", [](u64 a, u64 b, u64 c) { return (u64(u32(a)) * u32(b) >> 32) + c; });
  add("mad.wide.u32", "drrd", [](u64 a, u64 b, u64 c) { return u64(u32(a)) * u32(b) + c; });
  add("mad.wide.s32", "drrd", [](u64 a, u64 b, u64 c) { return u64(s64(s32(a)) * s32(b)) + c; });
  add("mul24.lo.u32", "rrr", [](u64 a, u64 b, u64) { return (a & 0xffffff) * (b & 0xffffff); });
  add("mul24.lo.s32", "rrr", [](u64 a, u64 b, u64) {
    return u64(s64(s32(u32(a) << 8) >> 8) * s64(s32(u32(b) << 8) >> 8));
  });
  const auto div_s = [](s64 a, s64 b, int bits) -> u64 {
    if (b == 0) return ~u64{0};
    return b == -1 ? u64{0} - u64(a) : u64(a / b) + 0 * u64(bits);
  };
  const auto rem_s = [](s64 a, s64 b) -> u64 {
    return b == 0 ? ~u64{0} : b == -1 ? 0 : u64(a % b);
  };
  add("div.u32", "rrr",
      [](u64 a, u64 b, u64) { return u32(b) == 0 ? ~u64{0} : u64(u32(a) / u32(b)); });
  add("div.s32", "rrr", [=](u64 a, u64 b, u64) { return div_s(s32(a), s32(b), 32); });
  add("div.u64", "ddd", [](u64 a, u64 b, u64) { return b == 0 ? ~u64{0} : a / b; });
  add("div.s64", "ddd", [=](u64 a, u64 b, u64) { return div_s(s64(a), s64(b), 64); });
  add("rem.u32", "rrr",
      [](u64 a, u64 b, u64) { return u32(b) == 0 ? ~u64{0} : u64(u32(a) % u32(b)); });
  add("rem.s32", "rrr", [=](u64 a, u64 b, u64) { return rem_s(s32(a), s32(b)); });
  add("rem.s64", "ddd", [=](u64 a, u64 b, u64) { return rem_s(s64(a), s64(b)); });
  add("min.s32", "rrr", [](u64 a, u64 b, u64) { return u64(std::min(s32(a), s32(b))); });
  add("max.u32", "rrr", [](u64 a, u64 b, u64) { return u64(std::max(u32(a), u32(b))); });
  add("min.s16", "hhh", [](u64 a, u64 b, u64) { return u64(std::min(s16(a), s16(b))); });
  add("max.s64", "ddd", [](u64 a, u64 b, u64) { return u64(std::max(s64(a), s64(b))); });
  add("min.u64", "ddd", [](u64 a, u64 b, u64) { return std::min(a, b); });
  add("neg.s32", "rr", [](u64 a, u64, u64) { return 0 - a; });
  add("neg.s64", "dd", [](u64 a, u64, u64) { return 0 - a; });
  add("abs.s32", "rr", [](u64 a, u64, u64) { return s32(a) < 0 ? 0 - a : a; });
  add("abs.s64", "dd", [](u64 a, u64, u64) { return s64(a) < 0 ? 0 - a : a; });
  add("and.b32", "rrr", [](u64 a, u64 b, u64) { return a & b; });
  add("or.b64", "ddd", [](u64 a, u64 b, u64) { return a | b; });
  add("xor.b16", "hhh", [](u64 a, u64 b, u64) { return a ^ b; });
  add("not.b32", "rr", [](u64 a, u64, u64) { return ~a; });
  add("cnot.b32", "rr", [](u64 a, u64, u64) { return u64(u32(a) == 0); });
  add("shl.b16", "hhr", [](u64 a, u64 b, u64) { return u32(b) > 15 ? 0 : a << u32(b); });
  add("shl.b32", "rrr", [](u64 a, u64 b, u64) { return u32(b) > 31 ? 0 : a << u32(b); });
  add("shl.b64", "ddr", [](u64 a, u64 b, u64) { return u32(b) > 63 ? 0 : a << u32(b); });
  add("shr.u32", "rrr", [](u64 a, u64 b, u64) { return u32(b) > 31 ? 0 : u64(u32(a) >> u32(b)); });
  add("shr.s32", "rrr", [](u64 a, u64 b, u64) { return u64(s32(a) >> std::min(u32(b), 31u)); });
  add("shr.s64", "ddr", [](u64 a, u64 b, u64) { return u64(s64(a) >> std::min(u32(b), 63u)); });
  add("shr.b64", "ddr", [](u64 a, u64 b, u64) { return u32(b) > 63 ? 0 : a >> u32(b); });
  add("shr.s16", "hhr", [](u64 a, u64 b, u64) { return u64(s16(a) >> std::min(u32(b), 15u)); });
  add("bfe.u32", "rrrr", [](u64 a, u64 b, u64 c) { return bfe(u32(a), b, c, 32, false); });
  add("bfe.s32", "rrrr", [](u64 a, u64 b, u64 c) { return bfe(u32(a), b, c, 32, true); });
  add("bfe.u64", "ddrr", [](u64 a, u64 b, u64 c) { return bfe(a, b, c, 64, false); });
  add("bfe.s64", "ddrr", [](u64 a, u64 b, u64 c) { return bfe(a, b, c, 64, true); });
  add(
      "bfi.b32", "rrrr",
      [](u64 a, u64 b, u64 c) {
        u32 result = u32(b);
        for (u32 i = 0; i < 9 && (c & 0xff) + i < 32; ++i) {
          const u32 at = u32(c & 0xff) + i;
          result = (result & ~(1u << at)) | (u32(a) >> i & 1) << at;
        }
        return u64(result);
      },
      ", 9");
  add("bfind.u32", "rr",
      [](u64 a, u64, u64) { return u32(a) == 0 ? ~u64{0} : u64(31 - std::countl_zero(u32(a))); });
  add("bfind.s32", "rr", [](u64 a, u64, u64) {
    const u32 bits = s32(a) < 0 ? ~u32(a) : u32(a);
    return bits == 0 ? ~u64{0} : u64(31 - std::countl_zero(bits));
  });
  add("bfind.shiftamt.u32", "rr",
      [](u64 a, u64, u64) { return u32(a) == 0 ? ~u64{0} : u64(std::countl_zero(u32(a))); });
  add("bfind.u64", "rd",
      [](u64 a, u64, u64) { return a == 0 ? ~u64{0} : u64(63 - std::countl_zero(a)); });
  add("brev.b32", "rr", [](u64 a, u64, u64) { return bit_reverse(a, 32); });
  add("brev.b64", "dd", [](u64 a, u64, u64) { return bit_reverse(a, 64); });
  add("clz.b32", "rr", [](u64 a, u64, u64) { return u64(std::countl_zero(u32(a))); });
  add("clz.b64", "rd", [](u64 a, u64, u64) { return u64(std::countl_zero(a)); });
  add("popc.b32", "rr", [](u64 a, u64, u64) { return u64(std::popcount(u32(a))); });
  add("popc.b64", "rd", [](u64 a, u64, u64) { return u64(std::popcount(a)); });
  add("prmt.b32", "rrrr", [](u64 a, u64 b, u64 c) { return prmt(u32(a), u32(b), u32(c)); });
  add("shf.l.wrap.b32", "rrrr",
      [](u64 a, u64 b, u64 c) { return (b << 32 | u32(a)) << (c & 31) >> 32; });
  add("shf.r.wrap.b32", "rrrr", [](u64 a, u64 b, u64 c) { return (b << 32 | u32(a)) >> (c & 31); });
  add("shf.l.clamp.b32", "rrrr",
      [](u64 a, u64 b, u64 c) { return u32(c) >= 32 ? a : (b << 32 | u32(a)) << u32(c) >> 32; });
  add("shf.r.clamp.b32", "rrrr",
      [](u64 a, u64 b, u64 c) { return u32(c) >= 32 ? b : (b << 32 | u32(a)) >> u32(c); });
  for (const u32 lut : {0x80u, 0x96u, 0xcau, 0x01u, 0xe8u}) {
    add(
        "lop3.b32", "rrrr",
        [lut](u64 a, u64 b, u64 c) { return lop3(u32(a), u32(b), u32(c), lut); },
        ", " + std::to_string(lut));
  }
  add("sad.u32", "rrrr", [](u64 a, u64 b, u64 c) {
    return c + (u32(a) < u32(b) ? u32(b) - u32(a) : u32(a) - u32(b));
  });
  add("sad.s32", "rrrr",
      [](u64 a, u64 b, u64 c) { return c + u64(std::abs(s64(s32(a)) - s32(b))); });
  add("dp4a.s32.s32", "rrrr", [](u64 a, u64 b, u64 c) {
    s64 sum = s32(c);
    for (int i = 0; i < 32; i += 8) sum += s64(std::int8_t(a >> i)) * std::int8_t(b >> i);
    return u64(sum);
  });
  add("dp4a.u32.s32", "rrrr", [](u64 a, u64 b, u64 c) {
    s64 sum = s32(c);
    for (int i = 0; i < 32; i += 8) sum += s64(u8(a >> i)) * std::int8_t(b >> i);
    return u64(sum);
  });
  add("dp2a.lo.s32.s32", "rrrr", [](u64 a, u64 b, u64 c) {
    return c + u64(s64(s16(a)) * std::int8_t(b) + s64(s16(a >> 16)) * std::int8_t(b >> 8));
  });
  for (const int bits : {2, 4, 8, 16}) {
    for (const bool is_signed : {false, true}) {
      const s64 most = (s64{1} << (is_signed ? bits - 1 : bits)) - 1;
      const s64 least = is_signed ? -most - 1 : 0;
      const auto part = [=](u64 value) {
        return u64(std::clamp<s64>(s32(value), least, most)) % (u64{1} << bits);
      };
      add(std::string("cvt.pack.sat.") + (is_signed ? "s" : "u") + std::to_string(bits) +
              (bits == 16 ? ".s32" : ".s32.b32"),
          bits == 16 ? "rrr" : "rrrr", [=](u64 a, u64 b, u64 c) {
            return part(b) + (part(a) << bits) + (bits == 16 ? 0 : c << (2 * bits));
          });
    }
  }
  add("mad24.lo.u32", "rrrr",
      [](u64 a, u64 b, u64 c) { return (a & 0xffffff) * (b & 0xffffff) + c; });
  add("mad24.hi.u32", "rrrr",
      [](u64 a, u64 b, u64 c) { return ((a & 0xffffff) * (b & 0xffffff) >> 16) + c; });
  add("bmsk.clamp.b32", "rrr", [](u64 a, u64 b, u64) {
    return u32(a) >= 32 ? 0 : ((u64{1} << std::min(u32(b), 32u)) - 1) << u32(a);
  });
  add("bmsk.wrap.b32", "rrr", [](u64 a, u64 b, u64) { return ((u64{1} << b % 32) - 1) << a % 32; });
  add("szext.clamp.u32", "rrr",
      [](u64 a, u64 b, u64) { return a & ((u64{1} << std::min(u32(b), 32u)) - 1); });
  add("szext.wrap.s32", "rrr", [](u64 a, u64 b, u64) {
    const int bits = static_cast<int>(b % 32);
    return bits == 0 ? 0 : u64(s64(a << (64 - bits)) >> (64 - bits));
  });
  add("slct.s32.s32", "rrrr", [](u64 a, u64 b, u64 c) { return s32(c) >= 0 ? a : b; });
  add("add.u16x2", "rrr",
      [](u64 a, u64 b, u64) { return u64(u16(a + b)) | u64(u16((a >> 16) + (b >> 16))) << 16; });
  add("max.s16x2", "rrr", [](u64 a, u64 b, u64) {
    return u64(u16(std::max(s16(a), s16(b)))) | u64(u16(std::max(s16(a >> 16), s16(b >> 16))))
                                                    << 16;
  });
  add("set.lt.u32.s32", "rrr",
      [](u64 a, u64 b, u64) { return s32(a) < s32(b) ? 0xffffffffu : 0u; });
  add("setp.lt.s32", "prr", [](u64 a, u64 b, u64) { return u64(s32(a) < s32(b)); });
  add("setp.lo.u32", "prr", [](u64 a, u64 b, u64) { return u64(u32(a) < u32(b)); });
  add("setp.ge.s64", "pdd", [](u64 a, u64 b, u64) { return u64(s64(a) >= s64(b)); });
  add("setp.hi.u64", "pdd", [](u64 a, u64 b, u64) { return u64(a > b); });
  add("setp.eq.b16", "phh", [](u64 a, u64 b, u64) { return u64(u16(a) == u16(b)); });
  add("setp.gt.s16", "phh", [](u64 a, u64 b, u64) { return u64(s16(a) > s16(b)); });
  return cases;
}

INSTANTIATE_TEST_SUITE_P(All, IntegerOpcode, testing::ValuesIn(integer_cases()),
                         [](const auto& test) {
                           return test_name(test.param.opcode + test.param.tail);
                         });

TEST(CarryChain, Adds128Bits) {
  const std::string body = R"(
    .visible .entry op(.param .u64 p) {
    .reg .b64 %d<8>; .reg .b32 %r<8>;
    ld.param.u64 %d0, [p];
    ld.global.v4.u32 {%r0, %r1, %r2, %r3}, [%d0];
    add.cc.u32 %r4, %r0, %r2; addc.u32 %r5, %r1, %r3;
    sub.cc.u32 %r6, %r0, %r2; subc.u32 %r7, %r1, %r3;
    st.global.v4.u32 [%d0+16], {%r4, %r5, %r6, %r7};
    mad.lo.cc.u32 %r4, %r0, %r2, %r3; madc.hi.u32 %r5, %r0, %r2, 0;
    st.global.v2.u32 [%d0+32], {%r4, %r5};
    ret; })";
  Harness harness(ptx_header() + body);
  const auto data =
      harness.upload<u32>({0xfffffff0u, 0x12345678u, 0x20u, 0x9abcdef0u, 0, 0, 0, 0, 0, 0});
  harness.launch.block = {1, 1, 1};
  harness.run_clean(data);
  const auto got = harness.download(data);
  const u64 a = 0x12345678fffffff0u;
  const u64 b = 0x9abcdef000000020u;
  EXPECT_EQ(got[4] | u64(got[5]) << 32, a + b);
  EXPECT_EQ(got[6] | u64(got[7]) << 32, a - b);
  EXPECT_EQ(got[8] | u64(got[9]) << 32, u64(0xfffffff0u) * 0x20u + 0x9abcdef0u);
}

TEST(SetPredicate, CombinesWithBooleansAndGivesTheNegation) {
  const std::string body = R"(
    .visible .entry op(.param .u64 p) {
    .reg .b64 %d<3>; .reg .b32 %r<4>; .reg .pred %p, %q, %c;
    ld.param.u64 %d0, [p];
    mov.u32 %r0, %tid.x; mul.wide.u32 %d1, %r0, 4; add.u64 %d0, %d0, %d1;
    setp.gt.u32 %c, %r0, 3;
    setp.lt.and.u32 %p|%q, %r0, 6, !%c;
    selp.u32 %r1, 1, 0, %p; @%q or.b32 %r1, %r1, 2;
    setp.lt.xor.u32 %p, %r0, 6, %c; @!%p or.b32 %r1, %r1, 4;
    st.global.u32 [%d0], %r1; ret; })";
  Harness harness(ptx_header() + body);
  const auto out = harness.zeros<u32>(32);
  harness.run_clean(out);
  const auto got = harness.download(out);
  for (u32 i = 0; i < 32; ++i) {
    const bool c = i > 3;
    const u32 expected =
        (i < 6 && !c ? 1u : 0u) | (!(i < 6) && !c ? 2u : 0u) | ((i < 6) != c ? 0u : 4u);
    EXPECT_EQ(got[i], expected) << i;
  }
}

}  // namespace
}  // namespace warpwright::emu
