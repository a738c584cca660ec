// What waits for the devices of a measure pool, and which of it a device takes next: what names it,
// then what has the lowest turn. Where there are very many devices, each keeps to a turn while
// anything of it waits, and takes the one then for which most wait for each that keeps to it: a
// board's inputs are made on every device that works on it. Decides without threads and clocks, so
// that a simulation decides alike. Requests of a turn come out in the order given, or at random,
// the same each time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <vector>

#include "workers/measure_service.h"

namespace warpwright {

class MeasureQueue {
 public:
  struct Item {
    std::uint64_t ticket = 0;
    std::shared_ptr<const MeasureRequest> request;
    MeasurePlace place;
  };

  MeasureQueue(std::size_t devices, bool any_order)
      : any_order_(any_order),
        named_(devices),
        reserved_(devices),
        keeps_to_(devices),
        lost_(devices) {}

  void push(Item item);
  // Before all others of its turn.
  void push_front(Item item);
  // The best of a turn: trials of it that are taken from now on know this, whatever was known when
  // they were pushed.
  void note_best(std::uint64_t turn, double best_us) { best_us_[turn] = best_us; }
  // What the device is to run next; nullopt when nothing of what waits is for it.
  [[nodiscard]] std::optional<Item> take(std::size_t device);
  // From now on the device takes nothing but what names it, and what is of this turn.
  void reserve(std::size_t device, std::optional<std::uint64_t> turn) {
    reserved_.at(device) = turn;
  }
  // From now on the device takes what names it and nothing else, unless all are lost: whoever takes
  // that can say so.
  void lose(std::size_t device);
  [[nodiscard]] bool is_lost(std::size_t device) const { return lost_.at(device); }
  [[nodiscard]] bool all_lost() const { return left_ == 0; }
  // All tickets, in the order given.
  std::vector<std::uint64_t> clear();
  // False when it does not wait any more.
  bool cancel(std::uint64_t ticket);

  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t devices() const { return named_.size(); }

 private:
  struct Numbered {
    std::uint64_t number;  // in the order given
    Item item;
  };
  using Line = std::deque<Numbered>;
  using Lines = std::map<std::uint64_t, Line>;
  [[nodiscard]] Item take_from(Line& line, std::size_t position);
  void tell_best(Item& item) const;
  [[nodiscard]] Lines::iterator next_line(std::size_t device);

  bool any_order_;
  std::minstd_rand random_;
  std::vector<Line> named_;                             // by device
  Lines free_;                                          // by turn; none is empty
  std::vector<std::optional<std::uint64_t>> reserved_;  // by device: for this turn
  std::vector<std::optional<std::uint64_t>> keeps_to_;  // by device: which turn
  std::map<std::uint64_t, std::size_t> keepers_;        // by turn: how many
  std::map<std::uint64_t, double> best_us_;             // by turn
  std::vector<bool> lost_;                              // by device
  std::size_t left_ = lost_.size();                     // devices that are not
  std::uint64_t pushed_ = 0;
  std::size_t size_ = 0;
};

}  // namespace warpwright
