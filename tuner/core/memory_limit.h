// How much memory a worker process may have, so that no single trial or compilation takes the
// machine down: what is available now, the limit a process is under, and how one that ran into it
// says so. Bytes throughout. Limits bind private writable memory (RLIMIT_DATA), not address space:
// compilers and drivers reserve far more addresses than they use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace warpwright {

struct ExitStatus;

// With which a worker ends after std::bad_alloc: the memory it needs to say more may be missing.
inline constexpr int kOutOfMemoryExit = 12;

// What can be had without swapping, within the limits of every control group this process is in
// (v1 and v2); nullopt when the system does not say. `root` stands in for / in tests.
[[nodiscard]] std::optional<std::uint64_t> available_memory_bytes(
    const std::filesystem::path& root = "/");

// "off" or "0" is 0, a limit otherwise: "1500000000", "800MiB", "2G" (K, M, G, with or without iB).
// Throws Error (user); `name` is where the text came from.
[[nodiscard]] std::uint64_t parse_memory_limit(std::string_view text, std::string_view name);

// The limit that this process is under; nullopt without one.
[[nodiscard]] std::optional<std::uint64_t> own_memory_limit();
// "limit 400 MiB; WARPWRIGHT_MEMORY_LIMIT sets it" or "no limit was set: the machine's own".
[[nodiscard]] std::string describe_memory_limit(std::optional<std::uint64_t> bytes);

// The most memory this process has had resident since forget_peak_memory(); 0 when the system does
// not say.
[[nodiscard]] std::uint64_t peak_memory_bytes();
void forget_peak_memory();

// True when a process that ended so had met std::bad_alloc: by its exit code, or by what the C++
// runtime wrote when a thread of its own did.
[[nodiscard]] bool ended_out_of_memory(const ExitStatus& status, std::string_view stderr_tail);

}  // namespace warpwright
