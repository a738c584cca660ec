// The origin of an argument's content if its fill is not one of the generators of numbers
// (trial/data/fill.h):
//   file("filter.npy")  file("weights.safetensors", "tensor")  file("m.mtx", row_offsets)
//   generator  generator("name"): the reference's own function ww_fill
//   copy_of(x)  prefix_sum(x)  sorted(x)  argsort(x): made from another input
// Fills are always stored as text; code that needs an origin parses it with these functions.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/error.h"

namespace warpwright {

enum class FillKind { kNumbers, kFile, kGenerator, kCopyOf, kPrefixSum, kSorted, kArgsort };

struct FillOrigin {
  FillKind kind = FillKind::kNumbers;
  std::string file;      // kFile: as written
  std::string part;      // kFile: a tensor's name or a part of a matrix; may be empty
  std::string name;      // kGenerator: may be empty
  std::string argument;  // the argument that the others derive from

  // Returns true if it is derived from inputs that must be filled first.
  [[nodiscard]] bool is_made_later() const {
    return kind != FillKind::kNumbers && kind != FillKind::kFile;
  }
  [[nodiscard]] bool is_derived() const { return !argument.empty(); }
};

// Throws Error (user) at `where`. The existence of the named files and arguments is not checked
// here.
[[nodiscard]] FillOrigin parse_fill_origin(std::string_view text, const SourcePosition& where);

// The words that begin such fills, for suggestions.
[[nodiscard]] std::span<const std::string_view> fill_origin_names();

enum class InputFormat { kNumpy, kRaw, kSafetensors, kMatrixMarket };

// Determines the format by the extension. Throws Error (user) at `where` for any other extension,
// and if the file holds several arrays and the origin names none, or the reverse.
[[nodiscard]] InputFormat input_format(const FillOrigin& origin, const SourcePosition& where);

}  // namespace warpwright
