// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/render_request.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/commands/common/parse.h"
#include "app/commands/common/stamps_of.h"
#include "app/services/choice/explorer.h"
#include "app/services/measuring/kernel_knowledge.h"
#include "app/session/options.h"
#include "app/session/page_ids.h"
#include "kernels/analysis/recording.h"
#include "kernels/analysis/telling_difference.h"
#include "kernels/base/renamed_keys.h"
#include "kernels/emulator/run.h"
#include "kernels/tile/constraints.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/words.h"
#include "kernels/timeline/seam.h"

namespace tileloom::app {
namespace {

using Wrong = tl::unexpected<std::string>;

// Parses the number into `into`; empty, or what is wrong with it.
template <class Into>
std::string number(const char* name, const std::string& text, int least, int most, Into& into) {
  const auto parsed = parseNumber(name, text, least, most);
  if (!parsed) return parsed.error();
  into = *parsed;
  return {};
}

std::string takeView(const RenderOptions& o, RenderRequest& r) {
  const bool animation = o.view == kAnimation;
  const std::string name = animation ? o.of.value_or(pageRows().front()->id) : o.view;
  r.page = pageRow(name);
  const bool known = r.page != nullptr || name == kWindowId;
  if (animation) {
    if (known && (r.page == nullptr || r.page->moves)) return {};
    return fmt::format("there is no animation of \"{}\": choose {} or {}", quotable(name),
                       fmt::join(animatedNames(), ", "), kWindowId);
  }
  if (!known)
    return fmt::format("there is no view \"{}\": choose {}", quotable(name), renderedNames());
  for (const auto& [given, option] :
       {std::pair(&o.of, "--view"), std::pair(&o.from, "--from"), std::pair(&o.to, "--to"),
        std::pair(&o.every, "--every"), std::pair(&o.fps, "--fps")}) {
    if (*given) return fmt::format("{} is for \"render animation\": leave it out", option);
  }
  return {};
}

std::string takeAnimation(const RenderOptions& o, RenderRequest& r) {
  if (o.view != kAnimation) return {};
  if (o.values.at(kStepOption).has_value())
    return "an animation has many steps: give --from and --to instead of --step";
  if (o.live != "0" || !o.moves.empty())
    return "--live and --move are for one picture: leave them out of an animation";
  AnimationRequest a;
  for (const std::string& error :
       {o.from ? number("--from", *o.from, 0, 1 << 28, a.from) : std::string(),
        o.to ? number("--to", *o.to, 0, 1 << 28, a.to) : std::string(),
        o.fps ? number("--fps", *o.fps, 1, kMostFps, a.fps.emplace()) : std::string()}) {
    if (!error.empty()) return error;
  }
  if (a.from && a.to && *a.from > *a.to) {
    return fmt::format("--from {} is after --to {}: let it start before it ends", *a.from, *a.to);
  }
  if (o.every) {
    const auto found = std::ranges::find(kFrameSteps, currentWord(*o.every));
    if (found == kFrameSteps.end()) {
      return fmt::format("there is no step \"{}\": let --every be {}", quotable(*o.every),
                         fmt::join(kFrameSteps, ", "));
    }
    a.every = static_cast<FrameStep>(found - kFrameSteps.begin());
  }
  r.animation = a;
  return {};
}

// Which switches are off, or the name that no switch has.
std::string takeSwitches(const RenderOptions& o, Session& session) {
  for (const auto& [words, marks] : o.turnedOff) {
    std::vector<std::string_view> known;
    for (const Option& option : options()) {
      if (option.kind == Option::Kind::Switch && option.words == words)
        known.push_back(option.mark);
    }
    for (const std::string& mark : marks) {
      if (std::ranges::find(known, mark) == known.end()) {
        return fmt::format("there is no panel \"{}\": choose {}", quotable(mark),
                           fmt::join(known, " or "));
      }
    }
  }
  for (const Option& option : options()) {
    if (option.kind != Option::Kind::Switch) continue;
    const auto off = o.turnedOff.find(option.words);
    if (off != o.turnedOff.end() &&
        std::ranges::find(off->second, option.mark) != off->second.end())
      option.take({}, session);
  }
  return {};
}

// Everything that a session keeps, or what is wrong.
std::string takeSession(const RenderOptions& o, Session& session) {
  for (const Option& option : options()) {
    if (option.words.empty() || option.kind == Option::Kind::Switch) continue;
    if (option.kind == Option::Kind::Flag) {
      if (o.flags.at(option.words)) option.take({}, session);
      continue;
    }
    const auto& value = o.values.at(option.words);
    if (!value) continue;
    if (auto error = option.take(*value, session); !error.empty()) return error;
  }
  return takeSwitches(o, session);
}

// A map of the tuning tab needs tile parameters that the rung has.
std::string whyNoMap(const RenderRequest& r) {
  if (!r.session.tuning.axes || r.shownTab() != "tuning") return {};
  for (const Parameter parameter : {r.session.tuning.axes->up, r.session.tuning.axes->right}) {
    if (r.trace.rung()->spec(parameter) == nullptr)
      return fmt::format("{} has no tile parameter {}: choose two of {}", r.trace.rung()->id,
                         name(parameter), parameterNames(*r.trace.rung()));
  }
  return {};
}

// The change between two tiles of C needs a persistent kernel with two.
std::string whyNoSeam(const RenderRequest& r) {
  if (!r.session.timeline.betweenTiles || r.page != pageRow("timeline")) return {};
  const auto request = timeline::betweenTiles(r.trace, r.trace.problem);
  return request ? std::string() : request.error();
}

// Sets tile parameters one after the other: the others stay as the move before left them.
std::string takeMoves(const RenderOptions& o, RenderRequest& r) {
  const Stage& stage = *r.trace.rung();
  for (const std::string& move : o.moves) {
    const auto named = parseTile(stage, move);
    if (!named) return named.error();
    TileShape tile = r.moves.empty() ? r.trace.tile : r.moves.back();
    for (const auto& part : QString::fromStdString(move).split(QLatin1Char(','))) {
      const auto parameter =
          parameterNamed(part.section(QLatin1Char('='), 0, 0).trimmed().toStdString());
      if (parameter) tile[*parameter] = (*named)[*parameter];
    }
    if (auto why = explainTile(stage, tile); !why.empty()) return why;
    r.moves.push_back(tile);
  }
  return {};
}

}  // namespace

std::string_view RenderRequest::shownTab() const {
  if (page == nullptr) return session.tab;
  return page->place == PagePlace::Below ? page->id : std::string_view();
}

bool RenderRequest::needsNoWindow() const {
  return page != nullptr && page->paintScene != nullptr && !session.state.pinned;
}

tl::expected<RenderRequest, std::string> understand(const RenderOptions& o) {
  RenderRequest r;
  if (const auto error = takeView(o, r); !error.empty()) return Wrong(error);
  if (o.caption && o.noCaption)
    return Wrong("--caption and --no-caption contradict each other: choose one");
  r.caption = o.caption;
  if (r.page != nullptr) r.picture.paint = r.page->paintScene;
  if (const auto error = takeSession(o, r.session); !error.empty()) return Wrong(error);
  r.ownInstruction = o.values.at(kStepOption).has_value();
  if (o.grid) r.session.zoom = LoomLevel::Grid;
  const auto block = parseBlock(o.block);
  if (!block) return Wrong(block.error());
  const ViewState& state = r.session.state;
  r.trace = {{{state.stage, state.tile, state.format()}, state.problem}, *block};
  if (o.ktiles) {
    const auto tiles = parseNumber("--ktiles", *o.ktiles, 1, 64);
    if (!tiles) return Wrong(tiles.error());
    r.trace.kTiles = static_cast<std::uint32_t>(*tiles);
  } else if (isLegal(*state.stage, state.tile)) {
    r.trace.kTiles = Explorer::tilesRecorded(*state.stage, state.tile);
  }
  if (auto why = emulator::whyNotTraceable(r.trace); !why.empty()) return Wrong(why);

  if (o.measured) {
    if (r.page != nullptr && r.page->id != std::string_view("timeline") &&
        r.page->id != std::string_view("waits"))
      return Wrong("--measured is shown by the timeline: render that, or leave --measured out");
    auto stamps = stampsOf(*o.measured, {state.stage, state.tile, state.format()});
    if (!stamps) return Wrong(stamps.error());
    r.stamps = std::make_shared<const timeline::Measured>(std::move(*stamps));
  }
  int width = 0, height = 0, scale = 1;
  const bool window = r.page == nullptr;
  r.ownWidth = o.width.has_value();
  r.ownHeight = o.height.has_value();
  const std::string usualHeight = window ? "1000" : std::to_string(r.page->pictureHeight);
  for (const std::string& error :
       {number("--width", o.width.value_or(window ? "1600" : "1200"), 200, 16384, width),
        number("--height", o.height.value_or(usualHeight), 120, 16384, height),
        number("--scale", o.scale, 1, 8, scale), takeAnimation(o, r), whyNoMap(r), whyNoSeam(r),
        number("--live", o.live, 0, 600, r.live), takeMoves(o, r)}) {
    if (!error.empty()) return Wrong(error);
  }
  r.picture.size = QSizeF(width, height);
  r.picture.scale = scale;
  r.picture.theme = Theme::make(r.session.theme);
  r.picture.zoom = r.session.zoom;
  if (o.words) {
    if (*o.words != "outlines" && *o.words != "text")
      return Wrong(fmt::format("there are no words as \"{}\": let --words be outlines or text",
                               quotable(*o.words)));
    r.picture.text = *o.words == "text";
  }
  return r;
}

namespace {

// As the window records it; nullptr: nothing is compared.
std::shared_ptr<const analysis::Recording> baselineOf(const RenderRequest& r,
                                                      const analysis::Recording& now) {
  const auto& pinned = r.session.state.pinned;
  if (!pinned) return nullptr;
  ViewState here = r.session.state;
  here.problem = now.trace.asked;
  here.row = static_cast<int>(now.map.c.row);
  here.column = static_cast<int>(now.map.c.column);
  const auto request = Explorer::requestFor(*pinned->rung(), pinned->tile, here);
  if (!request) return nullptr;
  emulator::Workspace workspace;
  return analysis::record(workspace, *request);
}

}  // namespace

tl::expected<Scene, std::string> sceneOf(const RenderRequest& r,
                                         std::shared_ptr<const analysis::Recording> recording) {
  const auto& trace = recording->trace;
  const std::uint32_t warp = r.session.state.warp;
  if (warp >= trace.warps) {
    return tl::unexpected(
        fmt::format("the block has no warp {}: choose one from 0 to {}", warp, trace.warps - 1));
  }
  const std::uint32_t length = trace.length(warp);
  std::uint32_t index = r.session.state.index;
  if (!r.ownInstruction) {
    const auto baseline = baselineOf(r, *recording);
    index = baseline ? analysis::tellingDifference(*baseline, *recording, warp)
                     : openingIndex(*recording);
  }
  if (index >= length) {
    return tl::unexpected(fmt::format(
        "step {} is past the end: warp {} executes {} instructions, so choose a step from 0 to {}",
        index, warp, length, length - 1));
  }
  Scene scene = makeScene(std::move(recording), warp, index);
  scene.residency = recordedResidency(trace, r.session.state.problem);
  if (!r.session.state.held.empty()) scene.selection = complete(scene, r.session.state.held);
  return scene;
}

}  // namespace tileloom::app
