// The source files of one piece of work, each read once, when first asked for; that text then
// stays, whatever happens to the file. So hash, storage, compiler and measurement see the same text
// even if somebody edits it meanwhile. May be used from several threads.
//
// A bundle made from texts is for another process: it knows only those and never looks at the disk,
// so a file that it lacks does not exist.
//
// Files that inputs are read from may be too large to be kept and sent around. Of those only what
// identifies the content is kept; who needs the content reads the disk and checks the stamp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/file_bounds.h"

namespace warpwright {

// By absolute, normalised path; for a large file, which has no text here, "large:" and the path to
// its stamp.
using SourceTexts = std::map<std::string, std::string>;

// A file whose content is not kept, as it was when it was first asked for.
struct LargeFile {
  std::string sha256;
  std::uint64_t bytes = 0;
  std::int64_t modified_ns = 0;  // of the file system's clock; an edit moves it
  friend bool operator==(const LargeFile&, const LargeFile&) = default;
};

// What an input is read from: one of both, or none where there is no such file.
struct InputText {
  const std::string* text = nullptr;
  const LargeFile* large = nullptr;
  [[nodiscard]] bool exists() const { return text != nullptr || large != nullptr; }
};

// A file that is no longer what the bundle read.
struct SourceChange {
  enum class Kind { kEdited, kGone, kAppeared };
  std::filesystem::path file;
  Kind kind = Kind::kEdited;
};

class SourceBundle {
 public:
  // Inputs above the first are large, and so is what would take all that are kept above the second.
  static constexpr std::uint64_t kLargestKept = std::uint64_t{16} << 20;
  static constexpr std::uint64_t kMostKept = std::uint64_t{64} << 20;

  SourceBundle() = default;
  explicit SourceBundle(SourceTexts texts);
  SourceBundle(const SourceBundle&) = delete;
  SourceBundle& operator=(const SourceBundle&) = delete;

  // From then on, what is read from the disk has to lie in a folder that is allowed, and no other
  // file is there: a bundle with no such folder has no bounds. Texts that were added always are.
  void allow(const std::filesystem::path& folder, FolderUse use);
  // Throws Error (user) for a file that the caller reads itself, where a symbolic link leads out of
  // the folders that are allowed.
  void refuse_link_out(const std::filesystem::path& file) const;
  // Null when there was no such regular file when it was first asked for. The text lives as long
  // as the bundle. Throws Error (environment) when a file cannot be read.
  [[nodiscard]] const std::string* find(const std::filesystem::path& file);
  // The same without looking at the disk: null also when nobody has asked for it yet.
  [[nodiscard]] const std::string* known(const std::filesystem::path& file) const;
  // As find(), or Error (user) as read_file() throws it.
  [[nodiscard]] const std::string& require(const std::filesystem::path& file);
  // As find(), for a file of any size. Throws likewise.
  [[nodiscard]] InputText find_input(const std::filesystem::path& file);
  // Keeps a text that the caller has read, with `appended` at its end, unless the file is known
  // already; returns what is kept.
  const std::string& add(const std::filesystem::path& file, std::string text,
                         const std::string& appended = "");
  // The names of the regular files directly in the folder, sorted; none when it cannot be listed.
  [[nodiscard]] std::vector<std::string> names_in(const std::filesystem::path& folder);

  // Every text so far.
  [[nodiscard]] SourceTexts texts() const;
  // What has been edited, removed or created since it was asked for, by path. Empty for a bundle
  // made from texts.
  [[nodiscard]] std::vector<SourceChange> changes() const;

 private:
  [[nodiscard]] bool may_read(const std::filesystem::path& file) const;

  const bool on_disk_ = true;
  mutable std::mutex mutex_;
  std::optional<FileBounds> bounds_;
  std::map<std::string, std::optional<std::string>> files_;  // nullopt: was not there
  std::map<std::string, std::string> appended_;              // what the file itself does not hold
  std::map<std::string, std::vector<std::string>> folders_;
  std::map<std::string, LargeFile> large_;
  std::uint64_t kept_ = 0;  // bytes of inputs
};

// Whether the file is, by its size and time, the one that was stamped; false when it is gone.
[[nodiscard]] bool is_unchanged(const std::filesystem::path& file, const LargeFile& stamp);

// Made from texts that came from another process; reads the disk when there are none.
[[nodiscard]] std::shared_ptr<SourceBundle> bundle_of(SourceTexts texts);

// Texts travel as bytes: a source may hold what is not UTF-8.
[[nodiscard]] nlohmann::json texts_to_json(const SourceTexts& texts);
[[nodiscard]] SourceTexts texts_from_json(const nlohmann::json& json);

}  // namespace warpwright
