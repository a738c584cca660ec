#include "exchange/launcher/launcher.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/select/selection_model.h"
#include "core/error.h"
#include "core/escape.h"
#include "core/terminal_text.h"
#include "exchange/header/header_contract.h"
#include "exchange/header/identifiers.h"
#include "exchange/header/selection_source.h"
#include "exchange/header/selection_writers.h"
#include "exchange/launcher/shared_files.h"

namespace warpwright {
namespace {

// A file of the kernel that its launcher compiles, under the name by which it is included.
struct LauncherSource {
  std::string name;  // "split.cu", "topk.cuh"
  std::string text;
};

constexpr std::string_view kStdint =
    "typedef signed char int8_t;\ntypedef short int16_t;\ntypedef int int32_t;\n"
    "typedef long long int64_t;\ntypedef unsigned char uint8_t;\n"
    "typedef unsigned short uint16_t;\ntypedef unsigned uint32_t;\n"
    "typedef unsigned long long uint64_t;\ntypedef unsigned long long uintptr_t;\n";

bool is_device_code(std::string_view path) {
  return path.ends_with(".cu") || path.ends_with(".cuh") ||
         (path.ends_with(".h") && !path.ends_with("reference.h"));
}

std::string name_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// The sources without contract and reference: each name once, from the folder that is searched
// first, with stand-ins for the C headers that NVRTC lacks. Throws Error (user) if a content is not
// known, or if variants were tuned from different contents of one file.
std::vector<LauncherSource> launcher_sources(const SelectionModel& model) {
  const std::string own = "/" + model.contract.name + "/";
  std::map<std::string, const SelectionFile*> by_path;
  for (const SelectionFile& file : model.files) {
    if (!is_device_code(file.path)) continue;
    if (!by_path.emplace(file.path, &file).second)
      throw user_error(fmt::format(
          "kernel '{}': its variants were tuned from different contents of {}, and a launcher "
          "holds one; sweep them again",
          model.contract.name, terminal_line(file.path)));
    if (file.text.find('\0') != std::string::npos)
      throw user_error(
          fmt::format("kernel '{}': the source {} holds a NUL byte, where compilers end; take it "
                      "out and sweep again",
                      model.contract.name, terminal_line(file.path)));
  }
  if (by_path.empty())
    throw user_error(
        fmt::format("kernel '{}': its sources are not stored with its results; sweep again",
                    model.contract.name));
  // The kernel's own folder is searched first.
  std::map<std::string, std::string> by_name;
  bool stdint = false;
  for (const bool of_kernel : {true, false}) {
    for (const auto& [path, file] : by_path) {
      if ((path.find(own) != std::string::npos) != of_kernel) continue;
      by_name.emplace(name_of(path), file->text);
      stdint |= file->text.find("<stdint.h>") != std::string::npos ||
                file->text.find("<cstdint>") != std::string::npos;
    }
  }
  if (stdint) {
    by_name.emplace("stdint.h", kStdint);
    by_name.emplace("cstdint", "#include <stdint.h>\n");
  }
  std::vector<LauncherSource> sources;
  for (const auto& [name, text] : by_name) sources.push_back({name, text});
  return sources;
}

std::string shape_text(const ArgumentSpec& tensor) {
  std::string text;
  for (const Expr& axis : tensor.shape) text += (text.empty() ? "" : ", ") + axis.to_string();
  return text;
}

// "// text", wrapped at 100 columns as clang-format would.
std::string line_comment(const std::string& text, const std::string& margin = "") {
  std::string lines;
  std::string line;
  std::istringstream words(c_comment(text));
  for (std::string word; words >> word;) {
    if (!line.empty() && margin.size() + 3 + line.size() + 1 + word.size() > 100) {
      lines += margin + "// " + line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return line.empty() ? lines : lines + margin + "// " + line + "\n";
}

class LauncherWriter {
 public:
  LauncherWriter(const SelectionModel& model, const HeaderOptions& options)
      : model_(model),
        names_(name_contract(model.contract)),
        style_(options.prefix, names_.kernel),
        code_(model.contract, names_, style_),
        name_space_(options.name_space),
        call_(pascal_case(names_.kernel) + "Call") {
    IdentifierScope members = IdentifierScope::of_members(names_.macros, names_.sizes);
    for (const ArgumentSpec& argument : model.contract.arguments) {
      const bool array =
          argument.role != ArgumentRole::kValue && argument.role != ArgumentRole::kTensorMap;
      if (!array) continue;
      const bool given = argument.role != ArgumentRole::kScratch;
      tensors_.push_back({&argument, given ? members.add(argument.name) : ""});
    }
  }

  [[nodiscard]] std::string header() const {
    std::string members;
    for (const Tensor& tensor : tensors_) {
      if (tensor.member.empty()) continue;
      const bool in = tensor.argument->role == ArgumentRole::kIn;
      members +=
          remarked(fmt::format("{}void* {} = nullptr;", in ? "const " : "", tensor.member),
                   fmt::format("{}: {} [{}]{}{}",
                               in                                            ? "in"
                               : tensor.argument->role == ArgumentRole::kOut ? "out"
                                                                             : "in and out",
                               tensor.argument->dtype, shape_text(*tensor.argument),
                               tensor.argument->doc.empty() ? "" : "; ", tensor.argument->doc));
    }
    for (std::size_t i = 0; i < names_.sizes.size(); ++i) {
      const ProblemSizeSpec& size = model_.contract.problem[i];
      const bool known = size.default_value || is_categorical(size);
      members += remarked(fmt::format("{}{} = {};", size_type(i), names_.sizes[i],
                                      known ? qualified(i, code_.size_literal(i, sample_of(size)))
                                            : std::string("0")),
                          size.doc);
    }
    return fmt::format(
        "{}"
        "//\n"
        "//   warpwright::{} call;\n"
        "//   call.{} = ...;\n"
        "//   const warpwright::Status status = warpwright::{}(stream, call);\n"
        "//   if (!status.ok()) std::fprintf(stderr, \"%s\\n\", status.message.c_str());\n"
        "//\n"
        "// Written by `warpwright export --format launcher`; do not edit.\n"
        "#pragma once\n\n#include \"{}.h\"\n#include \"warpwright_launcher.h\"\n\n"
        "namespace warpwright {{\n\n"
        "// Arrays are device memory, contiguous, and begin at a multiple of 16 bytes. Those "
        "without\n"
        "// elements, and those that the chosen variant does not use, may be null.\n"
        "struct {} {{\n{}}};\n\n"
        "Status {}(CUstream stream, const {}& call);\n"
        "// All but the launches: what a stream needs before it captures such a call.\n"
        "Status {}_prepare(CUstream stream, const {}& call);\n\n"
        "}}  // namespace warpwright\n",
        line_comment(model_.contract.name + ": " + model_.contract.summary), call_, first_member(),
        names_.kernel, model_.contract.name, call_, members, names_.kernel, call_, names_.kernel,
        call_);
  }

  [[nodiscard]] std::string source() const {
    std::string text = fmt::format(
        "// clang-format off\n"
        "// Written by `warpwright export --format launcher`; do not edit.\n"
        "#include \"{}_launcher.h\"\n\nnamespace warpwright {{\nnamespace {{\n\n",
        model_.contract.name);
    if (!name_space_.empty()) text += fmt::format("using namespace ::{};\n\n", name_space_);
    text += sources();
    text += functions();
    text += fmt::format(
        "const Kernel kKernel = {{\n    \"{}\",\n    kSources,\n    static_cast<int>(sizeof "
        "kSources / sizeof kSources[0]),\n    {},\n    sizeof({}),\n    same_sizes,\n    select,\n "
        "  "
        " source,\n    launch_count,\n    options,\n    plan,\n    tensor,\n    {},\n}};\n\n",
        names_.kernel, style_.constant("tensor_count"), style_.name("problem"),
        has_maps() ? "tensor_map" : "nullptr");
    text += problem_of();
    text += "}  // namespace\n\n";
    text += entry("", "launch") + "\n" + entry("_prepare", "prepare");
    return text + "\n}  // namespace warpwright\n";
  }

 private:
  struct Tensor {
    const ArgumentSpec* argument;
    std::string member;  // "" of workspaces
  };

  [[nodiscard]] std::string first_member() const {
    for (const Tensor& tensor : tensors_) {
      if (!tensor.member.empty()) return tensor.member;
    }
    return names_.sizes.front();
  }

  // Remarks go above the code, so that nothing has to be aligned.
  [[nodiscard]] static std::string remarked(const std::string& code, const std::string& remark) {
    return line_comment(remark, "  ") + "  " + code + "\n";
  }

  [[nodiscard]] std::string qualified(std::size_t size, const std::string& literal) const {
    const bool in_space = !name_space_.empty() && !names_.size_types[size].empty();
    return in_space ? "::" + name_space_ + "::" + literal : literal;
  }

  [[nodiscard]] std::string size_type(std::size_t size) const {
    const std::string& type = names_.size_types[size];
    if (!type.empty()) return qualified(size, style_.name(snake_case(type))) + " ";
    const Value sample = sample_of(model_.contract.problem[size]);
    if (sample.is_string()) return "const char* ";
    if (sample.is_bool()) return "int ";
    return sample.is_real() ? "double " : "long long ";
  }

  [[nodiscard]] bool has_maps() const {
    return std::any_of(model_.contract.variants.begin(), model_.contract.variants.end(),
                       [&](const VariantSpec& variant) {
                         return !tensor_maps_of(model_.contract, variant).empty();
                       });
  }

  [[nodiscard]] std::string sources() const {
    std::string text = "// As they were tuned.\n";
    std::string table = "const EmbeddedSource kSources[] = {\n";
    const std::vector<LauncherSource> files = launcher_sources(model_);
    for (std::size_t i = 0; i < files.size(); ++i) {
      const std::string begin = fmt::format("const char kText{}[] =", i);
      // Break the line where clang-format would.
      const std::size_t first = std::min(files[i].text.find('\n'), files[i].text.size());
      const bool fits = begin.size() + 11 + first <= 100;
      text += fmt::format("{}{}{}{};\n\n", line_comment(files[i].name), begin,
                          fits ? " " : "\n    ", cpp_raw_literal(files[i].text, "ww_text"));
      table += fmt::format("    {{{}, kText{}}},\n", c_literal(files[i].name), i);
    }
    return text + table + "};\n\n";
  }

  [[nodiscard]] std::string functions() const {
    std::string text = style_.expand(R"(const $problem& as_problem(const void* problem) {
  return *static_cast<const $problem*>(problem);
}
bool same_sizes(const void* a, const void* b) {
  return $same_sizes(as_problem(a), as_problem(b)) != 0;
}
ww_selection select(const ww_device& device, const void* problem) {
  return $select(device, as_problem(problem));
}
const char* source(const ww_selection& chosen) {
  return $configurations[chosen.configuration].source;
}
int launch_count(const ww_selection& chosen) {
  return $configurations[chosen.configuration].launch_count;
}
void options(const ww_selection& chosen, const void* problem, std::vector<std::string>& to) {
  const $options own = $compile_options(chosen, as_problem(problem));
  for (int i = 0; i < own.count; ++i) to.emplace_back(own.option[i]);
}
ww_launch_plan plan(const ww_selection& chosen, const void* problem, int index) {
  return $launch(chosen, as_problem(problem), index);
}
ww_tensor tensor(const ww_selection& chosen, const void* problem, int index) {
  return $tensor(chosen, as_problem(problem), index);
}
)");
    if (has_maps()) {
      text += style_.expand(
          R"(ww_tensor_map tensor_map(const ww_selection& chosen, const void* problem, int index) {
  return $tensor_map(chosen, as_problem(problem), index);
}
)");
    }
    return text + "\n";
  }

  [[nodiscard]] std::string problem_of() const {
    std::string text = fmt::format("{} problem_of(const {}& call) {{\n  {} problem;\n",
                                   style_.name("problem"), call_, style_.name("problem"));
    for (const std::string& size : names_.sizes)
      text += fmt::format("  problem.{} = call.{};\n", size, size);
    text += "  return problem;\n}\n\n";
    text += fmt::format(
        "// The addresses of the caller's tensors; those of workspaces stay 0.\n"
        "struct Addresses {{\n  CUdeviceptr "
        "of[{}] = {{}};\n  explicit Addresses(const {}& call) {{\n",
        style_.constant("tensor_count"), call_);
    for (const Tensor& tensor : tensors_) {
      if (tensor.member.empty()) continue;
      text += fmt::format("    of[{}] = reinterpret_cast<CUdeviceptr>(call.{});\n",
                          style_.constant("tensor_" + tensor.argument->name), tensor.member);
    }
    return text + "  }\n};\n\n";
  }

  [[nodiscard]] std::string entry(const std::string& ending, const std::string& function) const {
    return fmt::format(
        "Status {}{}(CUstream stream, const {}& call) {{\n  const {} problem = "
        "problem_of(call);\n  return {}(kKernel, stream, &problem, Addresses(call).of);\n}}\n",
        names_.kernel, ending, call_, style_.name("problem"), function);
  }

  const SelectionModel& model_;
  ContractNames names_;
  HeaderStyle style_;
  ContractCode code_;
  std::string name_space_, call_;
  std::vector<Tensor> tensors_;
};

std::string pkg_config(const KernelSpec& contract, const std::string& version) {
  return fmt::format(
      "# Written by `warpwright export --format launcher`; do not edit.\n"
      "prefix=${{pcfiledir}}\n\nName: warpwright_{}\nDescription: {}\nVersion: {}\n"
      "Cflags: -I${{prefix}}\nLibs: -L${{prefix}} -lwarpwright_launchers -lcuda -ldl\n",
      contract.name, pkg_config_text(contract.summary),
      version.substr(version.find_last_of(' ') + 1));
}

}  // namespace

std::string launcher_cmake(const std::vector<std::string>& kernels) {
  std::string sources;
  for (const std::string& kernel : kernels)
    sources += "\n            " + cmake_word(kernel + "_launcher.cpp");
  return fmt::format(
      "# Written by `warpwright export --format launcher`: the target warpwright_launchers, for\n"
      "# add_subdirectory() or by itself. NVRTC is opened at run time.\n"
      "cmake_minimum_required(VERSION 3.18)\nproject(warpwright_launchers LANGUAGES CXX)\n\n"
      "find_package(CUDAToolkit REQUIRED)\nfind_package(Threads REQUIRED)\n"
      "add_library(warpwright_launchers STATIC warpwright_launcher.cpp{})\n"
      "target_compile_features(warpwright_launchers PUBLIC cxx_std_17)\n"
      "set_target_properties(warpwright_launchers PROPERTIES POSITION_INDEPENDENT_CODE ON)\n"
      "target_include_directories(warpwright_launchers PUBLIC ${{CMAKE_CURRENT_SOURCE_DIR}})\n"
      "target_link_libraries(warpwright_launchers PUBLIC CUDA::cuda_driver Threads::Threads\n"
      "                      ${{CMAKE_DL_LIBS}})\n",
      sources);
}

std::vector<ExportFile> launcher_files(const SelectionModel& model, const HeaderOptions& options) {
  const LauncherWriter writer(model, options);
  const std::string& name = model.contract.name;
  return {{name + "_launcher.h", writer.header()},
          {name + "_launcher.cpp", writer.source()},
          {"warpwright_" + name + ".pc", pkg_config(model.contract, options.version)}};
}

std::vector<ExportFile> export_launcher(const ExportRequest& request) {
  const HeaderOptions options{request.version, request.prefix, request.name_space, request.asked};
  std::vector<ExportFile> files = export_header(request);
  std::set<std::string> kernels;
  for (const Leaderboard& board : request.boards) kernels.insert(board.kernel);
  for (const std::string& kernel : kernels) {
    for (ExportFile& file :
         launcher_files(make_selection_model(request.database, request.boards, kernel), options))
      files.push_back(std::move(file));
  }
  for (const EmbeddedFile& shared : shared_launcher_files())
    files.push_back({std::string(shared.name), std::string(shared.text)});
  files.push_back(
      {"CMakeLists.txt", launcher_cmake(std::vector<std::string>(kernels.begin(), kernels.end()))});
  return files;
}

}  // namespace warpwright
