// The lane operations for hosts with AVX-512; CMakeLists.txt gives this file its compiler options.
#define WARPWRIGHT_LANE_ISA lane_avx512
#include "emu/lanes/lane_compare.h"
#include "emu/lanes/lane_convert.h"
#include "emu/lanes/lane_exec.h"
#include "emu/lanes/lane_float.h"
#include "emu/lanes/lane_half.h"
#include "emu/lanes/lane_integer.h"
#include "emu/lanes/lane_special.h"

namespace warpwright::emu {

void add_lane_ops_avx512(LaneTable& table) {
  using namespace WARPWRIGHT_LANE_ISA;
  add_integer(table);
  add_float32(table);
  add_float64(table);
  add_special(table);
  add_half(table);
  add_compare(table);
  add_convert(table);
}

}  // namespace warpwright::emu
