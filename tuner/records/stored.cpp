#include "records/stored.h"

#include <fmt/format.h>

#include <atomic>
#include <map>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/utf8.h"
#include "records/configuration.h"
#include "records/contract_remark.h"
#include "records/device_info.h"
#include "records/goal_record.h"
#include "records/kernel_resources.h"
#include "records/times.h"
#include "records/trial_measurement.h"

namespace warpwright {
namespace {

using nlohmann::json;

// Members that are unknown to a T are accepted; a document of another shape is an error.
template <class T>
T read_document(const json& document) {
  if (document.is_null()) return {};
  constexpr bool is_record = std::is_same_v<T, Headline> || std::is_same_v<T, TrialMeasurement> ||
                             std::is_same_v<T, DeviceInfo> || std::is_same_v<T, GoalRecord>;
  if (is_record && !document.is_object()) throw user_error("expected a JSON object");
  return document.get<T>();
}

// One object per entry, in an array or by name.
template <>
TrialResources read_document<TrialResources>(const json& document) {
  TrialResources all;
  if (document.is_null()) return all;
  if (!document.is_structured()) throw user_error("expected a JSON array");
  for (const auto& [name, entry] : document.items()) {
    if (!entry.is_object()) continue;
    all.push_back(entry.get<EntryResources>());
    if (document.is_object() && all.back().entry.empty()) all.back().entry = name;
  }
  return all;
}

}  // namespace

Error damaged_column(const ColumnName& name, const std::string& text) {
  const std::string_view column = name.column;
  return user_error(fmt::format("{} {}: its {} {} not JSON: {}; measure it again with --fresh",
                                name.owner, name.row, column, column.ends_with('s') ? "are" : "is",
                                whole_characters(text, 60)));
}

// This is small, because a board of thousands of trials makes many and reads few. The first reader
// publishes the value; of two at the same time, one drops its own.
template <class T>
struct Stored<T>::State {
  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { delete value.load(); }

  const T& read() const {
    if (const T* known = value.load(std::memory_order_acquire)) return *known;
    const json parsed = parse(text, name);
    std::unique_ptr<const T> made;
    try {
      made = std::make_unique<const T>(read_document<T>(parsed));
    } catch (const json::exception&) {
      throw damaged_column(name, text);
    } catch (const Error&) {
      throw damaged_column(name, text);
    }
    const T* none = nullptr;
    if (value.compare_exchange_strong(none, made.get(), std::memory_order_acq_rel))
      return *made.release();
    return *none;
  }

  std::string text;
  ColumnName name;
  ParseColumn parse = nullptr;           // null when it was made from a value
  std::unique_ptr<const json> document;  // from other programs
  mutable std::atomic<const T*> value{nullptr};
};

template <class T>
Stored<T>::Stored(T value) {
  auto state = std::make_shared<State>();
  state->text = json(value).dump();
  state->value = new const T(std::move(value));
  state_ = std::move(state);
}

template <class T>
Stored<T> Stored<T>::of(const json& document) {
  auto state = std::make_shared<State>();
  state->text = document.dump();
  state->value = new const T(read_document<T>(document));
  state->document = std::make_unique<const json>(document);
  Stored stored;
  stored.state_ = std::move(state);
  return stored;
}

template <class T>
Stored<T> Stored<T>::from_column(std::string text, const ColumnName& name, ParseColumn parse) {
  Stored stored;
  if (text.empty()) return stored;
  auto state = std::make_shared<State>();
  state->text = std::move(text);
  state->name = name;
  state->parse = parse;
  stored.state_ = std::move(state);
  return stored;
}

template <class T>
const std::string& Stored<T>::text() const {
  static const std::string none;
  return known() ? state_->text : none;
}

template <class T>
const T& Stored<T>::value() const {
  static const T none{};
  return known() ? state_->read() : none;
}

template <class T>
const T* Stored<T>::readable() const {
  if (!known()) return nullptr;
  try {
    return &value();
  } catch (const Error&) {
    return nullptr;
  }
}

template <class T>
json Stored<T>::document() const {
  if (!known()) return nullptr;
  if (state_->parse != nullptr) return state_->parse(state_->text, state_->name);
  return state_->document ? *state_->document : json(state_->read());
}

template class Stored<Problem>;  // and ParameterValues
template class Stored<TrialResources>;
template class Stored<std::map<std::string, std::uint64_t>>;
template class Stored<std::vector<OutputError>>;
template class Stored<std::vector<ContractRemark>>;
template class Stored<TrialMeasurement>;
template class Stored<std::vector<std::string>>;
template class Stored<Headline>;
template class Stored<DeviceInfo>;
template class Stored<GoalRecord>;

}  // namespace warpwright
