#include "emu/ptx/source_places.h"

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

}  // namespace

bool is_toolkit_header(std::string_view path) {
  const std::size_t slash = path.find_last_of('/');
  const std::string_view file = slash == std::string_view::npos ? path : path.substr(slash + 1);
  if (path.find("/nvidia/") != std::string_view::npos &&
      path.find("/include/") != std::string_view::npos) {
    return true;  // the toolkit's wheels
  }
  // CUDA 13 keeps CUB, Thrust and libcu++ under cccl/, earlier ones beside the other headers;
  // "cuda/__" is what libcu++ is made of, <cuda/barrier> and <cuda/ptx> include nothing else.
  if (path.find("/crt/") != std::string_view::npos) return true;
  for (const std::string_view folder :
       {"cccl/", "cub/", "thrust/", "cuda/std/", "cuda/__", "cooperative_groups/"}) {
    if (lies_in(path, folder)) return true;
  }
  for (const std::string_view prefix :
       {"cuda_", "sm_", "device_", "math_", "vector_", "cooperative_groups"}) {
    const bool header = file.ends_with(".h") || file.ends_with(".hpp");
    if (header && file.starts_with(prefix)) return true;
  }
  return false;
}

void resolve_places(ParsedModule& module, const std::vector<Location>& locations) {
  const auto in_toolkit = [&](const SourceLine& line) {
    const auto file = static_cast<std::size_t>(line.file);
    return file < module.files.size() && is_toolkit_header(module.files[file]);
  };
  for (ParsedFunction& function : module.functions) {
    SourceLine last;
    for (Statement& statement : function.statements) {
      const Location& location = locations[static_cast<std::size_t>(statement.source.file)];
      const bool outer = in_toolkit(location.inner) && location.inlined_at.line != 0;
      const SourceLine line = outer ? location.inlined_at : location.inner;
      // Headers inlined into headers: the last line of the kernel itself says more.
      if (line.line != 0 && !(in_toolkit(line) && last.line != 0)) last = line;
      statement.source = last;
    }
  }
}

}  // namespace warpwright::emu
