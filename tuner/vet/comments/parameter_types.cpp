#include "vet/comments/parameter_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "compile/ptx_module.h"
#include "core/expr/expr.h"
#include "core/words.h"

namespace warpwright {
namespace {

constexpr std::string_view kProbe = R"cpp(
  namespace warpwright_vet {
  template <class T, class = unsigned long long>
  struct bytes {
    static constexpr unsigned long long of = 0;
  };
  template <class T>
  struct bytes<T, decltype(sizeof(T) * 1ull)> {
    static constexpr unsigned long long of = sizeof(T);
  };
  template <class T>
  struct pointee {
    static constexpr unsigned long long of = 0;
  };
  template <class T>
  struct pointee<T*> {
    static constexpr unsigned long long of = bytes<T>::of;
  };
  template <class T, unsigned long long size, unsigned long long pointee, bool is_enum>
  struct parameter {};
  template <class... P>
  struct parameters {};
  template <class F>
  struct signature;
  template <class... P>
  struct signature<void(P...)> {
    using type = parameters<parameter<P, bytes<P>::of, pointee<P>::of, __is_enum(P)>...>;
  };
  template <class S>
  __global__ void kernel() {}
  }  // namespace warpwright_vet
)cpp";

constexpr std::string_view kParameter = "warpwright_vet::parameter<";

// Returns the end of the template argument at `at`: the next comma or '>' outside of brackets.
std::size_t argument_end(std::string_view text, std::size_t at) {
  int depth = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (depth == 0 && (c == ',' || c == '>')) return at;
    if (c == '<' || c == '(' || c == '[') ++depth;
    if (c == '>' || c == ')' || c == ']') --depth;
  }
  return at;
}

std::int64_t number_of(std::string_view text) {
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::string without_word(std::string text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at)) {
    const std::size_t end = at + word.size();
    if ((at > 0 && is_word(text[at - 1])) || (end < text.size() && is_word(text[end]))) {
      at = end;
      continue;
    }
    text.erase(at, word.size());
  }
  return text;
}

const std::map<std::string, std::string, std::less<>>& plain_types() {
  static const std::map<std::string, std::string, std::less<>> kTypes = {
      {"float", "f32"},
      {"double", "f64"},
      {"half", "f16"},
      {"__half", "f16"},
      {"nv_bfloat16", "bf16"},
      {"__nv_bfloat16", "bf16"},
      {"__nv_fp8_e4m3", "e4m3"},
      {"__nv_fp8_e5m2", "e5m2"},
      {"bool", "bool"},
      {"char", "i8"},
      {"signed char", "i8"},
      {"unsigned char", "u8"},
      {"short", "i16"},
      {"unsigned short", "u16"},
      {"int", "i32"},
      {"unsigned", "u32"},
      {"unsigned int", "u32"},
      {"long", "i64"},
      {"unsigned long", "u64"},
      {"long long", "i64"},
      {"unsigned long long", "u64"},
      {"int8_t", "i8"},
      {"uint8_t", "u8"},
      {"int16_t", "i16"},
      {"uint16_t", "u16"},
      {"int32_t", "i32"},
      {"uint32_t", "u32"},
      {"int64_t", "i64"},
      {"uint64_t", "u64"},
      {"size_t", "u64"},
  };
  return kTypes;
}

// Recognises float4 and similar types: a base name followed by 1 to 4.
std::optional<ElementType> vector_type(std::string_view type) {
  static const std::map<std::string, std::string, std::less<>> kStems = {
      {"float", "f32"}, {"double", "f64"}, {"char", "i8"},          {"uchar", "u8"},
      {"short", "i16"}, {"ushort", "u16"}, {"int", "i32"},          {"uint", "u32"},
      {"long", "i64"},  {"ulong", "u64"},  {"longlong", "i64"},     {"ulonglong", "u64"},
      {"half", "f16"},  {"__half", "f16"}, {"nv_bfloat16", "bf16"},
  };
  if (type == "__nv_bfloat162" || type == "nv_bfloat162") return ElementType{"bf16", 2};
  // double4_16a and the like are newer names of the same types.
  if (const std::size_t suffix = type.find("_16a"); suffix != std::string_view::npos)
    type = type.substr(0, suffix);
  if (type.empty() || type.back() < '1' || type.back() > '4') return std::nullopt;
  const auto stem = kStems.find(type.substr(0, type.size() - 1));
  if (stem == kStems.end()) return std::nullopt;
  return ElementType{stem->second, type.back() - '0'};
}

}  // namespace

bool ParameterType::is_pointer() const {
  return name.ends_with('*') || name.find("(*)") != std::string::npos ||
         name.find("(*") != std::string::npos;
}

bool ParameterType::is_read_only() const {
  const std::size_t star = name.rfind('*');
  const std::string_view before = trim(std::string_view(name).substr(0, star));
  if (const std::size_t open = before.find('('); open != std::string_view::npos)
    return before.substr(0, open).find("const") != std::string_view::npos;
  return before.ends_with("const");
}

std::string ParameterType::pointee() const {
  std::string type = name;
  if (const std::size_t open = type.find("(*"); open != std::string::npos) {
    type.erase(open, type.find(')', open) - open + 1);
  } else {
    type.erase(type.rfind('*'));
  }
  type = without_word(without_word(std::move(type), "const"), "volatile");
  return std::string(trim(type));
}

std::string_view parameter_probe() { return kProbe; }

std::string probe_name(const std::string& kernel) {
  return fmt::format("warpwright_vet::kernel<warpwright_vet::signature<decltype({})>::type>",
                     kernel);
}

std::string probed_kernel(std::string_view text) {
  constexpr std::string_view kDecltype = "decltype(";
  std::string plain(text);
  std::erase(plain, ' ');
  std::size_t at = plain.find(kDecltype);
  if (at == std::string::npos) return "";
  at += kDecltype.size();
  return plain.substr(at, plain.find(")>::type", at) - at);
}

std::optional<std::vector<ParameterType>> read_parameters(const std::string& symbol) {
  const std::string text = demangle(symbol);
  if (text.find("warpwright_vet::kernel<") == std::string::npos) return std::nullopt;
  std::vector<ParameterType> parameters;
  for (std::size_t at = text.find(kParameter); at != std::string::npos;
       at = text.find(kParameter, at)) {
    at += kParameter.size();
    std::string_view fields[4];
    for (std::string_view& field : fields) {
      const std::size_t end = argument_end(text, at);
      field = trim(std::string_view(text).substr(at, end - at));
      at = end + 1;
    }
    parameters.push_back(
        {std::string(fields[0]), number_of(fields[1]), number_of(fields[2]), fields[3] == "true"});
    at = std::min(at, text.size());
  }
  return parameters;
}

std::optional<ElementType> element_type(std::string_view cpp_type) {
  std::string type = without_word(without_word(std::string(cpp_type), "const"), "volatile");
  for (const std::string_view qualifier : {"std::", "cuda::", "__restrict__"})
    for (std::size_t at = type.find(qualifier); at != std::string::npos; at = type.find(qualifier))
      type.erase(at, qualifier.size());
  while (!type.empty() && (type.back() == '*' || type.back() == ' ')) type.pop_back();
  std::string_view plain = trim(type);
  // For an array such as float [7], return its element type; pointee_bytes holds the whole size.
  if (const std::size_t bracket = plain.find('['); bracket != std::string_view::npos)
    plain = trim(plain.substr(0, bracket));
  if (dtype_bytes(plain)) return ElementType{std::string(plain), 1};
  if (const auto known = plain_types().find(plain); known != plain_types().end())
    return ElementType{known->second, 1};
  return vector_type(plain);
}

}  // namespace warpwright
