// Whether an argument of one kernel can be (part of) an output of another: of one type, contiguous,
// and of the same shape, except that adjacent axes may be merged or split and axes of 1 are
// ignored: [1, 4096] equals [1, 1, 32, 128].
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/expr/expr.h"
#include "spec/kernel_spec.h"

namespace warpwright {

// One kernel on one problem, as one end of a connection.
struct ConnectedKernel {
  std::string step;
  const KernelSpec* kernel = nullptr;
  Environment environment;  // trial_environment()
};

struct ConnectionRequest {
  SourcePosition where;
  std::string text;  // "qkv.y[0:4096]", for messages
  std::string output, argument;
  std::optional<std::int64_t> first, end;  // of the output's last axis; both or neither
};

// Returns the element of the output at which the argument begins. Throws Error (user) at
// request.where that names both, with their types and shapes.
[[nodiscard]] std::int64_t connect(const ConnectedKernel& from, const ConnectedKernel& to,
                                   const ConnectionRequest& request);

// Whether the shapes are equal up to merged adjacent axes and axes of 1.
[[nodiscard]] bool same_but_for_merged_axes(const std::vector<std::int64_t>& a,
                                            const std::vector<std::int64_t>& b);

}  // namespace warpwright
