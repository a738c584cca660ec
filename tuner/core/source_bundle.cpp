#include "core/source_bundle.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/files.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;

std::string key_of(const fs::path& file) { return fs::absolute(file).lexically_normal().string(); }

std::optional<std::string> read_regular_file(const fs::path& file) {
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) return std::nullopt;
  return read_file_if_present(file);
}

}  // namespace

SourceBundle::SourceBundle(SourceTexts texts) : on_disk_(false) {
  for (auto& [path, text] : texts) files_.emplace(path, std::move(text));
}

const std::string* SourceBundle::find(const fs::path& file) {
  const std::string key = key_of(file);
  // Held while reading: two threads that ask at once must not get two answers.
  const std::lock_guard lock(mutex_);
  auto known = files_.find(key);
  if (known == files_.end()) {
    if (!on_disk_) return nullptr;
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

const std::string& SourceBundle::add(const fs::path& file, std::string text) {
  const std::lock_guard lock(mutex_);
  std::optional<std::string>& kept = files_[key_of(file)];
  if (!kept) kept = std::move(text);
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
    } catch (const Error&) {  // it exists but cannot be read: not what it was
      now.emplace();
      if (text && text->empty()) continue;
    }
    if (now == text) continue;
    changes.push_back({path, !now    ? SourceChange::Kind::kGone
                             : !text ? SourceChange::Kind::kAppeared
                                     : SourceChange::Kind::kEdited});
  }
  return changes;
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
