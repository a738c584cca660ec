// The constants of a function. Each is a row that is filled once per frame; equal constants share a
// row.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "emu/lanes/lane_table.h"
#include "emu/program/program.h"

namespace warpwright::emu {

class ConstantPool {
 public:
  // Returns the row of these bits, plus the address of `symbol` if it is not empty.
  [[nodiscard]] std::uint32_t row(std::uint64_t bits, Shape shape, std::string symbol) {
    const bool wide = shape == Shape::kWide;
    if (!wide) bits &= 0xffffffffu;
    const auto [found, added] = index_.try_emplace({bits, wide, symbol}, rows_);
    if (added) {
      constants_.push_back({bits, wide, rows_, std::move(symbol)});
      rows_ += wide ? 2 : 1;
    }
    return found->second;
  }

  [[nodiscard]] std::uint32_t rows() const { return rows_; }
  [[nodiscard]] std::vector<ConstantRow> take() { return std::move(constants_); }

 private:
  std::vector<ConstantRow> constants_;
  std::map<std::tuple<std::uint64_t, bool, std::string>, std::uint32_t> index_;
  std::uint32_t rows_ = 0;
};

}  // namespace warpwright::emu
