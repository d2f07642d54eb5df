// SPDX-License-Identifier: GPL-3.0-or-later
// The services of one window, made in the order of their dependencies. Pages and panels get them by
// reference.
#pragma once

#include "app/services/choice/explorer.h"
#include "app/services/choice/own_kernels.h"
#include "app/services/forecasts/missed_forecasts.h"
#include "app/services/forecasts/rung_totals.h"
#include "app/services/forecasts/timeline_side.h"
#include "app/services/measuring/device_ceilings.h"
#include "app/services/measuring/lab.h"
#include "app/services/measuring/listings.h"
#include "app/services/measuring/tuner.h"
#include "kernels/tile/subject.h"

namespace tileloom {

struct Services {
  // Without a worker and a file for runs nothing is started, read or kept, as pictures and tests
  // need.
  explicit Services(LabSetup setup);

  // From now on speeds and kernels follow the choice. Call it once, when all views are connected.
  void start();

  OwnKernels own;           // kernels of the user: before what has their stages
  Explorer explorer;        // what is chosen and which instant is shown
  Lab lab;                  // speeds and kernels
  MissedForecasts missed;   // predictions for tiles that the user left at once
  Listings listings;        // SASS
  TimelineSide timeline;    // the present tile on the virtual clock
  RungTotals totals;        // what whole launches move
  DeviceCeilings ceilings;  // roofs of the device
  Tuner tuner;              // the search for the fastest tile

 private:
  void follow();  // the choice

  std::optional<emulator::TraceRequest> m_chosen;  // of the latest choice passed to the lab
};

// What the window shows.
Subject presentPlace(const Explorer& explorer);

// The recording in the loom, if it is that of the latest legal tile and size: it may lag behind the
// tile parameters. nullptr: it is not.
const analysis::Recording* presentRecording(const Services& services);

}  // namespace tileloom
