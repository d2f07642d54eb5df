// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/executor/cluster.h"

#include "kernels/executor/reporting.h"
#include "kernels/executor/sources.h"
#include "kernels/executor/warp.h"

namespace tileloom::executor {

void arriveAtCluster(Warp& warp, const Operation&) {
  warp.arriveAtCluster();
  ++*warp.around().changes;
  if (Observer* const observer = warp.around().observer; observer != nullptr)
    observer->seeMeeting({issueOf(warp), ClusterAction::Arrive});
}

void waitForCluster(Warp& warp, const Operation&) {
  warp.waitAtCluster();
}

void takeRegisters(Warp& warp, const Operation& o) {
  put(warp.registers, o.first, kAllLanes, kAllLanes);
}

}  // namespace tileloom::executor
