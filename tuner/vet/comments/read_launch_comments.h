// Reads `// vet:` comments into launches:
//
//     // vet: n = 1024                         a constant; --set n=17 changes it
//     // vet: float x[n] = iota                memory, with its content before the first launch
//     // vet: saxpy<<<(n + 255) / 256, 256>>>(x, y[n], 2.0f, n)
//     // vet: deterministic                    results must not depend on the schedule
//
// Each comment that launches something has its own memory; the statements of a comment without
// launches apply to all comments below it. Expressions are evaluated already; types are not known
// yet, since the kernels determine them. The full syntax is in tuner/vet/comments/README.md.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/expr/value.h"
#include "core/source_location.h"

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
  SourceLocation where;
};

// An example is `float x[1024] = iota`. Buffers of the same name in one comment share their memory.
struct CommentBuffer {
  std::string name;
  std::string type;  // as written; empty for the kernel's own type
  std::vector<std::int64_t> extents;
  InitialContent content;
  bool is_constant = false;  // initialises the source's __constant__ variable of that name
  SourceLocation where;

  [[nodiscard]] std::int64_t elements() const;
};

struct CommentArgument {
  enum class Kind { kBuffer, kNumber, kNull };
  Kind kind = Kind::kNumber;
  std::string name;  // buffer name, for kBuffer
  Value value;       // value, for kNumber
  SourceLocation where;
};

// An example is `kernel<float, 128><<<grid, block, shared, cluster(2)>>>(x[n], n)`.
struct CommentLaunch {
  std::string entry;  // template arguments have the comment's constants substituted
  std::array<std::int64_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::int64_t shared_bytes = 0;
  std::optional<std::array<std::int64_t, 3>> cluster;
  std::vector<CommentArgument> arguments;
  SourceLocation where;
};

// The launches of one comment, in stream order, and their common data.
struct LaunchComment {
  SourceLocation where;                    // position of its first launch
  std::vector<CommentBuffer> buffers;      // buffers used by its launches, in order of appearance
  std::map<std::string, Value> constants;  // all constants in scope
  std::vector<CommentLaunch> launches;     // one or more
  bool deterministic = false;              // its results must not depend on the schedule
};

// Messages refer to the source as `file`; `given` replaces the constants of these names. The result
// is empty when the source has no launch comment. Throws Error (user) at the place of anything that
// it cannot read.
[[nodiscard]] std::vector<LaunchComment> read_launch_comments(
    std::string_view source, const std::string& file, const std::map<std::string, Value>& given);

// Replaces the suffixes of numbers ("2.5f", "10ull"), which expressions do not support, with
// blanks.
[[nodiscard]] std::string without_suffixes(std::string_view text);

}  // namespace warpwright
