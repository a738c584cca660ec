#include "emu/exec/memory.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

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
  // Pages are committed when first touched; only a request that can never fit is refused here.
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
  // Giving pages back costs a system call and a fault for each: only what is large is worth them.
  constexpr std::size_t kCheaperToClear = 64 << 10;
  for (auto& [address, allocation] : allocations) {
    const std::size_t words = (allocation->bytes + kSectorBytes * 64 - 1) / (kSectorBytes * 64);
    if (words * sizeof(std::uint64_t) <= kCheaperToClear) {
      for (std::size_t word = 0; word < words; ++word)
        allocation->touched[word].store(0, std::memory_order_relaxed);
    } else {
      madvise(allocation->touched, allocation->touched_bytes, MADV_DONTNEED);
    }
  }
}

bool GlobalMemory::Impl::is_undefined(std::uint64_t address, std::size_t length) const {
  const auto after = undefined.upper_bound(address);
  if (after == undefined.begin()) return false;
  const auto& [start, bytes] = *std::prev(after);
  for (std::uint64_t at = address - start; at < address - start + length && at < bytes.size();
       ++at) {
    if (bytes[at]) return true;
  }
  return false;
}

void GlobalMemory::Impl::define(std::uint64_t address, std::size_t length) {
  const auto after = undefined.upper_bound(address);
  if (after == undefined.begin()) return;
  auto& [start, bytes] = *std::prev(after);
  for (std::uint64_t at = address - start; at < address - start + length && at < bytes.size(); ++at)
    bytes[at] = false;
}

void GlobalMemory::forget(std::uint64_t address, std::size_t bytes) {
  (void)host_view(address, bytes);
  const Allocation& allocation = *impl_->find(address, bytes);
  std::vector<bool>& undefined = impl_->undefined[allocation.address];
  undefined.resize(allocation.bytes, false);
  const auto first = undefined.begin() + static_cast<std::ptrdiff_t>(address - allocation.address);
  std::fill(first, first + static_cast<std::ptrdiff_t>(bytes), true);
}

void GlobalMemory::define(std::uint64_t address, std::size_t bytes) {
  if (impl_->has_undefined()) impl_->define(address, bytes);
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
        fmt::format("release of device address {:#x}, which is no live allocation", address));
  }
  Allocation& allocation = *found->second;
  impl_->bytes_in_use -= allocation.bytes;
  impl_->released[address] = {allocation.bytes, allocation.label};
  unmap(allocation);
  impl_->undefined.erase(address);
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
