// Inputs from files that other programs wrote: .npy, raw bytes, .safetensors and Matrix Market.
// Such a file may hold anything, so every number in it is checked before it is used, no allocation
// uses a size that the bytes of the file do not confirm, and an array must match the contract
// exactly. Every fault is reported as an Error (user) "FILE: what, got, expected".
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/source_bundle.h"
#include "spec/kernel_fills.h"
#include "trial/numbers/dtype.h"

namespace warpwright {

// The bytes of a file, which may be too many to be kept in memory.
class InputSource {
 public:
  // Reads a text that outlives this. `name` is for messages.
  InputSource(std::string name, std::string_view text);
  // Reads a file on the disk; whenever it is read, it must still match its stamp.
  InputSource(const std::filesystem::path& file, const LargeFile& stamp);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::uint64_t size() const { return size_; }
  // Fills `out` with the bytes from `at` on, which must be there.
  void read(std::uint64_t at, std::span<std::byte> out) const { read_(at, out); }
  [[nodiscard]] std::string text(std::uint64_t at, std::uint64_t bytes) const;

 private:
  std::string name_;
  std::uint64_t size_ = 0;
  std::function<void(std::uint64_t, std::span<std::byte>)> read_;
};

// The array that the contract wants.
struct WantedArray {
  std::string argument;
  DType dtype = DType::kF32;
  std::vector<std::int64_t> shape;
  std::size_t bytes = 0;
};

// Requires that `origin` has passed input_format().
[[nodiscard]] std::vector<std::byte> read_input_file(const InputSource& source,
                                                     const FillOrigin& origin,
                                                     const WantedArray& wanted);

// The formats, for read_input_file() and tests.
[[nodiscard]] std::vector<std::byte> read_numpy(const InputSource& source,
                                                const WantedArray& wanted);
[[nodiscard]] std::vector<std::byte> read_safetensors(const InputSource& source,
                                                      const std::string& tensor,
                                                      const WantedArray& wanted);
// `part` is "row_offsets", "columns", "values" or "rows" of a sparse matrix by rows, each row's
// columns ascending; "" or "values" of a dense one.
[[nodiscard]] std::vector<std::byte> read_matrix_market(const InputSource& source,
                                                        const std::string& part,
                                                        const WantedArray& wanted);

// Error functions shared by the formats. refuse_input() always throws.
[[noreturn]] void refuse_input(const InputSource& source, const std::string& what);
// `what` says whose shape it is: "the array".
void require_shape(const InputSource& source, std::string_view what,
                   const std::vector<std::int64_t>& got, const WantedArray& wanted);

}  // namespace warpwright
