// SPDX-License-Identifier: GPL-3.0-or-later
// What stands behind one window, made in the order in which it depends on itself. Pages and panels
// get it by reference.
#pragma once

#include "app/services/device_ceilings.h"
#include "app/services/explorer.h"
#include "app/services/lab.h"
#include "app/services/listings.h"
#include "app/services/missed_forecasts.h"
#include "app/services/rung_totals.h"
#include "app/services/timeline_side.h"
#include "app/services/tuner.h"

namespace tileloom {

struct Services {
  // Without a worker and a file for runs nothing is started, read or kept: what pictures and tests
  // want.
  explicit Services(LabSetup setup);

  // From now on speeds and kernels follow what is chosen. To be called once, when all who show them
  // listen.
  void start();

  Explorer explorer;        // what is chosen and which instant is shown
  Lab lab;                  // speeds and kernels
  MissedForecasts missed;   // what is predicted of tiles that were left at once
  Listings listings;        // machine code
  TimelineSide timeline;    // the present tile on the virtual clock
  RungTotals totals;        // what whole launches move
  DeviceCeilings ceilings;  // roofs of the device
  Tuner tuner;              // the search for the fastest tile

 private:
  void follow();  // what is chosen

  std::optional<emulator::TraceRequest> m_chosen;  // of what the lab was told last
};

// The tile in the window, in the arithmetic in which it is looked at, and that of the baseline,
// which is without a stage where nothing is pinned.
Place presentPlace(const Explorer& explorer);
Place pinnedPlace(const Explorer& explorer);

// The recording in the loom, if it is that of the latest legal tile and size: it may lag behind the
// knobs. nullptr: it is not.
const analysis::Recording* presentRecording(const Services& services);

}  // namespace tileloom
