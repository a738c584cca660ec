// Sections of a written header that selection_header.cpp puts together.
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

// Structures, and tables of devices, configurations, boards, fractions, files and folders, with how
// many there are of each.
[[nodiscard]] std::string header_tables(const SelectionModel& model, const HeaderParts& parts);
// select(), with everything that it needs of the tables and of ContractCode::rules().
[[nodiscard]] std::string header_choice(const HeaderStyle& style);

}  // namespace warpwright
