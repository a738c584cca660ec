// The source files of one piece of work. Each file is read once, when it is first requested; its
// text then stays, whatever happens to the file. Hashing, storage, compilation and measurement thus
// see the same text even if the file is edited meanwhile. May be used from several threads.
//
// A bundle created from texts is for another process: it contains only those texts and never
// accesses the disk, so any other file does not exist for it.
//
// Input data files may be too large to be kept and sent around. For those, only the identity of the
// content is kept; code that needs the content reads the disk and checks the stamp.
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

// Keyed by absolute, normalised path; a large file, whose text is not kept, has the key "large:"
// plus its path, and its stamp as the value.
using SourceTexts = std::map<std::string, std::string>;

// The state of a file whose content is not kept, recorded when it was first requested.
struct LargeFile {
  std::string sha256;
  std::uint64_t bytes = 0;
  std::int64_t modified_ns = 0;  // by the file system's clock; an edit changes it
  friend bool operator==(const LargeFile&, const LargeFile&) = default;
};

// The source of an input's data: one of the two, or neither if there is no such file.
struct InputText {
  const std::string* text = nullptr;
  const LargeFile* large = nullptr;
  [[nodiscard]] bool exists() const { return text != nullptr || large != nullptr; }
};

// A file that has changed since the bundle read it.
struct SourceChange {
  enum class Kind { kEdited, kGone, kAppeared };
  std::filesystem::path file;
  Kind kind = Kind::kEdited;
};

class SourceBundle {
 public:
  // Inputs above the first limit are large, and so are inputs that would exceed the second limit in
  // total.
  static constexpr std::uint64_t kLargestKept = std::uint64_t{16} << 20;
  static constexpr std::uint64_t kMaxKept = std::uint64_t{64} << 20;

  SourceBundle() = default;
  explicit SourceBundle(SourceTexts texts);
  SourceBundle(const SourceBundle&) = delete;
  SourceBundle& operator=(const SourceBundle&) = delete;

  // Restricts later reads from the disk to allowed folders; other files appear not to exist. A
  // bundle without any such folder is unrestricted. Texts that were added are always available.
  void allow(const std::filesystem::path& folder, FolderUse use);
  // Throws Error (user) if a symbolic link leads out of the allowed folders, for a file that the
  // caller reads itself.
  void refuse_link_out(const std::filesystem::path& file) const;
  // Returns null if there was no such regular file when it was first requested. The text lives as
  // long as the bundle. Throws Error (environment) if a file cannot be read.
  [[nodiscard]] const std::string* find(const std::filesystem::path& file);
  // The same without accessing the disk: also null if the file has not been requested yet.
  [[nodiscard]] const std::string* known(const std::filesystem::path& file) const;
  // As find(), but throws Error (user) as read_file() does instead of returning null.
  [[nodiscard]] const std::string& require(const std::filesystem::path& file);
  // As find(), for a file of any size. Throws the same errors.
  [[nodiscard]] InputText find_input(const std::filesystem::path& file);
  // Stores a text that the caller has read, with `appended` at its end, unless the bundle already
  // has the file; returns the stored text.
  const std::string& add(const std::filesystem::path& file, std::string text,
                         const std::string& appended = "");
  // The names of the regular files directly in the folder, sorted; empty if it cannot be listed.
  [[nodiscard]] std::vector<std::string> names_in(const std::filesystem::path& folder);

  // All texts so far.
  [[nodiscard]] SourceTexts texts() const;
  // The files that were edited, removed or created since they were requested, by path. Empty for a
  // bundle created from texts.
  [[nodiscard]] std::vector<SourceChange> changes() const;

 private:
  [[nodiscard]] bool may_read(const std::filesystem::path& file) const;

  const bool on_disk_ = true;
  mutable std::mutex mutex_;
  std::optional<FileBounds> bounds_;
  std::map<std::string, std::optional<std::string>> files_;  // nullopt: does not exist
  std::map<std::string, std::string> appended_;              // text that is not in the file itself
  std::map<std::string, std::vector<std::string>> folders_;
  std::map<std::string, LargeFile> large_;
  std::uint64_t kept_ = 0;  // bytes of inputs
};

// Returns true if the file still has the size and time of the stamp; false if it is gone.
[[nodiscard]] bool is_unchanged(const std::filesystem::path& file, const LargeFile& stamp);

// Created from texts of another process; reads the disk if there are none.
[[nodiscard]] std::shared_ptr<SourceBundle> bundle_of(SourceTexts texts);

// Texts travel as bytes, because a source may contain bytes that are not UTF-8.
[[nodiscard]] nlohmann::json texts_to_json(const SourceTexts& texts);
[[nodiscard]] SourceTexts texts_from_json(const nlohmann::json& json);

}  // namespace warpwright
