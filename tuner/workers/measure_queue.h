// The requests that wait for the devices of a measure pool. A device first takes requests that name
// it, then those of the lowest turn. With very many devices, each device keeps to a turn while any
// of its requests wait, and then takes the turn with the most waiting requests per device that
// keeps to it, because every device that works on a board makes the board's inputs. Decides without
// threads and clocks, so that a simulation decides in the same way. The requests of a turn come out
// in the order given, or at random, the same each time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <vector>

#include "workers/measure_pool.h"

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
  // Inserts the item before all others of its turn.
  void push_front(Item item);
  // Sets the best time of a turn: trials of the turn that are taken from now on carry it, in place
  // of the best time at which they were pushed.
  void note_best(std::uint64_t turn, double best_us) { best_us_[turn] = best_us; }
  // Returns the next request for the device; nullopt when none of the waiting requests is for it.
  [[nodiscard]] std::optional<Item> take(std::size_t device);
  // From now on the device takes only requests that name it and requests of this turn.
  void reserve(std::size_t device, std::optional<std::uint64_t> turn) {
    reserved_.at(device) = turn;
  }
  // From now on the device takes only requests that name it, unless all devices are lost: then the
  // caller that takes a request can report the loss.
  void lose(std::size_t device);
  [[nodiscard]] bool is_lost(std::size_t device) const { return lost_.at(device); }
  [[nodiscard]] bool all_lost() const { return left_ == 0; }
  // Removes all requests and returns their tickets in the order given.
  std::vector<std::uint64_t> clear();
  // Returns false when the request no longer waits.
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
  Lines free_;                                          // by turn; no line is empty
  std::vector<std::optional<std::uint64_t>> reserved_;  // by device: for this turn
  std::vector<std::optional<std::uint64_t>> keeps_to_;  // by device: which turn
  std::map<std::uint64_t, std::size_t> keepers_;        // by turn: how many devices
  std::map<std::uint64_t, double> best_us_;             // by turn
  std::vector<bool> lost_;                              // by device
  std::size_t left_ = lost_.size();                     // devices that are not lost
  std::uint64_t pushed_ = 0;
  std::size_t size_ = 0;
};

}  // namespace warpwright
