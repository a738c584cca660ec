#include "nodes/remote_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

#include "core/files.h"
#include "core/hash.h"
#include "core/process/serve.h"
#include "nodes/node_shares.h"
#include "nodes/packed_message.h"
#include "nodes/remote_worker.h"
#include "spec/sweep_spec.h"
#include "workers/interrupt.h"

namespace warpwright {
namespace {

using Clock = std::chrono::steady_clock;
using nlohmann::json;
using std::chrono::milliseconds;

constexpr milliseconds kListenInterval{100};
// How long agents that were ordered to end may take to end their workers.
constexpr milliseconds kByePatience{10'000};
// A rank that was asked to end, as all are when the user stops the sweep, is not lost at once.
constexpr milliseconds kLeavingPatience{2'000};

std::string encoded(const json& message) {
  std::string bytes;
  json::to_cbor(message, bytes);
  return bytes;
}

}  // namespace

NodeTimes node_times_from_environment() {
  NodeTimes times;
  const char* text = std::getenv("WARPWRIGHT_RANK_SILENCE");
  if (text == nullptr || *text == '\0') return times;
  try {
    const Budget budget = parse_budget(text);
    if (budget.time && !budget.trials && !budget.until) {
      times.silence = std::chrono::duration_cast<milliseconds>(*budget.time);
      times.alive = std::min(times.alive, times.silence / 5);
      return times;
    }
  } catch (const Error&) {
    // reported below with the name of the variable
  }
  throw user_error(fmt::format(
      "WARPWRIGHT_RANK_SILENCE: got '{}', expected a time as in 20s: a rank that is silent "
      "for so long counts as lost",
      text));
}

struct RemoteNodes::Impl {
  // Another rank.
  struct Node {
    int rank = 0;
    std::string name;  // "rank 2", with its host once known

    std::mutex sending;              // parts and the messages that need them leave in this order
    BlobCache known;                 // hashes of what the agent should have
    std::atomic<bool> gone = false;  // like `lost`, for readers without the lock

    // Under `mutex`.
    bool lost = false;
    std::string why;
    Clock::time_point heard = Clock::now();
    std::optional<Clock::time_point> leaving;
    bool said_bye = false;  // its last report; it receives nothing after it
    std::optional<json> described;
    std::deque<json> claims;  // its reports about claims
    std::map<std::uint64_t, std::shared_ptr<RemoteWorker>> workers;
  };

  NodeLink& link;
  NodeTimes times;
  std::vector<std::unique_ptr<Node>> nodes;
  std::vector<WorkerNode> gathered;
  std::atomic<std::uint64_t> last_worker = 0;

  mutable std::mutex mutex;
  std::condition_variable changed;
  std::mutex telling;  // protects `told`, also during its call
  std::function<void(const std::string& line, bool last)> told;
  bool ending = false;
  Clock::time_point give_up;  // when ending
  std::thread listener;

  Impl(NodeLink& by, const NodeTimes& given) : link(by), times(given) {}

  void order(const Node& node, const json& message) {
    if (!node.gone) link.send(node.rank, encoded(message));
  }

  // Parts that the agent should have are left out.
  void send(Node& node, std::uint64_t worker, const PackedMessage& packed) {
    json message = {{"do", "send"}, {"worker", worker}, {"message", packed.message}};
    const std::lock_guard lock(node.sending);
    json& parts = message["blobs"] = json::object();
    for (const auto& [hash, part] : packed.blobs) {
      if (node.known.touch(hash)) continue;
      node.known.put(hash, nullptr, blob_bytes(*part));
      parts[hash] = *part;
    }
    order(node, message);
  }

  std::shared_ptr<RemoteWorker> find(Node& node, std::uint64_t id) const {
    const std::lock_guard lock(mutex);
    const auto found = node.workers.find(id);
    return found == node.workers.end() ? nullptr : found->second;
  }

  std::shared_ptr<WorkerProcess> start(Node& node, const std::vector<std::string>& command,
                                       const WorkerLimits& limits) {
    const std::uint64_t id = ++last_worker;
    auto worker = std::make_shared<RemoteWorker>();
    {
      const std::lock_guard lock(mutex);
      worker->lost = node.lost;
      if (!node.lost) node.workers[id] = worker;
    }
    RemoteCalls calls;
    calls.order = [this, &node](const json& message) { order(node, message); };
    calls.send = [this, &node](std::uint64_t to, const PackedMessage& packed) {
      send(node, to, packed);
    };
    calls.forget = [this, &node](std::uint64_t which) {
      const std::lock_guard lock(mutex);
      node.workers.erase(which);
    };
    auto process = std::make_shared<RemoteProcess>(id, node.name, worker, std::move(calls));
    order(node, {{"do", "start"},
                 {"worker", id},
                 {"command", command},
                 {"private_bytes", limits.private_bytes}});
    std::unique_lock lock(worker->mutex);
    worker->changed.wait(lock, [&] { return worker->lost || worker->process || worker->fault; });
    if (worker->fault) throw environment_error(fmt::format("{}: {}", node.name, *worker->fault));
    return process;
  }

  void claim(Node& node, const std::vector<DeviceInfo>& devices, const LockOptions& options) {
    order(node, {{"do", "claim"},
                 {"devices", devices},
                 {"user", options.owner.user},
                 {"since", options.owner.since},
                 {"command", options.owner.command},
                 {"wait", options.wait},
                 {"longest_ms", options.longest ? json(options.longest->count()) : json()}});
    for (;;) {
      json said;
      {
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return node.lost || !node.claims.empty(); });
        if (node.lost) throw environment_error(fmt::format("{} is lost: {}", node.name, node.why));
        said = std::move(node.claims.front());
        node.claims.pop_front();
      }
      if (said.contains("line")) {
        options.say(fmt::format("{}: {}", node.name, said["line"].get<std::string>()));
      } else if (auto error = reported_error(said)) {
        throw error->add_context(node.name);
      } else {
        return;
      }
    }
  }

  void lose(Node& node, const std::string& why) {
    bool last = false;
    std::map<std::uint64_t, std::shared_ptr<RemoteWorker>> workers;
    {
      const std::lock_guard lock(mutex);
      if (node.lost || ending) return;
      node.lost = true;
      node.gone = true;
      node.why = why;
      workers = node.workers;
      last = none_left();
    }
    link.abandon(node.rank);
    for (const auto& [id, worker] : workers) {
      {
        const std::lock_guard lock(worker->mutex);
        worker->lost = true;
      }
      worker->changed.notify_all();
    }
    changed.notify_all();
    const std::lock_guard lock(telling);
    if (told) told(line_of(node), last);
  }
  // Every agent that is left has sent its last message, so that none waits for a reply.
  [[nodiscard]] bool all_said_bye() const {
    return std::all_of(nodes.begin(), nodes.end(),
                       [](const auto& one) { return one->lost || one->said_bye; });
  }
  [[nodiscard]] bool none_left() const {
    return std::all_of(nodes.begin(), nodes.end(), [](const auto& one) { return one->lost; });
  }
  [[nodiscard]] static std::string line_of(const Node& node) {
    return fmt::format("{} is lost: {}; what it was doing is done elsewhere", node.name, node.why);
  }

  void heard_of_worker(Node& node, const std::string& what, json& report) {
    const std::shared_ptr<RemoteWorker> worker = find(node, report.at("worker"));
    if (!worker) return;  // it was dropped meanwhile
    if (what == "frame") {
      // The agent keeps the parts that it sent.
      const std::lock_guard lock(node.sending);
      note_parts(report.at("message"), node.known, false);
    }
    if (what == "want") return hand_over(node, *worker, report);
    {
      const std::lock_guard lock(worker->mutex);
      if (what == "frame") {
        worker->inbox.push_back(std::move(report.at("message")));
      } else if (what == "started") {
        if (report.contains("fault")) {
          worker->fault = report["fault"].get<std::string>();
        } else {
          worker->process = report.at("process").get<long>();
        }
      } else {
        worker->closed = true;
        report.at("tail").get_to(worker->tail);
        if (what == "closed") report.at("nonsense").get_to(worker->nonsense);
        if (what == "gone")
          worker->status = ExitStatus{report.at("code").get<int>(), report.at("signal").get<int>()};
      }
    }
    worker->changed.notify_all();
  }

  // Sends parts that an agent has dropped from its cache.
  void hand_over(Node& node, RemoteWorker& worker, const json& report) {
    json parts = json::object();
    {
      const std::lock_guard lock(worker.mutex);
      for (const json& hash : report.at("hashes")) {
        const auto found = worker.last_parts.find(hash.get<std::string>());
        if (found != worker.last_parts.end()) parts[found->first] = *found->second;
      }
    }
    order(node, {{"do", "blobs"}, {"worker", report.at("worker")}, {"blobs", std::move(parts)}});
  }

  void leave(Node& node, const json& report) {
    {
      const std::lock_guard lock(mutex);
      node.said_bye = true;
    }
    lose(node, report.at("why").get<std::string>());  // does nothing if it was ordered to end
  }

  void heard(Node& node, const std::string& bytes) {
    json report = json::from_cbor(bytes);
    const auto what = report.at("is").get<std::string>();
    if (report.contains("worker")) return heard_of_worker(node, what, report);
    if (what == "bye") return leave(node, report);
    const std::lock_guard lock(mutex);
    if (what == "node") node.described = std::move(report);
    if (what == "said" || what == "claimed") node.claims.push_back(std::move(report));
    if (what == "leaving" && !node.leaving) node.leaving = Clock::now();
    changed.notify_all();
  }

  void listen() {
    Clock::time_point last_alive{};
    Clock::time_point last_look = Clock::now();
    for (;;) {
      const std::optional<NodeMessage> message = link.receive(kListenInterval);
      const Clock::time_point now = Clock::now();
      // While this process was suspended, it could not receive anything from any rank.
      const bool stood_still = now - last_look > times.silence / 2;
      last_look = now;
      bool ends = false;
      {
        const std::lock_guard lock(mutex);
        ends = ending && (now > give_up || all_said_bye());
        for (const auto& node : nodes)
          if (stood_still || (message && message->from == node->rank)) node->heard = now;
      }
      if (ends) return;
      if (message) take(*message);
      for (const auto& node : nodes) {
        bool lost = false, silent = false, left = false;
        {
          const std::lock_guard lock(mutex);
          lost = node->lost;
          silent = now - node->heard > times.silence;
          left = node->leaving && now - *node->leaving > kLeavingPatience &&
                 !InterruptGuard::requested();
        }
        if (lost) continue;
        if (silent)
          lose(*node, fmt::format("nothing was heard of it for {} s",
                                  static_cast<double>(times.silence.count()) / 1000));
        if (left) lose(*node, "it was asked to end");
        if (silent || now - last_alive < times.alive) continue;
        // After the order to end, no agent reads messages.
        const std::lock_guard lock(mutex);
        if (!ending) order(*node, {{"do", "alive"}});
      }
      if (now - last_alive >= times.alive) last_alive = now;
    }
  }

  void take(const NodeMessage& message) {
    const auto found = std::find_if(nodes.begin(), nodes.end(),
                                    [&](const auto& node) { return node->rank == message.from; });
    if (found == nodes.end()) return;
    Node& node = **found;
    {
      const std::lock_guard lock(mutex);
      if (node.lost) return;
    }
    if (message.lost) return lose(node, "its process has ended");
    try {
      heard(node, message.bytes);
    } catch (const json::exception& error) {
      lose(node, fmt::format("it sent something that is not a message: {}", error.what()));
    }
  }
};

RemoteNodes::RemoteNodes(NodeLink& link, const NodeTimes& times)
    : impl_(std::make_unique<Impl>(link, times)) {
  for (int rank = 0; rank < link.ranks(); ++rank) {
    if (rank == link.rank()) continue;
    auto node = std::make_unique<Impl::Node>();
    node->rank = rank;
    node->name = fmt::format("rank {}", rank);
    impl_->nodes.push_back(std::move(node));
  }
  impl_->listener = std::thread([impl = impl_.get()] { impl->listen(); });
}

RemoteNodes::~RemoteNodes() {
  const bool whole = complete();
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->ending = true;
    impl_->give_up = Clock::now() + kByePatience;
  }
  for (const auto& node : impl_->nodes) impl_->order(*node, {{"do", "quit"}, {"complete", whole}});
  impl_->listener.join();
}

bool RemoteNodes::complete() const {
  const std::lock_guard lock(impl_->mutex);
  return std::none_of(impl_->nodes.begin(), impl_->nodes.end(),
                      [](const auto& node) { return node->lost; });
}

const std::vector<WorkerNode>& RemoteNodes::gather() {
  if (!impl_->gathered.empty()) return impl_->gathered;
  const std::string program = sha256_hex(read_file(own_executable()));
  for (const auto& node : impl_->nodes)
    impl_->order(*node, {{"do", "describe"},
                         {"alive_ms", impl_->times.alive.count()},
                         {"silence_ms", impl_->times.silence.count()}});
  std::vector<NodeHost> hosts;
  std::unique_lock lock(impl_->mutex);
  for (const auto& node : impl_->nodes) {
    impl_->changed.wait(lock, [&] { return node->lost || node->described; });
    if (node->lost)
      throw environment_error(
          fmt::format("{} is lost: {}; start again, it resumes, perhaps with fewer ranks",
                      node->name, node->why));
    const nlohmann::json& said = *node->described;
    hosts.push_back({said.at("host"), said.at("processors"), std::nullopt});
    if (!said.at("memory").is_null()) hosts.back().available_memory = said["memory"];
    node->name += " on " + hosts.back().host;
    if (auto error = reported_error(said)) throw error->add_context(node->name);
    if (const auto other = said.at("program").get<std::string>(); other != program) {
      throw environment_error(fmt::format(
          "{} runs another build of the program, {}: expected the same everywhere, by a shared "
          "folder or the same package",
          node->name, said.at("file").get<std::string>()));
    }
  }
  const std::vector<NodeShare> shares = share_hosts(hosts);
  for (std::size_t i = 0; i < impl_->nodes.size(); ++i) {
    Impl::Node& node = *impl_->nodes[i];
    const nlohmann::json& said = *node.described;
    WorkerNode one;
    one.name = node.name;
    one.host = hosts[i].host;
    one.cores = shares[i].cores;
    one.available_memory = shares[i].available_memory;
    one.memory_setting = said.at("memory_setting");
    said.at("devices").get_to(one.devices.devices);
    said.at("why_no_cuda").get_to(one.devices.why_no_cuda);
    one.start = [impl = impl_.get(), &node](const std::vector<std::string>& command,
                                            const WorkerLimits& limits) {
      return impl->start(node, command, limits);
    };
    one.claim = [impl = impl_.get(), &node](const std::vector<DeviceInfo>& devices,
                                            const LockOptions& options) {
      impl->claim(node, devices, options);
    };
    impl_->gathered.push_back(std::move(one));
  }
  return impl_->gathered;
}

void RemoteNodes::on_lost(std::function<void(const std::string& line, bool last)> told) {
  const std::lock_guard telling(impl_->telling);
  impl_->told = told;
  std::vector<std::string> lines;
  bool last = false;
  {
    const std::lock_guard lock(impl_->mutex);
    for (const auto& node : impl_->nodes)
      if (node->lost) lines.push_back(Impl::line_of(*node));
    last = impl_->none_left();
  }
  if (!told) return;
  for (std::size_t i = 0; i < lines.size(); ++i) told(lines[i], last && i + 1 == lines.size());
}

}  // namespace warpwright
