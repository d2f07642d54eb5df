// SPDX-License-Identifier: GPL-3.0-or-later
// What the hardware counted during one launch. The list of counters is in counters.h, which only
// files that name a counter include, so that a new counter does not recompile everything that uses
// runs.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace tileloom::runs {

enum class Counter : std::uint8_t;

class Counters {
 public:
  std::optional<double> operator[](Counter counter) const;
  void set(Counter counter, double value);
  bool empty() const { return values_.empty(); }
  bool operator==(const Counters&) const = default;

 private:
  std::vector<std::pair<Counter, double>> values_;  // by counter
};

}  // namespace tileloom::runs
