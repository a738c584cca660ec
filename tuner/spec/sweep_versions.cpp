#include "spec/sweep_versions.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "core/suggest.h"

namespace warpwright {
namespace {

std::optional<int> to_number(std::string_view text) {
  int number = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || text[0] == '-' || result.ec != std::errc() ||
      result.ptr != text.data() + text.size()) {
    return std::nullopt;
  }
  return number;
}

// Collects names while the items of the list are read in order.
class VersionReader {
 public:
  explicit VersionReader(const std::vector<Preset>& presets) {
    for (const Preset& preset : presets) known_.push_back(preset.name);
  }

  void read(const YamlReader& item) {
    const std::string text = item.text();
    const std::size_t dots = text.find("..");
    if (dots == std::string::npos) {
      const std::optional<int> number = to_number(text);
      add(number ? fmt::format("V{}", *number) : text, item);
      return;
    }
    const std::optional<int> first = to_number(std::string_view(text).substr(0, dots));
    const std::optional<int> last = to_number(std::string_view(text).substr(dots + 2));
    if (!first || !last) {
      throw item.error(fmt::format("got '{}', expected a range such as 0..4", text));
    }
    if (*first > *last) {
      throw item.error(fmt::format("got {}, expected the smaller number first", text));
    }
    // The first version without a preset ends the loop, however long the range is.
    for (int version = *first;; ++version) {
      add(fmt::format("V{}", version), item);
      if (version == *last) return;
    }
  }

  [[nodiscard]] std::vector<std::string> take() { return std::move(versions_); }

 private:
  void add(const std::string& name, const YamlReader& item) {
    if (std::find(known_.begin(), known_.end(), name) == known_.end()) {
      if (known_.empty()) {
        throw item.error(
            fmt::format("unknown preset '{}', the sweep has none; add `presets`", name));
      }
      throw item.error(fmt::format("unknown preset '{}'{}", name, suggestion(name, known_)));
    }
    if (std::find(versions_.begin(), versions_.end(), name) != versions_.end()) {
      throw item.error(fmt::format("version '{}' is selected twice; remove one", name));
    }
    versions_.push_back(name);
  }

  std::vector<std::string> known_;
  std::vector<std::string> versions_;
};

}  // namespace

std::vector<std::string> read_versions(const YamlReader& section,
                                       const std::vector<Preset>& presets) {
  VersionReader reader(presets);
  for (const YamlReader& item : section.items_or_one()) reader.read(item);
  std::vector<std::string> versions = reader.take();
  if (versions.empty()) {
    throw section.error(
        "got an empty list, expected at least one version; leave `version` out for "
        "the free space");
  }
  return versions;
}

}  // namespace warpwright
