// Particle swarm optimization over the levels of the parameters. A particle moves when its proposal
// is answered, in any order, and stays within its variant.
// Source: J. Kennedy, R. Eberhart, Particle Swarm Optimization, ICNN 1995.
#include <algorithm>
#include <cmath>

#include "search/guided.h"
#include "search/strategies.h"

namespace warpwright {
namespace {

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
