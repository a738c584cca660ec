// The source files of one piece of work, each read once, when first asked for; that text then
// stays, whatever happens to the file. So hash, storage, compiler and measurement see the same text
// even if somebody edits it meanwhile. May be used from several threads.
//
// A bundle made from texts is for another process: it knows only those and never looks at the disk,
// so a file that it lacks does not exist.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpwright {

// By absolute, normalised path.
using SourceTexts = std::map<std::string, std::string>;

// A file that is no longer what the bundle read.
struct SourceChange {
  enum class Kind { kEdited, kGone, kAppeared };
  std::filesystem::path file;
  Kind kind = Kind::kEdited;
};

class SourceBundle {
 public:
  SourceBundle() = default;
  explicit SourceBundle(SourceTexts texts);
  SourceBundle(const SourceBundle&) = delete;
  SourceBundle& operator=(const SourceBundle&) = delete;

  // Null when there was no such regular file when it was first asked for. The text lives as long
  // as the bundle. Throws Error (environment) when a file cannot be read.
  [[nodiscard]] const std::string* find(const std::filesystem::path& file);
  // The same without looking at the disk: null also when nobody has asked for it yet.
  [[nodiscard]] const std::string* known(const std::filesystem::path& file) const;
  // As find(), or Error (user) as read_file() throws it.
  [[nodiscard]] const std::string& require(const std::filesystem::path& file);
  // Keeps a text that the caller has read, unless the file is known already; returns what is kept.
  const std::string& add(const std::filesystem::path& file, std::string text);
  // The names of the regular files directly in the folder, sorted; none when it cannot be listed.
  [[nodiscard]] std::vector<std::string> names_in(const std::filesystem::path& folder);

  // Every text so far.
  [[nodiscard]] SourceTexts texts() const;
  // What has been edited, removed or created since it was asked for, by path. Empty for a bundle
  // made from texts.
  [[nodiscard]] std::vector<SourceChange> changes() const;

 private:
  const bool on_disk_ = true;
  mutable std::mutex mutex_;
  std::map<std::string, std::optional<std::string>> files_;  // nullopt: was not there
  std::map<std::string, std::vector<std::string>> folders_;
};

// Made from texts that came from another process; reads the disk when there are none.
[[nodiscard]] std::shared_ptr<SourceBundle> bundle_of(SourceTexts texts);

// Texts travel as bytes: a source may hold what is not UTF-8.
[[nodiscard]] nlohmann::json texts_to_json(const SourceTexts& texts);
[[nodiscard]] SourceTexts texts_from_json(const nlohmann::json& json);

}  // namespace warpwright
