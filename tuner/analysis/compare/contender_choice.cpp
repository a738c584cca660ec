#include "analysis/compare/contender_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>
#include <utility>

#include "analysis/compare/contender_parts.h"
#include "core/error.h"

namespace warpwright {
namespace fs = std::filesystem;
namespace {

using Devices = std::vector<std::pair<RowId, DeviceRecord>>;

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool named_like_results(const std::string& text) {
  constexpr std::string_view kEnds[] = {".db", ".db.gz", ".json", ".json.gz"};
  return std::any_of(std::begin(kEnds), std::end(kEnds),
                     [&](std::string_view end) { return text.ends_with(end); });
}

std::vector<std::string> split_parts(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('#', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

// Labels a word's devices, each by the shortest of its names that no other of them has.
std::vector<std::string> device_labels(const Devices& devices) {
  const auto unique = [&](const auto& name_of, const DeviceRecord& device) {
    return std::count_if(devices.begin(), devices.end(), [&](const auto& other) {
             return name_of(other.second) == name_of(device);
           }) == 1;
  };
  std::vector<std::string> labels;
  for (const auto& [id, device] : devices) {
    const auto name = [](const DeviceRecord& of) { return of.name; };
    const auto selector = [](const DeviceRecord& of) { return of.id; };
    const auto driven = [](const DeviceRecord& of) { return of.name + ", driver " + of.driver; };
    labels.push_back(unique(name, device)       ? name(device)
                     : unique(selector, device) ? selector(device)
                     : unique(driven, device)
                         ? driven(device)
                         : fmt::format("{} {}", device.name, device.fingerprint.substr(0, 8)));
  }
  return labels;
}

// Adds the contenders that one word selects in one database.
void add_contenders(const ContenderSource& source, const ContendersLeft& left,
                    const std::string& prefix, std::vector<ChosenContender>& chosen) {
  const std::vector<std::string> labels = device_labels(left.devices);
  for (std::size_t i = 0; i < left.devices.size(); ++i) {
    const bool alone = left.devices.size() == 1 && !prefix.empty();
    chosen.push_back({alone            ? prefix
                      : prefix.empty() ? labels[i]
                                       : prefix + "#" + labels[i],
                      source.name,
                      source.database,
                      {left.devices[i].first, left.runs}});
  }
}

ContendersLeft narrow_all(const ContenderSource& source, const std::vector<std::string>& parts) {
  return narrow_contenders(*source.database, source.name, parts);
}

std::string source_list(const std::vector<ContenderSource>& sources) {
  std::string list;
  for (std::size_t i = 1; i < sources.size(); ++i) list += (i > 1 ? ", " : "") + sources[i].name;
  return list;
}

// A word without a file must match in exactly one of the databases.
void add_from_anywhere(const ContenderWord& word, const std::vector<ContenderSource>& anywhere,
                       std::vector<ChosenContender>& chosen) {
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
  if (is_number(text)) return {text, "", {text}};
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
                                               const std::vector<ContenderSource>& files) {
  std::vector<ChosenContender> chosen;
  if (words.empty()) {
    for (const ContenderSource& source : anywhere)
      add_contenders(source, narrow_all(source, {}), anywhere.size() > 1 ? source.name : "",
                     chosen);
  }
  std::size_t file = 0;
  for (const ContenderWord& word : words) {
    if (word.file.empty()) {
      add_from_anywhere(word, anywhere, chosen);
      continue;
    }
    WARPWRIGHT_CHECK(file < files.size(), "every word with a file has its database");
    const ContendersLeft left = narrow_all(files[file], word.parts);
    if (left.devices.empty())
      throw user_error(fmt::format("{}: it holds no trials", files[file].name));
    add_contenders(files[file++], left, word.text, chosen);
  }
  make_names_unique(chosen);
  return chosen;
}

}  // namespace warpwright
