// A hand-made selection: a kernel with every kind of size, two variants that different constraints
// bind, two devices of one architecture, five tuned problems.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "analysis/select_configuration.h"
#include "analysis/selection_model.h"

namespace warpwright::testing {

inline ConstraintFact constraint(const char* text, const char* because = "") {
  return {Expr::parse(text), because};
}

inline ContractFacts sample_contract() {
  ContractFacts contract;
  contract.kernel = "row_mix";
  contract.summary = "Mixes rows; \"quoted\" */ and // commented";
  contract.sizes = {
      {"rows", "tokens", 0, {}, std::nullopt, std::nullopt, 65535.0, ""},
      {"K", "kept per row", 0, {}, std::nullopt, std::nullopt, 256.0, "TOP_K"},
      {"dtype", "", "f32", {"f32", "bf16"}, Value("f32"), std::nullopt, std::nullopt, "DTYPE"},
      {"write_z", "", 1, {0, 1}, Value(1), std::nullopt, std::nullopt, "WRITE_Z"},
      {"eps", "", 1e-5, {}, Value(1e-5), 0.0, std::nullopt, "EPS"},
      {"causal", "", false, {}, Value(false), std::nullopt, std::nullopt, ""},
  };
  contract.parameters = {{"THREADS", "threads per block", 256, {}},
                         {"HINT", "of loads", "none", {"none", "streaming"}},
                         {"SCALE", "", 0.5, {}}};
  VariantFact wide;
  wide.name = "wide";
  wide.doc = "one block a row";
  wide.source = "wide.cu";
  wide.parameters = {"THREADS", "HINT"};
  wide.constraints = {constraint("THREADS % 32 == 0", "whole warps"),
                      constraint("THREADS * 8 <= device.max_shared", "a key per thread"),
                      constraint("K <= THREADS / 4")};
  wide.launches = {
      {"mix", {Expr::parse("rows")}, {Expr::parse("THREADS")}, {}, Expr::parse("THREADS*8")}};
  VariantFact warp;
  warp.name = "warp";
  warp.source = "warp.cu";
  warp.parameters = {"THREADS", "SCALE"};
  warp.constraints = {constraint("THREADS % 32 == 0", "whole warps"),
                      constraint("K <= 32", "each lane holds one"),
                      constraint("dtype == 'f32' || rows % sizeof(dtype) == 0")};
  warp.launches = {{"part",
                    {Expr::parse("ceil_div(rows, THREADS/32)"), Expr::parse("K")},
                    {Expr::parse("THREADS")},
                    {},
                    Expr::parse("sizeof(dtype)*K")},
                   {"merge",
                    {Expr::parse("device.sm_count")},
                    {Expr::literal(32), Expr::literal(2)},
                    {Expr::literal(2)},
                    Expr()}};
  contract.variants = {wide, warp};
  contract.work_bytes = Expr::parse("rows*K*sizeof(dtype)*(1 + write_z)");
  return contract;
}

inline std::vector<Value> sample_problem(std::int64_t rows, std::int64_t k,
                                         const char* dtype = "f32", std::int64_t write_z = 1) {
  return {rows, k, dtype, write_z, 1e-5, false};
}

inline SelectionConfiguration sample_configuration(std::size_t variant, int threads, Value hint,
                                                   Value scale, std::string text) {
  SelectionConfiguration configuration;
  configuration.variant = variant;
  configuration.values = {threads, std::move(hint), std::move(scale)};
  configuration.text = std::move(text);
  configuration.resources = {40, 128, 0};
  return configuration;
}

inline SelectionBoard sample_board(std::size_t device, std::vector<Value> sizes, std::size_t winner,
                                   double median_us) {
  SelectionBoard board;
  board.device = device;
  board.problem_text = "rows=" + sizes[0].to_string() + " K=" + sizes[1].to_string();
  board.sizes = std::move(sizes);
  board.winner = winner;
  board.median_us = median_us;
  board.ci_low_us = median_us - 0.25;
  board.ci_high_us = median_us + 0.25;
  board.tried = 12;
  board.protocol = "cold-graph-1";
  board.driver = "580.159.04";
  board.nvrtc_version = "13.0";
  board.version = "warpwright 0.1.0";
  board.measured_utc = "2026-03-01T12:00:00Z";
  board.contract_hash = "hash-1";
  return board;
}

// Few rows are for `wide` with 1024 threads, many for 128; `warp` wins where K is small.
inline SelectionModel sample_selection() {
  SelectionModel model;
  model.contract = sample_contract();
  const std::map<std::string, Value> limits = {{"max_shared", 232448}, {"sm_count", 132}};
  model.devices = {{"NVIDIA H200", "sm_90a", limits},
                   {"NVIDIA H100", "sm_90a", {{"max_shared", 232448}, {"sm_count", 114}}}};
  model.configurations = {
      sample_configuration(0, 128, "none", 0.5, "wide HINT=none THREADS=128"),
      sample_configuration(0, 1024, "none", 0.5, "wide HINT=none THREADS=1024"),
      sample_configuration(0, 1024, "streaming", 0.5, "wide HINT=streaming THREADS=1024"),
      sample_configuration(1, 64, "none", 0.25, "warp SCALE=0.25 THREADS=64"),
  };
  model.boards = {sample_board(0, sample_problem(16, 64), 1, 7.5),
                  sample_board(0, sample_problem(4096, 8), 3, 20.25),
                  sample_board(0, sample_problem(4096, 8, "bf16"), 0, 15),
                  sample_board(0, sample_problem(8192, 32), 0, 60.125),
                  sample_board(1, sample_problem(64, 64), 2, 9)};
  model.boards[0].tied = {"wide HINT=streaming THREADS=1024"};
  model.boards[0].rounds = 46;
  model.fractions = {{500, 950, 1000, 1000, 610},
                     {1000, 700, 800, 800, 990},
                     {990, 690, 790, 810, 1000},
                     {-1, 1000, 900, 985, -1}};
  for (const std::size_t variant : {1, 0}) {
    SelectionConfiguration fallback = sample_configuration(variant, 256, "none", 0.5, "");
    fallback.text = variant == 0 ? "wide HINT=none THREADS=256" : "warp SCALE=0.5 THREADS=256";
    fallback.is_default = true;
    fallback.resources = {};
    model.configurations.push_back(std::move(fallback));
  }
  model.left_out = 4;
  model.left_out_good = 3;
  return model;
}

}  // namespace warpwright::testing
