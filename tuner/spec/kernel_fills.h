// The files and arguments that the fills of a contract refer to; files lie in the contract's
// folder. Inputs filled with numbers or from files come first; derived inputs follow in the order
// of the contract, and may use all inputs that exist by then.
//
// A fill that is not one of the generators of numbers (trial/numbers/fill.h) names the origin of an
// argument's content:
//   file("filter.npy")  file("weights.safetensors", "tensor")  file("m.mtx", row_offsets)
//   generator  generator("name"): the reference's own function ww_fill
//   copy_of(x)  prefix_sum(x)  sorted(x)  argsort(x): made from another input
// Fills are always stored as text; code that needs an origin parses it with these functions.
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/source_location.h"
#include "spec/kernel_spec.h"
#include "spec/yaml_reader.h"

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
[[nodiscard]] FillOrigin parse_fill_origin(std::string_view text, const SourceLocation& where);

// The words that begin such fills, for suggestions.
[[nodiscard]] std::span<const std::string_view> fill_origin_names();

enum class InputFormat { kNumpy, kRaw, kSafetensors, kMatrixMarket };

// Determines the format by the extension. Throws Error (user) at `where` for any other extension,
// and if the file holds several arrays and the origin names none, or the reverse.
[[nodiscard]] InputFormat input_format(const FillOrigin& origin, const SourceLocation& where);

// Checks one fill, of an argument or of a case, located at `at`. Throws Error (user) for a file
// that is missing or of an unknown kind, and for a generator without a reference.
void check_fill(const YamlReader& at, const std::string& fill, const KernelSpec& kernel,
                const ArgumentSpec& argument);

// Checks that derived inputs come after the inputs they derive from, with the fills of a case (or
// none) replacing the contract's. Throws Error (user) at `at`, or at the argument's fill if `at` is
// absent.
void check_fill_order(const std::vector<ArgumentSpec>& arguments,
                      const std::map<std::string, std::string>& fills, const YamlReader* at);

// The effective fill of an argument; `fills` replace the contract's.
[[nodiscard]] const std::string& fill_of(const ArgumentSpec& argument,
                                         const std::map<std::string, std::string>& fills);

// The inputs in the order in which they are filled.
[[nodiscard]] std::vector<const ArgumentSpec*> inputs_in_order(
    const std::vector<ArgumentSpec>& arguments, const std::map<std::string, std::string>& fills);

[[nodiscard]] std::filesystem::path input_path(const KernelSpec& kernel, const FillOrigin& origin);
// All files that the fills of the contract and of its cases name, each once, by path.
[[nodiscard]] std::vector<std::filesystem::path> input_files(const KernelSpec& kernel);
// The SHA-256 of such a file, as recorded in the kernel's texts. Throws Error (user) if it is
// missing.
[[nodiscard]] std::string input_hash(const KernelSpec& kernel, const std::filesystem::path& file);
// Returns true if the reference generates an input, according to the contract's own fills.
[[nodiscard]] bool uses_generator(const KernelSpec& kernel);

}  // namespace warpwright
