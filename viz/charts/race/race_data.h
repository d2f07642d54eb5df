// SPDX-License-Identifier: GPL-3.0-or-later
// The data of the race, as plain values: kernels that fill the same C at their measured speeds. All
// progress follows from the speeds and the seconds since the start.
#pragma once

#include <QString>
#include <cstdint>
#include <vector>

#include "kernels/tile/stage.h"
#include "kernels/tile/subject.h"

namespace tileloom {

// Where a racer's speed comes from; each has its own look.
enum class RaceSpeed { Live, Recorded, Stale, Predicted };

// Without a kernel: cuBLAS.
struct Racer : Subject {
  QString name;       // "12 asynchronous copies"
  QString brief;      // "12", for little room
  double gflops = 0;  // 0: unknown, it stays at the start
  double ratio = 0;   // of cuBLAS's speed on its device; 0: unknown, or it is cuBLAS
  // The GFLOP/s at which it races, if not as measured: its share of cuBLAS in the same run, at the
  // speed of the one cuBLAS in the race; 0: as measured.
  double racing = 0;
  double pace() const { return racing > 0 ? racing : gflops; }
  RaceSpeed source = RaceSpeed::Recorded;
  Extent grid{1, 1};
  std::int64_t atOnce = 0;  // blocks that the GPU holds at once; 0: unknown
};

// The progress of a racer.
struct RaceProgress {
  std::int64_t laps = 0;  // filled matrices
  double part = 0;        // of the next one, 0 to 1
};
// After `seconds` of a race in which `pacer` GFLOP/s fill C once in `lap` seconds.
RaceProgress raceProgress(double gflops, double pacer, double seconds, double lap);

// The race at one instant. A racer is its index in `racers`.
struct Race {
  static constexpr double kLap = 4.0;  // seconds in which the pacer fills C

  std::vector<Racer> racers;
  double work = 0;      // floating-point operations that fill one C; 0: unknown
  double seconds = 0;   // since the start, of the picture
  int frozen = -1;      // the stopped racer; -1: all run
  double frozenAt = 0;  // seconds
  QString why;          // the reason; empty: none is shown

  const Racer& at(int racer) const { return racers[static_cast<std::size_t>(racer)]; }
  int count() const { return static_cast<int>(racers.size()); }
  // A racer is stopped and there is a reason.
  bool explained() const { return frozen >= 0 && !why.isEmpty(); }
  // GFLOP/s of the fastest racer without a stage; without one, of the fastest of all; 0: all speeds
  // are unknown.
  double pacer() const;
  // Seconds that the racer's launch takes; 0: unknown.
  double launchSeconds(int racer) const;
  // Time since the start, in seconds of the launches.
  double elapsed() const;
  // How much longer the pacer's lap takes than its launch; 0: unknown.
  double slowness() const;
  // The place, from 1, in the order in which racers fill their first C; equal speeds share a place.
  // 0: unknown speed.
  int placing(int racer) const;
  RaceProgress progress(int racer) const;
  double filled(int racer) const;          // matrices, since the start
  double farthest() const;                 // length of the track in matrices
  std::vector<int> order() const;          // all racers, the last one first
  std::vector<RaceSpeed> sources() const;  // of the known speeds, in the order of RaceSpeed
  bool hasLibrary() const;                 // the speed of cuBLAS is known
};

}  // namespace tileloom
