// Sections of the written headers that selection_header.cpp puts together.
#pragma once

#include <string>

#include "analysis/select/selection_model.h"
#include "exchange/header/header_contract.h"
#include "exchange/header/header_dialect.h"
#include "exchange/header/identifiers.h"

namespace warpwright {

struct HeaderParts {
  const ContractNames& names;
  const HeaderDialect& dialect;
  const ContractCode& code;
};

// Enumerations and structures, except those that defines() and launch() return.
[[nodiscard]] std::string header_types(const HeaderParts& parts);
[[nodiscard]] std::string header_build_types(const HeaderParts& parts);
// Devices, configurations, boards and fractions, with how many there are of each.
[[nodiscard]] std::string header_tables(const SelectionModel& model, const HeaderParts& parts);

}  // namespace warpwright
