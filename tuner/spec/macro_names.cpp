#include "spec/macro_names.h"

#include <algorithm>
#include <iterator>

namespace warpwright {
namespace {

// The keywords of C++20, including contextual ones.
constexpr std::string_view kKeywords[] = {
    "alignas",       "alignof",     "and",       "and_eq",    "asm",          "auto",
    "bitand",        "bitor",       "bool",      "break",     "case",         "catch",
    "char",          "char16_t",    "char32_t",  "char8_t",   "class",        "co_await",
    "co_return",     "co_yield",    "compl",     "concept",   "const",        "const_cast",
    "consteval",     "constexpr",   "constinit", "continue",  "decltype",     "default",
    "defined",       "delete",      "do",        "double",    "dynamic_cast", "else",
    "enum",          "explicit",    "export",    "extern",    "false",        "final",
    "float",         "for",         "friend",    "goto",      "if",           "inline",
    "int",           "long",        "mutable",   "namespace", "new",          "noexcept",
    "not",           "not_eq",      "nullptr",   "operator",  "or",           "or_eq",
    "override",      "private",     "protected", "public",    "register",     "reinterpret_cast",
    "requires",      "return",      "short",     "signed",    "sizeof",       "static",
    "static_assert", "static_cast", "struct",    "switch",    "template",     "this",
    "thread_local",  "throw",       "true",      "try",       "typedef",      "typeid",
    "typename",      "union",       "unsigned",  "using",     "virtual",      "void",
    "volatile",      "wchar_t",     "while",     "xor",       "xor_eq"};

// Names that every kernel uses: x, y, z and w are the members of threadIdx and of float4.
constexpr std::string_view kCuda[] = {"blockDim",  "blockIdx", "dim3",     "gridDim",
                                      "threadIdx", "uint3",    "warpSize", "x",
                                      "y",         "z",        "w"};

// Names from the headers that kernels include: <cuda_fp16.h>, <cuda/std/...> and their includes.
constexpr std::string_view kHeaders[] = {
    "begin",  "cuda",     "data",        "declval",  "end",       "first",     "forward",
    "get",    "half",     "int16_t",     "int32_t",  "int64_t",   "int8_t",    "iterator",
    "length", "move",     "nv_bfloat16", "nvcuda",   "pointer",   "ptrdiff_t", "reference",
    "result", "second",   "size",        "size_t",   "size_type", "std",       "swap",
    "type",   "uint16_t", "uint32_t",    "uint64_t", "uint8_t",   "value",     "value_type"};

template <std::size_t N>
bool is_one_of(std::string_view name, const std::string_view (&words)[N]) {
  return std::find(std::begin(words), std::end(words), name) != std::end(words);
}

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

}  // namespace

std::optional<std::string> harmful_macro(std::string_view name) {
  if (is_one_of(name, kKeywords)) return "would change C++ itself";
  if (is_one_of(name, kCuda)) return "would change what CUDA calls so";
  if (is_one_of(name, kHeaders)) return "would change the headers of CUDA and C++";
  // [lex.name]: these are reserved for the implementation.
  const bool reserved = name.find("__") != std::string_view::npos ||
                        (name.size() > 1 && name[0] == '_' && is_upper(name[1]));
  if (reserved) return "may change the compiler's own headers, which such names are reserved for";
  return std::nullopt;
}

std::string harmless_name(std::string_view name) {
  std::string upper;
  for (const char c : name) {
    const bool doubled = c == '_' && (upper.empty() || upper.back() == '_');
    if (!doubled) upper += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  return upper.empty() ? "NAME" : upper;
}

}  // namespace warpwright
