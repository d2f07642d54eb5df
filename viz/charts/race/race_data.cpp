// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/race/race_data.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace tileloom {

RaceProgress raceProgress(double gflops, double pacer, double seconds, double lap) {
  if (gflops <= 0 || pacer <= 0 || lap <= 0 || seconds <= 0) return {};
  const double done = seconds / lap * gflops / pacer;
  const double whole = std::floor(done);
  return {static_cast<std::int64_t>(whole), done - whole};
}

double Race::pacer() const {
  double pace = 0;
  for (const Racer& r : racers) {
    if (r.rung() == nullptr) pace = std::max(pace, r.pace());
  }
  if (pace > 0) return pace;
  for (const Racer& r : racers) pace = std::max(pace, r.pace());
  return pace;
}

double Race::launchSeconds(int racer) const {
  const double gflops = at(racer).pace();
  return gflops > 0 ? work / (gflops * 1e9) : 0;
}

double Race::elapsed() const {
  const double pace = pacer();
  return pace > 0 ? seconds / kLap * work / (pace * 1e9) : 0;
}

double Race::slowness() const {
  const double pace = pacer();
  return pace > 0 && work > 0 ? kLap / (work / (pace * 1e9)) : 0;
}

int Race::placing(int racer) const {
  const double own = at(racer).pace();
  if (own <= 0) return 0;
  return 1 + static_cast<int>(
                 std::ranges::count_if(racers, [own](const Racer& r) { return r.pace() > own; }));
}

RaceProgress Race::progress(int racer) const {
  return raceProgress(at(racer).pace(), pacer(), racer == frozen ? frozenAt : seconds, kLap);
}

double Race::filled(int racer) const {
  const RaceProgress done = progress(racer);
  return static_cast<double>(done.laps) + done.part;
}

// The whole first C, then the leader's progress: distances stay true.
double Race::farthest() const {
  double most = 1;
  for (int i = 0; i < count(); ++i) most = std::max(most, filled(i));
  return most;
}

std::vector<int> Race::order() const {
  std::vector<int> all;
  for (int i = 0; i < count(); ++i) all.push_back(i);
  std::ranges::stable_sort(all, std::less{}, [this](int i) { return filled(i); });
  return all;
}

std::vector<RaceSpeed> Race::sources() const {
  std::vector<RaceSpeed> found;
  for (const RaceSpeed source :
       {RaceSpeed::Live, RaceSpeed::Recorded, RaceSpeed::Stale, RaceSpeed::Predicted}) {
    if (std::ranges::any_of(racers,
                            [&](const Racer& r) { return r.gflops > 0 && r.source == source; }))
      found.push_back(source);
  }
  return found;
}

bool Race::hasLibrary() const {
  return std::ranges::any_of(racers,
                             [](const Racer& r) { return r.rung() == nullptr && r.gflops > 0; });
}

}  // namespace tileloom
