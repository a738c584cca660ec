#include "analysis/compare/contender_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/words.h"
#include "store/database.h"

namespace warpwright {
namespace {

struct ContendersLeft {
  std::vector<std::pair<RowId, DeviceRecord>> devices;  // devices that have trials
  std::optional<std::vector<RowId>> runs;               // all without it
};

using Device = std::pair<RowId, DeviceRecord>;
using Run = std::pair<RowId, RunRecord>;

constexpr std::size_t kMinDigits = 6;
constexpr std::size_t kShortestCommit = 4;

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

// GPUs that have all of this in common are one contender, unless each is to be one.
auto kind_of(const DeviceRecord& device) {
  return std::tie(device.name, device.arch, device.driver, device.has_clock);
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
  if (found.empty() && text.size() >= kMinDigits)
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
  if (low.size() < kShortestCommit || !all_hex_digits(low)) return found;
  for (const auto& [id, run] : runs) {
    const std::string version = lower(run.version);
    for (std::size_t at = version.find(low); at != std::string::npos;
         at = version.find(low, at + 1)) {
      if (at > 0 && (is_letter(version[at - 1]) || is_digit(version[at - 1]))) continue;
      found.push_back(id);
      break;
    }
  }
  return found;
}

class Narrowing {
 public:
  Narrowing(const Database& database, std::string name, ContendersBy by)
      : name_(std::move(name)), by_(by), database_(database), runs_(database_.runs()) {
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
    const bool alike =
        by_ == ContendersBy::kName && std::all_of(found.begin(), found.end(), [&](const auto& of) {
          return kind_of(of.second) == kind_of(found.front().second);
        });
    if (found.size() > 1 && !alike) throw user_error(which_device(text, found));
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
                       versions.empty() ? "none" : join(versions));
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
  ContendersBy by_;
  const Database& database_;
  std::vector<Run> runs_;
  ContendersLeft left_;
};

// `name` is the database's name in messages. Throws an Error (user) that lists the choices.
ContendersLeft narrow_contenders(const Database& database, const std::string& name,
                                 const std::vector<std::string>& parts, ContendersBy by) {
  Narrowing narrowing(database, name, by);
  for (const std::string& part : parts) narrowing.narrow(part);
  return narrowing.left();
}

}  // namespace

namespace fs = std::filesystem;
namespace {

using Devices = std::vector<std::pair<RowId, DeviceRecord>>;

bool named_like_results(const std::string& text) {
  constexpr std::string_view kEnds[] = {".db", ".db.gz", ".json", ".json.gz"};
  return std::any_of(std::begin(kEnds), std::end(kEnds),
                     [&](std::string_view end) { return text.ends_with(end); });
}

std::vector<std::string> split_parts(const std::string& text) {
  const std::vector<std::string_view> parts = split(text, '#');
  return {parts.begin(), parts.end()};
}

// Groups the devices that are one contender; the groups are in the order of their first devices.
std::vector<Devices> group_devices(const Devices& devices, ContendersBy by) {
  std::vector<Devices> groups;
  for (const auto& device : devices) {
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const Devices& group) {
      return by == ContendersBy::kName && kind_of(group.front().second) == kind_of(device.second);
    });
    if (same == groups.end()) {
      groups.push_back({device});
    } else {
      same->push_back(device);
    }
  }
  return groups;
}

// Labels a word's contenders, each by the shortest of its names that no other of them has.
std::vector<std::string> group_labels(const std::vector<Devices>& groups) {
  const auto unique = [&](const auto& name_of, const Devices& group) {
    return std::count_if(groups.begin(), groups.end(), [&](const Devices& other) {
             return name_of(other.front().second) == name_of(group.front().second);
           }) == 1;
  };
  std::vector<std::string> labels;
  for (const Devices& group : groups) {
    const DeviceRecord& device = group.front().second;
    const auto name = [](const DeviceRecord& of) { return of.name; };
    const auto selector = [](const DeviceRecord& of) { return of.id; };
    const auto driven = [](const DeviceRecord& of) { return of.name + ", driver " + of.driver; };
    labels.push_back(unique(name, group)                            ? name(device)
                     : group.size() == 1 && unique(selector, group) ? selector(device)
                     : unique(driven, group)
                         ? driven(device)
                         : fmt::format("{} {}", device.name, device.fingerprint.substr(0, 8)));
  }
  return labels;
}

// The choice of contenders from databases, all of them by the same rule.
struct Chooser {
  ContendersBy by;

  // Adds the contenders that one word selects in one database.
  void add_contenders(const ContenderSource& source, const ContendersLeft& left,
                      const std::string& prefix, std::vector<ChosenContender>& chosen) const {
    const std::vector<Devices> groups = group_devices(left.devices, by);
    const std::vector<std::string> labels = group_labels(groups);
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const bool alone = groups.size() == 1 && !prefix.empty();
      ContenderTrials trials;
      for (const auto& [id, device] : groups[i]) trials.devices.push_back(id);
      trials.runs = left.runs;
      chosen.push_back({alone            ? prefix
                        : prefix.empty() ? labels[i]
                                         : prefix + "#" + labels[i],
                        source.name, source.database, std::move(trials)});
    }
  }

  [[nodiscard]] ContendersLeft narrow_all(const ContenderSource& source,
                                          const std::vector<std::string>& parts) const {
    return narrow_contenders(*source.database, source.name, parts, by);
  }

  void add_from_anywhere(const ContenderWord& word, const std::vector<ContenderSource>& anywhere,
                         std::vector<ChosenContender>& chosen) const;
};

std::string source_list(const std::vector<ContenderSource>& sources) {
  std::string list;
  for (std::size_t i = 1; i < sources.size(); ++i) list += (i > 1 ? ", " : "") + sources[i].name;
  return list;
}

// A word without a file must match in exactly one of the databases.
void Chooser::add_from_anywhere(const ContenderWord& word,
                                const std::vector<ContenderSource>& anywhere,
                                std::vector<ChosenContender>& chosen) const {
  std::vector<std::pair<const ContenderSource*, ContendersLeft>> found;
  std::optional<Error> first_fault;
  for (const ContenderSource& source : anywhere) {
    try {
      found.emplace_back(&source, narrow_all(source, word.parts));
    } catch (const Error& fault) {
      if (fault.fault() != Fault::kUser) throw;
      if (!first_fault) first_fault = fault;
    }
  }
  if (found.empty() && first_fault) {
    if (anywhere.size() == 1) throw *first_fault;
    throw user_error(fmt::format("{}\nnor is it in the other databases: {}", first_fault->message(),
                                 source_list(anywhere)));
  }
  if (found.size() > 1) {
    std::vector<std::string> ways;
    for (const auto& [source, left] : found) ways.push_back(source->name + "#" + word.text);
    throw user_error(fmt::format("'{}' is in {} databases; write one of {}", word.text,
                                 found.size(), fmt::join(ways, ", ")));
  }
  for (const auto& [source, left] : found) add_contenders(*source, left, word.text, chosen);
}

// Asking for the same contender twice is legitimate, and needs two names.
void make_names_unique(std::vector<ChosenContender>& chosen) {
  std::set<std::string> taken;
  for (ChosenContender& contender : chosen) {
    const std::string name = contender.name;
    for (int times = 2; !taken.insert(contender.name).second; ++times)
      contender.name = fmt::format("{} ({})", name, times);
  }
}

}  // namespace

ContenderWord parse_contender_word(const std::string& text) {
  if (text.empty()) throw user_error("a contender's name is empty; name a device, run:N or a FILE");
  if (all_digits(text)) return {text, "", {text}};
  std::error_code ignored;
  // The longest prefix that is a file: its name may contain a '#'.
  for (std::size_t end = text.size(); end != std::string::npos && end > 0;
       end = text.rfind('#', end - 1)) {
    const std::string head = text.substr(0, end);
    if (!fs::is_regular_file(head, ignored)) continue;
    return {text, head,
            end == text.size() ? std::vector<std::string>() : split_parts(text.substr(end + 1))};
  }
  const std::string head = text.substr(0, text.find('#'));
  if (named_like_results(head)) {
    throw user_error(
        fmt::format("{} does not exist; a contender is a device, run:N, commit:HASH or a FILE, "
                    "or FILE#device",
                    head));
  }
  return {text, "", split_parts(text)};
}

std::vector<ChosenContender> choose_contenders(const std::vector<ContenderWord>& words,
                                               const std::vector<ContenderSource>& anywhere,
                                               const std::vector<ContenderSource>& files,
                                               ContendersBy by) {
  const Chooser chooser{by};
  std::vector<ChosenContender> chosen;
  if (words.empty()) {
    for (const ContenderSource& source : anywhere)
      chooser.add_contenders(source, chooser.narrow_all(source, {}),
                             anywhere.size() > 1 ? source.name : "", chosen);
  }
  std::size_t file = 0;
  for (const ContenderWord& word : words) {
    if (word.file.empty()) {
      chooser.add_from_anywhere(word, anywhere, chosen);
      continue;
    }
    WARPWRIGHT_CHECK(file < files.size(), "every word with a file has its database");
    const ContendersLeft left = chooser.narrow_all(files[file], word.parts);
    if (left.devices.empty())
      throw user_error(fmt::format("{}: it holds no trials", files[file].name));
    chooser.add_contenders(files[file++], left, word.text, chosen);
  }
  make_names_unique(chosen);
  return chosen;
}

}  // namespace warpwright
