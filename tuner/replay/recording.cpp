#include "replay/recording.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/words.h"

namespace warpwright {
namespace {

using Index = std::uint64_t;

struct PlacedRow {
  Index index = 0;
  std::size_t row = 0;
};

Error draft_error(const RecordingDraft& draft, const std::string& what) {
  return user_error(fmt::format("{}: {}", draft.head.file, what));
}

const Value& value_of(const RecordingDraft& draft, const SearchSpace::Place& place,
                      std::size_t axis) {
  return draft.groups[place.group].axes[axis].values[place.levels[axis]];
}

std::string row_text(const RecordingDraft& draft, const SearchSpace::Place& place) {
  const RecordingDraft::Group& group = draft.groups[place.group];
  Configuration configuration{group.variant, {}};
  for (std::size_t i = 0; i < group.axes.size(); ++i)
    configuration.values[group.axes[i].name] = value_of(draft, place, i);
  return configuration.to_string();
}

void check_size(const RecordingDraft& draft) {
  const std::size_t count = draft.rows.size();
  if (count == 0) throw draft_error(draft, "it lists no configuration; there is nothing to replay");
  if (count > kMaxRecordedRows) {
    throw draft_error(draft, fmt::format("it lists {} configurations, expected at most {}", count,
                                         kMaxRecordedRows));
  }
}

// Call this before a space is made of the rows.
void check_different(const RecordingDraft& draft) {
  const auto& rows = draft.rows;
  std::vector<std::size_t> order(rows.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const SearchSpace::Place &x = rows[a].place, &y = rows[b].place;
    if (x.group != y.group) return x.group < y.group;
    return x.levels != y.levels ? x.levels < y.levels : a < b;
  });
  const auto twice = std::adjacent_find(
      order.begin(), order.end(), [&](auto a, auto b) { return rows[a].place == rows[b].place; });
  if (twice == order.end()) return;
  throw draft_error(draft, fmt::format("{} is the same configuration as {}, {}; list each once",
                                       draft.row_name(twice[1]), draft.row_name(twice[0]),
                                       row_text(draft, rows[twice[0]].place)));
}

SpaceDefinition unconstrained(const RecordingDraft& draft) {
  SpaceDefinition definition;
  for (const RecordingDraft::Group& group : draft.groups)
    definition.groups.push_back({group.variant, group.axes, {}, {}});
  return definition;
}

bool is_product(const RecordingDraft& draft) {
  double product = 0;
  for (const RecordingDraft::Group& group : draft.groups) {
    double combinations = 1;
    for (const SearchSpace::Axis& axis : group.axes)
      combinations *= static_cast<double>(axis.values.size());
    product += combinations;
  }
  return product == static_cast<double>(draft.rows.size());
}

std::unique_ptr<SearchSpace> space_of_rows(const RecordingDraft& draft) {
  SpaceDefinition definition = unconstrained(draft);
  // The rows are the whole product, so no list is needed.
  if (is_product(draft)) return solve_space(definition);
  for (const RecordedRow& row : draft.rows) {
    SpaceDefinition::Group& group = definition.groups[row.place.group];
    std::map<std::string, Value>& values = group.rows.emplace_back();
    for (std::size_t i = 0; i < group.axes.size(); ++i)
      values[group.axes[i].name] = value_of(draft, row.place, i);
  }
  return solve_space(definition);
}

// Returns nullptr if core/expr does not understand the constraints.
std::unique_ptr<SearchSpace> space_of_constraints(RecordingDraft& draft) {
  SpaceDefinition definition = unconstrained(draft);
  for (const std::string& text : *draft.constraints) {
    try {
      const Expr expr = Expr::parse(text);
      for (SpaceDefinition::Group& group : definition.groups)
        group.constraints.push_back({expr, ""});
    } catch (const Error& error) {
      draft.head.notes.push_back(
          fmt::format("the constraint `{}` is not understood ({}): the {} "
                      "configurations listed are the space",
                      text, first_line(error.message()), draft.rows.size()));
      return nullptr;
    }
  }
  try {
    return solve_space(definition, /*allow_empty=*/true);
  } catch (const Error& error) {
    if (error.fault() != Fault::kUser) throw;
    draft.head.notes.push_back(
        fmt::format("the constraints cannot be solved ({}): the {} "
                    "configurations listed are the space",
                    first_line(error.message()), draft.rows.size()));
    return nullptr;
  }
}

// A constraint that cannot be evaluated for a row that another one rejects is not an error.
bool surely_breaks(const Expr& constraint, const Environment& values) {
  try {
    return !constraint.evaluate_bool(values);
  } catch (const Error&) {
    return false;
  }
}

[[noreturn]] void throw_rejected(const RecordingDraft& draft, std::size_t row) {
  const SearchSpace::Place& place = draft.rows[row].place;
  const RecordingDraft::Group& group = draft.groups[place.group];
  Environment values;
  for (std::size_t i = 0; i < group.axes.size(); ++i)
    values.set(group.axes[i].name, value_of(draft, place, i));
  for (const std::string& text : *draft.constraints) {
    if (!surely_breaks(Expr::parse(text), values)) continue;
    throw draft_error(draft, fmt::format("{}, {}, breaks the constraint `{}`; a recording lists "
                                         "what its constraints accept, and nothing else",
                                         draft.row_name(row), row_text(draft, place), text));
  }
  check_failed("a constraint rejects the row", __FILE__, __LINE__,
               "a row that no constraint rejects");
}

std::vector<PlacedRow> placed_rows(const RecordingDraft& draft, const SearchSpace& space) {
  std::vector<PlacedRow> placed;
  placed.reserve(draft.rows.size());
  for (std::size_t row = 0; row < draft.rows.size(); ++row) {
    const std::optional<Index> index = space.index_of(draft.rows[row].place);
    if (!index) throw_rejected(draft, row);
    placed.push_back({*index, row});
  }
  std::sort(placed.begin(), placed.end(),
            [](const PlacedRow& a, const PlacedRow& b) { return a.index < b.index; });
  return placed;
}

void check_complete(const RecordingDraft& draft, const SearchSpace& space,
                    const std::vector<PlacedRow>& placed) {
  if (space.count() == placed.size()) return;
  Index missing = 0;
  while (missing < placed.size() && placed[missing].index == missing) ++missing;
  throw draft_error(
      draft, fmt::format("it lists {} of the {} configurations that its constraints accept; {} is "
                         "missing: a recording must be complete, because a search may ask for any "
                         "of them",
                         placed.size(), space.count(), space.at(missing).to_string()));
}

void fill(const RecordingDraft& draft, const std::vector<PlacedRow>& placed, Recording& recording) {
  for (const PlacedRow& one : placed) {
    const RecordedRow& row = draft.rows[one.row];
    recording.us.push_back(row.us.value_or(0));
    recording.status.push_back(row.status);
    recording.at_least_us.push_back(row.at_least_us.value_or(0));
    if (!row.us) continue;
    ++recording.succeeded;
    if (recording.best_us == 0 || *row.us < recording.best_us) recording.best_us = *row.us;
  }
}

}  // namespace

std::string RecordingDraft::row_name(std::size_t row) const {
  const auto number = numbers.empty() ? static_cast<std::int64_t>(row) : numbers[row];
  return fmt::format("{}{}{}", row_before, number, row_after);
}

std::size_t Recording::with_status(Status wanted) const {
  return static_cast<std::size_t>(std::count(status.begin(), status.end(), wanted));
}

std::vector<double> Recording::times() const {
  std::vector<double> all;
  std::copy_if(us.begin(), us.end(), std::back_inserter(all), [](double time) { return time > 0; });
  return all;
}

std::vector<Value> Recording::values_at(std::uint64_t index) const {
  const SearchSpace::Place place = space->place_at(index);
  const std::vector<std::string> variants = space->variants();
  std::vector<Value> values;
  if (variants.size() > 1) values.emplace_back(variants[place.group]);
  const std::vector<SearchSpace::Axis> axes = space->axes(variants[place.group]);
  for (std::size_t i = 0; i < axes.size(); ++i) values.push_back(axes[i].values[place.levels[i]]);
  return values;
}

Recording make_recording(RecordingDraft draft) {
  check_size(draft);
  check_different(draft);
  Recording recording;
  if (draft.constraints) recording.space = space_of_constraints(draft);
  if (!recording.space) recording.space = space_of_rows(draft);
  const std::vector<PlacedRow> placed = placed_rows(draft, *recording.space);
  check_complete(draft, *recording.space, placed);
  fill(draft, placed, recording);
  if (recording.succeeded == 0) {
    throw draft_error(draft, fmt::format("none of the {} configurations of {} has a time; there is "
                                         "nothing to find",
                                         draft.rows.size(), draft.head.name));
  }
  recording.head = std::move(draft.head);
  return recording;
}

}  // namespace warpwright
