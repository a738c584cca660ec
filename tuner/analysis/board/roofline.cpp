#include "analysis/board/roofline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/shared_names.h"

namespace warpwright {
namespace {

constexpr double kTransfersPerClock = 2;  // DRAM moves data on both edges
constexpr double kBitsPerByte = 8;

// A measured point of the memory's roof: the rate that a mix with this share of written bytes
// reaches.
struct MixPoint {
  double written;
  const char* name;
};
constexpr std::array kMixPoints = {MixPoint{0, "read"}, MixPoint{0.5, "copy"},
                                   MixPoint{1, "write"}};

bool usable(const CeilingRecord& ceiling) {
  return std::isfinite(ceiling.value) && ceiling.value > 0;
}

// The upper end of the ceiling's interval.
double best_of(const CeilingRecord& ceiling) {
  const double high = ceiling.ci_high.value_or(ceiling.value);
  return std::isfinite(high) ? std::max(high, ceiling.value) : ceiling.value;
}

// How long bytes or flops take: at the ceiling's value, and at the upper end of its interval.
struct Part {
  double us = 0, shortest_us = 0;
  std::string ceiling;
};

Part part_of(double amount, const CeilingRecord& ceiling) {
  return {us_at(amount, ceiling.value), us_at(amount, best_of(ceiling)), ceiling.name};
}

// The parts of two ceilings, `share` of the second.
Part mixed(const Part& a, const Part& b, double share) {
  if (share <= 0) return a;
  if (share >= 1) return b;
  Part part = {a.us + share * (b.us - a.us),
               a.shortest_us + share * (b.shortest_us - a.shortest_us),
               fmt::format("{} and {}", a.ceiling, b.ceiling)};
  // A small share of the other kind is not mentioned.
  constexpr double kNegligible = 0.01;
  if (share < kNegligible) part.ceiling = a.ceiling;
  if (share > 1 - kNegligible) part.ceiling = b.ceiling;
  return part;
}

std::optional<Part> memory_part(const Work& work, const Roofs& roofs) {
  if (!(work.bytes > 0)) return std::nullopt;
  struct Known {
    double written;
    Part part;
  };
  std::vector<Known> known;
  for (const MixPoint& point : kMixPoints) {
    if (const CeilingRecord* ceiling = roofs.find(point.name))
      known.push_back({point.written, part_of(work.bytes, *ceiling)});
  }
  if (known.empty()) return std::nullopt;
  if (!work.written_bytes) {
    return std::min_element(known.begin(), known.end(),
                            [](const Known& a, const Known& b) { return a.part.us < b.part.us; })
        ->part;
  }
  const double written = std::clamp(*work.written_bytes / work.bytes, 0.0, 1.0);
  if (written <= known.front().written) return known.front().part;
  for (std::size_t i = 1; i < known.size(); ++i) {
    const Known& below = known[i - 1];
    const Known& above = known[i];
    if (written <= above.written)
      return mixed(below.part, above.part,
                   (written - below.written) / (above.written - below.written));
  }
  return known.back().part;
}

std::optional<Part> compute_part(const Work& work, const Roofs& roofs) {
  if (!(work.flops > 0) || work.arithmetic.empty()) return std::nullopt;
  const CeilingRecord* ceiling = roofs.find(work.arithmetic);
  if (ceiling == nullptr) return std::nullopt;
  return part_of(work.flops, *ceiling);
}

void add_model(const DeviceInfo& details, Roofs& roofs) {
  for (const auto& [name, rate] : details.model_ceilings) {
    CeilingRecord ceiling;
    ceiling.name = name;
    ceiling.value = rate;
    ceiling.unit = ceiling_unit(name);
    ceiling.protocol = "model";
    if (usable(ceiling)) roofs.ceilings.emplace(name, std::move(ceiling));
  }
}

}  // namespace

const CeilingRecord* Roofs::find(const std::string& name) const {
  const auto found = ceilings.find(name);
  return found == ceilings.end() ? nullptr : &found->second;
}

Roofs make_roofs(const DeviceRecord& device, const std::vector<CeilingRecord>& measured) {
  const DeviceInfo& details = *device.details;
  Roofs roofs;
  roofs.modelled = !device.has_clock;
  roofs.l2_bytes = std::max(0.0, static_cast<double>(details.l2_bytes));
  const double theoretical = std::max(details.memory_clock_mhz, 0) * 1e6 * kTransfersPerClock *
                             std::max(details.memory_bus_bits, 0) / kBitsPerByte / 1e9;
  if (theoretical > 0) roofs.datasheet_gb_per_s = theoretical;
  if (roofs.modelled) {
    add_model(details, roofs);
    return roofs;
  }
  for (const CeilingRecord& ceiling : measured) {
    if (usable(ceiling)) roofs.ceilings.insert_or_assign(ceiling.name, ceiling);
  }
  return roofs;
}

RoofsByDevice read_roofs(const Database& database) {
  RoofsByDevice roofs;
  for (const auto& [id, device] : database.devices())
    roofs[device.fingerprint] = make_roofs(device, database.ceilings(id));
  return roofs;
}

std::optional<Limit> find_limit(const Work& work, const Roofs& roofs) {
  const std::optional<Part> memory = memory_part(work, roofs);
  const std::optional<Part> compute = compute_part(work, roofs);
  if (!memory && !compute) return std::nullopt;
  Limit limit;
  limit.modelled = roofs.modelled;
  if (memory) limit.memory_us = memory->us;
  if (compute) limit.compute_us = compute->us;
  const bool by_compute = compute && (!memory || compute->us > memory->us);
  const Part& part = by_compute ? *compute : *memory;
  limit.bound = by_compute ? Bound::kCompute : Bound::kMemory;
  limit.us = part.us;
  limit.shortest_us =
      std::max(memory ? memory->shortest_us : 0, compute ? compute->shortest_us : 0);
  limit.ceiling = part.ceiling;
  limit.rate = (by_compute ? work.flops : work.bytes) / part.us / 1e3;
  if (!std::isfinite(limit.us) || !(limit.us > 0)) return std::nullopt;
  return limit;
}

std::string missing_ceiling(const Work& work, const Roofs& roofs) {
  if (work.bytes > 0 && !memory_part(work, roofs)) return "read";
  if (work.flops > 0 && !work.arithmetic.empty() && roofs.find(work.arithmetic) == nullptr)
    return work.arithmetic;
  return "";
}

LimitShare share_of_limit(const Limit& limit, double median_us, double slowest_us, bool hot,
                          const Work& work, const Roofs& roofs) {
  LimitShare share;
  if (!(median_us > 0)) {
    share.standing = Standing::kLatencyBound;
    return share;
  }
  share.fraction = limit.us / median_us;
  // Only an excess that neither the interval nor the clock's drift explains counts as a fault.
  const double surely = limit.shortest_us / std::max(slowest_us, median_us);
  if (surely > 1 + kCeilingTolerance) {
    share.standing = Standing::kAboveLimit;
    share.l2_resident =
        hot && limit.bound == Bound::kMemory && roofs.l2_bytes > 0 && work.bytes <= roofs.l2_bytes;
  } else if (median_us < kLatencyBoundUs) {
    share.standing = Standing::kLatencyBound;
  } else {
    share.fraction = std::min(share.fraction, 1.0);
  }
  return share;
}

}  // namespace warpwright
