// setp and set for every type. Part of the per-instruction-set sources; see lane_exec.h.
#pragma once

#include "emu/lane_exec.h"
#include "emu/lane_float.h"

namespace warpwright::emu::WARPWRIGHT_LANE_ISA {

template <class T>
void add_integer_compare(LaneTable& t, const std::string& type) {
  compare<T>(t, "eq", type, InstClass::kInteger, [](T a, T b) { return a == b; });
  compare<T>(t, "ne", type, InstClass::kInteger, [](T a, T b) { return a != b; });
  compare<T>(t, "lt", type, InstClass::kInteger, [](T a, T b) { return a < b; });
  compare<T>(t, "le", type, InstClass::kInteger, [](T a, T b) { return a <= b; });
  compare<T>(t, "gt", type, InstClass::kInteger, [](T a, T b) { return a > b; });
  compare<T>(t, "ge", type, InstClass::kInteger, [](T a, T b) { return a >= b; });
  compare<T>(t, "lo", type, InstClass::kInteger, [](T a, T b) { return a < b; });
  compare<T>(t, "ls", type, InstClass::kInteger, [](T a, T b) { return a <= b; });
  compare<T>(t, "hi", type, InstClass::kInteger, [](T a, T b) { return a > b; });
  compare<T>(t, "hs", type, InstClass::kInteger, [](T a, T b) { return a >= b; });
}

// `Read` turns a register into a number that C++ compares: the identity, a flush of subnormals, a
// widened half.
template <class T, class Read>
void add_float_compare(LaneTable& t, const std::string& type, InstClass klass, Read) {
  using R = Read;
  compare<T>(t, "eq", type, klass, [](T a, T b) { return R{}(a) == R{}(b); });
  compare<T>(t, "ne", type, klass, [](T a, T b) { return (R{}(a) < R{}(b)) | (R{}(a) > R{}(b)); });
  compare<T>(t, "lt", type, klass, [](T a, T b) { return R{}(a) < R{}(b); });
  compare<T>(t, "le", type, klass, [](T a, T b) { return R{}(a) <= R{}(b); });
  compare<T>(t, "gt", type, klass, [](T a, T b) { return R{}(a) > R{}(b); });
  compare<T>(t, "ge", type, klass, [](T a, T b) { return R{}(a) >= R{}(b); });
  compare<T>(t, "equ", type, klass,
             [](T a, T b) { return !((R{}(a) < R{}(b)) | (R{}(a) > R{}(b))); });
  compare<T>(t, "neu", type, klass, [](T a, T b) { return !(R{}(a) == R{}(b)); });
  compare<T>(t, "ltu", type, klass, [](T a, T b) { return !(R{}(a) >= R{}(b)); });
  compare<T>(t, "leu", type, klass, [](T a, T b) { return !(R{}(a) > R{}(b)); });
  compare<T>(t, "gtu", type, klass, [](T a, T b) { return !(R{}(a) <= R{}(b)); });
  compare<T>(t, "geu", type, klass, [](T a, T b) { return !(R{}(a) < R{}(b)); });
  compare<T>(t, "num", type, klass,
             [](T a, T b) { return (R{}(a) == R{}(a)) & (R{}(b) == R{}(b)); });
  compare<T>(t, "nan", type, klass,
             [](T a, T b) { return (R{}(a) != R{}(a)) | (R{}(b) != R{}(b)); });
}

inline void add_compare(LaneTable& t) {
  add_integer_compare<std::uint16_t>(t, "u16");
  add_integer_compare<std::uint16_t>(t, "b16");
  add_integer_compare<std::int16_t>(t, "s16");
  add_integer_compare<std::uint32_t>(t, "u32");
  add_integer_compare<std::uint32_t>(t, "b32");
  add_integer_compare<std::int32_t>(t, "s32");
  add_integer_compare<std::uint64_t>(t, "u64");
  add_integer_compare<std::uint64_t>(t, "b64");
  add_integer_compare<std::int64_t>(t, "s64");
  add_float_compare<float>(t, "f32", InstClass::kFp32, [](float a) { return a; });
  add_float_compare<float>(t, "ftz.f32", InstClass::kFp32, [](float a) { return flush(a); });
  add_float_compare<double>(t, "f64", InstClass::kFp64, [](double a) { return a; });
  add_float_compare<Half>(t, "f16", InstClass::kFp16, [](Half a) { return half_to_float(a.bits); });
  add_float_compare<Half>(t, "ftz.f16", InstClass::kFp16,
                          [](Half a) { return flush_half(half_to_float(a.bits)); });
  add_float_compare<Bf16>(t, "bf16", InstClass::kFp16,
                          [](Bf16 a) { return bf16_to_float(a.bits); });
}

}  // namespace warpwright::emu::WARPWRIGHT_LANE_ISA
