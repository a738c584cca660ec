// setp and set for every type. Part of the per-instruction-set sources; see lane_exec.h.
#pragma once

#include "emu/lanes/lane_exec.h"
#include "emu/lanes/lane_float.h"

namespace warpwright::emu::WARPWRIGHT_LANE_ISA {

template <class T>
void add_integer_compare(LaneTable& t, std::string_view type) {
  constexpr InstClass k = InstClass::kInteger;
  const LaneEntry equal = comparison<T>(k, [](T a, T b) { return a == b; });
  const LaneEntry less = comparison<T>(k, [](T a, T b) { return a < b; });
  const LaneEntry greater = comparison<T>(k, [](T a, T b) { return a > b; });
  add_comparison(t, "eq", "ne", type, equal);
  add_comparison(t, "lt", "ge", type, less);
  add_comparison(t, "lo", "hs", type, less);
  add_comparison(t, "gt", "le", type, greater);
  add_comparison(t, "hi", "ls", type, greater);
}

// `Read` turns a register into a number that C++ can compare: the identity, a flush of subnormals,
// a widened half. The opposite of a comparison is true if an operand is NaN.
template <class T, class Read>
void add_float_compare(LaneTable& t, std::string_view type, InstClass k, Read) {
  using R = Read;
  add_comparison(t, "eq", "neu", type, comparison<T>(k, [](T a, T b) { return R{}(a) == R{}(b); }));
  add_comparison(t, "ne", "equ", type,
                 comparison<T>(k, [](T a, T b) { return (R{}(a) < R{}(b)) | (R{}(a) > R{}(b)); }));
  add_comparison(t, "lt", "geu", type, comparison<T>(k, [](T a, T b) { return R{}(a) < R{}(b); }));
  add_comparison(t, "le", "gtu", type, comparison<T>(k, [](T a, T b) { return R{}(a) <= R{}(b); }));
  add_comparison(t, "gt", "leu", type, comparison<T>(k, [](T a, T b) { return R{}(a) > R{}(b); }));
  add_comparison(t, "ge", "ltu", type, comparison<T>(k, [](T a, T b) { return R{}(a) >= R{}(b); }));
  add_comparison(t, "num", "nan", type, comparison<T>(k, [](T a, T b) {
                   return (R{}(a) == R{}(a)) & (R{}(b) == R{}(b));
                 }));
}

inline void add_compare(LaneTable& t) {
  add_integer_compare<std::uint32_t>(t, "u32");
  add_integer_compare<std::uint32_t>(t, "b32");
  add_integer_compare<std::int32_t>(t, "s32");
  add_integer_compare<std::uint64_t>(t, "u64");
  add_integer_compare<std::uint64_t>(t, "b64");
  add_integer_compare<std::int64_t>(t, "s64");
  add_float_compare<float>(t, "f32", InstClass::kFp32, [](float a) { return a; });
  add_float_compare<float>(t, "ftz.f32", InstClass::kFp32, [](float a) { return flush(a); });
  add_float_compare<double>(t, "f64", InstClass::kFp64, [](double a) { return a; });
}

}  // namespace warpwright::emu::WARPWRIGHT_LANE_ISA
