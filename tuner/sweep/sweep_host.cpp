#include "sweep/sweep_host.h"

#include <utility>

namespace warpwright {

std::unique_ptr<CompileService> WorkerHost::start_compilers(CompilePoolOptions options,
                                                            CompileService::Done done) {
  return std::make_unique<CompilePool>(std::move(options), std::move(done));
}

std::unique_ptr<MeasureService> WorkerHost::start_measurers(MeasurePoolOptions options,
                                                            MeasureService::Done done) {
  return std::make_unique<MeasurePool>(std::move(options), std::move(done));
}

std::unique_ptr<ReferenceAhead> WorkerHost::start_references(const MeasurePoolOptions& options,
                                                             const DeviceInfo& device) {
  return std::make_unique<ReferenceAhead>(options, device);
}

}  // namespace warpwright
