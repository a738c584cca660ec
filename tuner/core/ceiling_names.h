// The names of what a device can be measured to reach at best. Contracts say by one of them what
// bounds their arithmetic; `warpwright calibrate` measures them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpwright {

// read, write, copy: DRAM traffic; l2_read: reads that hit L2. In GB/s.
[[nodiscard]] const std::vector<std::string>& memory_ceilings();
// In GFLOP/s (for i8: operations). `fma_*` are the ordinary pipes, `tensor_*` the tensor cores by
// whatever instruction is fastest, `mma_*` and `wgmma_*` by that instruction.
[[nodiscard]] const std::vector<std::string>& arithmetic_ceilings();

[[nodiscard]] bool is_arithmetic_ceiling(std::string_view name);
// "GB/s" or "GFLOP/s".
[[nodiscard]] std::string_view ceiling_unit(std::string_view name);

}  // namespace warpwright
