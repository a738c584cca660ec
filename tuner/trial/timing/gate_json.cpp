// Serialization of a comparison for the pipe between processes.
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "trial/timing/gate.h"

namespace warpwright {
namespace {

using nlohmann::json;

json pairs_of(const std::vector<AbbaBlock>& blocks) {
  json pairs = json::array();
  for (const AbbaBlock& block : blocks) pairs.push_back({block.baseline_us, block.candidate_us});
  return pairs;
}

std::vector<AbbaBlock> blocks_of(const json& pairs) {
  std::vector<AbbaBlock> blocks;
  for (const json& pair : pairs)
    blocks.push_back({pair.at(0).get<double>(), pair.at(1).get<double>()});
  return blocks;
}

json counts_json(const GateCounts& counts) {
  json lines = json::array();
  for (const LineCounters& line : counts.lines)
    lines.push_back({line.file, line.line, line.counters});
  return {{"counters", counts.counters}, {"lines", lines}, {"modelled_us", counts.modelled_us}};
}

GateCounts read_counts(const json& from) {
  GateCounts counts;
  from.at("counters").get_to(counts.counters);
  from.at("modelled_us").get_to(counts.modelled_us);
  for (const json& line : from.at("lines")) {
    counts.lines.push_back({line.at(0).get<std::string>(), line.at(1).get<int>(),
                            line.at(2).get<std::map<std::string, std::uint64_t>>()});
  }
  return counts;
}

}  // namespace

void to_json(json& to, const GateRequest& request) {
  to = {{"compare", request.compare},
        {"kernel_file", request.kernel_file.string()},
        {"texts", texts_to_json(request.texts)},
        {"reference_include", request.reference_include.string()},
        {"variant", request.configuration.variant},
        {"values", request.configuration.values},
        {"problem", request.problem},
        {"compiled", request.compiled},
        {"blocks", request.blocks},
        {"noise_blocks", request.noise_blocks},
        {"emulated_instruction_limit", request.emulated_instruction_limit}};
}

void from_json(const json& from, GateRequest& request) {
  from.at("compare").get_to(request.compare);
  request.kernel_file = from.at("kernel_file").get<std::string>();
  request.texts = texts_from_json(from.at("texts"));
  request.reference_include = from.at("reference_include").get<std::string>();
  from.at("variant").get_to(request.configuration.variant);
  request.configuration.values = from.at("values").get<std::map<std::string, Value>>();
  request.problem = from.at("problem").get<Problem>();
  request.compiled = from.at("compiled").get<CompileResult>();
  from.at("blocks").get_to(request.blocks);
  from.at("noise_blocks").get_to(request.noise_blocks);
  from.at("emulated_instruction_limit").get_to(request.emulated_instruction_limit);
}

void to_json(json& to, const GateOutcome& outcome) {
  to = {{"status", status_name(outcome.status)},
        {"reason", outcome.reason},
        {"candidate_failed", outcome.candidate_failed},
        {"worker_lost", outcome.worker_lost},
        {"note", outcome.note},
        {"noise_blocks", pairs_of(outcome.noise_blocks)},
        {"blocks", pairs_of(outcome.blocks)},
        {"protocol", outcome.protocol},
        {"baseline", counts_json(outcome.baseline)},
        {"candidate", counts_json(outcome.candidate)}};
}

void from_json(const json& from, GateOutcome& outcome) {
  outcome = GateOutcome{};
  const std::optional<Status> status = parse_status(from.at("status").get<std::string>());
  if (!status) throw user_error("a comparison has an unknown status");
  outcome.status = *status;
  from.at("reason").get_to(outcome.reason);
  from.at("candidate_failed").get_to(outcome.candidate_failed);
  from.at("worker_lost").get_to(outcome.worker_lost);
  from.at("note").get_to(outcome.note);
  outcome.noise_blocks = blocks_of(from.at("noise_blocks"));
  outcome.blocks = blocks_of(from.at("blocks"));
  from.at("protocol").get_to(outcome.protocol);
  outcome.baseline = read_counts(from.at("baseline"));
  outcome.candidate = read_counts(from.at("candidate"));
}

}  // namespace warpwright
