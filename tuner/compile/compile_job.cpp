#include "compile/compile_job.h"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>

#include "records/codec.h"

namespace warpwright {
namespace {

// Maps "sm_90a" to "compute_90a", for which NVRTC makes PTX without running ptxas.
std::string virtual_arch(const std::string& arch) {
  constexpr std::string_view kReal = "sm_";
  if (!arch.starts_with(kReal)) return arch;
  return "compute_" + arch.substr(kReal.size());
}

bool names_standard(const std::string& option) {
  return option.starts_with("--std") || option.starts_with("-std");
}

// Returns the folder that the option at `i` names, and the number of options that this takes; 0 if
// it names none.
std::size_t folder_option(const std::vector<std::string>& options, std::size_t i,
                          std::filesystem::path& folder) {
  for (const std::string_view lead : {"--include-path=", "-I"}) {
    if (!options[i].starts_with(lead)) continue;
    const bool apart = options[i].size() == lead.size();
    if (apart && i + 1 == options.size()) return 0;
    folder = apart ? options[i + 1] : options[i].substr(lead.size());
    return apart ? 2 : 1;
  }
  return 0;
}

// The options that come before folders and extra options.
std::vector<std::string> own_options(const CompileJob& job) {
  std::vector<std::string> result;
  result.push_back("--gpu-architecture=" + (job.want_cubin ? job.arch : virtual_arch(job.arch)));
  if (std::none_of(job.extra_options.begin(), job.extra_options.end(), names_standard)) {
    result.emplace_back("--std=c++20");
  }
  // The emulator and the failure texts map PTX back to the source through .loc.
  result.emplace_back("--generate-line-info");
  if (job.want_cubin) result.emplace_back("--ptxas-options=-v");
  for (const auto& [name, value] : job.defines) result.push_back("-D" + name + "=" + value);
  return result;
}

nlohmann::json binary(const std::string& bytes) {
  return nlohmann::json::binary({bytes.begin(), bytes.end()});
}

std::string from_binary(const nlohmann::json& json) {
  const auto& bytes = json.get_binary();
  return {bytes.begin(), bytes.end()};
}

}  // namespace

std::vector<std::string> CompileJob::options_without_folders() const {
  std::vector<std::string> result = own_options(*this);
  std::filesystem::path ignored;
  for (std::size_t i = 0; i < extra_options.size();) {
    const std::size_t taken = folder_option(extra_options, i, ignored);
    if (taken == 0) result.push_back(extra_options[i]);
    i += std::max<std::size_t>(1, taken);
  }
  return result;
}

std::vector<std::string> CompileJob::options() const {
  std::vector<std::string> result = own_options(*this);
  const std::filesystem::path own = source.parent_path();
  result.push_back("-I" + (own.empty() ? std::string(".") : own.string()));
  for (const auto& folder : include_folders) result.push_back("-I" + folder.string());
  result.insert(result.end(), extra_options.begin(), extra_options.end());
  return result;
}

std::vector<std::filesystem::path> CompileJob::extra_folders() const {
  std::vector<std::filesystem::path> folders;
  for (std::size_t i = 0; i < extra_options.size();) {
    std::filesystem::path folder;
    const std::size_t taken = folder_option(extra_options, i, folder);
    if (taken > 0) folders.push_back(std::move(folder));
    i += std::max<std::size_t>(1, taken);
  }
  return folders;
}

const KernelResources* CompileResult::find(const std::string& entry) const {
  const auto found = std::find_if(
      resources.begin(), resources.end(),
      [&](const KernelResources& one) { return one.entry == entry || one.entry == symbol(entry); });
  return found == resources.end() ? nullptr : &*found;
}

const std::string& CompileResult::symbol(const std::string& name) const {
  const auto found = symbols.find(name);
  return found == symbols.end() ? name : found->second;
}

WARPWRIGHT_MEMBERS(SourceFile, io, file) {
  io("name", file.name);
  io("path", file.path);
  io("found", file.found);
  io.as("content", file.content, binary, from_binary);
  io("includes", file.includes);
  io("computes", file.computes);
  io("refused", file.refused);
  io("unforeseen", file.unforeseen);
}
WARPWRIGHT_CODEC_OF(SourceFile)

WARPWRIGHT_CODEC(CompileJob, source, include_folders, defines, arch, extra_options, want_cubin,
                 names, files)

// Logs, PTX and cubins are stored as bytes, because a log may quote a source that is not UTF-8.
void to_json(nlohmann::json& json, const CompileResult& result) {
  json = {{"ok", result.ok},
          {"failure", binary(result.failure)},
          {"log", binary(result.log)},
          {"ptx", binary(result.ptx)},
          {"cubin", binary(result.cubin)},
          {"resources", result.resources},
          {"symbols", result.symbols},
          {"state", result.state},
          {"warnings", result.warnings},
          {"nvrtc_version", result.nvrtc_version},
          {"key", result.key},
          {"seconds", result.seconds},
          {"cached", result.cached},
          {"timed_out", result.timed_out},
          {"crashed", result.crashed}};
  if (result.by_machine) json["by_machine"] = true;
}

void from_json(const nlohmann::json& json, CompileResult& result) {
  json.at("ok").get_to(result.ok);
  result.failure = from_binary(json.at("failure"));
  result.log = from_binary(json.at("log"));
  result.ptx = from_binary(json.at("ptx"));
  result.cubin = from_binary(json.at("cubin"));
  json.at("resources").get_to(result.resources);
  // Cache entries that were written before warnings were introduced lack them.
  result.warnings = json.value("warnings", std::vector<std::string>());
  const auto symbols = json.find("symbols");
  result.symbols = symbols != json.end() ? symbols->get<SymbolNames>() : find_symbols(result.ptx);
  const auto state = json.find("state");
  result.state = state != json.end() ? state->get<ModuleState>() : find_module_state(result.ptx);
  json.at("nvrtc_version").get_to(result.nvrtc_version);
  json.at("key").get_to(result.key);
  json.at("seconds").get_to(result.seconds);
  json.at("cached").get_to(result.cached);
  json.at("timed_out").get_to(result.timed_out);
  json.at("crashed").get_to(result.crashed);
  result.by_machine = json.value("by_machine", false);
}

}  // namespace warpwright
