// The compile worker's side of the protocol; README.md describes the messages.
#include <cstdio>
#include <nlohmann/json.hpp>

#include "compile/compile_pool.h"
#include "compile/nvrtc.h"
#include "core/error.h"
#include "core/subprocess.h"

namespace warpwright {

int compile_worker_main() {
  WorkerChannel channel;
  try {
    const Nvrtc nvrtc(require_toolchain());
    channel.send({{"nvrtc_version", nvrtc.version()}, {"compiler", nvrtc.identity()}});
    nlohmann::json message;
    while (channel.receive(message)) channel.send(nvrtc.compile(message.get<CompileJob>()));
    return 0;
  } catch (const Error& error) {
    // Before the first job this is the environment's fault, which the pool reports to the user.
    channel.send({{"error", error.message()}});
    return error.exit_code();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "compile worker: %s\n", error.what());
    return 3;
  }
}

}  // namespace warpwright
