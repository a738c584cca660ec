// Where the content of an argument comes from when its fill is not one of the generators of numbers
// (trial/data/fill.h):
//   file("filter.npy")  file("weights.safetensors", "tensor")  file("m.mtx", row_offsets)
//   generator  generator("name"): the reference's own function ww_fill
//   copy_of(x)  prefix_sum(x)  sorted(x)  argsort(x): made from another input
// Fills stay texts wherever they are kept; who needs an origin asks here.
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
  std::string argument;  // what the others are made from

  // Made from inputs that must be there before it.
  [[nodiscard]] bool is_made_later() const {
    return kind != FillKind::kNumbers && kind != FillKind::kFile;
  }
  [[nodiscard]] bool is_derived() const { return !argument.empty(); }
};

// Throws Error (user) at `where`. Whether what it names exists is not checked here.
[[nodiscard]] FillOrigin parse_fill_origin(std::string_view text, const SourcePosition& where);

// The words that begin such fills, for suggestions.
[[nodiscard]] std::span<const std::string_view> fill_origin_names();

enum class InputFormat { kNumpy, kRaw, kSafetensors, kMatrixMarket };

// By the extension. Throws Error (user) at `where` for any other, and when the file holds several
// arrays and the origin names none, or the other way round.
[[nodiscard]] InputFormat input_format(const FillOrigin& origin, const SourcePosition& where);

}  // namespace warpwright
