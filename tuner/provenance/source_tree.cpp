#include "provenance/source_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/error.h"
#include "core/files.h"
#include "core/terminal_text.h"
#include "core/utf8.h"
#include "spec/yaml_document.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;

constexpr const char* kContract = "kernel.yaml";

// Returns whether the path stays below the folder, even if the database came from elsewhere.
bool is_inside(const fs::path& path) {
  return path.is_relative() &&
         std::none_of(path.begin(), path.end(), [](const fs::path& part) { return part == ".."; });
}

// Returns whether the path lies among the sources, is visible in a listing, and can be typed.
bool is_plain(const fs::path& path) {
  return *path.begin() == "kernels" && !has_control_characters(path.string()) &&
         std::none_of(path.begin(), path.end(), [](const fs::path& part) {
           return part.empty() || part.string().starts_with('.');
         });
}

bool is_safe(const fs::path& path) { return is_inside(path) && is_plain(path); }

// Returns the files that the contract names as sources, relative to its folder. The contract was
// valid when it was stored, so its next reader reports anything missing or odd.
std::set<fs::path> named_sources(const std::string& contract) {
  std::set<fs::path> sources;
  const YamlDocument document = parse_yaml(contract, kContract, "a kernel");
  for (const YamlEntry& section : document.root.entries) {
    if (section.key.text != "variants") continue;
    for (const YamlEntry& variant : section.value.entries)
      for (const YamlEntry& entry : variant.value.entries)
        if (entry.key.text == "source") sources.insert(entry.value.text);
  }
  return sources;
}

}  // namespace

void write_with_folders(const fs::path& file, const std::string& text) {
  make_folder(file.parent_path());
  publish_file(file, text);
}

std::string write_source_tree(const std::vector<KernelSource>& sources, const fs::path& folder,
                              const std::string& of) {
  std::string kernel;
  std::string contract;
  for (const KernelSource& source : sources) {
    const fs::path path(source.path);
    if (path.empty() || !is_inside(path)) {
      throw user_error(fmt::format(
          "the stored source '{}' would lie outside the folder; the database was not written by "
          "warpwright",
          terminal_line(source.path)));
    }
    if (!is_plain(path)) {
      throw user_error(
          fmt::format("the stored source '{}' would be hidden or lie apart from the kernels; "
                      "expected a path below kernels/ without names that begin with a dot and "
                      "without control characters",
                      terminal_line(source.path)));
    }
    write_with_folders(folder / path, source.text);
    if (path.filename() == kContract && kernel.empty()) {
      kernel = path.parent_path().filename().string();
      contract = source.text;
    }
  }
  // Creates the sources of other variants, since a contract is refused while a source it names is
  // missing.
  for (const fs::path& name : named_sources(contract)) {
    const fs::path path = (fs::path("kernels") / kernel / name).lexically_normal();
    if (is_safe(path) && !fs::exists(folder / path))
      write_with_folders(folder / path,
                         fmt::format("// Of another variant: not a part of this {}.\n", of));
  }
  make_folder(folder / "kernels" / "common");
  return kernel;
}

}  // namespace warpwright
