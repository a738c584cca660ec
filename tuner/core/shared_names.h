// Names that several rooms share: ceilings of devices, codes of remarks, elements of tensor maps.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpwright {

// The names of a device's measured ceilings. A contract names the one that bounds its arithmetic;
// `warpwright calibrate` measures them.

// read, write, copy: DRAM traffic; l2_read: reads that hit L2. In GB/s.
[[nodiscard]] const std::vector<std::string>& memory_ceilings();
// In GFLOP/s (for i8: operations). `fma_*` are the ordinary pipes, `tensor_*` the tensor cores with
// whatever instruction is fastest, `mma_*` and `wgmma_*` with that instruction.
[[nodiscard]] const std::vector<std::string>& arithmetic_ceilings();

[[nodiscard]] bool is_arithmetic_ceiling(std::string_view name);
// Returns "GB/s" or "GFLOP/s".
[[nodiscard]] std::string_view ceiling_unit(std::string_view name);

// The codes of remarks: the ways in which a contract can leave an output or an input untested
// (trial/validation/contract_check.h). Contracts accept remarks and databases store them under the
// names of these codes.
enum class RemarkCode {
  kZerosPass,          // "zeros_pass": an output of zeros passes
  kMeanPasses,         // "mean_passes": the mean of the expected values passes in every element
  kOtherSeedPasses,    // "other_seed_passes": the result for the inputs of another seed passes
  kInputCopyPasses,    // "input_copy_passes": a copy of an input passes
  kInputUnused,        // "input_unused": the result for another content of one input passes
  kConstantAlongAxis,  // "constant_along_axis": one value repeated along an axis passes
};

[[nodiscard]] std::string_view remark_code_name(RemarkCode code);
[[nodiscard]] std::optional<RemarkCode> parse_remark_code(std::string_view name);
[[nodiscard]] std::span<const RemarkCode> all_remark_codes();

// The element type that tensor maps (CUtensorMap) use to move a dtype. Dtypes that maps do not
// support (e4m3, e5m2, i8, i16, bool) are moved as unsigned integers of the same width.
// The value of CUtensorMapDataType in cuda.h; nullopt if the name is not a dtype.
[[nodiscard]] std::optional<int> tensor_map_data_type(std::string_view dtype);

}  // namespace warpwright
