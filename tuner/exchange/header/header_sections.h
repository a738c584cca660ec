// The sections of a written header that selection_writers.cpp combines.
#pragma once

#include <string>

#include "analysis/select/selection_model.h"
#include "exchange/header/header_contract.h"
#include "exchange/header/header_style.h"
#include "exchange/header/identifiers.h"

namespace warpwright {

struct HeaderParts {
  const ContractNames& names;
  const HeaderStyle& style;
  const ContractCode& code;
};

// Structures and tables of devices, configurations, boards, fractions, files and folders, with the
// number of entries in each.
[[nodiscard]] std::string header_tables(const SelectionModel& model, const HeaderParts& parts);
// select() with the helpers that it needs to read the tables and to call ContractCode::rules().
[[nodiscard]] std::string header_choice(const HeaderStyle& style);

}  // namespace warpwright
