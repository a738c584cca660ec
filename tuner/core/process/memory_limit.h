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

// The exit code of a worker after std::bad_alloc: there may not be enough memory left to report
// more.
inline constexpr int kOutOfMemoryExit = 12;

// The memory that can be allocated without swapping, within the limits of every control group of
// this process (v1 and v2); nullopt if the system does not report it. `root` replaces / in tests.
[[nodiscard]] std::optional<std::uint64_t> available_memory_bytes(
    const std::filesystem::path& root = "/");

// Returns 0 for "off"; otherwise a limit, as parse_byte_count() reads it. Throws Error (user);
// `name` is the source of the text.
[[nodiscard]] std::uint64_t parse_memory_limit(std::string_view text, std::string_view name);

// The limit of this process; nullopt if there is none.
[[nodiscard]] std::optional<std::uint64_t> own_memory_limit();
// "limit 400 MiB; WARPWRIGHT_MEMORY_LIMIT sets it" or "no limit was set, only the machine's own
// applies".
[[nodiscard]] std::string describe_memory_limit(std::optional<std::uint64_t> bytes);

// The stack of the main thread on most systems.
inline constexpr std::uint64_t kUsualStackBytes = std::uint64_t{8} << 20;
// Returns true if this process and its children have less stack than that (`ulimit -s`), which
// alone may make programs crash.
[[nodiscard]] bool has_small_stack();

// The peak resident memory of this process since forget_peak_memory(); 0 if the system does not
// report it.
[[nodiscard]] std::uint64_t peak_memory_bytes();
void forget_peak_memory();

// Returns true if a process that ended this way ran out of memory (std::bad_alloc), judging by its
// exit code or, if one of its threads ran out, by the message of the C++ runtime.
[[nodiscard]] bool ended_out_of_memory(const ExitStatus& status, std::string_view stderr_tail);

}  // namespace warpwright
