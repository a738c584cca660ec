// A hand-made selection: a kernel with every kind of size, two variants with different constraints,
// two devices of one architecture, five tuned problems.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "analysis/select/select_configuration.h"
#include "analysis/select/selection_model.h"

namespace warpwright::testing {

inline ConstraintSpec constraint(const char* text, const char* because = "") {
  return {Expr::parse(text), because};
}

inline ProblemSizeSpec sample_size(const char* name, const char* doc, const char* macro) {
  ProblemSizeSpec size;
  size.name = name;
  size.doc = doc;
  size.macro = macro;
  return size;
}

inline ParameterSpec sample_parameter(const char* name, const char* doc, Value default_value,
                                      std::vector<Value> values = {}) {
  ParameterSpec parameter;
  parameter.name = name;
  parameter.doc = doc;
  parameter.default_value = std::move(default_value);
  parameter.values = std::move(values);
  return parameter;
}

inline LaunchSpec sample_launch(const char* entry, std::vector<Expr> grid, std::vector<Expr> block,
                                Expr shared_bytes) {
  LaunchSpec launch;
  launch.entry = EntryName(entry);
  launch.grid = std::move(grid);
  launch.block = std::move(block);
  launch.shared_bytes = std::move(shared_bytes);
  return launch;
}

inline KernelSpec sample_contract() {
  KernelSpec contract;
  contract.name = "row_mix";
  contract.summary = "Mixes rows; \"quoted\" */ and // commented";
  contract.problem = {sample_size("rows", "tokens", ""), sample_size("K", "kept per row", "TOP_K"),
                      sample_size("dtype", "", "DTYPE"), sample_size("write_z", "", "WRITE_Z"),
                      sample_size("eps", "", "EPS"),     sample_size("causal", "", "")};
  contract.problem[0].max = 65535.0;
  contract.problem[1].max = 256.0;
  contract.problem[2].values = {"f32", "bf16"};
  contract.problem[2].default_value = "f32";
  contract.problem[3].values = {0, 1};
  contract.problem[3].default_value = 1;
  contract.problem[4].default_value = 1e-5;
  contract.problem[4].min = 0.0;
  contract.problem[5].default_value = false;
  contract.parameters = {sample_parameter("THREADS", "threads per block", 256),
                         sample_parameter("HINT", "of loads", "none", {"none", "streaming"}),
                         sample_parameter("SCALE", "", 0.5)};
  VariantSpec wide;
  wide.name = "wide";
  wide.doc = "one block a row";
  wide.source = "wide.cu";
  wide.parameters = {"THREADS", "HINT"};
  wide.constraints = {constraint("THREADS % 32 == 0", "whole warps"),
                      constraint("THREADS * 8 <= device.max_shared", "a key per thread"),
                      constraint("K <= THREADS / 4")};
  wide.launches = {sample_launch("mix", {Expr::parse("rows")}, {Expr::parse("THREADS")},
                                 Expr::parse("THREADS*8"))};
  VariantSpec warp;
  warp.name = "warp";
  warp.source = "warp.cu";
  warp.parameters = {"THREADS", "SCALE"};
  warp.constraints = {constraint("THREADS % 32 == 0", "whole warps"),
                      constraint("K <= 32", "each lane holds one"),
                      constraint("dtype == 'f32' || rows % sizeof(dtype) == 0")};
  warp.launches = {
      sample_launch("part", {Expr::parse("ceil_div(rows, THREADS/32)"), Expr::parse("K")},
                    {Expr::parse("THREADS")}, Expr::parse("sizeof(dtype)*K")),
      sample_launch("merge", {Expr::parse("device.sm_count")},
                    {Expr::literal(32), Expr::literal(2)}, Expr())};
  warp.launches[1].cluster = {Expr::literal(2)};
  contract.variants = {wide, warp};
  contract.work.bytes = Expr::parse("rows*K*sizeof(dtype)*(1 + write_z)");
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

// With few rows, `wide` with 1024 threads wins, with many rows, 128 threads; `warp` wins if K is
// small.
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
  // The merits of `warp`, then those of `wide`.
  model.merits = {{-1, 1000, 900, 985, -1}, {1000, 950, 1000, 1000, 1000}};
  model.files = {{"kernels/row_mix/warp.cu", std::string(64, 'a')},
                 {"kernels/row_mix/wide.cu", std::string(64, 'b')}};
  model.left_out = 4;
  model.left_out_good = 3;
  return model;
}

}  // namespace warpwright::testing
