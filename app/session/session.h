// SPDX-License-Identifier: GPL-3.0-or-later
// A session file: what the user looks at and how, as one versioned JSON object.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "app/session/tuning_choice.h"
#include "app/session/view_state.h"
#include "kernels/rewrite/loop_study.h"
#include "viz/base/pace.h"
#include "viz/base/theme.h"
#include "viz/charts/roofline_data.h"
#include "viz/charts/size_data.h"
#include "viz/loom/loom_level.h"
#include "viz/memory/layout_choice.h"
#include "viz/timeline/timeline_choice.h"

namespace tileloom {

inline constexpr std::string_view kSessionSchema = "tileloom.session/1";
inline constexpr const char* kSessionSuffix = "tileloom";

// Its members are options: app/session/options.cpp says how each is written and read.
struct Session {
  ViewState state = openingView();
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
  TimelineChoice timeline;                      // of the timeline
  std::string without;                          // the arrival that the page of waits removes
  // The shown version of a rewritten loop; pairedLoads: lanes assigned in the other way.
  rewrite::Version loop;
  SizeSpan sizes = SizeSpan::To8192;  // of the chart of speed over size

  bool operator==(const Session& other) const;  // every option is the same
};

// Indented, with a newline at the end.
std::string sessionText(const Session& session);

// "tileloom render window --stage … --out view.png", which makes the picture of this view; `block`
// is the shown block.
std::string commandLineOf(const Session& session, const Extent& block);

// The same in one word that can be pasted into a browser, a mail or a command line, and the
// reverse. Any other text gives one sentence without a full stop.
inline constexpr std::string_view kLinkScheme = "tileloom:";
std::string sessionLink(const Session& session);
tl::expected<Session, std::string> parseLink(std::string_view link);

// Whether it claims to be a session, of this or of another version; it may be broken.
bool isSessionText(std::string_view text);
// A missing member keeps its default, except the schema and the stage; an unknown one is ignored; a
// wrong one gives one sentence without a full stop that names it. The tile may be illegal.
tl::expected<Session, std::string> parseSession(std::string_view text);

// Reads the members of `object` into a session that keeps all others; a named stage comes with its
// default tile. An error is the member ("tuning/form" is one of an object) and a sentence without a
// full stop; the session may be half read then.
std::optional<std::pair<std::string, std::string>> readOptions(const nlohmann::json& object,
                                                               Session& session);
// The first member that is not an option, as above; empty: there is none.
std::string unknownOption(const nlohmann::json& object);

}  // namespace tileloom
