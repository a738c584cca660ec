// The ceilings of a GPU by its name, read from configs/gpus/NAME.yaml, so that a kernel can be
// judged for a GPU that is not at hand. Every figure says where it is from.
// configs/gpus/README.md documents the format. Every error is `file:line:col: what, got, expected`.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace warpwright {

// The rate of the special-function units, in results per ns (Gop/s).
inline constexpr const char* kSpecialCeiling = "special";

struct GpuCeiling {
  std::string name;    // as of `calibrate` (core/shared_names.h), or kSpecialCeiling
  double value = 0;    // in its unit; above 0
  std::string source;  // where the figure is from
  [[nodiscard]] std::string_view unit() const;
};

struct GpuFile {
  std::string name;   // "h200"
  std::string title;  // "NVIDIA H200 SXM"
  std::vector<GpuCeiling> ceilings;
};

// Throws Error (user).
[[nodiscard]] GpuFile parse_gpu(std::string_view text, const std::filesystem::path& file);

// The GPU of a name in `folder`, or of a file, whose name ends in .yaml. Throws Error (user); the
// message for an unknown name lists the known ones.
[[nodiscard]] GpuFile find_gpu(const std::string& wanted, const std::filesystem::path& folder);

}  // namespace warpwright
