// SPDX-License-Identifier: GPL-3.0-or-later
// What tests of comparing wait for and ask for.
#pragma once

#include <vector>

#include "app/services/teaching/teaching_pairs.h"
#include "tests/app/open_window.h"

namespace tileloom::test {

// Waits until both sides are the requested ones.
inline bool compared(OpenWindow& w) {
  return w.settled() && QTest::qWaitFor([&] {
           const Scene& base = w.explorer().baseline();
           const auto& pinned = w.explorer().pinned();
           return base.ready() && pinned && base.recording->trace.rung() == pinned->rung() &&
                  base.recording->trace.tile == pinned->tile &&
                  base.recording->trace.asked == w.explorer().problem();
         });
}

// The only pair whose name begins like this.
inline TeachingPair pairNamed(const QString& begin) {
  auto pairs = teachingPairs();
  std::erase_if(pairs, [&](const TeachingPair& p) { return !p.name.startsWith(begin); });
  if (pairs.size() != 1) qFatal("not one pair of this name");
  return pairs.front();
}

}  // namespace tileloom::test
