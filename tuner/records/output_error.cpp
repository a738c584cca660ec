#include "records/output_error.h"

#include <cmath>
#include <limits>

#include "records/codec.h"

namespace warpwright {
namespace {

using nlohmann::json;

// JSON has no infinity; null stands for it.
json number(double value) { return std::isfinite(value) ? json(value) : json(nullptr); }

double number(const json& from, const char* name) {
  const auto found = from.find(name);
  if (found == from.end()) return 0;
  return found->is_number() ? found->get<double>() : std::numeric_limits<double>::infinity();
}

}  // namespace

void to_json(json& to, const OutputError& error) {
  to = {{"output", error.output},
        {"checked", error.checked},
        {"wrong", error.wrong},
        {"max_abs", number(error.max_abs)},
        {"max_rel", number(error.max_rel)},
        {"worst_ratio", number(error.worst_ratio)}};
}

void from_json(const json& from, OutputError& error) {
  read_member(from, "output", error.output);
  read_member(from, "checked", error.checked);
  read_member(from, "wrong", error.wrong);
  error.max_abs = number(from, "max_abs");
  error.max_rel = number(from, "max_rel");
  error.worst_ratio = number(from, "worst_ratio");
}

}  // namespace warpwright
