// SPDX-License-Identifier: GPL-3.0-or-later
// The request of `tileloom render`, checked before any work is done.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "app/export/animation.h"
#include "app/pages/page.h"
#include "app/render/render_options.h"
#include "app/session/session.h"
#include "kernels/emulator/run.h"
#include "kernels/timeline/recorded/measured.h"

namespace tileloom::app {

struct AnimationRequest {
  std::optional<int> from, to;
  std::optional<FrameStep> every;  // else usualStep()
  std::optional<int> fps;          // else usualFps()
};

struct RenderRequest {
  Session session;              // what is shown and how
  bool ownInstruction = false;  // the user has chosen it; else it is openingIndex()
  emulator::TraceRequest trace;
  // The wanted page; nullptr: the whole window.
  const PageRow* page = pageRow("loom");
  Picture picture;        // its size is that of the file, the caption included
  bool ownWidth = false;  // the user has chosen it
  bool ownHeight = false;
  bool caption = false;
  int live = 0;                                      // seconds at each tile
  std::vector<TileShape> moves;                      // of the tile parameters, one after the other
  std::shared_ptr<const timeline::Measured> stamps;  // instead of those that ship
  std::optional<AnimationRequest> animation;

  // The visible page below the loom: the wanted one, or the window's; empty: none.
  std::string_view shownTab() const;
  // The picture is painted from the recording alone.
  bool needsNoWindow() const;
};

tl::expected<RenderRequest, std::string> understand(const RenderOptions& options);

// The requested instant, or why there is none.
tl::expected<Scene, std::string> sceneOf(const RenderRequest& request,
                                         std::shared_ptr<const analysis::Recording> recording);

}  // namespace tileloom::app
