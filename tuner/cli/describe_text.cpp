#include "cli/describe_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <filesystem>

#include "core/words.h"
#include "records/status.h"
#include "terminal/box.h"
#include "terminal/numbers.h"
#include "terminal/screen.h"
#include "terminal/table.h"
#include "terminal/text_width.h"

namespace warpwright {
namespace {

using emu::Activity;
using emu::BarrierUse;

constexpr std::size_t kMostPlaces = 3;

std::string thousands(std::uint64_t value) { return format_thousands(static_cast<double>(value)); }

std::string bytes_text(std::uint64_t bytes) { return counted(bytes, "byte", "bytes"); }

std::string extents(const std::array<std::uint32_t, 3>& v) {
  return fmt::format("{}x{}x{}", v[0], v[1], v[2]);
}

std::string times_text(std::uint64_t times) {
  return times == 1 ? "once" : times == 2 ? "twice" : thousands(times) + " times";
}

// "tma.cu:80, 95 and 2 more".
std::string places_text(const std::vector<SourceLocation>& places) {
  std::string text;
  std::string file;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (i == kMostPlaces) return text + fmt::format(" and {} more", places.size() - kMostPlaces);
    const std::string name = std::filesystem::path(places[i].file).filename().string();
    text += i == 0 ? "" : ", ";
    if (name != file) text += name + ":";
    text += std::to_string(places[i].line);
    file = name;
  }
  return text;
}

bool same_crossings(const std::vector<emu::Crossing>& a, const std::vector<emu::Crossing>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const emu::Crossing& x, const emu::Crossing& y) {
                      return x.role == y.role && x.count == y.count && x.places == y.places;
                    });
}

class LaunchText {
 public:
  LaunchText(const ProfiledLaunch& launch, const Screen& screen)
      : launch_(launch), seen_(*launch.observation), block_(seen_.block), screen_(screen) {}

  [[nodiscard]] std::string text() const {
    std::string text = heading();
    text += titled("Arrays, as all blocks access them", arrays());
    text += titled("The block", block_regions());
    text += titled("Roles: warps that execute the same code", roles());
    text += titled("Barriers", barriers());
    text += titled("Asynchronous copies", copies());
    text += titled("Shared memory", shared_memory());
    text += titled("Phases: between barriers at which the whole block waits", phases());
    return text;
  }

 private:
  [[nodiscard]] std::string titled(const std::string& title, const std::string& body) const {
    return body.empty() ? "" : "\n" + wrap_text(title, 2, text_width(screen_)) + body;
  }
  [[nodiscard]] std::string wrapped(const std::string& line, int indent) const {
    return wrap_text(line, indent, text_width(screen_));
  }

  [[nodiscard]] std::string heading() const {
    const auto& b = launch_.block;
    const std::uint64_t blocks = seen_.blocks;
    std::string line = fmt::format("{}: grid {}, block {} ({})", launch_.entry,
                                   extents(launch_.grid), extents(b), plural(block_.warps, "warp"));
    if (launch_.cluster != std::array<std::uint32_t, 3>{1, 1, 1})
      line += fmt::format(", cluster {}", extents(launch_.cluster));
    if (launch_.resources.registers > 0)
      line += fmt::format(", {} a thread", plural(launch_.resources.registers, "register"));
    const auto dynamic = std::uint64_t{launch_.dynamic_shared};
    line += seen_.shared_bytes == 0
                ? ", no shared memory"
                : fmt::format(", {} of shared memory", bytes_text(seen_.shared_bytes));
    if (dynamic != 0)
      line += fmt::format(" ({} static, {} dynamic)", thousands(seen_.shared_bytes - dynamic),
                          thousands(dynamic));
    std::string which =
        fmt::format("block ({},{},{})", block_.index[0], block_.index[1], block_.index[2]);
    const std::string executed = thousands(block_.instructions);
    if (blocks == 1) {
      which += fmt::format(", the only one, executes {} instructions of warps", executed);
    } else if (seen_.least_instructions == seen_.most_instructions) {
      which += fmt::format(" stands for {}, which all execute {} instructions of warps",
                           thousands(blocks), executed);
    } else {
      which += fmt::format(
          " is shown: of {}, it executes most, {} instructions of warps; the fewest are {}",
          thousands(blocks), executed, thousands(seen_.least_instructions));
    }
    return wrapped(line, 0) + wrapped(which, 2);
  }

  [[nodiscard]] std::string arrays() const {
    Table table({word_column("array"), word_column("use"), middle_column("elements", 14, 4),
                 number_column("bytes"), number_column("read"), number_column("times", 1),
                 number_column("written"), number_column("times", 2)});
    const auto factor = [](std::uint64_t all, std::uint64_t distinct) {
      return distinct == 0
                 ? std::string()
                 : fmt::format("{:.2f}", static_cast<double>(all) / static_cast<double>(distinct));
    };
    const auto amount = [](std::uint64_t bytes) { return bytes == 0 ? "-" : thousands(bytes); };
    for (const ArgumentUse& use : launch_.arguments) {
      std::string elements = use.dtype;
      if (!use.shape.empty()) elements += fmt::format(" {}", fmt::join(use.shape, "x"));
      table.add_row({use.name, use.role, elements, thousands(use.bytes), amount(use.distinct_read),
                     factor(use.read, use.distinct_read), amount(use.distinct_written),
                     factor(use.written, use.distinct_written)});
    }
    if (table.empty()) return "";
    return table.render(4, screen_) +
           wrapped(
               "read and written are distinct bytes; times is how often each is on average, a "
               "request of a warp counting once",
               4);
  }

  [[nodiscard]] static std::string region_text(const ArgumentUse& use, const ArrayRegion& region) {
    if (region.box.empty())
      return fmt::format("{} of {} in {}", bytes_text(region.bytes), use.name,
                         counted(region.ranges, "piece", "pieces"));
    std::vector<std::string> axes;
    for (std::size_t axis = 0; axis < region.box.size(); ++axis) {
      const auto& [from, to] = region.box[axis];
      axes.push_back(from == 0 && to == use.shape[axis] ? ":"
                     : to == from + 1                   ? std::to_string(from)
                                                        : fmt::format("{}:{}", from, to));
    }
    const std::string box = fmt::format("{}[{}]", use.name, fmt::join(axes, ","));
    if (region.fills_box) return fmt::format("{} ({})", box, bytes_text(region.bytes));
    return fmt::format("{} in {} within {}", bytes_text(region.bytes),
                       counted(region.ranges, "piece", "pieces"), box);
  }

  [[nodiscard]] std::string block_regions() const {
    std::string text;
    for (const bool writes : {false, true}) {
      std::vector<std::string> regions;
      for (const ArgumentUse& use : launch_.arguments) {
        const ArrayRegion& region = writes ? use.block_writes : use.block_reads;
        if (region.bytes != 0)
          regions.push_back(region_text(use, region) +
                            (writes && use.atomics ? ", by atomics" : ""));
      }
      if (!regions.empty())
        text += wrapped(fmt::format("{} {}", writes ? "writes" : "reads", join(regions, "; ")), 4);
    }
    return text;
  }

  [[nodiscard]] std::string role_name(std::size_t role) const {
    return role == emu::kOtherBlocks ? "other blocks" : block_.roles[role].name;
  }

  // The activities in words; those of every kernel come last.
  [[nodiscard]] static std::string activities_text(const emu::ActivityCounts& counts) {
    std::vector<std::string> parts, last;
    for (std::size_t i = 0; i < emu::kActivities; ++i) {
      const auto activity = static_cast<Activity>(i);
      if (counts[activity] == 0) continue;
      const bool is_last = activity == Activity::kInteger || activity == Activity::kConvert ||
                           activity == Activity::kOther;
      (is_last ? last : parts)
          .push_back(fmt::format("{} {}", thousands(counts[activity]),
                                 activity_name(activity, counts[activity])));
    }
    parts.insert(parts.end(), last.begin(), last.end());
    return join(parts);
  }

  [[nodiscard]] static std::string warp_list(std::uint32_t warps) {
    std::vector<std::string> runs;
    for (std::uint32_t first = 0; first < 32; ++first) {
      if ((warps >> first & 1) == 0) continue;
      std::uint32_t last = first;
      while (last < 31 && (warps >> (last + 1) & 1) != 0) ++last;
      runs.push_back(first == last ? std::to_string(first) : fmt::format("{}-{}", first, last));
      first = last;
    }
    return join(runs);
  }

  [[nodiscard]] std::string roles() const {
    Table table({word_column("role"), word_column("warps"), number_column("instructions"),
                 prose_column("of them", 24)});
    for (const emu::Role& role : block_.roles) {
      std::string what = activities_text(role.activities);
      std::vector<std::string> partial;
      for (const emu::Role::Partial& part : role.partial) {
        if (part.activity == Activity::kInteger || part.activity == Activity::kConvert ||
            part.activity == Activity::kOther)
          continue;
        partial.push_back(fmt::format("{} only by {} {}", activity_name(part.activity),
                                      std::has_single_bit(part.warps) ? "warp" : "warps",
                                      warp_list(part.warps)));
      }
      if (!partial.empty()) what += "; " + join(partial);
      if (role.registers != 0)
        what += fmt::format("; ends with {} registers a thread", role.registers);
      table.add_row({role.name, warp_list(role.warps), thousands(role.activities.total()), what});
    }
    return table.render(4, screen_);
  }

  [[nodiscard]] std::string array_at(std::uint32_t byte) const {
    for (const emu::SharedRange& range : block_.shared)
      if (byte >= range.first && byte < range.end) return range.symbol;
    return "";
  }

  [[nodiscard]] std::string barrier_name(const BarrierUse& use) const {
    switch (use.kind) {
      case BarrierUse::Kind::kBlock:
        return use.id == 0 ? "block" : fmt::format("block, barrier {}", use.id);
      case BarrierUse::Kind::kNamed:
        return fmt::format("barrier {}", use.id);
      case BarrierUse::Kind::kCluster:
        return "cluster";
      default:
        return use.objects.size() == 1
                   ? fmt::format("mbarrier at {}", use.objects.front())
                   : fmt::format("{} mbarriers at {}", use.objects.size(), use.objects.front());
    }
  }

  // "1 by producer, 8 by consumer at tma.cu:80"; places that roles share come once.
  [[nodiscard]] std::string crossings_text(const std::vector<emu::Crossing>& crossings) const {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < crossings.size(); ++i) {
      const emu::Crossing& crossing = crossings[i];
      std::string part =
          fmt::format("{} by {}", thousands(crossing.count), role_name(crossing.role));
      const bool last = i + 1 == crossings.size() || crossings[i + 1].places != crossing.places;
      if (last) part += at_text(crossing.places);
      parts.push_back(std::move(part));
    }
    return parts.empty() ? "-" : join(parts);
  }

  [[nodiscard]] std::string barriers() const {
    if (block_.barriers.empty()) return "";
    Table table({middle_column("barrier", 12), number_column("expects"), number_column("completed"),
                 prose_column("arrivals", 14), prose_column("waits of warps", 14)});
    bool objects = false, others = false;
    for (const BarrierUse& use : block_.barriers) {
      const bool is_object = use.kind == BarrierUse::Kind::kMbarriers;
      objects = objects || is_object;
      others = others || !is_object;
      table.add_row({barrier_name(use), use.expected == 0 ? "" : thousands(use.expected),
                     thousands(use.completions), crossings_text(use.arrivals),
                     !is_object && same_crossings(use.arrivals, use.waits)
                         ? "the same"
                         : crossings_text(use.waits)});
    }
    std::string unit = "barriers expect threads, and arrivals are of warps";
    if (objects && others) unit += "; ";
    if (objects && !others) unit.clear();
    if (objects) unit += "mbarriers expect arrivals of threads, and are named by their first byte";
    return table.render(4, screen_) + wrapped(unit, 4);
  }

  [[nodiscard]] std::string copies() const {
    std::string text;
    for (const emu::CopyBuffer& buffer : block_.copies) {
      std::vector<std::string> issuers;
      for (const std::size_t role : buffer.issuers) issuers.push_back(role_name(role));
      const std::optional<std::uint64_t> each = buffer.stage_bytes();
      const std::size_t stages = buffer.stages.size();
      std::uint64_t least = buffer.stages.front().bytes, most = least;
      std::uint64_t first = ~std::uint64_t{0}, end = 0;
      for (const emu::CopyBuffer::Stage& stage : buffer.stages) {
        least = std::min(least, stage.bytes);
        most = std::max(most, stage.bytes);
        first = std::min(first, stage.ranges.front().first);
        end = std::max(end, stage.ranges.back().end);
      }
      std::string line =
          fmt::format("{} of {} fill ", activity_name(buffer.by), join_with_and(issuers));
      if (stages == 1) {
        line += bytes_text(least);
      } else if (each) {
        line += fmt::format("{} stages of {}", stages, bytes_text(*each));
      } else {
        line += fmt::format("{} places of {} to {}", stages, thousands(least), bytes_text(most));
      }
      const std::string array = array_at(static_cast<std::uint32_t>(first));
      line += fmt::format(", {}-{}{}, {}", first, end - 1, array.empty() ? "" : " in " + array,
                          times_text(buffer.fills()));
      if (stages > 1) line += " in all";
      if (buffer.barriers) {
        const BarrierUse& use = block_.barriers[*buffer.barriers];
        line +=
            fmt::format("; {} complete on the {}", bytes_text(use.copied_bytes), barrier_name(use));
      }
      text += wrapped(line, 4);
    }
    return text;
  }

  [[nodiscard]] std::string uses_text(const std::vector<emu::SharedUse>& uses, bool written) const {
    std::vector<std::string> parts;
    for (const emu::SharedUse& use : uses) {
      const bool reads_too = use.way == emu::Way::kAtomic && !written;
      const bool belongs = use.way == emu::Way::kMbarrier ? written : writes(use.way) == written;
      if (!belongs && !reads_too) continue;
      std::string part = fmt::format("{}: {}", role_name(use.role), way_name(use.way));
      if (block_.phases.size() > 1 && use.phases.size() < block_.phases.size()) {
        std::vector<std::string> numbers;
        for (const std::size_t phase : use.phases) numbers.push_back(std::to_string(phase + 1));
        part += fmt::format(" in {}", join_with_and(numbers));
      }
      parts.push_back(std::move(part));
    }
    return parts.empty() ? "-" : join(parts, "; ");
  }

  [[nodiscard]] std::string shared_memory() const {
    if (seen_.shared_bytes == 0) return "";
    Table table({word_column("bytes"), middle_column("array", 8, 3), prose_column("written by", 14),
                 prose_column("read by", 14), number_column("written", 1),
                 number_column("read", 2)});
    std::uint64_t touched = 0;
    for (const emu::SharedRange& range : block_.shared) {
      touched += range.touched;
      std::string array = range.symbol.empty() ? "-" : range.symbol;
      if (range.offset != 0) array += fmt::format("+{}", range.offset);
      if (range.mixed) array += ", mixed";
      table.add_row({fmt::format("{}-{}", range.first, range.end - 1), array,
                     uses_text(range.uses, true), uses_text(range.uses, false),
                     thousands(range.written), thousands(range.read)});
    }
    std::string rest;
    if (touched < seen_.shared_bytes)
      rest =
          wrapped(fmt::format("{} of {} are not accessed", thousands(seen_.shared_bytes - touched),
                              bytes_text(seen_.shared_bytes)),
                  4);
    std::string numbers;
    if (block_.phases.size() > 1 && !table.empty())
      numbers = wrapped("in: during which phases, unless it is during all of them", 4);
    return (table.empty() ? "" : table.render(4, screen_)) + numbers + rest;
  }

  [[nodiscard]] std::string phases() const {
    std::vector<BoxSection> sections;
    for (std::size_t i = 0; i < block_.phases.size(); ++i) {
      const emu::Phase& phase = block_.phases[i];
      BoxSection& section = sections.emplace_back();
      section.title =
          fmt::format("phase {}, {}{}", i + 1,
                      i == 0 ? "from the start" : "after the barrier" + at_text(phase.after),
                      phase.times == 1 ? "" : ", " + times_text(phase.times));
      std::vector<std::string> moved;
      const auto add = [&](std::uint64_t bytes, const char* how) {
        if (bytes != 0) moved.push_back(fmt::format("{} {}", bytes_text(bytes), how));
      };
      add(phase.global_read, "read from global memory");
      add(phase.global_written, "written to global memory");
      add(phase.shared_read, "read from shared memory");
      add(phase.shared_written, "written to shared memory");
      if (!moved.empty()) section.lines.push_back(join(moved));
      section.lines.push_back(activities_text(phase.activities));
      const bool several = !phase.until.empty() && phase.until_end;
      if (several)
        section.lines.push_back("until the barrier" + at_text(phase.until) + ", or the end");
    }
    return render_box(sections, "end", 4, screen_);
  }

  [[nodiscard]] static std::string at_text(const std::vector<SourceLocation>& places) {
    return places.empty() ? "" : " at " + places_text(places);
  }

  const ProfiledLaunch& launch_;
  const emu::Observation& seen_;
  const emu::BlockObservation& block_;
  const Screen& screen_;
};

}  // namespace

std::string description_text(const DescriptionHeading& heading, const Configuration& configuration,
                             const Profile& profile, const Screen& screen) {
  const std::size_t width = text_width(screen);
  std::string text =
      wrap_text(heading.summary.empty() ? heading.kernel
                                        : fmt::format("{}: {}", heading.kernel, heading.summary),
                0, width);
  text += wrap_text(configuration.to_string(), 0, width);
  text += wrap_text(heading.problem, 0, width);
  text += wrap_text(fmt::format("as the emulator observed it on {} ({}); nothing here is measured",
                                heading.device, heading.device_name),
                    0, width);
  for (const ProfiledLaunch& launch : profile.launches)
    if (launch.observation != nullptr) text += "\n" + LaunchText(launch, screen).text();
  if (profile.status != Status::kOk)
    text += fmt::format("\n{}: {}\n", status_name(profile.status), profile.reason);
  return text;
}

}  // namespace warpwright
