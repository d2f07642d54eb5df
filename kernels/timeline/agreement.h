// SPDX-License-Identifier: GPL-3.0-or-later
// Compares the clock with the prediction of the tile panel: two ways to the same figure, the cycles
// from one K tile to the next. A difference of more than 10 % is explained.
#pragma once

#include <string>

#include "kernels/model/prediction/prediction.h"
#include "kernels/model/prediction/terms.h"
#include "kernels/timeline/timeline.h"

namespace tileloom::timeline {

inline constexpr double kAgrees = 0.10;

struct Agreement {
  double clock = 0, predicted = 0;  // cycles from one K tile to the next
  // What the prediction has and the clock lacks, and its cycles in the prediction: the part that
  // explains a difference best. 0 cycles: they agree, or the clock takes longer.
  model::Term part = model::Term::Dependences;
  double partCycles = 0;
  double ratio() const { return predicted > 0 ? clock / predicted : 1; }
  bool agrees() const;
  // Whether the clock is within 10 % of the prediction without that part.
  bool explained() const;
};
Agreement agreementOf(const Timeline& timeline, const model::Workload& work,
                      const model::Rates& rates);

// "The clock gives 2,473 cycles per K tile, 15 % below the prediction's 2,912: …"
std::string sentence(const Agreement& agreement);

}  // namespace tileloom::timeline
