// Messages for the user that are not errors and belong to no result: a damaged cache entry, a
// folder that cannot be written. Each line is collected once per process. A worker sends its lines
// with its next answer to the process that started it, and run_cli prints the collected lines when
// the verb ends. May be used from any thread.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace warpwright {

// Ignores a line that this process has added before. After twenty lines, a final one says that
// there are more.
void add_notice(std::string line);

// The lines added since the last call, in order.
[[nodiscard]] std::vector<std::string> take_notices();

// Passes every new line to `receiver` at once, in the thread that adds it, instead of keeping it
// for take_notices(). For workers that may be killed before they answer. An empty function ends
// this.
void pass_notices_on(std::function<void(const std::string& line)> receiver);

// Returns the message, a map, with the collected lines as its member "notices", which is omitted if
// there are none.
[[nodiscard]] nlohmann::json with_notices(nlohmann::json message);
// Adds the lines of a message that with_notices() created.
void hear_notices(const nlohmann::json& message);

}  // namespace warpwright
