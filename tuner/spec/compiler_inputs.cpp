#include "spec/compiler_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "core/utf8.h"
#include "core/words.h"
#include "spec/names.h"
#include "spec/yaml_reader.h"

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

namespace {

constexpr std::size_t kMaxEntryName = 1000;

bool begins_word(char c) { return is_letter(c) || c == '_'; }

std::size_t end_of_word(std::string_view text, std::size_t at) {
  while (at < text.size() && is_word(text[at])) ++at;
  return at;
}

std::size_t skip_spaces(std::string_view text, std::size_t at) {
  while (at < text.size() && text[at] == ' ') ++at;
  return at;
}

// The end of "name" or "outer::name" at the beginning; 0 if there is none.
std::size_t end_of_function(std::string_view text) {
  std::size_t at = text.starts_with("::") ? 2 : 0;
  while (true) {
    if (at >= text.size() || !begins_word(text[at])) return 0;
    at = end_of_word(text, at);
    if (text.substr(at, 2) != "::") return at;
    at += 2;
  }
}

// Returns true for one '<' that closes at the very end, whatever is in between.
bool is_argument_list(std::string_view text) {
  if (text.size() < 2 || text.front() != '<' || text.back() != '>') return false;
  int round = 0;
  for (const char c : text) {
    if (c == '(') ++round;
    if (c == ')') --round;
    if (c == ';' || c == '{' || c == '}' || c == '#' || c == '\\' || c == '\n' || round < 0)
      return false;
  }
  return round == 0;
}

}  // namespace

std::optional<std::string> cpp_type(std::string_view dtype) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 15> kTypes = {
      {{"f64", "double"},
       {"f32", "float"},
       {"f16", "__half"},
       {"bf16", "__nv_bfloat16"},
       {"i64", "long long"},
       {"u64", "unsigned long long"},
       {"i32", "int"},
       {"u32", "unsigned int"},
       {"i16", "short"},
       {"u16", "unsigned short"},
       {"i8", "signed char"},
       {"u8", "unsigned char"},
       {"e4m3", "__nv_fp8_e4m3"},
       {"e5m2", "__nv_fp8_e5m2"},
       {"bool", "bool"}}};
  const auto found = std::find_if(kTypes.begin(), kTypes.end(),
                                  [&](const auto& type) { return type.first == dtype; });
  if (found == kTypes.end()) return std::nullopt;
  return std::string(found->second);
}

EntryName EntryName::read(const YamlReader& reader, const ExprScope& scope) {
  EntryName name;
  name.text_ = reader.text();
  const std::string_view text = name.text_;
  const std::size_t end = end_of_function(text);
  const bool whole = end == text.size() && end > 0;
  if (text.size() > kMaxEntryName || end == 0 || (!whole && !is_argument_list(text.substr(end)))) {
    throw reader.error(
        fmt::format("got '{}', expected the name of a function, with namespaces and template "
                    "arguments where it "
                    "has them: saxpy, blas::axpy, reduce<float, THREADS>",
                    whole_characters(text, 60)));
  }
  if (!whole) name.split(reader, scope);
  return name;
}

void EntryName::split(const YamlReader& reader, const ExprScope& scope) {
  const std::string_view text = text_;
  std::size_t done = 0;
  for (std::size_t at = end_of_function(text); at < text.size();) {
    if (!begins_word(text[at])) {
      // The letters in 0x10 or 4u are not names.
      at = is_word(text[at]) ? end_of_word(text, at) : at + 1;
      continue;
    }
    const std::size_t end = end_of_word(text, at);
    const std::string word(text.substr(at, end - at));
    // A name that is qualified by a namespace or a class, or that qualifies another, belongs to
    // C++.
    const bool scoped = (at >= 2 && text.substr(at - 2, 2) == "::") ||
                        (at >= 1 && text[at - 1] == '.') ||
                        text.substr(skip_spaces(text, end), 2) == "::";
    if (!scoped && scope.concerns(word)) {
      Expr value = reader.expression_in(at, end - at);
      scope.check(value);
      names_.insert(value.names().begin(), value.names().end());
      parts_.push_back({std::string(text.substr(done, at - done)), std::move(value)});
      done = end;
    }
    at = end;
  }
  parts_.push_back({std::string(text.substr(done)), std::nullopt});
}

bool EntryName::is_plain() const { return is_identifier(text_); }

std::string EntryName::evaluate(const Environment& environment) const {
  if (parts_.empty()) return text_;
  std::string result;
  for (const Part& part : parts_) {
    result += part.text;
    if (!part.value) continue;
    const Value value = part.value->evaluate(environment);
    if (value.is_bool()) {
      result += value.as_bool() ? "true" : "false";
    } else if (value.is_string()) {
      result += cpp_type(value.as_string()).value_or(value.as_string());
    } else {
      const std::string number = value.to_string();
      result += number.starts_with('-') ? '(' + number + ')' : number;
    }
  }
  return result;
}

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxOptions = 100;

struct Refused {
  std::string_view lead;
  std::string_view why;
};

// Options that would change the nature of a compilation in ways that the tuner does not expect, and
// options of nvcc that NVRTC spells differently.
constexpr std::array<Refused, 34> kRefused = {{
    {"--gpu-architecture", "the device decides it"},
    {"-arch", "the device decides it"},
    {"--gpu-code", "the device decides it"},
    {"-code", "the device decides it"},
    {"-gencode", "the device decides it"},
    {"--generate-code", "the device decides it"},
    {"-I", "list the folder under `include`"},
    {"--include-path", "list the folder under `include`"},
    {"--define-macro", "write -DNAME=VALUE"},
    {"-rdc", "kernels are compiled whole"},
    {"--relocatable-device-code", "kernels are compiled whole"},
    {"-dc", "kernels are compiled whole"},
    {"-dlto", "kernels are compiled whole"},
    {"--dlink-time-opt", "kernels are compiled whole"},
    {"-ptx", "PTX and machine code are made always"},
    {"-cubin", "PTX and machine code are made always"},
    {"-Xcompiler", "no host code is compiled; remove it"},
    {"--compiler-options", "no host code is compiled; remove it"},
    {"-ccbin", "no host code is compiled; remove it"},
    {"-O", "NVRTC optimises by itself; for ptxas write --ptxas-options=-O3"},
    {"--optimize", "NVRTC optimises by itself; for ptxas write --ptxas-options=-O3"},
    {"--time", "it writes a file"},
    {"-time", "it writes a file"},
    {"--fdevice-time-trace", "it writes a file"},
    {"-fdevice-time-trace", "it writes a file"},
    {"--pch", "precompiled headers are files that anybody may have written"},
    {"-pch", "precompiled headers are files that anybody may have written"},
    {"--pch-dir", "precompiled headers are files that anybody may have written"},
    {"-pch-dir", "precompiled headers are files that anybody may have written"},
    {"--create-pch", "precompiled headers are files that anybody may have written"},
    {"-create-pch", "precompiled headers are files that anybody may have written"},
    {"--use-pch", "precompiled headers are files that anybody may have written"},
    {"-use-pch", "precompiled headers are files that anybody may have written"},
    {"--expt-", "NVRTC has no option of that name and needs none; remove it"},
}};

std::optional<std::string_view> refusal(std::string_view option) {
  // -include=... is a different option, and -opt-info is not a form of -O.
  for (const Refused& one : kRefused) {
    if (!option.starts_with(one.lead)) continue;
    const bool joins = one.lead == "-I" || one.lead == "-O" || one.lead == "--expt-";
    const bool ends = option.size() == one.lead.size() || option[one.lead.size()] == '=' ||
                      option[one.lead.size()] == ' ';
    if (joins || ends) return one.why;
  }
  const bool of_ptxas = option.starts_with("--ptxas-options") || option.starts_with("-Xptxas");
  if (of_ptxas) {
    for (const std::string_view word : {"options-file", "optf", "output-file", "-o=", "-o "})
      if (option.find(word) != std::string_view::npos) return "ptxas is given no files";
    if (option.ends_with("-o")) return "ptxas is given no files";
  }
  return std::nullopt;
}

void check_text(const YamlReader& reader, const std::string& text) {
  if (text.size() < 2 || text[0] != '-') {
    throw reader.error(
        fmt::format("got '{}', expected an option of NVRTC: --use_fast_math, "
                    "--maxrregcount={{REGISTERS}}, -DNAME=VALUE",
                    text));
  }
  if (const auto why = refusal(text))
    throw reader.error(fmt::format("'{}' cannot be given here: {}", text, *why));
}

}  // namespace

CompileOption CompileOption::read(const YamlReader& reader) {
  CompileOption option;
  option.where_ = reader.where();
  if (reader.is_map()) {
    const YamlMap map = reader.map({"option", "when"});
    const YamlReader inner = map.require("option", "option: --use_fast_math");
    option = read(inner);
    option.when_ = map.require("when", "when: FAST_MATH").expression();
    return option;
  }
  option.text_ = reader.nonempty_text();
  check_text(reader, option.text_);
  const std::string_view text = option.text_;
  std::size_t done = 0;
  for (std::size_t open = text.find('{'); open != std::string_view::npos;
       open = text.find('{', done)) {
    const std::size_t close = text.find('}', open);
    if (close == std::string_view::npos)
      throw reader.error(fmt::format("the '{{' in '{}' is not closed; add a '}}'", text));
    Expr value = reader.expression_in(open + 1, close - open - 1);
    option.parts_.push_back({std::string(text.substr(done, open - done)), std::move(value)});
    done = close + 1;
  }
  option.parts_.push_back({std::string(text.substr(done)), std::nullopt});
  return option;
}

void CompileOption::check(const ExprScope& scope) const {
  if (when_) scope.check(*when_);
  for (const Part& part : parts_)
    if (part.value) scope.check(*part.value);
}

std::optional<std::string> CompileOption::evaluate(const Environment& environment) const {
  if (when_ && !when_->evaluate_bool(environment)) return std::nullopt;
  std::string option;
  for (const Part& part : parts_) {
    option += part.text;
    if (part.value) option += part.value->evaluate(environment).to_string();
  }
  // A value may complete the name of another option.
  if (const auto why = refusal(option))
    throw user_error(where_, fmt::format("'{}' cannot be given here: {}", option, *why));
  return option;
}

std::vector<CompileOption> read_compile_options(const YamlReader& reader) {
  std::vector<CompileOption> options;
  if (reader.is_list()) {
    for (const YamlReader& item : reader.items(kMaxOptions))
      options.push_back(CompileOption::read(item));
  } else {
    options.push_back(CompileOption::read(reader));
  }
  return options;
}

std::vector<fs::path> read_include_folders(const YamlReader& reader, const fs::path& folder,
                                           bool must_exist) {
  std::vector<fs::path> folders;
  for (const YamlReader& item : reader.items_or_one()) {
    const fs::path path = (folder / item.nonempty_text()).lexically_normal();
    std::error_code ignored;
    if (must_exist && !fs::is_directory(path, ignored)) {
      throw item.error(
          fmt::format("got {} at {}, expected a folder of headers; make it, or correct "
                      "the name",
                      fs::exists(path, ignored) ? "a file" : "nothing", path.string()));
    }
    if (std::find(folders.begin(), folders.end(), path) != folders.end())
      throw item.error(fmt::format("'{}' is listed twice; remove one", item.nonempty_text()));
    folders.push_back(path);
  }
  return folders;
}

}  // namespace warpwright
