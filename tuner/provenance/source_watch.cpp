#include "provenance/source_watch.h"

#include <fmt/format.h>

#include <utility>

#include "core/source_bundle.h"
#include "provenance/kernel_sources.h"

namespace warpwright {
namespace {

std::string sentence(const std::string& name, SourceChange::Kind kind) {
  if (kind == SourceChange::Kind::kEdited) {
    return fmt::format(
        "{} changed while the sweep ran; its results are of the text read at the start; sweep "
        "again for the new one",
        name);
  }
  return fmt::format(
      "{} {} while the sweep ran; its results are of the files read at the start; sweep again for "
      "the new ones",
      name, kind == SourceChange::Kind::kGone ? "was removed" : "appeared");
}

}  // namespace

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
