// Rows of a table and of positions, added up in double precision. One unit is one token.
#include "reference.h"

extern "C" int ww_reference(const ww_call* call) {
  const ww_tensor* ids = ww::find_tensor(call, "ids");
  const ww_tensor* places = ww::find_tensor(call, "places");
  const ww_tensor* table = ww::find_tensor(call, "table");
  const ww_tensor* positions = ww::find_tensor(call, "positions");
  double* const out = ww::find_output(call, "out");
  const int64_t d = ww::size(call, "d");

  // A row that the table does not have is one of zeros.
  const auto element = [&](const ww_tensor* rows, double number, int64_t column) {
    const bool exists = number >= 0 && number < static_cast<double>(rows->shape[0]);
    return exists ? ww::load(rows, static_cast<int64_t>(number) * d + column) : 0.0;
  };
  for (int64_t u = 0; u < call->unit_count; ++u) {
    const double id = ww::load(ids, call->units[u]), place = ww::load(places, call->units[u]);
    for (int64_t column = 0; column < d; ++column)
      out[u * d + column] = element(table, id, column) + element(positions, place, column);
  }
  return 0;
}
