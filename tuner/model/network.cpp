#include "model/network.h"

namespace warpwright {
namespace {

Exchange exchange(const Interconnect& link, double messages, double bytes) {
  return {bytes, messages * link.latency_us + bytes / link.bytes_per_second * 1e6};
}

}  // namespace

Exchange all_reduce(const Interconnect& link, int gpus, double bytes) {
  if (gpus <= 1) return {};
  const double others = gpus - 1;
  const Exchange at_once = exchange(link, 1, others * bytes);
  const Exchange in_parts = exchange(link, 2, 2 * others / gpus * bytes);
  return at_once.us <= in_parts.us ? at_once : in_parts;
}

Exchange all_gather(const Interconnect& link, int gpus, double bytes) {
  return gpus <= 1 ? Exchange{} : exchange(link, 1, (gpus - 1) * bytes);
}

Exchange all_to_all(const Interconnect& link, int gpus, double bytes) {
  return gpus <= 1 ? Exchange{} : exchange(link, 1, bytes * (gpus - 1) / gpus);
}

Exchange send(const Interconnect& link, double bytes) { return exchange(link, 1, bytes); }

}  // namespace warpwright
