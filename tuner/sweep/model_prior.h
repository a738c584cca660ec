// `--prior emulator`: what the time model of the emulated device of the same architecture says, as
// a source of beliefs for the searches of devices with a clock. Each problem's model is searched
// itself, as a device would be, so that the model's best are among what it was asked. Its
// configurations are compiled where no compiler has anything else to do and run by processes that
// give way: a sample of their blocks on the board's own problem, or all of a small one where that
// takes too long or too much memory. Whatever a kernel does there costs only that belief. Used by
// one thread; the pools tell theirs through `events`.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compile/compile_service.h"
#include "search/strategy.h"
#include "sweep/event_queue.h"
#include "sweep/sweep_plan.h"
#include "workers/measure_pool.h"

namespace warpwright {

// Configurations of a problem that are modelled, at most.
inline constexpr std::size_t kMostModelled = 96;

// Where a device's configurations are modelled: the emulated device, and a problem.
struct ModelPlace {
  DeviceInfo device;
  Problem problem;
  std::string problem_text;
};
// The board's own problem; nullopt when no emulated device is like the board's: `why` says so.
[[nodiscard]] std::optional<ModelPlace> model_place(const SweepPlan& plan, std::size_t board,
                                                    std::string& why);
// The same device with the sweep's `emulated` problem that is most like the board's, else the
// contract's smallest case; nullopt when there is neither.
[[nodiscard]] std::optional<ModelPlace> small_place(const SweepPlan& plan, std::size_t board,
                                                    ModelPlace place);

// How many blocks of a launch are run, of a grid of so many that does so much: few where each does
// much. All of them together are enough for a time, as `profile --sample-blocks` shows.
[[nodiscard]] std::uint64_t blocks_to_model(double grid, double bytes, double flops);

class ModelPrior {
 public:
  using Clock = std::chrono::steady_clock;
  // Of a board's space, what the model says.
  using Believe = std::function<void(std::size_t board, std::uint64_t index, double us)>;

  // Plans what is to be modelled and gives it to the compilers. All must outlive this.
  ModelPrior(const SweepOptions& options, const Paths& paths, const SweepPlan& plan,
             CompileService& compilers, EventQueue& events, Believe believe);

  // What an event of the pools means here; false when it is not for this.
  bool compiled(std::uint64_t ticket, CompileResult& result);
  void modelled(ModelledEvent event);

  // Nothing more is to come for the board.
  [[nodiscard]] bool is_known(std::size_t board) const;
  // How long a board's first question may wait for that.
  [[nodiscard]] static std::chrono::milliseconds patience(const Budget& budget, std::size_t boards);
  // Nothing more is compiled or run.
  void stop();

  [[nodiscard]] bool tells(std::size_t board) const { return place_of_.contains(board); }
  // "emulator", the device and problem, and how many results the board has been told.
  [[nodiscard]] KnowledgeSource named(std::size_t board) const;
  [[nodiscard]] PriorSummary summary() const;
  // What went wrong with the first that failed for no fault of its own, or why nothing is modelled;
  // "" otherwise.
  [[nodiscard]] const std::string& trouble() const { return trouble_; }

 private:
  // One configuration on one problem of one emulated device.
  struct Job {
    std::size_t place = 0;    // in places_
    std::uint64_t index = 0;  // of the space that is searched there
    bool small = false;
    std::shared_ptr<MeasureRequest> request;
  };
  // What is modelled of one problem on one device, for the boards that want to know: small problems
  // where none of the first few could be modelled on the problem itself. Times of both are never
  // told together.
  struct Place {
    ModelPlace own;
    std::shared_ptr<const SearchSpace> own_space;
    std::optional<ModelPlace> small = std::nullopt;
    std::shared_ptr<const SearchSpace> small_space = nullptr;
    bool is_small = false;
    std::size_t given_up = 0;         // before anything was modelled
    bool any = false;                 // was modelled
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
  // As many places at once as there are cores for.
  void begin_places();
  [[nodiscard]] std::unique_ptr<MeasurePool> make_pool(const Place& place) const;
  [[nodiscard]] std::unique_ptr<Strategy> make_search(const Place& place) const;
  void ask(std::size_t place);
  void compile(std::uint64_t id);
  // Whether the job goes on with the small problem.
  [[nodiscard]] bool goes_small(std::uint64_t id);
  // The job has nothing more to tell; `us` is what it told.
  void settle(std::uint64_t id, std::optional<double> us);

  const SweepOptions& options_;
  const Paths& paths_;
  const SweepPlan& plan_;
  CompileService& compilers_;
  EventQueue& events_;
  Believe believe_;
  std::vector<Place> places_;
  std::map<std::size_t, std::size_t> place_of_;  // by board
  std::map<std::size_t, std::uint64_t> told_;    // likewise
  std::map<std::uint64_t, Job> jobs_;
  std::uint64_t next_job_ = 0;
  std::map<std::uint64_t, std::uint64_t> tickets_;  // of the compilers, to jobs
  PriorSummary summary_;
  Clock::time_point start_ = Clock::now();
  std::string trouble_;
  bool stopped_ = false;
  // By place; null before and after. Last: their threads post, and end first.
  std::vector<std::unique_ptr<MeasurePool>> pools_;
};

}  // namespace warpwright
