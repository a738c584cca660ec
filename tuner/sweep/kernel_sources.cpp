#include "sweep/kernel_sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "compile/include_scan.h"
#include "core/error.h"
#include "core/files.h"
#include "core/process/run_command.h"
#include "core/terminal_text.h"
#include "core/utf8.h"
#include "core/words.h"
#include "spec/kernel_fills.h"
#include "spec/yaml_document.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;

// The ending of the file that stands for an input too large to be stored; `sha256sum -c` reads it.
constexpr std::string_view kStampEnding = ".sha256";

// A folder and the prefix under which files below it are stored.
struct Root {
  fs::path folder;
  std::string prefix;
};

// Returns the deepest root first, so that a name does not depend on the folders above it: the
// folder above a kernel may contain a checkout with the common headers far below, and the other way
// round.
std::vector<Root> roots_of(const KernelSpec& kernel, const std::vector<fs::path>& include_folders) {
  std::vector<Root> roots;
  const auto add = [&](const fs::path& given) {
    const fs::path folder = given.lexically_normal();
    roots.push_back({folder, "kernels/" + folder.filename().generic_string() + "/"});
    roots.push_back({folder.parent_path(), "kernels/"});
  };
  add(kernel.folder);
  for (const fs::path& folder : include_folders) add(folder);
  std::stable_sort(roots.begin(), roots.end(), [](const Root& a, const Root& b) {
    return std::distance(a.folder.begin(), a.folder.end()) >
           std::distance(b.folder.begin(), b.folder.end());
  });
  return roots;
}

std::vector<SourceFile> closure(const fs::path& source, const std::vector<fs::path>& folders,
                                const std::shared_ptr<SourceBundle>& texts) {
  CompileJob job;
  job.source = source;
  job.include_folders = folders;
  job.texts = texts;
  std::vector<SourceFile> files = collect_sources(job);
  std::erase_if(files, [](const SourceFile& file) { return !file.found; });
  return files;
}

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

// Reads the commit of an installation. An installation is not a repository, though it may lie
// within one, such as a repository of dotfiles.
std::optional<std::string> installed_commit(const fs::path& folder) {
  for (fs::path at = folder; at.has_relative_path(); at = at.parent_path())
    if (const auto text = read_file_if_present(at / "installed_commit")) return text;
  return std::nullopt;
}

// Takes no locks, since the user may be committing while a sweep starts.
std::string described_by_git(const fs::path& folder) {
  if (!find_program("git")) return "";
  const CommandResult described =
      run_command({"git", "--no-optional-locks", "-C", folder.string(), "describe", "--always",
                   "--dirty", "--abbrev=12", "--exclude=*"});
  return described.exit_code == 0 ? described.output : "";
}

std::string sentence(const std::string& name, SourceChange::Kind kind) {
  if (kind == SourceChange::Kind::kEdited) {
    return fmt::format(
        "{} changed while the sweep ran; its results are of the text read at the start; sweep "
        "again "
        "for the new one",
        name);
  }
  return fmt::format(
      "{} {} while the sweep ran; its results are of the files read at the start; sweep again for "
      "the new ones",
      name, kind == SourceChange::Kind::kGone ? "was removed" : "appeared");
}

}  // namespace

std::vector<SourceFile> reference_files(const KernelSpec& kernel,
                                        const std::vector<fs::path>& include_folders) {
  if (kernel.launch_only) return {};
  // The reference may include "reference.h" as "common/reference.h".
  std::vector<fs::path> folders = include_folders;
  for (const fs::path& folder : include_folders)
    folders.push_back(folder.lexically_normal().parent_path());
  const std::shared_ptr<SourceBundle> texts = texts_of(kernel);
  for (const fs::path& folder : include_folders) texts->allow(folder, FolderUse::kOwn);
  return closure(kernel.reference.source, folders, texts);
}

std::optional<std::string> stored_path(const fs::path& file, const KernelSpec& kernel,
                                       const std::vector<fs::path>& include_folders) {
  for (const Root& root : roots_of(kernel, include_folders)) {
    const fs::path relative = file.lexically_normal().lexically_relative(root.folder);
    if (!relative.empty() && *relative.begin() != "..")
      return root.prefix + relative.generic_string();
  }
  return std::nullopt;
}

std::vector<std::string> inputs_left_out(const std::vector<KernelSource>& sources) {
  std::vector<std::string> names;
  for (const KernelSource& source : sources) {
    if (!source.path.ends_with(kStampEnding)) continue;
    std::string name = source.path.substr(0, source.path.size() - kStampEnding.size());
    const bool there = std::any_of(sources.begin(), sources.end(),
                                   [&](const KernelSource& other) { return other.path == name; });
    if (!there) names.push_back(std::move(name));
  }
  return names;
}

std::vector<KernelSource> kernel_sources(const KernelSpec& kernel, const VariantSpec& variant,
                                         const std::vector<fs::path>& include_folders) {
  const std::shared_ptr<SourceBundle> bundle = texts_of(kernel);
  std::map<std::string, std::string> texts;
  const auto add = [&](const fs::path& path, const std::string& text) {
    if (const auto name = stored_path(path, kernel, include_folders))
      texts.try_emplace(*name, text);
  };
  add(kernel.file, bundle->require(kernel.file));
  for (const SourceFile& file :
       closure(variant.source, kernel.header_folders(include_folders), bundle))
    add(file.path, file.content);
  for (const SourceFile& file : reference_files(kernel, include_folders))
    add(file.path, file.content);
  for (const fs::path& file : input_files(kernel)) {
    const InputText found = bundle->find_input(file);
    if (found.text != nullptr) add(file, *found.text);
    if (found.large != nullptr)
      add(file.string() + std::string(kStampEnding),
          fmt::format("{}  {}\n", found.large->sha256, file.filename().string()));
  }

  std::vector<KernelSource> sources;
  for (auto& [path, text] : texts) sources.push_back({path, std::move(text)});
  return sources;
}

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

std::string source_commit(const fs::path& folder) {
  const std::optional<std::string> installed = installed_commit(folder);
  const std::string text = installed ? *installed : described_by_git(folder);
  if (!text.ends_with('\n')) return "";
  const std::string commit = text.substr(0, text.size() - 1);
  // Anything else is a warning or an error that git prints with its answer.
  const std::string hash = commit.substr(0, commit.find('-'));
  const bool whole = commit.size() == hash.size() || commit == hash + "-dirty";
  return whole && all_hex_digits(hash) ? commit : "";
}

std::string version_with_commit(const std::string& version, const std::string& commit) {
  return commit.empty() ? version : version + " (commit " + commit + ")";
}

SourceWatch::SourceWatch(const KernelSpec& kernel,
                         std::vector<std::filesystem::path> include_folders)
    : kernel_(kernel), include_folders_(std::move(include_folders)) {}

std::vector<std::string> SourceWatch::news() {
  std::vector<std::string> news;
  if (kernel_.texts == nullptr) return news;
  for (const SourceChange& change : kernel_.texts->changes()) {
    if (!named_.insert(change.file).second) continue;
    const std::string name =
        stored_path(change.file, kernel_, include_folders_).value_or(change.file.string());
    news.push_back(sentence(name, change.kind));
  }
  return news;
}

}  // namespace warpwright
