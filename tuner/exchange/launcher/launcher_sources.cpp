#include "exchange/launcher/launcher_sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "core/error.h"
#include "core/terminal_text.h"

namespace warpwright {
namespace {

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

}  // namespace

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

}  // namespace warpwright
