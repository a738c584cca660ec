// Keeps a thread, and the threads that it starts, from files that it has no business with. A second
// line of defence behind FileBounds: whatever a compiler makes of a source of a stranger, it can
// open nothing else.
#pragma once

#include <filesystem>
#include <vector>

namespace warpwright {

// From now on this thread reads only what lies below `readable` (files or folders; those that do
// not exist are left out), and creates, changes and removes nothing. Files that are already open
// stay open. Needs Linux 5.13 or later with Landlock (landlock(7)); false, and nothing changes,
// where the system has none.
[[nodiscard]] bool confine_thread(const std::vector<std::filesystem::path>& readable);

// True if confine_thread() works here.
[[nodiscard]] bool can_confine_threads();

}  // namespace warpwright
