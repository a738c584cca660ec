#include "records/times.h"

#include "records/codec.h"

namespace warpwright {

WARPWRIGHT_RECORD_CODEC(TimeEstimate, median_us, ci_low_us, ci_high_us, floor_us, modelled,
                        protocol, raw_median_us)

void to_json(nlohmann::json& json, const Validity& validity) {
  json = {{"blocks", validity.blocks},
          {"tagged", validity.tagged},
          {"retaken", validity.retaken},
          {"sm_clock_min_mhz", validity.sm_clock_min_mhz},
          {"sm_clock_max_mhz", validity.sm_clock_max_mhz},
          {"throttle", validity.throttle},
          {"power_w", validity.power_w},
          {"temperature_c", validity.temperature_c},
          {"other_processes", validity.other_processes}};
  if (validity.clock_during_mhz) json["clock_during_mhz"] = *validity.clock_during_mhz;
}

void from_json(const nlohmann::json& json, Validity& validity) {
  read_member(json, "blocks", validity.blocks);
  read_member(json, "tagged", validity.tagged);
  read_member(json, "retaken", validity.retaken);
  read_member(json, "sm_clock_min_mhz", validity.sm_clock_min_mhz);
  read_member(json, "sm_clock_max_mhz", validity.sm_clock_max_mhz);
  read_member(json, "throttle", validity.throttle);
  read_member(json, "power_w", validity.power_w);
  read_member(json, "temperature_c", validity.temperature_c);
  read_member(json, "other_processes", validity.other_processes);
  read_member(json, "clock_during_mhz", validity.clock_during_mhz);
}

namespace {

using nlohmann::json;

std::optional<double> figure(const json& from, const char* name) {
  const auto found = from.find(name);
  return found != from.end() && found->is_number() ? std::optional(found->get<double>())
                                                   : std::nullopt;
}

// The part `name` if it has at least the figure `least`; nullptr otherwise.
const json* part(const json& from, const char* name, const char* least) {
  const auto found = from.find(name);
  return found != from.end() && figure(*found, least) ? &*found : nullptr;
}

json cold_json(const Headline::Cold& cold) {
  return {{"median_us", cold.median_us},
          {"ci_low_us", json_or_null(cold.ci_low_us)},
          {"ci_high_us", json_or_null(cold.ci_high_us)},
          {"floor_us", json_or_null(cold.floor_us)},
          {"raw_median_us", json_or_null(cold.raw_median_us)},
          {"modelled", cold.modelled},
          {"protocol", cold.protocol}};
}

Headline::Cold read_cold(const json& from) {
  Headline::Cold cold;
  cold.median_us = *figure(from, "median_us");
  cold.ci_low_us = figure(from, "ci_low_us");
  cold.ci_high_us = figure(from, "ci_high_us");
  cold.floor_us = figure(from, "floor_us");
  cold.raw_median_us = figure(from, "raw_median_us");
  read_member(from, "modelled", cold.modelled);
  read_member(from, "protocol", cold.protocol);
  return cold;
}

json hot_json(const Headline::Hot& hot) {
  return {{"median_us", hot.median_us},
          {"ci_low_us", json_or_null(hot.ci_low_us)},
          {"ci_high_us", json_or_null(hot.ci_high_us)},
          {"protocol", hot.protocol},
          {"sets", json_or_null(hot.sets)},
          {"l2_resident", hot.l2_resident}};
}

Headline::Hot read_hot(const json& from) {
  Headline::Hot hot;
  hot.median_us = *figure(from, "median_us");
  hot.ci_low_us = figure(from, "ci_low_us");
  hot.ci_high_us = figure(from, "ci_high_us");
  read_member(from, "protocol", hot.protocol);
  read_member(from, "sets", hot.sets);
  read_member(from, "l2_resident", hot.l2_resident);
  return hot;
}

}  // namespace

void to_json(json& to, const Headline& headline) {
  to = {{"cold", headline.cold ? cold_json(*headline.cold) : json(nullptr)},
        {"hot", headline.hot ? hot_json(*headline.hot) : json(nullptr)},
        {"slope", nullptr},
        {"end_to_end", nullptr},
        {"energy_mj_per_launch", json_or_null(headline.energy_mj_per_launch)},
        {"power_w", json_or_null(headline.power_w)},
        {"sm_clock_mhz", json_or_null(headline.sm_clock_mhz)},
        {"samples_us", headline.samples_us},
        {"validity", json_or_null(headline.validity)}};
  if (headline.slope)
    to["slope"] = {{"us", headline.slope->us},
                   {"empty_us", json_or_null(headline.slope->empty_us)}};
  if (headline.end_to_end) {
    to["end_to_end"] = {{"cached_us", json_or_null(headline.end_to_end->cached_us)},
                        {"uncached_us", json_or_null(headline.end_to_end->uncached_us)}};
  }
}

void from_json(const json& from, Headline& headline) {
  headline = Headline{};
  if (const json* cold = part(from, "cold", "median_us")) headline.cold = read_cold(*cold);
  if (const json* hot = part(from, "hot", "median_us")) headline.hot = read_hot(*hot);
  if (const json* slope = part(from, "slope", "us"))
    headline.slope = {*figure(*slope, "us"), figure(*slope, "empty_us")};
  if (const auto times = from.find("end_to_end"); times != from.end() && times->is_object())
    headline.end_to_end = {figure(*times, "cached_us"), figure(*times, "uncached_us")};
  headline.energy_mj_per_launch = figure(from, "energy_mj_per_launch");
  headline.power_w = figure(from, "power_w");
  read_member(from, "sm_clock_mhz", headline.sm_clock_mhz);
  read_member(from, "samples_us", headline.samples_us);
  read_member(from, "validity", headline.validity);
}

Headline::Cold cold_time(const TimeEstimate& time) {
  return {time.median_us,     time.ci_low_us, time.ci_high_us, time.floor_us,
          time.raw_median_us, time.modelled,  time.protocol};
}

Headline::Hot hot_time(const TimeEstimate& time) {
  return {time.median_us, time.ci_low_us, time.ci_high_us, time.protocol, std::nullopt, false};
}

}  // namespace warpwright
