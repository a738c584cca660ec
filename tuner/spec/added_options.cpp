#include "spec/added_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/escape.h"
#include "spec/kernel_sections.h"
#include "spec/yaml_reader.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kComment =
    "\n# Beside what the contract says, from a sweep or a command line.";
constexpr std::string_view kSection = "\nadded:";

std::string item_of(const CompileOption& option) {
  const std::string text = yaml_text(option.text());
  if (option.when() == nullptr) return text;
  return fmt::format("{{option: {}, when: {}}}", text, yaml_text(option.when()->text()));
}

// Parses the texts as if they were in a file of that name, so that messages name the option.
AddedOptions parse_list(const std::string& name, const std::string& key,
                        const std::vector<std::string>& texts) {
  std::string text = key + ":";
  for (const std::string& one : texts) text += "\n  - " + yaml_text(one);
  const YamlDocument document = parse_yaml(text, name, "a list of options");
  return read_added(YamlReader(document).map({"options", "include"}), fs::current_path(), true);
}

}  // namespace

std::string AddedOptions::section() const {
  if (empty()) return "";
  std::string text(kComment);
  text += kSection;
  if (!options.empty()) text += "\n  options:";
  for (const CompileOption& option : options) text += "\n    - " + item_of(option);
  if (!include.empty()) text += "\n  include:";
  for (const fs::path& folder : include) text += "\n    - " + yaml_text(folder.string());
  return text + "\n";
}

void AddedOptions::add(const AddedOptions& other) {
  for (const CompileOption& option : other.options) {
    const bool known = std::any_of(options.begin(), options.end(), [&](const CompileOption& one) {
      return item_of(one) == item_of(option);
    });
    if (!known) options.push_back(option);
  }
  for (const fs::path& folder : other.include)
    if (std::find(include.begin(), include.end(), folder) == include.end())
      include.push_back(folder);
}

AddedOptions read_added(const YamlMap& map, const fs::path& folder, bool must_exist) {
  AddedOptions added;
  if (const auto options = map.find("options")) added.options = read_compile_options(*options);
  if (const auto folders = map.find("include"))
    added.include = read_include_folders(*folders, folder, must_exist);
  return added;
}

AddedOptions parse_added(const std::vector<std::string>& options,
                         const std::vector<std::string>& include) {
  AddedOptions added;
  if (!options.empty()) added.add(parse_list("--option", "options", options));
  if (!include.empty()) added.add(parse_list("--include", "include", include));
  return added;
}

void check_added(const AddedOptions& added, const KernelSpec& kernel) {
  for (const VariantSpec& variant : kernel.variants) {
    const ExprScope scope = compiled_scope(kernel, variant);
    for (const CompileOption& option : added.options) option.check(scope);
  }
}

KernelSpec with_added(const KernelSpec& kernel, const AddedOptions& added,
                      std::shared_ptr<SourceBundle> texts) {
  if (added.empty()) return kernel;
  check_added(added, kernel);
  const std::string section = added.section();
  if (texts == nullptr) texts = std::make_shared<SourceBundle>();
  return kernel.launch_only ? read_launch_contract(kernel.file, std::move(texts), section)
                            : read_kernel(kernel.file, std::move(texts), section);
}

std::string added_section(std::string_view contract) {
  const std::size_t at = contract.rfind(std::string(kComment) + std::string(kSection));
  return at == std::string_view::npos ? "" : std::string(contract.substr(at));
}

}  // namespace warpwright
