// Strategies that move a population by the published algorithms, adapted to answers that come late
// and in any order.
#include <algorithm>
#include <cmath>

#include "search/guided.h"
#include "search/strategies.h"

namespace warpwright {
namespace {

// A genetic algorithm that replaces one member at a time, so that answers may come in any order.
// Source: D. Whitley, The GENITOR Algorithm and Selection Pressure, ICGA 1989.
class Genetic : public Guided {
 public:
  Genetic(const SearchSpace& space, const StrategyOptions& options)
      : Guided(space, options, "genetic"),
        size_(static_cast<std::size_t>(options.integer("population", 20))),
        mutation_(options.real("mutation", 1.5)) {}

 private:
  struct Member {
    std::uint64_t index;
    double cost;
  };

  std::optional<Wish> wish() override {
    // All members share one owner: any answer may join the population.
    if (begun_ < size_) {
      ++begun_;
      return Wish{any(), 0};
    }
    if (members_.size() < 2) return std::nullopt;
    return Wish{child(), 0};
  }

  void answered(std::size_t /*owner*/, std::uint64_t index, double cost) override {
    const auto known = std::find_if(members_.begin(), members_.end(),
                                    [&](const Member& member) { return member.index == index; });
    if (known != members_.end()) return;
    const auto place =
        std::upper_bound(members_.begin(), members_.end(), cost,
                         [](double value, const Member& member) { return value < member.cost; });
    members_.insert(place, {index, cost});
    if (members_.size() > size_) members_.pop_back();
  }

  // Returns the better of two random members. Members are sorted, so that is the one nearer the
  // front.
  const Member& parent() {
    const auto count = static_cast<std::uint32_t>(members_.size());
    return members_[std::min(random().below(count), random().below(count))];
  }

  std::uint64_t child() {
    const SearchSpace::Place mother = space().place_at(parent().index);
    const SearchSpace::Place father = space().place_at(parent().index);
    std::vector<double> levels(mother.levels.begin(), mother.levels.end());
    for (std::size_t i = 0; i < levels.size() && mother.group == father.group; ++i)
      if (random().below(2) == 0) levels[i] = father.levels[i];
    mutate(mother.group, mutation_, levels);
    return repaired(mother.group, levels);
  }

  const std::size_t size_;
  const double mutation_;
  std::size_t begun_ = 0;
  std::vector<Member> members_;  // best first
};

}  // namespace

std::unique_ptr<Strategy> make_genetic(const SearchSpace& space, const StrategyOptions& options) {
  return std::make_unique<Genetic>(space, options);
}

namespace {

// Differential evolution over the levels of the parameters. A member is replaced as soon as its own
// trial is answered, so answers may come in any order. Differences are taken only between members
// of the same variant. Source: R. Storn, K. Price, Differential Evolution, Journal of Global
// Optimization 11 (1997).
class DifferentialEvolution : public Guided {
 public:
  DifferentialEvolution(const SearchSpace& space, const StrategyOptions& options)
      : Guided(space, options, "differential_evolution"),
        members_(static_cast<std::size_t>(options.integer("population", 15))),
        weight_(options.real("weight", 0.7)),
        crossover_(options.real("crossover", 0.6)) {}

 private:
  struct Member {
    std::optional<SearchSpace::Place> place;
    double cost = kFailed;
    bool waits = false;
  };

  std::optional<Wish> wish() override {
    for (std::size_t tried = 0; tried < members_.size(); ++tried) {
      const std::size_t owner = next_++ % members_.size();
      Member& member = members_[owner];
      if (member.waits) continue;
      member.waits = true;
      return Wish{member.place ? trial(owner) : any(), owner};
    }
    return std::nullopt;
  }

  void answered(std::size_t owner, std::uint64_t index, double cost) override {
    Member& member = members_[owner];
    member.waits = false;
    if (cost == kFailed || (member.place && cost > member.cost)) return;
    member.place = space().place_at(index);
    member.cost = cost;
  }

  // The other members of the same variant.
  std::vector<const Member*> relatives(std::size_t owner) const {
    std::vector<const Member*> result;
    for (std::size_t i = 0; i < members_.size(); ++i) {
      const Member& member = members_[i];
      if (i != owner && member.place && member.place->group == members_[owner].place->group)
        result.push_back(&member);
    }
    return result;
  }

  // Moves from the member towards one of the best relatives and along the difference of two others.
  std::uint64_t trial(std::size_t owner) {
    const SearchSpace::Place& own = *members_[owner].place;
    std::vector<const Member*> others = relatives(owner);
    if (others.size() < 3) return any();
    std::sort(others.begin(), others.end(),
              [](const Member* a, const Member* b) { return a->cost < b->cost; });
    const auto draw = [&] {
      return others[random().below(static_cast<std::uint32_t>(others.size()))];
    };
    // Pick one of the best three; using only the best would gather all members in one place.
    const Member& best = *others[random().below(3)];
    const Member& first = *draw();
    const Member& second = *draw();
    std::vector<double> levels(own.levels.begin(), own.levels.end());
    if (levels.empty()) return any();
    const std::size_t always = random().below(static_cast<std::uint32_t>(levels.size()));
    for (std::size_t i = 0; i < levels.size(); ++i) {
      if (i != always && random().uniform() >= crossover_) continue;
      const double here = levels[i];
      const double there = best.place->levels[i];
      const double apart = static_cast<double>(first.place->levels[i]) -
                           static_cast<double>(second.place->levels[i]);
      levels[i] = here + weight_ * (there - here) + weight_ * apart;
    }
    return repaired(own.group, levels);
  }

  std::vector<Member> members_;
  const double weight_, crossover_;
  std::size_t next_ = 0;
};

}  // namespace

std::unique_ptr<Strategy> make_differential_evolution(const SearchSpace& space,
                                                      const StrategyOptions& options) {
  return std::make_unique<DifferentialEvolution>(space, options);
}

namespace {

// Particle swarm optimization over the levels of the parameters. A particle moves when its proposal
// is answered, in any order, and stays within its variant. Source: J. Kennedy, R. Eberhart,
// Particle Swarm Optimization, ICNN 1995.
class ParticleSwarm : public Guided {
 public:
  ParticleSwarm(const SearchSpace& space, const StrategyOptions& options)
      : Guided(space, options, "particle_swarm"),
        particles_(static_cast<std::size_t>(options.integer("particles", 16))),
        inertia_(options.real("inertia", 0.5)),
        own_(options.real("own", 1.4)),
        best_(options.real("best", 1.4)) {}

 private:
  struct Particle {
    std::optional<std::size_t> group;
    std::vector<double> at, speed;
    std::vector<double> best;
    double best_cost = kFailed;
    bool waits = false;
    int stuck = 0;
  };

  // A particle restarts after this many moves that find nothing new.
  static constexpr int kStuck = 12;

  std::optional<Wish> wish() override {
    for (std::size_t tried = 0; tried < particles_.size(); ++tried) {
      const std::size_t owner = next_++ % particles_.size();
      Particle& particle = particles_[owner];
      if (particle.waits) continue;
      particle.waits = true;
      if (!particle.group || particle.stuck > kStuck) {
        particle = {};
        particle.waits = true;
        return Wish{any(), owner};
      }
      move(particle);
      return Wish{repaired(*particle.group, particle.at), owner};
    }
    return std::nullopt;
  }

  void answered(std::size_t owner, std::uint64_t index, double cost) override {
    Particle& particle = particles_[owner];
    particle.waits = false;
    ++particle.stuck;
    const SearchSpace::Place place = space().place_at(index);
    const std::vector<double> levels(place.levels.begin(), place.levels.end());
    if (!particle.group) {
      if (cost == kFailed) return;
      begin(particle, place.group, levels);
    }
    if (cost < particle.best_cost) {
      particle.best_cost = cost;
      particle.best = levels;
      particle.stuck = 0;
    }
  }

  void begin(Particle& particle, std::size_t group, const std::vector<double>& levels) {
    particle.group = group;
    particle.at = particle.best = levels;
    const std::vector<SearchSpace::Axis> axes = space().axes(space().variants()[group]);
    for (const SearchSpace::Axis& axis : axes) {
      const double reach = static_cast<double>(axis.values.size()) / 4;
      particle.speed.push_back((2 * random().uniform() - 1) * reach);
    }
  }

  // Moves towards the particle's own best and the best of its variant.
  void move(Particle& particle) {
    const Particle* leader = &particle;
    for (const Particle& other : particles_)
      if (other.group == particle.group && other.best_cost < leader->best_cost) leader = &other;
    for (std::size_t i = 0; i < particle.at.size(); ++i) {
      double& speed = particle.speed[i];
      speed = inertia_ * speed + own_ * random().uniform() * (particle.best[i] - particle.at[i]) +
              best_ * random().uniform() * (leader->best[i] - particle.at[i]);
      // A particle that has stopped at a level tries an adjacent one now and then.
      if (std::abs(speed) < 0.5 && random().below(4) == 0) speed = random().below(2) == 0 ? 1 : -1;
      particle.at[i] += speed;
    }
  }

  std::vector<Particle> particles_;
  const double inertia_, own_, best_;
  std::size_t next_ = 0;
};

}  // namespace

std::unique_ptr<Strategy> make_particle_swarm(const SearchSpace& space,
                                              const StrategyOptions& options) {
  return std::make_unique<ParticleSwarm>(space, options);
}

}  // namespace warpwright
