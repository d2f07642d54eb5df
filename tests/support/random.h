// SPDX-License-Identifier: GPL-3.0-or-later
// Random numbers of the tests: the same on every machine, and chosen from outside when a failure
// asks for other ones (TILELOOM_TEST_SEED).
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace tileloom::test {

// Standard distributions differ between C++ libraries, so ranges are drawn by hand.
class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}

  // Between both bounds, these included.
  int integer(int lowest, int highest);
  bool oneIn(int chances) { return integer(1, chances) == 1; }
  float real();  // in [-1, 1)
  std::vector<float> reals(std::size_t count);

 private:
  std::mt19937 engine_;
};

// The seed of this run; every failure message names it.
std::uint32_t seed();

// How many random tiles of each stage a test runs: TILELOOM_TEST_TILES, else 200. Slow instrumented
// builds ask for fewer.
std::size_t tilesPerStage();
// Whether they ask for so few that this is an instrumented build: tests whose cases take seconds
// each there run fewer of them.
bool briefly();

}  // namespace tileloom::test
