// The names of a device's measured ceilings. A contract names the one that bounds its arithmetic;
// `warpwright calibrate` measures them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpwright {

// read, write, copy: DRAM traffic; l2_read: reads that hit L2. In GB/s.
[[nodiscard]] const std::vector<std::string>& memory_ceilings();
// In GFLOP/s (for i8: operations). `fma_*` are the ordinary pipes, `tensor_*` the tensor cores with
// whatever instruction is fastest, `mma_*` and `wgmma_*` with that instruction.
[[nodiscard]] const std::vector<std::string>& arithmetic_ceilings();

[[nodiscard]] bool is_arithmetic_ceiling(std::string_view name);
// Returns "GB/s" or "GFLOP/s".
[[nodiscard]] std::string_view ceiling_unit(std::string_view name);

}  // namespace warpwright
