// What a user should hear that is not an error and belongs to no result: an entry of a cache that
// was damaged, a folder that cannot be written. Lines gather in the process, each once. Those of a
// worker go with its next answer to the process that asked, and run_cli prints what has gathered
// there when the verb ends. May be used from any thread.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace warpwright {

// A line that this process has had before is ignored. After twenty one says that there are more.
void add_notice(std::string line);

// What has gathered since the last call, in the order in which it came.
[[nodiscard]] std::vector<std::string> take_notices();

// Gives every new line to `receiver` at once, in the thread that adds it, instead of keeping it for
// take_notices(). For workers that may be killed before they answer. An empty function ends this.
void pass_notices_on(std::function<void(const std::string& line)> receiver);

// The message, a map, with what has gathered as its member "notices"; without one where there is
// nothing.
[[nodiscard]] nlohmann::json with_notices(nlohmann::json message);
// Adds those of a message that with_notices() made.
void hear_notices(const nlohmann::json& message);

}  // namespace warpwright
