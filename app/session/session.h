// SPDX-License-Identifier: GPL-3.0-or-later
// What the user looks at and how. session_text.h writes and reads it as a file, as a link and as a
// command line.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "app/session/tuning_choice.h"
#include "app/session/view_state.h"
#include "kernels/rewrite/loop_study.h"
#include "viz/base/theme.h"
#include "viz/base/widgets/pace.h"
#include "viz/charts/roofline/roofline_data.h"
#include "viz/charts/sizes/size_data.h"
#include "viz/loom/loom_level.h"
#include "viz/memory/layout_choice.h"
#include "viz/memory/pattern_choice.h"
#include "viz/timeline/timeline_choice.h"

namespace tileloom {

namespace own {
class OwnKernel;
}

// Its members are options: app/session/options.cpp says how each is written and read.
struct Session {
  ViewState state = openingView();
  // The kernel whose stage is in `state`; nullptr: it is a rung.
  std::shared_ptr<const own::OwnKernel> own;
  // Read from a file: the kernel to be opened before `state` holds; a window does so in the
  // background. Empty: none, or it is open.
  std::string ownFile;
  std::map<const Stage*, TileShape> tiles;  // at which the user left other rungs
  std::string tab = "banks";                // below the loom
  LoomLevel zoom = LoomLevel::Block;
  Look theme = Look::Dark;
  std::optional<int> text;                      // size in percent; std::nullopt: as it is
  bool ladderPanel = true, tilePanel = true;    // beside the loom
  bool timeStrip = true;                        // of the timeline, under the loom
  int lower = kUsualLower;                      // percent of the height below the loom; 0: folded
  Pace pace = kUsualPace;                       // of playing
  RooflineLevel level = RooflineLevel::Shared;  // of the roofline
  TuningChoice tuning;                          // of the tuning tab
  LayoutChoice layout;                          // of the layout tab
  PatternChoice pattern;                        // of the page Access pattern
  TimelineChoice timeline;                      // of the timeline
  std::string without;                          // the arrival that the page of waits removes
  // The shown version of a rewritten loop; pairedLoads: lanes assigned in the other way.
  rewrite::Version loop;
  SizeSpan sizes = SizeSpan::To8192;  // of the chart of speed over size
};

}  // namespace tileloom
