#include "analysis/compare/contender_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

#include "core/error.h"
#include "core/suggest.h"

namespace warpwright {
namespace {

using Device = std::pair<RowId, DeviceRecord>;
using Run = std::pair<RowId, RunRecord>;

constexpr std::size_t kFewestDigits = 6;
constexpr std::size_t kShortestCommit = 4;

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

bool all_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool is_hex(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// The rest of `text` after `prefix`; nullopt if `text` does not begin with it.
std::optional<std::string> behind(const std::string& text, std::string_view prefix) {
  return text.starts_with(prefix) ? std::optional(text.substr(prefix.size())) : std::nullopt;
}

// "cuda:0 NVIDIA H200, driver 580.159.04, fingerprint fc065e58"
std::string describe(const DeviceRecord& device) {
  return fmt::format("{} {}{}{}, fingerprint {}", device.id, device.name,
                     device.driver.empty() ? "" : ", driver ", device.driver,
                     device.fingerprint.substr(0, 8));
}

template <typename Fits>
std::vector<Device> those(const std::vector<Device>& devices, Fits fits) {
  std::vector<Device> found;
  for (const Device& device : devices)
    if (fits(device.second)) found.push_back(device);
  return found;
}

// Matches by the most specific kind of name that finds any: an id comes before part of a name.
std::vector<Device> find_devices(const std::vector<Device>& devices, const std::string& text) {
  if (text.empty()) return {};
  const std::string low = lower(text);
  auto found = those(
      devices, [&](const auto& device) { return device.id == text || device.fingerprint == text; });
  if (found.empty())
    found = those(devices, [&](const auto& device) { return lower(device.name) == low; });
  if (found.empty() && text.size() >= kFewestDigits)
    found = those(devices, [&](const auto& device) { return device.fingerprint.starts_with(low); });
  if (found.empty()) {
    found = those(devices, [&](const auto& device) {
      return lower(device.name).find(low) != std::string::npos;
    });
  }
  return found;
}

// The runs whose version names a commit that begins with `hash`.
std::vector<RowId> find_commit(const std::vector<Run>& runs, const std::string& hash) {
  std::vector<RowId> found;
  const std::string low = lower(hash);
  if (low.size() < kShortestCommit || !is_hex(low)) return found;
  for (const auto& [id, run] : runs) {
    const std::string version = lower(run.version);
    for (std::size_t at = version.find(low); at != std::string::npos;
         at = version.find(low, at + 1)) {
      if (at > 0 && std::isalnum(static_cast<unsigned char>(version[at - 1])) != 0) continue;
      found.push_back(id);
      break;
    }
  }
  return found;
}

class Narrowing {
 public:
  Narrowing(const Database& database, std::string name)
      : name_(std::move(name)), database_(database), runs_(database_.runs()) {
    const std::vector<RowId> tried = database_.tried_devices();
    for (Device& device : database_.devices()) {
      if (std::binary_search(tried.begin(), tried.end(), device.first))
        left_.devices.push_back(std::move(device));
    }
  }

  void narrow(const std::string& part) {
    if (const auto run = behind(part, "run:")) {
      keep_run(*run);
    } else if (const auto commit = behind(part, "commit:")) {
      keep_commit(*commit, find_commit(runs_, *commit));
    } else if (const auto device = behind(part, "device:")) {
      keep_device(*device);
    } else if (all_digits(part) && (has_run(part) || find_devices(left_.devices, part).empty())) {
      keep_run(part);  // digits may also begin a fingerprint
    } else {
      keep_bare(part);
    }
  }
  [[nodiscard]] const ContendersLeft& left() const { return left_; }

 private:
  [[nodiscard]] bool has_run(const std::string& text) const {
    return std::any_of(runs_.begin(), runs_.end(),
                       [&](const Run& run) { return std::to_string(run.first) == text; });
  }

  void keep_run(const std::string& text) {
    if (!has_run(text)) throw user_error(fmt::format("{}: no run {}; {}", name_, text, run_list()));
    const RowId run = std::stoll(text);
    keep_runs({run});
    if (!left_.devices.empty()) return;
    throw user_error(
        fmt::format("{}: run {} stored no trials{}; what was known before is not tried again: "
                    "`sweep --fresh` measures everything anew",
                    name_, run, database_.tried_devices(run).empty() ? "" : " of that device"));
  }

  void keep_commit(const std::string& hash, const std::vector<RowId>& runs) {
    if (runs.empty()) throw user_error(no_commit(hash));
    keep_runs(runs);
    if (left_.devices.empty())
      throw user_error(fmt::format("{}: the runs of commit {} stored no trials", name_, hash));
  }

  void keep_device(const std::string& text) {
    std::vector<Device> found = find_devices(left_.devices, text);
    if (found.empty()) throw user_error(no_device(text));
    if (found.size() > 1) throw user_error(which_device(text, found));
    left_.devices = std::move(found);
  }

  void keep_bare(const std::string& text) {
    const bool device = !find_devices(left_.devices, text).empty();
    const std::vector<RowId> runs = find_commit(runs_, text);
    if (device && !runs.empty()) {
      throw user_error(
          fmt::format("{}: '{}' is a device and a commit; write device:{} or commit:{}", name_,
                      text, text, text));
    }
    if (runs.empty()) {
      keep_device(text);
    } else {
      keep_commit(text, runs);
    }
  }

  void keep_runs(std::vector<RowId> runs) {
    if (left_.runs) {
      std::erase_if(runs, [&](RowId run) {
        return std::find(left_.runs->begin(), left_.runs->end(), run) == left_.runs->end();
      });
    }
    std::set<RowId> tried;
    for (const RowId run : runs) tried.merge(tried_by(run));
    std::erase_if(left_.devices,
                  [&](const Device& device) { return !tried.contains(device.first); });
    left_.runs = std::move(runs);
  }

  [[nodiscard]] std::set<RowId> tried_by(RowId run) const {
    const std::vector<RowId> devices = database_.tried_devices(run);
    return {devices.begin(), devices.end()};
  }

  [[nodiscard]] std::string run_list() const {
    if (runs_.empty()) return "it holds none";
    if (runs_.size() == 1) return fmt::format("it holds run {}", runs_.front().first);
    return fmt::format("it holds {} runs, {} to {}", runs_.size(), runs_.front().first,
                       runs_.back().first);
  }

  [[nodiscard]] std::string no_commit(const std::string& hash) const {
    std::vector<std::string> versions;
    for (const auto& [id, run] : runs_) {
      if (std::find(versions.begin(), versions.end(), run.version) == versions.end())
        versions.push_back(run.version);
    }
    return fmt::format("{}: no run of commit '{}'; its runs are of {}", name_, hash,
                       versions.empty() ? "none" : fmt::format("{}", fmt::join(versions, ", ")));
  }

  [[nodiscard]] std::string no_device(const std::string& text) const {
    std::vector<std::string> names;
    for (const auto& [id, device] : left_.devices) {
      for (const std::string& name : {device.id, device.name}) {
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
      }
    }
    if (names.empty()) return fmt::format("{}: it holds no trials", name_);
    return fmt::format("{}: no device '{}'{}", name_, text, suggestion(text, names));
  }

  [[nodiscard]] std::string which_device(const std::string& text,
                                         const std::vector<Device>& found) const {
    std::string message =
        fmt::format("{}: '{}' may be any of {} devices:", name_, text, found.size());
    for (const auto& [id, device] : found) message += "\n  " + describe(device);
    return message + "\nwrite more of the name, or device:FINGERPRINT";
  }

  std::string name_;
  const Database& database_;
  std::vector<Run> runs_;
  ContendersLeft left_;
};

}  // namespace

ContendersLeft narrow_contenders(const Database& database, const std::string& name,
                                 const std::vector<std::string>& parts) {
  Narrowing narrowing(database, name);
  for (const std::string& part : parts) narrowing.narrow(part);
  return narrowing.left();
}

}  // namespace warpwright
