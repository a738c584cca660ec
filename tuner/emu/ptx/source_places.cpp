#include "emu/ptx/source_places.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

namespace warpwright::emu {
namespace {

// True when `folders` begin a component of `path`: "cub/" is in "a/cub/b.h" and not in
// "my_cub/b.h".
bool lies_in(std::string_view path, std::string_view folders) {
  for (std::size_t at = path.find(folders); at != std::string_view::npos;
       at = path.find(folders, at + 1)) {
    if (at == 0 || path[at - 1] == '/') return true;
  }
  return false;
}

// Headers with device code that are outside the toolkit's folders, by their full names, so that
// cuda_helpers.h or math_utils.h of a kernel do not match.
constexpr std::string_view kHeaders[] = {
    "common_functions",
    "cooperative_groups",
    "cuda_awbarrier",
    "cuda_awbarrier_helpers",
    "cuda_awbarrier_primitives",
    "cuda_bf16",
    "cuda_device_runtime_api",
    "cuda_fp16",
    "cuda_fp4",
    "cuda_fp6",
    "cuda_fp8",
    "cuda_pipeline",
    "cuda_pipeline_helpers",
    "cuda_pipeline_primitives",
    "cuda_runtime",
    "cuda_runtime_api",
    "cuda_surface_types",
    "cuda_texture_types",
    "device_atomic_functions",
    "device_double_functions",
    "device_functions",
    "device_launch_parameters",
    "device_types",
    "math_constants",
    "math_functions",
    "math_functions_dbl_ptx3",
    "surface_functions",
    "surface_indirect_functions",
    "texture_fetch_functions",
    "texture_indirect_functions",
    "vector_functions",
    "vector_types",
};

bool names_toolkit_header(std::string_view file) {
  const std::size_t dot = file.find_last_of('.');
  const std::string_view ending = dot == std::string_view::npos ? "" : file.substr(dot);
  if (ending != ".h" && ending != ".hpp") return false;
  const std::string_view name = file.substr(0, dot);
  // sm_80_rt, sm_35_intrinsics and those of future architectures.
  if (name.starts_with("sm_") && name.size() > 3 && name[3] >= '1' && name[3] <= '9') return true;
  return std::find(std::begin(kHeaders), std::end(kHeaders), name) != std::end(kHeaders);
}

}  // namespace

bool is_toolkit_header(std::string_view path) {
  const std::size_t slash = path.find_last_of('/');
  const std::string_view file = slash == std::string_view::npos ? path : path.substr(slash + 1);
  if (path.find("/nvidia/") != std::string_view::npos &&
      path.find("/include/") != std::string_view::npos) {
    return true;  // the toolkit's wheels
  }
  // CUDA 13 has CUB, Thrust and libcu++ under cccl/, earlier versions next to the other headers;
  // "cuda/__" holds the implementation of libcu++, which is all that <cuda/barrier> and <cuda/ptx>
  // include.
  if (path.find("/crt/") != std::string_view::npos) return true;
  for (const std::string_view folder :
       {"cccl/", "cub/", "thrust/", "cuda/std/", "cuda/__", "cooperative_groups/"}) {
    if (lies_in(path, folder)) return true;
  }
  return names_toolkit_header(file);
}

void resolve_places(ParsedModule& module, const std::vector<Location>& locations) {
  const auto in_toolkit = [&](const SourceLine& line) {
    const auto file = static_cast<std::size_t>(line.file);
    return file < module.files.size() && is_toolkit_header(module.files[file]);
  };
  std::map<std::tuple<int, int, int, int>, int> known_callers;
  const auto caller_index = [&](const SourceLine& place) {
    const auto [known, fresh] =
        known_callers.try_emplace({place.file, place.line, place.column, place.caller},
                                  static_cast<int>(module.callers.size()));
    if (fresh) module.callers.push_back(place);
    return known->second;
  };
  // The compiler writes a .loc for every level of inlining, and each `inlined_at` names the place
  // of an earlier one. If several have that place, the nearest one is meant.
  std::vector<SourceLine> own_lines;
  std::map<std::pair<int, int>, std::size_t> nearest;  // by file and line
  for (const Location& location : locations) {
    SourceLine line = location.inner;
    if (location.inlined_at.line != 0) {
      const auto known = nearest.find({location.inlined_at.file, location.inlined_at.line});
      const SourceLine caller =
          known == nearest.end() ? location.inlined_at : own_lines[known->second];
      const bool same_line = caller.file == line.file && caller.line == line.line;
      if (in_toolkit(line)) {
        line = caller;
      } else if (!in_toolkit(caller) && !same_line) {
        line.caller = caller_index(caller);
      }
    }
    nearest[{location.inner.file, location.inner.line}] = own_lines.size();
    own_lines.push_back(line);
  }
  for (ParsedFunction& function : module.functions) {
    SourceLine last;
    for (Statement& statement : function.statements) {
      const SourceLine line = own_lines[static_cast<std::size_t>(statement.source.file)];
      // If the chain ends within headers, the last line of the kernel itself is more useful.
      if (line.line != 0 && !(in_toolkit(line) && last.line != 0)) last = line;
      statement.source = last;
    }
  }
}

}  // namespace warpwright::emu
