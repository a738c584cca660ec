#include "core/file_bounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <optional>
#include <string_view>
#include <system_error>

#include "core/error.h"
#include "core/terminal_text.h"
#include "core/words.h"

namespace warpwright {
namespace fs = std::filesystem;
namespace {

constexpr int kMaxLinksFollowed = 40;  // the same limit as Linux

fs::path normal(const fs::path& path) {
  const fs::path all = fs::absolute(path).lexically_normal();
  return all.has_filename() || all == all.root_path() ? all : all.parent_path();
}

// The first symbolic link on the path of a file, and its target.
struct Link {
  fs::path path, target;
};

// Resolves the path as the system does, whether or not it exists: `..` after a link goes up from
// the link's target.
fs::path without_links(const fs::path& path, std::optional<Link>* first = nullptr) {
  const fs::path whole = fs::absolute(path);
  std::vector<fs::path> left(whole.begin(), whole.end());
  std::reverse(left.begin(), left.end());
  fs::path done;
  for (int links = 0; !left.empty();) {
    const fs::path part = std::move(left.back());
    left.pop_back();
    if (part.empty() || part == ".") continue;
    if (part.is_absolute()) {
      done = part;
      continue;
    }
    if (part == "..") {
      done = done.parent_path();
      continue;
    }
    const fs::path at = done / part;
    std::error_code none;
    const fs::path target = fs::read_symlink(at, none);
    if (none || links++ == kMaxLinksFollowed) {
      done = at;
      continue;
    }
    if (first != nullptr && !*first) *first = Link{at, target};
    for (auto piece = target.end(); piece != target.begin();) left.push_back(*--piece);
  }
  return done;
}

// The path of a file relative to a folder that contains it; nullopt for any other file.
std::optional<fs::path> below_folder(const fs::path& file, const fs::path& folder) {
  fs::path relative = file.lexically_relative(folder);
  if (relative.empty() || *relative.begin() == "..") return std::nullopt;
  return relative;
}

bool is_hidden(const fs::path& relative) {
  return std::any_of(relative.begin(), relative.end(), [](const fs::path& part) {
    return part != "." && part.native().starts_with('.');
  });
}

struct Trust {
  std::mutex mutex;
  bool all = false;
  std::vector<fs::path> folders;  // both as given and resolved
};
Trust& process_trust() {
  static Trust trust;
  return trust;
}

bool is_below_trusted(const fs::path& file) {
  Trust& trust = process_trust();
  const std::lock_guard lock(trust.mutex);
  return std::any_of(trust.folders.begin(), trust.folders.end(), [&](const fs::path& folder) {
    return below_folder(file, folder).has_value();
  });
}

}  // namespace

bool has_source_name(const fs::path& file) {
  constexpr std::array<std::string_view, 18> kEndings = {
      ".h",   ".hh",  ".hpp", ".hxx", ".h++", ".cuh", ".cu",  ".inl", ".inc",
      ".ipp", ".tpp", ".tcc", ".txx", ".c",   ".cc",  ".cpp", ".cxx", ".def"};
  const std::string ending = lower(file.extension().string());
  if (ending.empty()) return std::find(file.begin(), file.end(), "include") != file.end();
  return std::find(kEndings.begin(), kEndings.end(), ending) != kEndings.end();
}

void FileBounds::allow(const fs::path& folder, FolderUse use) {
  const fs::path path = normal(folder);
  const bool known = std::any_of(folders_.begin(), folders_.end(), [&](const Folder& one) {
    return one.path == path && (one.use == use || one.use == FolderUse::kOwn);
  });
  if (!known) folders_.push_back({path, normal(without_links(folder)), use});
}

bool FileBounds::covers(const fs::path& file) const {
  const bool own = std::any_of(folders_.begin(), folders_.end(), [&](const Folder& folder) {
    for (const fs::path* root : {&folder.path, &folder.resolved}) {
      const std::optional<fs::path> relative = below_folder(file, *root);
      if (relative && !is_hidden(*relative) &&
          (folder.use == FolderUse::kOwn || has_source_name(file)))
        return true;
    }
    return false;
  });
  return own || is_below_trusted(file);
}

bool FileBounds::holds(const fs::path& file) const {
  if (all_files_are_trusted()) return true;
  const auto is_below = [&](const fs::path& path) {
    return std::any_of(folders_.begin(), folders_.end(), [&](const Folder& folder) {
      return below_folder(path, folder.path) || below_folder(path, folder.resolved);
    });
  };
  const bool covered = covers(normal(file));
  if (!covered && !is_below(normal(file))) return false;
  std::optional<Link> link;
  const fs::path resolved = normal(without_links(file, &link));
  if (covers(resolved)) return covered;
  if (!link || (!covered && is_below(resolved))) return false;
  throw user_error(fmt::format(
      "{} is a symbolic link to {}; it may lead below {} or a folder that --include names, or give "
      "--trust-includes",
      shown_name(link->path.string()), shown_name(link->target.string()),
      folders_.empty() ? "nothing" : shown_name(folders_.front().path.string())));
}

void trust_all_files(bool trusted) {
  Trust& trust = process_trust();
  const std::lock_guard lock(trust.mutex);
  trust.all = trusted;
}

bool all_files_are_trusted() {
  Trust& trust = process_trust();
  const std::lock_guard lock(trust.mutex);
  return trust.all;
}

void trust_folder(const fs::path& folder) {
  Trust& trust = process_trust();
  const std::lock_guard lock(trust.mutex);
  for (fs::path one : {normal(folder), normal(without_links(folder))})
    if (std::find(trust.folders.begin(), trust.folders.end(), one) == trust.folders.end())
      trust.folders.push_back(std::move(one));
}

}  // namespace warpwright
