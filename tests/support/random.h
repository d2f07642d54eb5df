// SPDX-License-Identifier: GPL-3.0-or-later
// Random numbers of the tests: the same on every machine; TILELOOM_TEST_SEED chooses others, to
// reproduce a failure.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace tileloom::test {

// Standard distributions differ between C++ libraries, so ranges are drawn by hand.
class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}

  // Between both bounds, inclusive.
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
// builds set fewer.
std::size_t tilesPerStage();
// Whether this number is so low that this is an instrumented build: tests with cases of seconds
// each run fewer of them there.
bool briefly();

}  // namespace tileloom::test
