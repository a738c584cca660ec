// What kernels take, asked of the compiler: a text behind the source makes a function whose name
// spells the parameters' types and sizes for each kernel that is asked for, whatever macros,
// typedefs and template arguments they come from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpwright {

struct ParameterType {
  std::string name;                // "float const*", as the demangler writes it
  std::int64_t bytes = 0;          // of the parameter
  std::int64_t pointee_bytes = 0;  // of what it points to; 0 for no pointer, void, and unknown
  bool is_enum = false;

  [[nodiscard]] bool is_pointer() const;
  // Of a pointer: whether what it points to is const, and what that is without `const`.
  [[nodiscard]] bool is_read_only() const;
  [[nodiscard]] std::string pointee() const;
};

// Scalars of a memory element: 4 of "f32" for float4. 1 of a dtype for a scalar.
struct ElementType {
  std::string dtype;
  std::int64_t lanes = 1;
};

// Stands behind the source's last line.
[[nodiscard]] std::string_view parameter_probe();
// The function to ask for.
[[nodiscard]] std::string probe_name(const std::string& kernel);
// The kernel in a probe_name() that a compiler quotes, with or without blanks; "" when there is
// none.
[[nodiscard]] std::string probed_kernel(std::string_view text);
// From the symbol of that function; nullopt for any other.
[[nodiscard]] std::optional<std::vector<ParameterType>> read_parameters(const std::string& symbol);

// "unsigned int" as u32, "float4" as 4 of f32; nullopt for what is none of C++'s or CUDA's.
[[nodiscard]] std::optional<ElementType> element_type(std::string_view cpp_type);

}  // namespace warpwright
