// The state cache and the cost limits of the two solvers. The cache is a hash map from 64-bit
// keys to diagram nodes: open addressing, no removal, 16 bytes per entry. Internal to space.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "space/diagram.h"

namespace warpwright {

class StateCache {
 public:
  // Returns nullptr if the key is absent; valid until the next insert().
  [[nodiscard]] const Diagram::Node* find(std::uint64_t key) const {
    if (entries_.empty()) return nullptr;
    for (std::size_t i = place(key);; i = (i + 1) & (entries_.size() - 1)) {
      if (!entries_[i].used) return nullptr;
      if (entries_[i].key == key) return &entries_[i].node;
    }
  }

  // Precondition: the key is absent.
  void insert(std::uint64_t key, Diagram::Node node) {
    if (2 * (size_ + 1) > entries_.size()) grow();
    put({key, node, true});
    ++size_;
  }

  [[nodiscard]] std::size_t bytes() const { return entries_.capacity() * sizeof(Entry); }

 private:
  struct Entry {
    std::uint64_t key = 0;
    Diagram::Node node = Diagram::kNone;
    bool used = false;
  };

  [[nodiscard]] std::size_t place(std::uint64_t key) const {
    key = (key ^ (key >> 31)) * 0x9e3779b97f4a7c15ULL;
    return (key ^ (key >> 32)) & (entries_.size() - 1);
  }

  void put(const Entry& entry) {
    std::size_t i = place(entry.key);
    while (entries_[i].used) i = (i + 1) & (entries_.size() - 1);
    entries_[i] = entry;
  }

  void grow() {
    std::vector<Entry> old(entries_.empty() ? 64 : 2 * entries_.size());
    old.swap(entries_);
    for (const Entry& entry : old) {
      if (entry.used) put(entry);
    }
  }

  std::vector<Entry> entries_;
  std::size_t size_ = 0;
};

inline constexpr std::size_t kDefaultSolverBytes = std::size_t{1} << 30;
// Two to ten minutes on one core; a larger space needs better constraints, not more time.
inline constexpr std::uint64_t kMaxSolverSteps = 4'000'000'000;
inline constexpr std::uint64_t kResourceCheck = 4096;  // values between two checks of the limits

inline constexpr std::uint32_t kBoundsTrial = 512;  // tries before a bound is judged
inline constexpr std::uint32_t kBoundsYield = 32;   // a bound is kept if one in this many prunes

// Throws Error (user) if either limit is exceeded; the message names the parameter being tried.
void require_solver_resources(std::size_t bytes, std::size_t max_bytes, std::uint64_t steps,
                              const std::string& parameter);

}  // namespace warpwright
