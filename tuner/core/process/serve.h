// The worker's side of a conversation: the one loop that receives messages and answers them, and
// the one form in which a worker reports an error.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "core/error.h"
#include "core/process/subprocess.h"

namespace warpwright {

// {"error": {"fault": "user"|"environment"|"internal", "message": "..."}}; an error with a place in
// a file also has "place": {"file","line","column"}, and its message begins with it, as what()
// does.
[[nodiscard]] nlohmann::json error_frame(const Error& error);
// Returns the error of a message with such a member, whatever else the message has; nullopt for any
// other message.
[[nodiscard]] std::optional<Error> reported_error(const nlohmann::json& message);

// Runs `body`. An exception is sent as an error frame, and the exit code that belongs to it is
// returned (Error::exit_code(); 3 for exceptions of other types); nullopt if there was none. When
// memory runs out, the process ends with kOutOfMemoryExit, without unwinding: closing a device may
// need memory, or wait for a running kernel.
std::optional<int> report_errors(WorkerChannel& channel, const std::function<void()>& body);

enum class Serving {
  kOneMessage,     // ends after the first answer or error
  kUntilAnError,   // ends after any error
  kOnceItAnswers,  // ends after an error that was its first reply; later ones end only an answer
};

// Answers each message with the result of `answer`, to which the collected notices are added, or
// with the error that it throws, until the parent closes the channel or `serving` is over. Returns
// the exit code of the process.
int serve(WorkerChannel& channel, Serving serving,
          const std::function<nlohmann::json(nlohmann::json& message)>& answer);

}  // namespace warpwright
