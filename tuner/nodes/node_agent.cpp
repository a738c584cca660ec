#include "nodes/node_agent.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/cache_folder.h"
#include "core/error.h"
#include "core/files.h"
#include "core/hash.h"
#include "core/process/serve.h"
#include "core/process/subprocess.h"
#include "nodes/node_shares.h"
#include "nodes/packed_message.h"
#include "workers/device_lock.h"
#include "workers/device_query.h"
#include "workers/interrupt.h"
#include "workers/paths.h"

namespace warpwright {
namespace {

using std::chrono::milliseconds;

// A worker process that an agent runs for rank 0. A thread of its own relays frames both ways, and
// its end is reported with its last output.
//
// Reports: {"is": "started", "process": 4711} or {"is": "started", "fault": "..."}; {"is": "frame",
// "message": {...}}; {"is": "closed", "nonsense": false, "tail": "..."} when nothing more comes;
// {"is": "gone", "code": 0, "signal": 9, "tail": "..."} when it has ended. All have "worker".
class HostedWorker {
 public:
  using Report = std::function<void(nlohmann::json report)>;  // from the worker's thread

  HostedWorker(std::uint64_t id, std::vector<std::string> command, const WorkerLimits& limits,
               Report report);
  ~HostedWorker();  // kills the process and waits
  HostedWorker(const HostedWorker&) = delete;
  HostedWorker& operator=(const HostedWorker&) = delete;

  // None of these waits.
  void send(nlohmann::json message);
  void kill();
  // Kills the process and reports nothing more.
  void drop();
  // Returns whether it was dropped and is gone, so that destroying it takes no time.
  [[nodiscard]] bool done() const { return done_; }

 private:
  void serve(std::vector<std::string> command, const WorkerLimits& limits);
  void relay(Subprocess& process);
  void hand_over(Subprocess& process, const nlohmann::json& message);
  void bury(Subprocess& process);
  void wake() const;
  [[nodiscard]] bool take(nlohmann::json& message);
  void tell(nlohmann::json report);

  std::uint64_t id_;
  Report report_;
  int wake_ = -1;  // an eventfd
  std::mutex mutex_;
  std::deque<nlohmann::json> queue_;
  std::shared_ptr<Subprocess> process_;
  bool killed_ = false;
  std::string refused_;  // why a message could not be sent; used by the thread
  std::atomic<bool> dropped_ = false;
  std::atomic<bool> done_ = false;
  std::thread thread_;
};

// How often a quiet worker is checked: a grandchild may hold its pipes open after its end.
constexpr milliseconds kLifeInterval{500};
constexpr milliseconds kEndInterval{2};

HostedWorker::HostedWorker(std::uint64_t id, std::vector<std::string> command,
                           const WorkerLimits& limits, Report report)
    : id_(id), report_(std::move(report)), wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  WARPWRIGHT_CHECK(wake_ >= 0, "an eventfd can be made");
  thread_ = std::thread([this, command = std::move(command), limits]() mutable {
    serve(std::move(command), limits);
    done_ = true;
  });
}

HostedWorker::~HostedWorker() {
  drop();
  thread_.join();
  ::close(wake_);
}

void HostedWorker::wake() const {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t put = ::write(wake_, &one, sizeof(one));
}

void HostedWorker::tell(nlohmann::json report) {
  if (dropped_) return;
  report["worker"] = id_;
  report_(std::move(report));
}

void HostedWorker::send(nlohmann::json message) {
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back(std::move(message));
  }
  wake();
}

void HostedWorker::kill() {
  const std::lock_guard lock(mutex_);
  killed_ = true;
  if (process_) process_->kill();
}

void HostedWorker::drop() {
  dropped_ = true;
  kill();
  wake();
}

bool HostedWorker::take(nlohmann::json& message) {
  const std::lock_guard lock(mutex_);
  if (queue_.empty()) return false;
  message = std::move(queue_.front());
  queue_.pop_front();
  return true;
}

void HostedWorker::serve(std::vector<std::string> command, const WorkerLimits& limits) {
  std::shared_ptr<Subprocess> process;
  try {
    process = std::make_shared<Subprocess>(std::move(command), limits);
  } catch (const Error& error) {
    return tell({{"is", "started"}, {"fault", error.message()}});
  }
  {
    const std::lock_guard lock(mutex_);
    process_ = process;
    if (killed_) process->kill();
  }
  tell({{"is", "started"}, {"process", process->pid()}});
  relay(*process);
  bury(*process);
  const std::lock_guard lock(mutex_);
  process_.reset();
}

// A message that is too large for a frame ends the worker, as it would have ended its sender here.
void HostedWorker::hand_over(Subprocess& process, const nlohmann::json& message) {
  try {
    static_cast<void>(process.send(message));
  } catch (const Error& error) {
    refused_ = error.message();
    process.kill();
  }
}

void HostedWorker::relay(Subprocess& process) {
  nlohmann::json message;
  while (!dropped_) {
    pollfd events[2] = {{process.read_descriptor(), POLLIN, 0}, {wake_, POLLIN, 0}};
    const int ready = ::poll(events, 2, static_cast<int>(kLifeInterval.count()));
    if (events[1].revents != 0) {
      std::uint64_t ignored = 0;
      [[maybe_unused]] const ssize_t got = ::read(wake_, &ignored, sizeof(ignored));
    }
    // A worker that is gone may have left answers, which are read below.
    while (take(message)) hand_over(process, message);
    if (ready < 0 || (ready > 0 && events[0].revents == 0)) continue;
    const milliseconds patience = ready == 0 ? milliseconds(1) : milliseconds(-1);
    const auto read = process.receive(message, patience);
    if (read == Subprocess::ReadResult::kClosed) return;
    if (read == Subprocess::ReadResult::kMessage)
      tell({{"is", "frame"}, {"message", std::move(message)}});
  }
}

void HostedWorker::bury(Subprocess& process) {
  const bool nonsense = process.sent_nonsense();
  auto status = process.try_wait();
  if (!status) tell({{"is", "closed"}, {"nonsense", nonsense}, {"tail", process.stderr_tail()}});
  while (!status && !dropped_) {
    std::this_thread::sleep_for(kEndInterval);
    status = process.try_wait();
  }
  if (!status) return;
  if (nonsense) tell({{"is", "closed"}, {"nonsense", true}, {"tail", ""}});
  tell({{"is", "gone"},
        {"code", status->code},
        {"signal", status->signal},
        {"tail", process.stderr_tail() + refused_}});
}

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using nlohmann::json;

constexpr milliseconds kLookInterval{100};
// An agent that was asked to end waits this long for the order of rank 0, which may have been asked
// as well and stores its results first.
constexpr std::chrono::seconds kFarewellPatience{10};

// Replaces a contract's folders with those of this machine.
void localise(json& message, const Paths& paths) {
  const auto open = message.find("open");
  if (open == message.end()) return;
  json& setup = open->contains("setup") ? open->at("setup") : *open;
  const fs::path library = setup.at("reference_library").get<std::string>();
  if (!library.empty())
    setup["reference_library"] = paths.built_reference(library.stem().string()).string();
  setup["reference_include"] = paths.common_headers().string();
  setup["cache_folder"] = reference_cache_folder().string();
}

class Agent : public std::enable_shared_from_this<Agent> {
 public:
  Agent(NodeLink& link, AgentOptions options)
      : link_(link), options_(std::move(options)), parts_(options_.cache_bytes) {}

  AgentEnd run();

 private:
  // A message that waits for parts; later messages wait behind it.
  struct Parked {
    json message;
    Blobs parts;
  };

  void report(const json& message) {
    std::string bytes;
    json::to_cbor(message, bytes);
    link_.send(0, std::move(bytes));
  }
  void obey(json order);
  void describe(const json& order);
  void claim(const json& order);
  void start(const json& order);
  void hand_over(std::uint64_t worker);
  void add_parts(json& order, Blobs& parts);
  [[nodiscard]] Blob find_part(const std::string& hash, const Blobs& own);
  void sweep_up();

  NodeLink& link_;
  const AgentOptions options_;
  milliseconds alive_{1'000};
  milliseconds silence_{20'000};
  Paths paths_;
  std::map<std::uint64_t, std::unique_ptr<HostedWorker>> workers_;
  std::vector<std::unique_ptr<HostedWorker>> dropped_;
  std::map<std::uint64_t, std::deque<Parked>> parked_;
  std::mutex parts_mutex_;  // workers' threads record the parts that pass
  BlobCache parts_;
  std::mutex locks_mutex_;
  std::vector<std::unique_ptr<DeviceLocks>> locks_;
  std::optional<AgentEnd> end_;
};

// Devices are queried in a process that may take a minute.
void Agent::describe(const json& order) {
  alive_ = milliseconds(order.at("alive_ms").get<std::int64_t>());
  silence_ = milliseconds(order.at("silence_ms").get<std::int64_t>());
  json node = {{"is", "node"}};
  const NodeHost host = this_host();
  node["host"] = host.host;
  node["processors"] = host.processors;
  node["memory"] = host.available_memory ? json(*host.available_memory) : json();
  const char* setting = std::getenv("WARPWRIGHT_MEMORY_LIMIT");
  node["memory_setting"] = setting != nullptr ? setting : "";
  try {
    paths_ = find_paths({});
  } catch (const Error& error) {
    node.update(error_frame(error));
    return report(node);
  }
  std::thread([this, self = shared_from_this(), node]() mutable {
    try {
      node["file"] = options_.program.string();
      node["program"] = sha256_hex(read_file(options_.program));
      const DeviceList list = options_.devices();
      node["devices"] = list.devices;
      node["why_no_cuda"] = list.why_no_cuda;
    } catch (const Error& error) {
      node.update(error_frame(error));
    }
    report(node);
  }).detach();
}

// May wait for other processes without a limit.
void Agent::claim(const json& order) {
  std::thread([this, self = shared_from_this(), order] {
    try {
      std::optional<LockOptions> options = lock_options_from_environment();
      if (options) {
        options->owner = {::getpid(), order.at("user"), order.at("since"), order.at("command")};
        options->wait = order.at("wait");
        if (const json& longest = order.at("longest_ms"); !longest.is_null())
          options->longest = milliseconds(longest.get<std::int64_t>());
        options->say = [this](const std::string& line) {
          report({{"is", "said"}, {"line", line}});
        };
        auto locks = std::make_unique<DeviceLocks>(
            order.at("devices").get<std::vector<DeviceInfo>>(), *options);
        const std::lock_guard lock(locks_mutex_);
        locks_.push_back(std::move(locks));
      }
      report({{"is", "claimed"}});
    } catch (const Error& error) {
      json claimed = error_frame(error);
      claimed["is"] = "claimed";
      report(claimed);
    }
  }).detach();
}

void Agent::start(const json& order) {
  const std::uint64_t id = order.at("worker");
  auto command = order.at("command").get<std::vector<std::string>>();
  if (!command.empty()) command.front() = own_executable().string();
  const WorkerLimits limits{order.at("private_bytes").get<std::uint64_t>()};
  workers_[id] =
      std::make_unique<HostedWorker>(id, std::move(command), limits, [this](const json& message) {
        if (message.at("is") == "frame") {
          const std::lock_guard lock(parts_mutex_);
          note_parts(message.at("message"), parts_, true);
        }
        report(message);
      });
}

Blob Agent::find_part(const std::string& hash, const Blobs& own) {
  if (const auto found = own.find(hash); found != own.end()) return found->second;
  const std::lock_guard lock(parts_mutex_);
  return parts_.find(hash);
}

void Agent::add_parts(json& order, Blobs& parts) {
  const std::lock_guard lock(parts_mutex_);
  for (auto& [hash, part] : order.at("blobs").items()) {
    const std::size_t bytes = blob_bytes(part);
    const Blob blob = std::make_shared<const json>(std::move(part));
    parts[hash] = blob;
    parts_.put(hash, blob, bytes);
  }
}

// Sends the messages that are complete, in order; requests the parts that the next one lacks.
void Agent::hand_over(std::uint64_t worker) {
  const auto to = workers_.find(worker);
  std::deque<Parked>& waiting = parked_[worker];
  while (!waiting.empty() && to != workers_.end()) {
    Parked& next = waiting.front();
    const std::vector<std::string> missing = unpack_message(
        next.message, [&](const std::string& hash) { return find_part(hash, next.parts); });
    if (!missing.empty()) return report({{"is", "want"}, {"worker", worker}, {"hashes", missing}});
    localise(next.message, paths_);
    to->second->send(std::move(next.message));
    waiting.pop_front();
  }
  parked_.erase(worker);
}

void Agent::obey(json order) {
  const auto what = order.at("do").get<std::string>();
  if (what == "describe") return describe(order);
  if (what == "claim") return claim(order);
  if (what == "start") return start(order);
  if (what == "quit") {
    end_ = AgentEnd{order.at("complete").get<bool>(), ""};
    return;
  }
  if (!order.contains("worker")) return;
  const std::uint64_t id = order.at("worker");
  const auto worker = workers_.find(id);
  if (worker == workers_.end()) return;
  if (what == "kill") worker->second->kill();
  if (what == "send") {
    Parked next{std::move(order.at("message")), {}};
    add_parts(order, next.parts);
    std::deque<Parked>& waiting = parked_[id];
    waiting.push_back(std::move(next));
    if (waiting.size() == 1) hand_over(id);
  }
  if (what == "blobs" && parked_.contains(id)) {
    add_parts(order, parked_[id].front().parts);
    hand_over(id);
  }
  if (what == "drop") {
    worker->second->drop();
    dropped_.push_back(std::move(worker->second));
    workers_.erase(worker);
    parked_.erase(id);
  }
}

void Agent::sweep_up() {
  std::erase_if(dropped_, [](const auto& worker) { return worker->done(); });
}

AgentEnd Agent::run() {
  // The first signal is left to rank 0, which also receives it when all ranks are asked to end.
  const InterruptGuard interrupts;
  Clock::time_point heard = Clock::now(), said = heard, looked = heard;
  std::optional<Clock::time_point> leaving;
  const auto end = [this](std::string why) {
    if (!end_) end_ = AgentEnd{false, std::move(why)};
  };
  while (!end_) {
    std::optional<NodeMessage> message = link_.receive(kLookInterval);
    const Clock::time_point now = Clock::now();
    // While this process was suspended, it could not receive anything from rank 0.
    if (now - std::exchange(looked, now) > silence_ / 2) heard = now;
    if (message && message->lost && message->from == 0) end("nothing can be sent to rank 0");
    if (message && !message->lost) {
      heard = now;
      try {
        obey(json::from_cbor(message->bytes));
      } catch (const json::exception&) {
        end("rank 0 sent something that is not a message");
      }
    }
    if (now - heard > silence_)
      end(fmt::format("nothing was heard of rank 0 for {} s",
                      static_cast<double>(silence_.count()) / 1000));
    if (now - said >= alive_) {
      report({{"is", "alive"}});
      said = now;
      sweep_up();
    }
    if (InterruptGuard::requested() && !leaving) {
      report({{"is", "leaving"}});
      leaving = now;
    }
    if (leaving && now - *leaving > kFarewellPatience) end("it was asked to end");
  }
  for (const auto& [id, worker] : workers_) worker->drop();
  workers_.clear();
  dropped_.clear();
  {
    const std::lock_guard lock(locks_mutex_);
    locks_.clear();
  }
  report({{"is", "bye"}, {"why", end_->why}});
  return *end_;
}

}  // namespace

AgentEnd run_node_agent(NodeLink& link, AgentOptions options) {
  // A thread that waits for a lock, or queries a driver, may outlive this call.
  return std::make_shared<Agent>(link, std::move(options))->run();
}

}  // namespace warpwright
