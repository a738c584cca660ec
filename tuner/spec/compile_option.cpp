#include "spec/compile_option.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "spec/names.h"
#include "spec/yaml_reader.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostOptions = 100;

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
    for (const YamlReader& item : reader.items(kMostOptions))
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
