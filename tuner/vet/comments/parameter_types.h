// Determines kernels' parameter types with the help of the compiler: text appended to the source
// makes it generate, for each requested kernel, a function whose name spells the types and sizes of
// the parameters, whatever macros, typedefs and template arguments they come from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpwright {

struct ParameterType {
  std::string name;                // "float const*", as the demangler writes it
  std::int64_t bytes = 0;          // size of the parameter
  std::int64_t pointee_bytes = 0;  // size of the pointee; 0 if not a pointer, void or unknown
  bool is_enum = false;

  [[nodiscard]] bool is_pointer() const;
  // For pointers: whether the pointed-to type is const, and that type without `const`.
  [[nodiscard]] bool is_read_only() const;
  [[nodiscard]] std::string pointee() const;
};

// The element type of a memory: float4 has 4 lanes of "f32"; a scalar type has 1 lane.
struct ElementType {
  std::string dtype;
  std::int64_t lanes = 1;
};

// The text to append to the source.
[[nodiscard]] std::string_view parameter_probe();
// The name of the function to request for `kernel`.
[[nodiscard]] std::string probe_name(const std::string& kernel);
// Returns the kernel in a probe_name() quoted by a compiler, with or without blanks; "" if there is
// none.
[[nodiscard]] std::string probed_kernel(std::string_view text);
// Decodes the symbol of a probe function; nullopt for any other symbol.
[[nodiscard]] std::optional<std::vector<ParameterType>> read_parameters(const std::string& symbol);

// Maps "unsigned int" to u32 and "float4" to 4 lanes of f32; nullopt for types that are not built
// into C++ or CUDA.
[[nodiscard]] std::optional<ElementType> element_type(std::string_view cpp_type);

}  // namespace warpwright
