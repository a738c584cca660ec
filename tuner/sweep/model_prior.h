// `--prior emulator`: what the time model of the emulated device of the same architecture says of a
// sample of configurations, as a source of beliefs for the searches of devices with a clock. They
// are compiled where no compiler has anything else to do and run by processes that give way: a
// sample of their blocks on the board's own problem, or all of a small one where that takes too
// long or too much memory. Whatever a kernel does there costs only that belief. Used by one thread;
// the pools tell theirs through `post`.
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
#include "sweep/event_queue.h"
#include "sweep/sweep_plan.h"
#include "workers/measure_pool.h"

namespace warpwright {

// Configurations of a board that are modelled, at most.
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

// Configurations of the board that the place can run, at most kMostModelled: those with which its
// search begins, then a sample that depends on the seed alone. Indices of the board's space.
[[nodiscard]] std::vector<std::uint64_t> modelled_sample(const SweepPlan& plan, std::size_t board,
                                                         const ModelPlace& place,
                                                         std::uint64_t seed);

class ModelPrior {
 public:
  using Clock = std::chrono::steady_clock;
  // Of a board's space, what the model says.
  using Believe = std::function<void(std::size_t board, std::uint64_t index, double us)>;

  // Plans what is to be modelled and gives it to the compilers. All must outlive this.
  ModelPrior(const SweepOptions& options, const Paths& paths, const SweepPlan& plan,
             CompilePool& compilers, EventQueue& events, Believe believe);

  // What an event of the pools means here; false when it is not for this.
  bool compiled(std::uint64_t ticket, CompileResult& result);
  void modelled(ModelledEvent event);

  // Nothing more is to come for the first board that is told anything.
  [[nodiscard]] bool first_is_known() const;
  // How long the sweep's first question may wait for that.
  [[nodiscard]] static std::chrono::milliseconds patience(const Budget& budget);
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
  // One configuration on one problem of one emulated device, whoever wants to know.
  struct Job {
    std::size_t place = 0;  // in places_
    bool small = false;
    std::size_t pool = 0;
    std::shared_ptr<MeasureRequest> request;
    std::vector<std::pair<std::size_t, std::uint64_t>> wanted;  // board and index
  };
  void plan_board(const SweepOptions& options, const Paths& paths, std::size_t board);
  [[nodiscard]] std::size_t pool_of(const SweepOptions& options, const Paths& paths,
                                    const DeviceInfo& device);
  // What is modelled of one problem on one device, for the boards that want to know: small problems
  // where none of the first few could be modelled on the problem itself. Times of both are never
  // told together.
  struct Place {
    ModelPlace own;
    std::optional<ModelPlace> small = std::nullopt;
    std::shared_ptr<SearchSpace> small_space = nullptr;
    bool is_small = false;
    std::size_t given_up = 0;  // before anything was modelled
    bool any = false;          // was modelled
    [[nodiscard]] const ModelPlace& now() const { return is_small ? *small : own; }
  };
  [[nodiscard]] std::size_t place_of(std::size_t board, const ModelPlace& own);
  void compile(std::uint64_t id);
  // Whether the job goes on with the small problem.
  [[nodiscard]] bool goes_small(std::uint64_t id);
  void settle(std::uint64_t job);

  const SweepPlan& plan_;
  CompilePool& compilers_;
  EventQueue& events_;
  Believe believe_;
  std::vector<Place> places_;
  std::map<std::size_t, std::size_t> place_of_;  // by board
  std::map<std::size_t, std::uint64_t> told_;    // likewise
  std::map<std::size_t, std::size_t> open_;      // likewise: what is still to come
  std::map<std::string, std::uint64_t> known_;   // jobs by device, problem and configuration
  std::map<std::uint64_t, Job> jobs_;
  std::map<std::uint64_t, std::uint64_t> tickets_;  // of the compilers, to jobs
  std::vector<std::string> pool_devices_;
  PriorSummary summary_;
  Clock::time_point start_ = Clock::now();
  std::string trouble_;
  bool stopped_ = false;
  // Last: their threads post, and end first.
  std::vector<std::unique_ptr<MeasurePool>> pools_;
};

}  // namespace warpwright
