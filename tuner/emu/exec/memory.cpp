#include "emu/exec/memory.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>

#include "core/error.h"

namespace warpwright::emu {
namespace {

constexpr std::uint64_t kAddressAlignment = 256;

std::size_t host_memory_bytes() {
  return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::size_t>(sysconf(_SC_PAGE_SIZE));
}

void unmap(Allocation& allocation) {
  if (allocation.host != nullptr) munmap(allocation.host, allocation.mapped);
  if (allocation.touched != nullptr) munmap(allocation.touched, allocation.touched_bytes);
  allocation.host = nullptr;
}

}  // namespace

GlobalMemory::Impl::~Impl() {
  for (auto& [address, allocation] : allocations) unmap(*allocation);
}

const Allocation* GlobalMemory::Impl::find(std::uint64_t address, std::size_t length) const {
  auto after = allocations.upper_bound(address);
  if (after == allocations.begin()) return nullptr;
  const Allocation& candidate = *std::prev(after)->second;
  return candidate.contains(address, length) ? &candidate : nullptr;
}

const Allocation* GlobalMemory::Impl::nearest(std::uint64_t address) const {
  const auto after = allocations.upper_bound(address);
  const Allocation* next = after == allocations.end() ? nullptr : after->second.get();
  if (after == allocations.begin()) return next;
  const Allocation* previous = std::prev(after)->second.get();
  const std::uint64_t end = previous->address + previous->bytes;
  if (next == nullptr || address < end || address - end <= next->address - address) return previous;
  return next;
}

const Allocation& GlobalMemory::Impl::allocate(std::size_t bytes, std::string label) {
  // Pages are committed on first access; only a request that can never fit is refused here.
  const std::size_t mapped = (std::max<std::size_t>(bytes, 1) + 4095) / 4096 * 4096;
  if (bytes_in_use + mapped > host_memory_bytes()) {
    throw environment_error(fmt::format(
        "the host does not have enough memory for buffer '{}': {} bytes requested, {} bytes in "
        "use, {} bytes installed",
        label, bytes, bytes_in_use, host_memory_bytes()));
  }
  const auto map = [&](std::size_t size) {
    void* host = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (host != MAP_FAILED) return host;
    throw environment_error(
        fmt::format("cannot map {} bytes of host memory for buffer '{}'", bytes, label));
  };
  auto allocation = std::make_unique<Allocation>();
  allocation->address = next_address;
  allocation->bytes = bytes;
  allocation->host = static_cast<std::byte*>(map(mapped));
  allocation->mapped = mapped;
  allocation->touched_bytes = (mapped / kSectorBytes / 8 + 4095) / 4096 * 4096;
  // Fresh anonymous pages are zero, which is the state of a lock-free atomic that is zero.
  allocation->touched = static_cast<std::atomic<std::uint64_t>*>(map(allocation->touched_bytes));
  allocation->label = std::move(label);
  const std::uint64_t span =
      (bytes + kAddressAlignment - 1) / kAddressAlignment * kAddressAlignment;
  next_address += span + kGuardBytes;
  bytes_in_use += bytes;
  const Allocation& result = *allocation;
  allocations.emplace(allocation->address, std::move(allocation));
  return result;
}

std::uint64_t GlobalMemory::Impl::touched_bytes(double factor) const {
  std::uint64_t sum = 0;
  for (const auto& [address, allocation] : allocations) {
    const std::size_t sectors = (allocation->bytes + kSectorBytes - 1) / kSectorBytes;
    std::uint64_t touched = 0;
    for (std::size_t word = 0; word < (sectors + 63) / 64; ++word)
      touched += static_cast<std::uint64_t>(
          std::popcount(allocation->touched[word].load(std::memory_order_relaxed)));
    const double grown =
        std::min(static_cast<double>(touched) * factor, static_cast<double>(sectors));
    sum += static_cast<std::uint64_t>(grown) * kSectorBytes;
  }
  return sum;
}

void GlobalMemory::Impl::forget_touched() {
  // Releasing pages costs a system call and later page faults, so only large ranges are released.
  constexpr std::size_t kCheaperToClear = 64 << 10;
  for (auto& [address, allocation] : allocations) {
    if (allocation->was_accessed()) allocation->note_access();
    const std::size_t words = allocation->touched_words();
    if (words * sizeof(std::uint64_t) <= kCheaperToClear) {
      for (std::size_t word = 0; word < words; ++word)
        allocation->touched[word].store(0, std::memory_order_relaxed);
    } else {
      madvise(allocation->touched, allocation->touched_bytes, MADV_DONTNEED);
    }
  }
}

void GlobalMemory::Impl::forget_accesses() {
  forget_touched();
  for (auto& [address, allocation] : allocations) allocation->accessed = false;
  given.clear();
}

bool ByteMarks::any(std::uint64_t address, std::size_t length) const {
  return count(address, length).has_value();
}

std::optional<GlobalMemory::Unwritten> ByteMarks::count(std::uint64_t address,
                                                        std::size_t length) const {
  const auto after = bytes_.upper_bound(address);
  if (after == bytes_.begin()) return std::nullopt;
  const std::uint64_t start = std::prev(after)->first;
  const std::vector<bool>& bytes = std::prev(after)->second;
  const std::uint64_t begin = std::min<std::uint64_t>(address - start, bytes.size());
  const std::uint64_t end = begin + std::min<std::uint64_t>(length, bytes.size() - begin);
  const auto at = [&bytes](std::uint64_t i) {
    return bytes.begin() + static_cast<std::ptrdiff_t>(i);
  };
  const auto first = std::find(at(begin), at(end), true);
  if (first == at(end)) return std::nullopt;
  return GlobalMemory::Unwritten{static_cast<std::size_t>(first - at(begin)),
                                 static_cast<std::size_t>(std::count(first, at(end), true))};
}

void ByteMarks::set(const Allocation& allocation, std::size_t offset, std::size_t length) {
  std::vector<bool>& bytes = bytes_[allocation.address];
  bytes.resize(allocation.bytes, false);
  const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(offset);
  std::fill(first, first + static_cast<std::ptrdiff_t>(length), true);
}

void ByteMarks::clear(std::uint64_t address, std::size_t length) {
  const auto after = bytes_.upper_bound(address);
  if (after == bytes_.begin()) return;
  auto& [start, bytes] = *std::prev(after);
  for (std::uint64_t at = address - start; at < address - start + length && at < bytes.size(); ++at)
    bytes[at] = false;
}

void GlobalMemory::forget(std::uint64_t address, std::size_t bytes) {
  (void)host_view(address, bytes);
  const Allocation& allocation = *impl_->find(address, bytes);
  impl_->undefined.set(allocation, address - allocation.address, bytes);
}

void GlobalMemory::define(std::uint64_t address, std::size_t bytes) {
  impl_->define(address, bytes);
}

std::optional<GlobalMemory::Unwritten> GlobalMemory::unwritten(std::uint64_t address,
                                                               std::size_t bytes) const {
  return impl_->undefined.count(address, bytes);
}

bool GlobalMemory::accessed(std::uint64_t address) const {
  const Allocation* allocation = impl_->find(address, 0);
  if (allocation == nullptr) return false;
  return allocation->was_accessed() ||
         std::any_of(impl_->given.begin(), impl_->given.end(), [&](const auto& one) {
           return one.array == allocation->address && impl_->find(one.variable, 0)->was_accessed();
         });
}

GlobalMemory::GlobalMemory() : impl_(std::make_unique<Impl>()) {}
GlobalMemory::~GlobalMemory() = default;

std::uint64_t GlobalMemory::allocate(std::size_t bytes, std::string label) {
  return impl_->allocate(bytes, std::move(label)).address;
}

void GlobalMemory::release(std::uint64_t address) {
  const auto found = impl_->allocations.find(address);
  if (found == impl_->allocations.end()) {
    throw Error(
        Fault::kInternal,
        fmt::format("release of device address {:#x}, which is not a live allocation", address));
  }
  Allocation& allocation = *found->second;
  impl_->bytes_in_use -= allocation.bytes;
  impl_->released[address] = {allocation.bytes, allocation.label};
  unmap(allocation);
  impl_->undefined.forget_allocation(address);
  impl_->kept.forget_allocation(address);
  impl_->allocations.erase(found);
}

std::byte* GlobalMemory::host_view(std::uint64_t address, std::size_t bytes) {
  const Allocation* allocation = impl_->find(address, bytes);
  if (allocation == nullptr) {
    throw Error(
        Fault::kInternal,
        fmt::format("host view of {} bytes at device address {:#x} is not inside one allocation",
                    bytes, address));
  }
  return allocation->host + (address - allocation->address);
}

std::size_t GlobalMemory::bytes_in_use() const { return impl_->bytes_in_use; }

}  // namespace warpwright::emu
