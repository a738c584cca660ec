#include "provenance/source_names.h"

#include <system_error>

#include "compile/include_scan.h"
#include "core/error.h"
#include "core/words.h"
#include "provenance/kernel_sources.h"

namespace warpwright {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kLead = "kernels/";

}  // namespace

SourceNames::SourceNames(const KernelSpec& kernel, const std::string& variant,
                         const fs::path& common_headers)
    : kernel_(kernel), include_folders_{kernel.folder, common_headers} {
  const VariantSpec* found = kernel.find_variant(variant);
  if (found == nullptr) return;
  try {
    for (KernelSource& source : kernel_sources(kernel, *found, include_folders_))
      texts_.emplace(std::move(source.path), std::move(source.text));
  } catch (const Error&) {
    // The source cannot be read; the compiler will report it.
  }
  source_ = name_of(found->source);
}

std::string SourceNames::name_of(const fs::path& file) const {
  std::string name = stored_path(file, kernel_, include_folders_).value_or(file.string());
  if (texts_.count(name) > 0) return name;
  const fs::path path = path_of_compiler_name(file.string());
  std::string other = stored_path(path, kernel_, include_folders_).value_or("");
  return texts_.count(other) > 0 ? other : name;
}

fs::path SourceNames::file_of(const std::string& name) const {
  if (!name.starts_with(kLead)) return name;
  const std::string rest = name.substr(kLead.size());
  for (const fs::path& folder : include_folders_) {
    const fs::path file = folder.parent_path() / rest;
    std::error_code ignored;
    if (fs::exists(file, ignored) && name_of(file) == name) return file;
  }
  return include_folders_.back().parent_path() / rest;
}

QuotedLocation SourceNames::place(const std::string& name, int line) const {
  QuotedLocation place{{shown_path(file_of(name)), line}};
  const auto text = texts_.find(name);
  if (text == texts_.end() || line < 1) return place;
  const std::vector<std::string_view> lines = split_lines(text->second);
  if (static_cast<std::size_t>(line) <= lines.size())
    place.text = trim(lines[static_cast<std::size_t>(line) - 1]);
  return place;
}

QuotedLocation SourceNames::entry_place(const std::string& entry) const {
  // Sources declare the entry without namespace and template arguments.
  std::string name = entry.substr(0, entry.find('<'));
  if (const std::size_t colon = name.rfind(':'); colon != std::string::npos)
    name.erase(0, colon + 1);
  const auto text = texts_.find(source_);
  if (text == texts_.end()) return place(source_, 0);
  const std::vector<std::string_view> lines = split_lines(text->second);
  bool global = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    global = global || lines[i].find("__global__") != std::string_view::npos;
    const std::size_t at = lines[i].find(name + "(");
    if (global && at != std::string_view::npos) return place(source_, static_cast<int>(i) + 1);
    if (lines[i].find('{') != std::string_view::npos) global = false;
  }
  return place(source_, 0);
}

}  // namespace warpwright
