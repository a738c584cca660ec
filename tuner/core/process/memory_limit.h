// Limits on the memory of worker processes, so that no single trial or compilation takes the
// machine down: what is available now, the limit that applies to a process, and how a process that
// hit it is recognised. Bytes throughout. Limits apply to private writable memory (RLIMIT_DATA),
// not address space: compilers and drivers reserve far more addresses than they use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace warpwright {

struct ExitStatus;

// The exit code of a worker after std::bad_alloc: there may be no memory left to report more.
inline constexpr int kOutOfMemoryExit = 12;

// What can be allocated without swapping, within the limits of every control group this process is
// in (v1 and v2); nullopt when the system does not say. `root` stands in for / in tests.
[[nodiscard]] std::optional<std::uint64_t> available_memory_bytes(
    const std::filesystem::path& root = "/");

// "1500000000", "800MiB", "2G" (K, M, G; B or iB may follow); nullopt for anything else.
[[nodiscard]] std::optional<std::uint64_t> parse_byte_count(std::string_view text);

// "off" is 0; otherwise a limit, as parse_byte_count() reads it. Throws Error (user); `name` is
// where the text came from.
[[nodiscard]] std::uint64_t parse_memory_limit(std::string_view text, std::string_view name);

// The limit that this process is under; nullopt without one.
[[nodiscard]] std::optional<std::uint64_t> own_memory_limit();
// "limit 400 MiB; WARPWRIGHT_MEMORY_LIMIT sets it" or "no limit was set, only the machine's own
// applies".
[[nodiscard]] std::string describe_memory_limit(std::optional<std::uint64_t> bytes);

// Of the main thread, as most systems set it.
inline constexpr std::uint64_t kUsualStackBytes = std::uint64_t{8} << 20;
// This process, and what it starts, have less (`ulimit -s`): programs may crash for that alone.
[[nodiscard]] bool has_small_stack();

// The most memory this process has had resident since forget_peak_memory(); 0 when the system does
// not say.
[[nodiscard]] std::uint64_t peak_memory_bytes();
void forget_peak_memory();

// True when a process that ended this way ran out of memory (std::bad_alloc): judged by its exit
// code or, if one of its threads did, by what the C++ runtime wrote.
[[nodiscard]] bool ended_out_of_memory(const ExitStatus& status, std::string_view stderr_tail);

}  // namespace warpwright
