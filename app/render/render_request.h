// SPDX-License-Identifier: GPL-3.0-or-later
// What `tileloom render` was asked for, checked before any work is done.
#pragma once

#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "app/commands/stage_options.h"
#include "app/export/animation.h"
#include "app/pages/page.h"
#include "app/session/page_ids.h"
#include "app/session/tuning_choice.h"
#include "app/session/view_state.h"
#include "kernels/emulator/run.h"
#include "viz/charts/roofline_data.h"

namespace tileloom::app {

struct RenderOptions {
  std::string view;
  StageOptions stage;
  std::string size = toString(kOpeningProblem);
  std::string block = "0,0";
  std::string ktiles = "2";
  std::optional<std::string> step;
  std::string warp = "0";
  std::optional<std::string> lane;
  std::string theme = "dark";
  std::string text = "100";
  std::optional<std::string> width, height;
  std::string scale = "1";
  bool grid = false;
  bool caption = false, noCaption = false;
  std::string tab = "banks";
  std::string level = "dram";
  std::string form = "map", axes, others = "as-now", on, andOn;  // of the tuning tab
  std::string zoom = "block";
  std::string beside;
  std::vector<std::string> without;
  std::string live = "0";
  std::vector<std::string> moves;
  std::string out;
  // Of an animation.
  std::optional<std::string> of, from, to, every, fps;
};

// In the place of a view's name.
inline constexpr std::string_view kAnimation = "animation";
// "loom, banks, …, window or animation"
std::string renderedNames();

struct AnimationRequest {
  std::optional<int> from, to;
  FrameStep every = FrameStep::Dot;
  int fps = 10;
};

struct RenderRequest {
  emulator::TraceRequest trace;
  // The page that is wanted; nullptr: the whole window.
  const PageRow* page = pageRow("loom");
  Picture picture;        // its size is that of the file, the caption included
  bool ownWidth = false;  // the person has chosen it
  bool ownHeight = false;
  bool caption = false;
  std::optional<int> step;
  int warp = 0;
  std::optional<int> lane;
  std::string tab = std::string(kTabIds.front());  // below the loom of the window
  RooflineLevel level = RooflineLevel::Dram;       // of the roofline
  TuningChoice tuning;
  std::optional<Pinned> beside;
  bool ladderPanel = true, tilePanel = true;
  int text = 100;                // percent
  int live = 0;                  // seconds at each tile
  std::vector<TileShape> moves;  // of the knobs, one after the other
  std::optional<AnimationRequest> animation;

  // The page below the loom that is seen: the wanted one, or the window's; empty: none.
  std::string_view shownTab() const;
};

tl::expected<RenderRequest, std::string> understand(const RenderOptions& options);

// The asked-for instant, or why there is none.
tl::expected<Scene, std::string> sceneOf(const RenderRequest& request,
                                         std::shared_ptr<const analysis::Recording> recording);

}  // namespace tileloom::app
