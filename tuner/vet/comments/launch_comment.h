// What `// vet:` comments of a .cu file say: launches with the memory and the numbers that they are
// given. Everything is evaluated; types are not known yet, they are the kernels'.
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

// What memory holds before the first launch.
struct InitialContent {
  enum class Kind {
    kRandom,       // finite; with `low` and `high`, within these
    kNumber,       // `low` everywhere
    kIota,         // 0, 1, 2, ...
    kPermutation,  // of 0 ... elements - 1
    kUnset,        // never written: reading it is a finding
  };
  Kind kind = Kind::kRandom;
  std::optional<Value> low, high;
  SourcePosition where;
};

// `float x[1024] = iota`. Buffers of one name in one comment are the same memory.
struct CommentBuffer {
  std::string name;
  std::string type;  // as written; empty: what the kernel takes
  std::vector<std::int64_t> extents;
  InitialContent content;
  bool is_constant = false;  // a __constant__ variable of the source, of that name
  SourcePosition where;

  [[nodiscard]] std::int64_t elements() const;
};

struct CommentArgument {
  enum class Kind { kBuffer, kNumber, kNull };
  Kind kind = Kind::kNumber;
  std::string name;  // of the buffer
  Value value;       // of the number
  SourcePosition where;
};

// `kernel<float, 128><<<grid, block, shared, cluster(2)>>>(x[n], n)`
struct CommentLaunch {
  std::string entry;  // constants of the comment are written out in template arguments
  std::array<std::int64_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::int64_t shared_bytes = 0;
  std::optional<std::array<std::int64_t, 3>> cluster;
  std::vector<CommentArgument> arguments;
  SourcePosition where;
};

// The launches of one comment, in stream order, and what they share.
struct LaunchComment {
  SourcePosition where;                    // of its first launch
  std::vector<CommentBuffer> buffers;      // those that its launches use, in order of appearance
  std::map<std::string, Value> constants;  // all that it may use
  std::vector<CommentLaunch> launches;     // one or more
  bool deterministic = false;              // its results must not depend on the schedule
};

}  // namespace warpwright
