// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the sources of an operation, and writes its results.
#pragma once

#include <bit>
#include <cstdint>

#include "kernels/executor/operation.h"

namespace tileloom::executor {

inline std::uint32_t truth(const Registers& registers, const PredicateSource& p) {
  const auto& set = p.uniform ? registers.uniformPredicates : registers.predicates;
  return p.negated ? ~set[p.number] : set[p.number];
}

// The row of a source, as integers. `made` holds it where it is not a row as it is.
inline const Row& integers(const Registers& registers, const Program& program, const Source& source,
                           Row& made) {
  const Row& row = source.fixed ? program.fixed[source.row] : registers.rows[source.row];
  if (!source.negative && !source.complement) return row;
  for (std::uint32_t i = 0; i < kLanes; ++i)
    made.lane[i] = source.complement ? ~row.lane[i] : 0u - row.lane[i];
  return made;
}

// The same as floats: `negative` changes the sign only.
inline const Row& floats(const Registers& registers, const Program& program, const Source& source,
                         Row& made) {
  const Row& row = source.fixed ? program.fixed[source.row] : registers.rows[source.row];
  if (!source.negative && !source.absolute) return row;
  const std::uint32_t kept = source.absolute ? 0x7fffffffu : 0xffffffffu;
  const std::uint32_t sign = source.negative ? 0x80000000u : 0u;
  for (std::uint32_t i = 0; i < kLanes; ++i) made.lane[i] = (row.lane[i] & kept) ^ sign;
  return made;
}

inline const Row& plain(const Registers& registers, const Program& program, const Source& source,
                        bool upper = false) {
  const std::uint16_t row = upper ? source.upper : source.row;
  return source.fixed ? program.fixed[row] : registers.rows[row];
}

// The word of a uniform register, `number` registers behind the first one.
inline std::uint32_t uniformWord(const Registers& registers, std::uint16_t first,
                                 std::uint32_t number) {
  return registers.rows[first == kZeroRow ? kZeroRow : first + number].lane[0];
}

// Writes `value(lane)` for each of the lanes.
template <class Value>
void put(Row& row, std::uint32_t lanes, Value&& value) {
  if (lanes == kAllLanes) {
    for (std::uint32_t i = 0; i < kLanes; ++i) row.lane[i] = value(i);
    return;
  }
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const auto i = static_cast<std::uint32_t>(std::countr_zero(rest));
    row.lane[i] = value(i);
  }
}

// Writes the bits of `truth` for these lanes.
inline void put(Registers& registers, const PredicateResult& result, std::uint32_t lanes,
                std::uint32_t truth) {
  if (result.number == sass::kTruePredicate) return;
  auto& set = result.uniform ? registers.uniformPredicates : registers.predicates;
  set[result.number] = (set[result.number] & ~lanes) | (truth & lanes);
}

// Asks each lane.
template <class Question>
std::uint32_t ask(Question&& question) {
  std::uint32_t truth = 0;
  for (std::uint32_t i = 0; i < kLanes; ++i) truth |= std::uint32_t{question(i)} << i;
  return truth;
}

}  // namespace tileloom::executor
