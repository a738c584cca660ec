#include "records/times.h"

#include "records/codec.h"

namespace warpwright {

WARPWRIGHT_CODEC(TimeEstimate, median_us, ci_low_us, ci_high_us, floor_us, modelled, protocol,
                 raw_median_us)

WARPWRIGHT_MEMBERS(Validity, io, validity) {
  io("blocks", validity.blocks);
  io("tagged", validity.tagged);
  io("retaken", validity.retaken);
  io("sm_clock_min_mhz", validity.sm_clock_min_mhz);
  io("sm_clock_max_mhz", validity.sm_clock_max_mhz);
  io("throttle", validity.throttle);
  io("power_w", validity.power_w);
  io("temperature_c", validity.temperature_c);
  io("other_processes", validity.other_processes);
  io.unless_empty("clock_during_mhz", validity.clock_during_mhz);
}
WARPWRIGHT_STORED_CODEC_OF(Validity)

WARPWRIGHT_STORED_CODEC(Headline::Cold, median_us, ci_low_us, ci_high_us, floor_us, raw_median_us,
                        modelled, protocol)
WARPWRIGHT_STORED_CODEC(Headline::Hot, median_us, ci_low_us, ci_high_us, protocol, sets,
                        l2_resident)
WARPWRIGHT_STORED_CODEC(Headline::Slope, us, empty_us)
WARPWRIGHT_STORED_CODEC(Headline::EndToEnd, cached_us, uncached_us)

namespace {

using nlohmann::json;

// Without its most important figure, a part counts as absent.
bool has_figure(const json& from, const char* name, const char* figure) {
  const auto part = from.find(name);
  if (part == from.end()) return false;
  const auto found = part->find(figure);
  return found != part->end() && found->is_number();
}

}  // namespace

WARPWRIGHT_MEMBERS(Headline, io, headline) {
  io("cold", headline.cold);
  io("hot", headline.hot);
  io("slope", headline.slope);
  io("end_to_end", headline.end_to_end);
  io("energy_mj_per_launch", headline.energy_mj_per_launch);
  io("power_w", headline.power_w);
  io("sm_clock_mhz", headline.sm_clock_mhz);
  io("samples_us", headline.samples_us);
  io("validity", headline.validity);
}

void to_json(json& to, const Headline& headline) {
  MemberWriter writer(to);
  visit_members(std::type_identity<Headline>{}, writer, headline);
}

void from_json(const json& from, Headline& headline) {
  headline = Headline{};
  StoredMemberReader reader(from, "Headline");
  visit_members(std::type_identity<Headline>{}, reader, headline);
  if (!has_figure(from, "cold", "median_us")) headline.cold.reset();
  if (!has_figure(from, "hot", "median_us")) headline.hot.reset();
  if (!has_figure(from, "slope", "us")) headline.slope.reset();
  if (const auto times = from.find("end_to_end"); times != from.end() && !times->is_object())
    headline.end_to_end.reset();
}

Headline::Cold cold_time(const TimeEstimate& time) {
  return {time.median_us,     time.ci_low_us, time.ci_high_us, time.floor_us,
          time.raw_median_us, time.modelled,  time.protocol};
}

Headline::Hot hot_time(const TimeEstimate& time) {
  return {time.median_us, time.ci_low_us, time.ci_high_us, time.protocol, std::nullopt, false};
}

}  // namespace warpwright
