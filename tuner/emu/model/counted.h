// A shared pointer for a single thread: the checkers copy one for every lane and every flag,
// without the cost of atomic operations. The reference count is stored in the object.
#pragma once

#include <cstdint>
#include <utility>

namespace warpwright::emu {

// The base of objects with a reference count. The count of a copy starts at 0.
class IsCounted {
 public:
  IsCounted() = default;
  IsCounted(const IsCounted&) {}
  IsCounted& operator=(const IsCounted&) { return *this; }

 private:
  template <class T>
  friend class Counted;
  mutable std::uint32_t uses_ = 0;
};

template <class T>
class Counted {
 public:
  Counted() = default;
  Counted(std::nullptr_t) {}
  Counted(const Counted& other) : to_(other.to_) { take(); }
  Counted(Counted&& other) noexcept : to_(std::exchange(other.to_, nullptr)) {}
  // Converts from a pointer to a mutable value.
  template <class Other>
  Counted(const Counted<Other>& other) : to_(other.get()) {
    take();
  }
  Counted& operator=(Counted other) noexcept {
    std::swap(to_, other.to_);
    return *this;
  }
  ~Counted() {
    if (to_ != nullptr && --to_->uses_ == 0) delete to_;
  }
  template <class... Arguments>
  [[nodiscard]] static Counted make(Arguments&&... arguments) {
    Counted made;
    made.to_ = new T(std::forward<Arguments>(arguments)...);
    made.take();
    return made;
  }

  [[nodiscard]] T* get() const { return to_; }
  T& operator*() const { return *to_; }
  T* operator->() const { return to_; }
  [[nodiscard]] bool is_shared() const { return to_ != nullptr && to_->uses_ > 1; }
  bool operator==(const Counted& other) const { return to_ == other.to_; }
  bool operator==(std::nullptr_t) const { return to_ == nullptr; }

 private:
  void take() {
    if (to_ != nullptr) ++to_->uses_;
  }
  T* to_ = nullptr;
};

}  // namespace warpwright::emu
