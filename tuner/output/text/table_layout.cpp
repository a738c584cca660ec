#include "output/text/table_layout.h"

#include <algorithm>

namespace warpwright {
namespace {

using Narrow = Table::Narrow;

constexpr std::size_t kShortColumn = 8;
constexpr std::size_t kLeastColumn = 4;  // a letter or two, the gap, and another

class Fitting {
 public:
  Fitting(const std::vector<Table::Column>& columns, const std::vector<ColumnNeed>& needs,
          std::size_t room)
      : columns_(columns), room_(room) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      layout_.shown.push_back(i);
      wanted_.push_back(std::max(needs[i].title, needs[i].cells));
      layout_.widths.push_back(may_narrow(i) ? std::min(wanted_[i], columns[i].least) : wanted_[i]);
    }
    while (total() > room_ && leave_one_out()) {
    }
    while (total() > room_ && narrow_widest(kShortColumn)) {
    }
    for (const std::size_t i : layout_.shown) {
      if (total() <= room_) break;
      if (!may_narrow(i)) wanted_[i] = layout_.widths[i] = needs[i].cells;
    }
    while (total() > room_ && narrow_widest(kLeastColumn)) {
    }
    while (total() < room_ && widen_narrowest()) {
    }
  }
  [[nodiscard]] TableLayout take() { return std::move(layout_); }

 private:
  [[nodiscard]] bool may_narrow(std::size_t i) const { return columns_[i].narrow != Narrow::kKeep; }
  [[nodiscard]] std::size_t total() const {
    std::size_t total = layout_.shown.empty() ? 0 : kColumnGap * (layout_.shown.size() - 1);
    for (const std::size_t i : layout_.shown) total += layout_.widths[i];
    return total;
  }
  // Leaves out the last of the columns with the highest `drop`.
  bool leave_one_out() {
    auto least = layout_.shown.end();
    for (auto it = layout_.shown.begin(); it != layout_.shown.end(); ++it) {
      const int drop = columns_[*it].drop;
      if (drop > 0 && (least == layout_.shown.end() || drop >= columns_[*least].drop)) least = it;
    }
    if (least == layout_.shown.end()) return false;
    layout_.shown.erase(least);
    return true;
  }
  bool narrow_widest(std::size_t least) {
    std::size_t* widest = nullptr;
    for (const std::size_t i : layout_.shown)
      if (may_narrow(i) && layout_.widths[i] > least &&
          (widest == nullptr || layout_.widths[i] > *widest))
        widest = &layout_.widths[i];
    if (widest != nullptr) --*widest;
    return widest != nullptr;
  }
  bool widen_narrowest() {
    std::size_t* narrowest = nullptr;
    for (const std::size_t i : layout_.shown)
      if (layout_.widths[i] < wanted_[i] &&
          (narrowest == nullptr || layout_.widths[i] < *narrowest))
        narrowest = &layout_.widths[i];
    if (narrowest != nullptr) ++*narrowest;
    return narrowest != nullptr;
  }

  const std::vector<Table::Column>& columns_;
  std::size_t room_;
  std::vector<std::size_t> wanted_;
  TableLayout layout_;
};

}  // namespace

TableLayout lay_out(const std::vector<Table::Column>& columns, const std::vector<ColumnNeed>& needs,
                    std::size_t room) {
  TableLayout natural;
  std::size_t total = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    natural.shown.push_back(i);
    natural.widths.push_back(std::max(needs[i].title, needs[i].cells));
    total += natural.widths[i] + (i > 0 ? kColumnGap : 0);
  }
  return room == 0 || total <= room ? natural : Fitting(columns, needs, room).take();
}

}  // namespace warpwright
