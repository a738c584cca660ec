#include "core/source_bundle.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <system_error>

#include "core/error.h"
#include "core/files.h"
#include "core/hash.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;

std::string key_of(const fs::path& file) { return fs::absolute(file).lexically_normal().string(); }

// If the system failed to access a file, it may exist, so it must not be treated as missing.
std::optional<std::string> read_regular_file(const fs::path& file) {
  std::error_code failed;
  const bool regular = fs::is_regular_file(file, failed);
  if (failed == std::errc::io_error || failed == std::errc::not_enough_memory ||
      failed.value() == ESTALE)
    throw environment_error(fmt::format("cannot read {}: {}", file.string(), failed.message()));
  if (!regular) return std::nullopt;
  return read_file_if_present(file);
}

constexpr std::string_view kLarge = "large:";

std::int64_t modified_ns(const fs::path& file) {
  std::error_code failed;
  const fs::file_time_type time = fs::last_write_time(file, failed);
  return failed ? 0
                : std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch())
                      .count();
}

// The stamp is taken before reading: an edit in between makes the stamp outdated.
LargeFile stamp(const fs::path& file, std::uint64_t bytes) {
  LargeFile large{"", bytes, modified_ns(file)};
  std::ifstream in(file, std::ios::binary);
  Sha256 hash;
  std::string piece(std::size_t{1} << 20, '\0');
  while (in) {
    in.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    hash.raw(std::string_view(piece).substr(0, static_cast<std::size_t>(in.gcount())));
  }
  if (!in.eof()) throw environment_error(fmt::format("cannot read {}", file.string()));
  large.sha256 = hash.hex();
  return large;
}

std::string stamp_text(const LargeFile& large) {
  return fmt::format("{} {} {}", large.sha256, large.bytes, large.modified_ns);
}

LargeFile parse_stamp(const std::string& text) {
  LargeFile large;
  std::istringstream(text) >> large.sha256 >> large.bytes >> large.modified_ns;
  return large;
}

}  // namespace

SourceBundle::SourceBundle(SourceTexts texts) : on_disk_(false) {
  for (auto& [path, text] : texts) {
    if (path.starts_with(kLarge)) {
      large_.emplace(path.substr(kLarge.size()), parse_stamp(text));
    } else {
      files_.emplace(path, std::move(text));
    }
  }
}

void SourceBundle::allow(const fs::path& folder, FolderUse use) {
  const std::lock_guard lock(mutex_);
  if (!bounds_) bounds_.emplace();
  bounds_->allow(folder, use);
}

void SourceBundle::refuse_link_out(const fs::path& file) const {
  const std::lock_guard lock(mutex_);
  static_cast<void>(may_read(file));
}

bool SourceBundle::may_read(const fs::path& file) const {
  return on_disk_ && (!bounds_ || bounds_->holds(file));
}

const std::string* SourceBundle::find(const fs::path& file) {
  const std::string key = key_of(file);
  // Held while reading: two threads that request the same file must get the same text.
  const std::lock_guard lock(mutex_);
  auto known = files_.find(key);
  if (known == files_.end()) {
    if (!may_read(file)) return nullptr;
    known = files_.emplace(key, read_regular_file(file)).first;
  }
  return known->second ? &*known->second : nullptr;
}

const std::string* SourceBundle::known(const fs::path& file) const {
  const std::lock_guard lock(mutex_);
  const auto found = files_.find(key_of(file));
  return found != files_.end() && found->second ? &*found->second : nullptr;
}

const std::string& SourceBundle::require(const fs::path& file) {
  if (const std::string* text = find(file)) return *text;
  std::error_code ignored;
  if (on_disk_ && fs::is_directory(file, ignored)) static_cast<void>(read_file(file));  // throws
  throw user_error(fmt::format("no such file: {}", file.string()));
}

InputText SourceBundle::find_input(const fs::path& file) {
  const std::string key = key_of(file);
  const std::lock_guard lock(mutex_);
  auto known = files_.find(key);
  if (known == files_.end()) {
    if (const auto large = large_.find(key); large != large_.end())
      return {nullptr, &large->second};
    if (!may_read(file)) return {};
    std::error_code ignored;
    const bool regular = fs::is_regular_file(file, ignored);
    const std::uint64_t bytes = regular ? fs::file_size(file, ignored) : 0;
    if (bytes > kLargestKept || kept_ + bytes > kMaxKept)
      return {nullptr, &large_.emplace(key, stamp(file, bytes)).first->second};
    kept_ += bytes;
    known = files_.emplace(key, read_regular_file(file)).first;
  }
  return {known->second ? &*known->second : nullptr, nullptr};
}

const std::string& SourceBundle::add(const fs::path& file, std::string text,
                                     const std::string& appended) {
  const std::string key = key_of(file);
  const std::lock_guard lock(mutex_);
  std::optional<std::string>& kept = files_[key];
  if (!kept) {
    kept = std::move(text) + appended;
    if (!appended.empty()) appended_[key] = appended;
  }
  return *kept;
}

std::vector<std::string> SourceBundle::names_in(const fs::path& folder) {
  const std::string key = key_of(folder);
  const std::lock_guard lock(mutex_);
  if (const auto known = folders_.find(key); known != folders_.end()) return known->second;
  std::vector<std::string> names;
  if (on_disk_) {
    std::error_code ignored;
    for (fs::directory_iterator it(key, ignored), end; !ignored && it != end;
         it.increment(ignored)) {
      if (it->is_regular_file(ignored)) names.push_back(it->path().filename().string());
    }
  } else {
    for (const auto& [path, text] : files_)
      if (fs::path(path).parent_path() == key) names.push_back(fs::path(path).filename().string());
  }
  std::sort(names.begin(), names.end());
  return folders_.emplace(key, std::move(names)).first->second;
}

SourceTexts SourceBundle::texts() const {
  const std::lock_guard lock(mutex_);
  SourceTexts texts;
  for (const auto& [path, text] : files_)
    if (text) texts.emplace(path, *text);
  for (const auto& [path, large] : large_)
    texts.emplace(std::string(kLarge) + path, stamp_text(large));
  return texts;
}

std::vector<SourceChange> SourceBundle::changes() const {
  std::vector<SourceChange> changes;
  if (!on_disk_) return changes;
  const std::lock_guard lock(mutex_);
  for (const auto& [path, text] : files_) {
    std::optional<std::string> now;
    try {
      now = read_regular_file(path);
    } catch (const Error&) {  // it exists but cannot be read, so it has changed
      now.emplace();
      if (text && text->empty()) continue;
    }
    if (const auto more = appended_.find(path); now && more != appended_.end())
      *now += more->second;
    if (now == text) continue;
    changes.push_back({path, !now    ? SourceChange::Kind::kGone
                             : !text ? SourceChange::Kind::kAppeared
                                     : SourceChange::Kind::kEdited});
  }
  for (const auto& [path, large] : large_) {
    if (is_unchanged(path, large)) continue;
    std::error_code ignored;
    changes.push_back({path, fs::exists(path, ignored) ? SourceChange::Kind::kEdited
                                                       : SourceChange::Kind::kGone});
  }
  std::sort(changes.begin(), changes.end(),
            [](const SourceChange& a, const SourceChange& b) { return a.file < b.file; });
  return changes;
}

bool is_unchanged(const fs::path& file, const LargeFile& stamp) {
  std::error_code failed;
  return fs::is_regular_file(file, failed) && fs::file_size(file, failed) == stamp.bytes &&
         modified_ns(file) == stamp.modified_ns;
}

std::shared_ptr<SourceBundle> bundle_of(SourceTexts texts) {
  return texts.empty() ? std::make_shared<SourceBundle>()
                       : std::make_shared<SourceBundle>(std::move(texts));
}

nlohmann::json texts_to_json(const SourceTexts& texts) {
  nlohmann::json json = nlohmann::json::object();
  for (const auto& [path, text] : texts)
    json[path] = nlohmann::json::binary({text.begin(), text.end()});
  return json;
}

SourceTexts texts_from_json(const nlohmann::json& json) {
  SourceTexts texts;
  for (const auto& [path, text] : json.items()) {
    const auto& bytes = text.get_binary();
    texts.emplace(path, std::string(bytes.begin(), bytes.end()));
  }
  return texts;
}

}  // namespace warpwright
