#include "replay/replay_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "core/error.h"
#include "core/words.h"
#include "exchange/json_fault.h"

namespace warpwright {
namespace {

using Json = nlohmann::json;
using Event = Json::parse_event_t;

std::string shown(const Json& json) {
  const std::string text = json.dump(-1, ' ', true, Json::error_handler_t::replace);
  return text.size() <= 60 ? text : text.substr(0, 57) + "...";
}

std::optional<Value> scalar(const Json& json) {
  const bool plain = json.is_boolean() || json.is_number() || json.is_string();
  const bool too_large = json.is_number_unsigned() &&
                         json.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX);
  if (!plain || too_large) return std::nullopt;
  return json.get<Value>();
}

// Reads the members of the outermost object until they identify its kind.
class KindFinder : public Json::json_sax_t {
 public:
  JsonKind kind = JsonKind::kOther;

  bool key(std::string& name) override {
    if (depth_ != 1) return true;
    if (name == "results" || name == "schema_version") kind = JsonKind::kT4;
    if (name == "configs" || name == "time_ms") kind = JsonKind::kReplay;
    return kind == JsonKind::kOther;
  }
  bool start_object(std::size_t /*elements*/) override { return open(); }
  bool start_array(std::size_t /*elements*/) override { return open(); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool null() override { return true; }
  bool boolean(bool /*value*/) override { return true; }
  bool number_integer(std::int64_t /*value*/) override { return true; }
  bool number_unsigned(std::uint64_t /*value*/) override { return true; }
  bool number_float(double /*value*/, const std::string& /*text*/) override { return true; }
  bool string(std::string& /*value*/) override { return true; }
  bool binary(Json::binary_t& /*value*/) override { return true; }
  bool parse_error(std::size_t /*at*/, const std::string& /*token*/,
                   const Json::exception& /*error*/) override {
    return false;
  }

 private:
  bool open() {
    ++depth_;
    return true;
  }
  bool close() {
    --depth_;
    return true;
  }

  std::size_t depth_ = 0;
};

// The data that the parser delivers while it reads: rows leave the tree as soon as they are
// complete, and unknown members never enter it.
struct Parsed {
  Json root;
  std::vector<std::string> parameters;  // in the file's order, which the tree does not keep
  std::vector<Value> values;            // of all rows, one after another
  std::size_t rows = 0;
  std::size_t width = 0;  // of a row
};

class RowCollector {
 public:
  RowCollector(Parsed& parsed, const std::string& file) : parsed_(parsed), file_(file) {}

  bool operator()(int depth, Event event, Json& json) {
    if (event == Event::key) return key(depth, json);
    if (skipping_) return true;
    const bool starts = event == Event::array_start || event == Event::object_start;
    if (starts && depth > 2 && member_ == "configs") fail("expected values, got lists of them");
    if (starts && depth > 2)
      throw user_error(fmt::format("{}: {}: expected values, got lists of them", file_, member_));
    if (member_ != "configs" || depth != 2 || starts) return true;
    take_row(json);
    return false;
  }

 private:
  bool key(int depth, const Json& json) {
    if (depth == 2 && !skipping_ && member_ == "parameters") {
      parsed_.parameters.push_back(json.get<std::string>());
    }
    if (depth != 1) return true;
    member_ = json.get<std::string>();
    static const std::set<std::string, std::less<>> known = {
        "parameters", "configs", "time_ms", "constraints", "status",   "name",
        "kernel",     "gpu",     "problem", "n_configs",   "n_failed", "optimum_ms"};
    skipping_ = !known.contains(member_);
    return !skipping_;
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw user_error(fmt::format("{}: configs[{}]: {}", file_, parsed_.rows, what));
  }

  void take_row(const Json& row) {
    if (!row.is_array())
      fail(fmt::format("expected a list of values, one for each parameter, got {}", shown(row)));
    if (parsed_.rows == 0) parsed_.width = row.size();
    if (parsed_.rows == kMaxRecordedRows)
      fail(fmt::format("expected at most {} configurations", kMaxRecordedRows));
    if (row.size() != parsed_.width) {
      fail(fmt::format("{} values, where configs[0] has {}; every row has one for each parameter",
                       row.size(), parsed_.width));
    }
    for (const Json& value : row) {
      const std::optional<Value> read = scalar(value);
      if (!read)
        fail(fmt::format("expected numbers, strings or booleans of 64 bits, got {}", shown(value)));
      parsed_.values.push_back(*read);
    }
    ++parsed_.rows;
  }

  Parsed& parsed_;
  const std::string& file_;
  std::string member_;
  bool skipping_ = false;
};

class DraftReader {
 public:
  DraftReader(const Parsed& parsed, const std::string& file) : parsed_(parsed), file_(file) {}

  RecordingDraft read() {
    read_head();
    for (const char* member : {"parameters", "configs", "time_ms"}) {
      if (parsed_.root.contains(member)) continue;
      fail(member, "it is missing; a replay recording has parameters, configs and time_ms");
    }
    read_parameters();
    read_constraints();
    read_rows();
    check_totals();
    return std::move(draft_);
  }

 private:
  [[noreturn]] void fail(const std::string& where, const std::string& what) const {
    throw user_error(fmt::format("{}: {}: {}", file_, where, what));
  }

  [[nodiscard]] const Json* find(const char* member) const {
    const auto found = parsed_.root.find(member);
    return found == parsed_.root.end() || found->is_null() ? nullptr : &*found;
  }

  [[nodiscard]] const Json* find_list(const char* member) const {
    const Json* list = find(member);
    if (list != nullptr && !list->is_array())
      fail(member, fmt::format("expected a list, got {}", shown(*list)));
    return list;
  }

  [[nodiscard]] std::string text(const char* member) const {
    const Json* found = find(member);
    if (found == nullptr) return "";
    if (!found->is_string()) fail(member, fmt::format("expected a string, got {}", shown(*found)));
    return found->get<std::string>();
  }

  void read_head() {
    RecordingHead& head = draft_.head;
    head.file = file_;
    head.format = "replay";
    head.kind = "imported";
    head.name = text("name");
    if (head.name.empty()) {
      head.name = std::filesystem::path(file_).filename().string();
      for (const std::string_view ending : {".gz", ".json"})
        if (head.name.ends_with(ending)) head.name.resize(head.name.size() - ending.size());
    }
    head.kernel = text("kernel");
    head.device = text("gpu");
    head.problem = text("problem");
  }

  void read_parameters() {
    const Json& parameters = parsed_.root["parameters"];
    if (!parameters.is_object()) {
      fail("parameters",
           fmt::format("expected an object of lists of values, got {}", shown(parameters)));
    }
    if (parsed_.parameters.size() != parameters.size())
      fail("parameters", "a name is listed twice; rename one");
    if (parameters.empty()) fail("parameters", "expected one at least, got none");
    RecordingDraft::Group& group = draft_.groups.emplace_back();
    for (const std::string& name : parsed_.parameters) {
      group.axes.push_back({name, axis_values(name, parameters[name])});
    }
  }

  std::vector<Value> axis_values(const std::string& name, const Json& list) {
    const std::string where = "parameters." + name;
    if (!list.is_array() || list.empty())
      fail(where, fmt::format("expected a list of values, got {}", shown(list)));
    std::vector<Value> values;
    std::map<Value, std::uint32_t>& levels = levels_.emplace_back();
    for (const Json& json : list) {
      const std::optional<Value> value = scalar(json);
      if (!value) {
        fail(where,
             fmt::format("expected numbers, strings or booleans of 64 bits, got {}", shown(json)));
      }
      if (!levels.try_emplace(*value, static_cast<std::uint32_t>(values.size())).second)
        fail(where, fmt::format("{} is listed twice; remove one", value->to_string()));
      values.push_back(*value);
    }
    return values;
  }

  void read_constraints() {
    const Json* list = find_list("constraints");
    if (list == nullptr) return;
    draft_.constraints.emplace();
    for (std::size_t i = 0; i < list->size(); ++i) {
      const Json& one = (*list)[i];
      if (!one.is_string()) {
        fail(fmt::format("constraints[{}]", i),
             fmt::format("expected an expression as a string, got {}", shown(one)));
      }
      draft_.constraints->push_back(one.get<std::string>());
    }
  }

  // One entry for each row, or nullptr.
  [[nodiscard]] const Json* column(const char* member) const {
    const Json* list = find_list(member);
    if (list != nullptr && list->size() != parsed_.rows) {
      fail(member, fmt::format("expected {} entries, one for each row of configs, got {}",
                               parsed_.rows, list->size()));
    }
    return list;
  }

  void read_rows() {
    if (!parsed_.root["configs"].is_array()) {
      fail("configs",
           fmt::format("expected a list of rows, got {}", shown(parsed_.root["configs"])));
    }
    const std::vector<SearchSpace::Axis>& axes = draft_.groups[0].axes;
    if (parsed_.rows > 0 && parsed_.width != axes.size()) {
      fail("configs[0]", fmt::format("{} values, expected {}, one for each of parameters",
                                     parsed_.width, axes.size()));
    }
    const Json* times = column("time_ms");
    if (times == nullptr) fail("time_ms", "expected a list, got null");
    const Json* statuses = column("status");
    draft_.rows.reserve(parsed_.rows);
    for (std::size_t row = 0; row < parsed_.rows; ++row) {
      RecordedRow& recorded = draft_.rows.emplace_back();
      recorded.place.levels = levels_at(row);
      recorded.us = time_at(row, (*times)[row]);
      recorded.status = recorded.us ? Status::kOk : Status::kLaunchFailed;
      if (statuses != nullptr) check_status(row, (*statuses)[row], recorded);
    }
  }

  std::vector<std::uint32_t> levels_at(std::size_t row) const {
    std::vector<std::uint32_t> levels(parsed_.width);
    for (std::size_t i = 0; i < levels.size(); ++i) {
      const Value& value = parsed_.values[row * parsed_.width + i];
      const auto found = levels_[i].find(value);
      if (found == levels_[i].end()) throw_unlisted(row, i, value);
      levels[i] = found->second;
    }
    return levels;
  }

  [[noreturn]] void throw_unlisted(std::size_t row, std::size_t axis, const Value& value) const {
    const SearchSpace::Axis& of = draft_.groups[0].axes[axis];
    std::vector<std::string> known;
    for (const Value& listed : of.values) {
      if (known.size() == 12) {
        known.emplace_back("...");
        break;
      }
      known.push_back(Json(listed).dump());
    }
    fail(fmt::format("configs[{}]", row),
         fmt::format("{} is not a value of {}, which lists {}; list it there or correct the row",
                     Json(value).dump(), of.name, fmt::join(known, ", ")));
  }

  [[nodiscard]] std::optional<double> time_at(std::size_t row, const Json& time) const {
    if (time.is_null()) return std::nullopt;
    const double us = time.is_number() ? time.get<double>() * 1e3 : 0;
    if (!std::isfinite(us) || us <= 0) {
      fail(fmt::format("time_ms[{}]", row),
           fmt::format("got {}, expected a finite time above 0, or null where it failed",
                       shown(time)));
    }
    return us;
  }

  void check_status(std::size_t row, const Json& status, RecordedRow& recorded) const {
    const std::string where = fmt::format("status[{}]", row);
    if (status != 0 && status != 1 && status != 2) {
      fail(where, fmt::format("got {}, expected 0 (ok), 1 (compilation failed) or 2 (failed at run "
                              "time)",
                              shown(status)));
    }
    if ((status == 0) != recorded.us.has_value()) {
      fail(where, fmt::format("got {}, but time_ms[{}] is {}; what is ok has a time, and nothing "
                              "else",
                              shown(status), row, recorded.us ? "a time" : "null"));
    }
    if (status == 1) recorded.status = Status::kCompileFailed;
  }

  void check_totals() const {
    std::size_t failed = 0;
    double best_us = INFINITY;
    for (const RecordedRow& row : draft_.rows) {
      failed += !row.us;
      best_us = std::min(best_us, row.us.value_or(INFINITY));
    }
    check_total("n_configs", static_cast<double>(draft_.rows.size()));
    check_total("n_failed", static_cast<double>(failed));
    if (std::isfinite(best_us)) check_total("optimum_ms", best_us / 1e3);
  }

  void check_total(const char* member, double counted) const {
    const Json* said = find(member);
    if (said == nullptr) return;
    if (said->is_number() && std::abs(said->get<double>() - counted) <= 1e-9 * counted) return;
    fail(member, fmt::format("got {}, but the rows have {}; correct it, or leave it out",
                             shown(*said), counted));
  }

  const Parsed& parsed_;
  const std::string& file_;
  RecordingDraft draft_;
  std::vector<std::map<Value, std::uint32_t>> levels_;  // of each axis
};

}  // namespace

JsonKind kind_of_json(const std::string& text) {
  KindFinder finder;
  Json::sax_parse(text, &finder);
  return finder.kind;
}

RecordingDraft read_replay_file(const std::string& text, const std::string& file) {
  Parsed parsed;
  try {
    parsed.root = Json::parse(text, Json::parser_callback_t(RowCollector(parsed, file)));
  } catch (const Json::exception& error) {
    throw not_json(error, text, file);
  }
  if (!parsed.root.is_object())
    throw user_error(fmt::format("{}: expected an object, got {}", file, shown(parsed.root)));
  return DraftReader(parsed, file).read();
}

}  // namespace warpwright
