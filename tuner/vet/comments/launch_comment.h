// The content of a .cu file's `// vet:` comments: launches with their memory and numbers.
// Expressions are evaluated already; types are not known yet, since the kernels determine them.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/expr/value.h"

namespace warpwright {

// The content of memory before the first launch.
struct InitialContent {
  enum class Kind {
    kRandom,       // finite, within `low` and `high` if they are given
    kNumber,       // `low` in every element
    kIota,         // 0, 1, 2, ...
    kPermutation,  // permutation of 0 ... elements - 1
    kUnset,        // never written: reading it is a finding
  };
  Kind kind = Kind::kRandom;
  std::optional<Value> low, high;
  SourcePosition where;
};

// An example is `float x[1024] = iota`. Buffers of the same name in one comment share their memory.
struct CommentBuffer {
  std::string name;
  std::string type;  // as written; empty for the kernel's own type
  std::vector<std::int64_t> extents;
  InitialContent content;
  bool is_constant = false;  // initialises the source's __constant__ variable of that name
  SourcePosition where;

  [[nodiscard]] std::int64_t elements() const;
};

struct CommentArgument {
  enum class Kind { kBuffer, kNumber, kNull };
  Kind kind = Kind::kNumber;
  std::string name;  // buffer name, for kBuffer
  Value value;       // value, for kNumber
  SourcePosition where;
};

// An example is `kernel<float, 128><<<grid, block, shared, cluster(2)>>>(x[n], n)`.
struct CommentLaunch {
  std::string entry;  // template arguments have the comment's constants substituted
  std::array<std::int64_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::int64_t shared_bytes = 0;
  std::optional<std::array<std::int64_t, 3>> cluster;
  std::vector<CommentArgument> arguments;
  SourcePosition where;
};

// The launches of one comment, in stream order, and their common data.
struct LaunchComment {
  SourcePosition where;                    // position of its first launch
  std::vector<CommentBuffer> buffers;      // buffers used by its launches, in order of appearance
  std::map<std::string, Value> constants;  // all constants in scope
  std::vector<CommentLaunch> launches;     // one or more
  bool deterministic = false;              // its results must not depend on the schedule
};

}  // namespace warpwright
