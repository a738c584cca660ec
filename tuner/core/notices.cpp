#include "core/notices.h"

#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

namespace warpwright {
namespace {

constexpr std::size_t kMaxNotices = 20;

struct Notices {
  std::mutex mutex;
  std::set<std::string> known;
  std::vector<std::string> waiting;
  std::function<void(const std::string&)> receiver;
};

Notices& notices() {
  static Notices all;
  return all;
}

}  // namespace

void add_notice(std::string line) {
  Notices& all = notices();
  const std::lock_guard lock(all.mutex);
  if (all.known.size() > kMaxNotices || !all.known.insert(line).second) return;
  if (all.known.size() > kMaxNotices) line = "there is more of this kind";
  if (all.receiver)
    all.receiver(line);
  else
    all.waiting.push_back(std::move(line));
}

void pass_notices_on(std::function<void(const std::string& line)> receiver) {
  Notices& all = notices();
  const std::lock_guard lock(all.mutex);
  all.receiver = std::move(receiver);
}

std::vector<std::string> take_notices() {
  Notices& all = notices();
  const std::lock_guard lock(all.mutex);
  return std::exchange(all.waiting, {});
}

nlohmann::json with_notices(nlohmann::json message) {
  std::vector<std::string> lines = take_notices();
  if (!lines.empty()) message["notices"] = std::move(lines);
  return message;
}

void hear_notices(const nlohmann::json& message) {
  if (!message.is_object()) return;
  const auto lines = message.find("notices");
  if (lines == message.end() || !lines->is_array()) return;
  for (const nlohmann::json& line : *lines)
    if (line.is_string()) add_notice(line.get<std::string>());
}

}  // namespace warpwright
