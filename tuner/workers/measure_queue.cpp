#include "workers/measure_queue.h"

#include <algorithm>
#include <utility>

namespace warpwright {

void MeasureQueue::push(Item item) {
  Line& line = item.place.device ? named_.at(*item.place.device) : free_[item.place.turn];
  line.push_back({pushed_++, std::move(item)});
  ++size_;
}

void MeasureQueue::push_front(Item item) {
  Line& line = item.place.device ? named_.at(*item.place.device) : free_[item.place.turn];
  line.push_front({0, std::move(item)});
  ++size_;
}

void MeasureQueue::lose(std::size_t device) {
  if (lost_.at(device)) return;
  lost_[device] = true;
  --left_;
  if (const std::optional<std::uint64_t> turn = std::exchange(keeps_to_[device], std::nullopt))
    --keepers_[*turn];
}

MeasureQueue::Item MeasureQueue::take_from(Line& line, std::size_t position) {
  Item item = std::move(line[position].item);
  line.erase(line.begin() + static_cast<std::ptrdiff_t>(position));
  --size_;
  tell_best(item);
  return item;
}

void MeasureQueue::tell_best(Item& item) const {
  const auto best = best_us_.find(item.place.turn);
  const auto* trial = std::get_if<TrialToTime>(&item.request->what);
  if (best == best_us_.end() || trial == nullptr || trial->best_us == best->second) return;
  auto request = std::make_shared<MeasureRequest>(*item.request);
  std::get<TrialToTime>(request->what).best_us = best->second;
  item.request = std::move(request);
}

MeasureQueue::Lines::iterator MeasureQueue::next_line(std::size_t device) {
  constexpr std::size_t kMany = 8;
  if (reserved_[device]) return free_.find(*reserved_[device]);
  if (free_.empty() || devices() <= kMany) return free_.begin();
  std::optional<std::uint64_t>& turn = keeps_to_[device];
  if (turn) {
    if (const auto same = free_.find(*turn); same != free_.end()) return same;
    --keepers_[*turn];
  }
  // Waiting requests per device that keeps to the turn, including this one.
  const auto share = [&](const auto& line) {
    const auto keepers = keepers_.find(line.first);
    const std::size_t others = keepers == keepers_.end() ? 0 : keepers->second;
    return static_cast<double>(line.second.size()) / static_cast<double>(others + 1);
  };
  const auto next = std::max_element(free_.begin(), free_.end(),
                                     [&](auto& a, auto& b) { return share(a) < share(b); });
  turn = next->first;
  ++keepers_[*turn];
  return next;
}

std::optional<MeasureQueue::Item> MeasureQueue::take(std::size_t device) {
  if (!named_.at(device).empty()) return take_from(named_[device], 0);
  if (lost_[device] && !all_lost()) return std::nullopt;
  const auto next = next_line(device);
  if (next == free_.end()) return std::nullopt;
  Line& line = next->second;
  Item item = take_from(line, any_order_ ? random_() % line.size() : 0);
  if (line.empty()) free_.erase(next);
  return item;
}

std::vector<std::uint64_t> MeasureQueue::clear() {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> tickets;  // by number
  for (Line& line : named_) {
    for (const Numbered& one : line) tickets.emplace_back(one.number, one.item.ticket);
    line.clear();
  }
  for (const auto& [turn, line] : free_)
    for (const Numbered& one : line) tickets.emplace_back(one.number, one.item.ticket);
  free_.clear();
  size_ = 0;
  std::sort(tickets.begin(), tickets.end());
  std::vector<std::uint64_t> in_order;
  for (const auto& [number, ticket] : tickets) in_order.push_back(ticket);
  return in_order;
}

bool MeasureQueue::cancel(std::uint64_t ticket) {
  const auto drop = [&](Line& line) {
    return std::erase_if(line, [&](const Numbered& one) { return one.item.ticket == ticket; });
  };
  std::size_t dropped = 0;
  for (Line& line : named_) dropped += drop(line);
  for (auto& [turn, line] : free_) dropped += drop(line);
  std::erase_if(free_, [](const auto& entry) { return entry.second.empty(); });
  size_ -= dropped;
  return dropped > 0;
}

}  // namespace warpwright
