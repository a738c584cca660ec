// `--prior emulator` uses the time model of the emulated device of the same architecture as a
// source of beliefs for the searches of devices with a clock. The model of each problem is itself
// searched, as a device would be, so that the model's best configurations are among those that are
// modelled. The configurations are compiled when the compilers have nothing else to do, and are run
// by low-priority processes: a sample of their blocks on the board's own problem, or all blocks of
// a small problem where that takes too long or too much memory. If a kernel fails there, only that
// one belief is lost. Used by one thread; the pools report through `events`.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compile/compile_pool.h"
#include "search/strategy.h"
#include "sweep/event_queue.h"
#include "sweep/sweep_plan.h"
#include "workers/measure_pool.h"

namespace warpwright {

// The largest number of configurations of a problem that are modelled.
inline constexpr std::size_t kMaxModelled = 96;

// The emulated device and the problem on which a device's configurations are modelled.
struct ModelPlace {
  DeviceInfo device;
  Problem problem;
  std::string problem_text;
};
// Returns the place with the board's own problem; nullopt when no emulated device is like the
// board's, and then `why` receives the reason.
[[nodiscard]] std::optional<ModelPlace> model_place(const SweepPlan& plan, std::size_t board,
                                                    std::string& why);
// Returns the same device with the sweep's `emulated` problem that is most like the board's, else
// with the contract's smallest case; nullopt when there is neither.
[[nodiscard]] std::optional<ModelPlace> small_place(const SweepPlan& plan, std::size_t board,
                                                    ModelPlace place);

// Returns how many blocks of a launch are run, given the size of its grid and the bytes and
// operations of the whole grid: fewer when each block does more work. The sampled blocks together
// are enough for a time, as `profile --sample-blocks` shows.
[[nodiscard]] std::uint64_t blocks_to_model(double grid, double bytes, double flops);

class ModelPrior {
 public:
  using Clock = std::chrono::steady_clock;
  // Receives the modelled time of one configuration of a board's space.
  using Believe = std::function<void(std::size_t board, std::uint64_t index, double us)>;

  // Plans the configurations to model and submits them to the compilers. All arguments must outlive
  // this.
  ModelPrior(const SweepOptions& options, const Paths& paths, const SweepPlan& plan,
             CompileService& compilers, EventQueue& events, Believe believe);

  // Handles an event of the pools. compiled() returns false when the ticket is not from this class.
  bool compiled(std::uint64_t ticket, CompileResult& result);
  void modelled(ModelledEvent event);

  // Returns whether the model of the board is complete.
  [[nodiscard]] bool is_known(std::size_t board) const;
  // Returns how long a board's first question may wait for the model.
  [[nodiscard]] static std::chrono::milliseconds patience(const Budget& budget, std::size_t boards);
  // Compiles and runs nothing more.
  void stop();

  [[nodiscard]] bool tells(std::size_t board) const { return place_of_.contains(board); }
  // Returns "emulator", the device and problem, and how many results the board has received.
  [[nodiscard]] KnowledgeSource named(std::size_t board) const;
  [[nodiscard]] PriorSummary summary() const;
  // Describes the first failure that was not the configuration's own fault, or says why nothing is
  // modelled; "" otherwise.
  [[nodiscard]] const std::string& trouble() const { return trouble_; }

 private:
  // One configuration on one problem of one emulated device.
  struct Job {
    std::size_t place = 0;    // in places_
    std::uint64_t index = 0;  // of the space that is searched there
    bool small = false;
    std::shared_ptr<MeasureRequest> request;
  };
  // One problem on one device, modelled for the boards that use it. A small problem replaces it
  // when none of the first few configurations could be modelled on the problem itself. Times of the
  // two problems are never used together.
  struct Place {
    ModelPlace own;
    std::shared_ptr<const SearchSpace> own_space;
    std::optional<ModelPlace> small = std::nullopt;
    std::shared_ptr<const SearchSpace> small_space = nullptr;
    bool is_small = false;
    std::size_t given_up = 0;         // configurations, before any was modelled
    bool any = false;                 // one was modelled
    std::vector<std::size_t> boards;  // the space of the first is searched
    std::unique_ptr<Strategy> search;
    bool begun = false, asked_all = false;
    std::size_t asked = 0, open = 0;
    [[nodiscard]] const ModelPlace& now() const { return is_small ? *small : own; }
    [[nodiscard]] bool done() const { return asked_all && open == 0; }
  };
  void plan_board(std::size_t board);
  [[nodiscard]] std::shared_ptr<const SearchSpace> searched(const Place& place) const {
    return plan_.boards[place.boards.front()].space;
  }
  // Begins places until the number that the cores allow is in progress.
  void begin_places();
  [[nodiscard]] std::unique_ptr<MeasurePool> make_pool(const Place& place) const;
  [[nodiscard]] std::unique_ptr<Strategy> make_search(const Place& place) const;
  void ask(std::size_t place);
  void compile(std::uint64_t id);
  // Returns whether the job goes on with the small problem.
  [[nodiscard]] bool goes_small(std::uint64_t id);
  // Ends the job; `us` is its modelled time, if there is one.
  void settle(std::uint64_t id, std::optional<double> us);

  const SweepOptions& options_;
  const Paths& paths_;
  const SweepPlan& plan_;
  CompileService& compilers_;
  EventQueue& events_;
  Believe believe_;
  std::vector<Place> places_;
  std::map<std::size_t, std::size_t> place_of_;  // by board
  std::map<std::size_t, std::uint64_t> told_;    // by board: results it received
  std::map<std::uint64_t, Job> jobs_;
  std::uint64_t next_job_ = 0;
  std::map<std::uint64_t, std::uint64_t> tickets_;  // of the compilers, to jobs
  PriorSummary summary_;
  Clock::time_point start_ = Clock::now();
  std::string trouble_;
  bool stopped_ = false;
  // By place; null before a place begins and after it ends. Declared last: the threads of the pools
  // post events and must end first.
  std::vector<std::unique_ptr<MeasurePool>> pools_;
};

}  // namespace warpwright
