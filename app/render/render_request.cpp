// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/render_request.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/commands/parse.h"
#include "kernels/tile/constraints.h"
#include "kernels/tile/words.h"

namespace tileloom::app {
namespace {

using Wrong = tl::unexpected<std::string>;

// Puts the number into `into`; empty, or what is wrong with it.
template <class Into>
std::string number(const char* name, const std::string& text, int least, int most, Into& into) {
  const auto parsed = parseNumber(name, text, least, most);
  if (!parsed) return parsed.error();
  into = *parsed;
  return {};
}

// What can be rendered, joined by commas.
template <class Wanted>
std::string viewNames(Wanted wanted) {
  std::string names;
  for (const PageRow* row : pageRows()) {
    if (wanted(*row)) names += fmt::format("{}, ", row->id);
  }
  return names;
}

std::string takeView(const RenderOptions& o, RenderRequest& r) {
  const bool animation = o.view == kAnimation;
  const std::string name = animation ? o.of.value_or(pageRows().front()->id) : o.view;
  r.page = pageRow(name);
  const bool known = r.page != nullptr || name == kWindowId;
  if (animation) {
    if (known && (r.page == nullptr || r.page->ofScene)) return {};
    std::string names = viewNames([](const PageRow& row) { return row.ofScene.has_value(); });
    names.resize(names.size() - 2);
    return fmt::format("there is no animation of \"{}\": choose {} or {}", quotable(name), names,
                       kWindowId);
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
  if (o.step) return "an animation has many steps: give --from and --to in place of --step";
  if (o.live != "0" || !o.moves.empty())
    return "--live and --move are for one picture: leave them out of an animation";
  AnimationRequest a;
  for (const std::string& error :
       {o.from ? number("--from", *o.from, 0, 1 << 28, a.from) : std::string(),
        o.to ? number("--to", *o.to, 0, 1 << 28, a.to) : std::string(),
        o.fps ? number("--fps", *o.fps, 1, kMostFps, a.fps) : std::string()}) {
    if (!error.empty()) return error;
  }
  if (a.from && a.to && *a.from > *a.to) {
    return fmt::format("--from {} is after --to {}: let it start before it ends", *a.from, *a.to);
  }
  if (o.every) {
    const auto found = std::ranges::find(kFrameSteps, *o.every);
    if (found == kFrameSteps.end()) {
      return fmt::format("there is no step \"{}\": let --every be {}", quotable(*o.every),
                         fmt::join(kFrameSteps, ", "));
    }
    a.every = static_cast<FrameStep>(found - kFrameSteps.begin());
  }
  r.animation = a;
  return {};
}

// Fills r.tuning, or says what is wrong.
std::string takeTuning(const RenderOptions& o, RenderRequest& r) {
  const auto form = std::ranges::find(kTuningFormNames, o.form);
  if (form == kTuningFormNames.end()) {
    return fmt::format("there is no form \"{}\" of the tuning tab: choose one of {}",
                       quotable(o.form), fmt::join(kTuningFormNames, ", "));
  }
  const auto others = std::ranges::find(kOthersNames, o.others);
  if (others == kOthersNames.end()) {
    return fmt::format("--others \"{}\" is none of {}", quotable(o.others),
                       fmt::join(kOthersNames, ", "));
  }
  r.tuning.form = static_cast<TuningForm>(form - kTuningFormNames.begin());
  r.tuning.others = static_cast<tuning::Others>(others - kOthersNames.begin());
  if (!o.axes.empty()) {
    const auto axes = parseAxes(o.axes);
    if (!axes) return axes.error();
    for (const Knob knob : {axes->up, axes->right}) {
      if (r.trace.stage->spec(knob) == nullptr && r.shownTab() == "tuning")
        return fmt::format("{} has no knob {}: choose two of {}", r.trace.stage->id, name(knob),
                           knobNames(*r.trace.stage));
    }
    r.tuning.axes = *axes;
  }
  r.tuning.device = o.on;
  r.tuning.beside = o.andOn;
  return {};
}

}  // namespace

std::string renderedNames() {
  return fmt::format("{}{} or {}", viewNames([](const PageRow&) { return true; }), kWindowId,
                     kAnimation);
}

std::string_view RenderRequest::shownTab() const {
  if (page == nullptr) return tab;
  return page->place == Place::Below ? page->id : std::string_view();
}

tl::expected<RenderRequest, std::string> understand(const RenderOptions& o) {
  RenderRequest r;
  if (const auto error = takeView(o, r); !error.empty()) return Wrong(error);
  if (o.caption && o.noCaption)
    return Wrong("--caption and --no-caption contradict each other: choose one");
  r.caption = o.caption;
  if (r.page != nullptr && r.page->ofScene) r.picture.view = *r.page->ofScene;
  const auto stage = chosenStage(o.stage, "render");
  if (!stage) return Wrong(stage.error());
  const auto size = parseSize(o.size);
  if (!size) return Wrong(size.error());
  const auto block = parseBlock(o.block);
  if (!block) return Wrong(block.error());
  const auto tiles = parseNumber("--ktiles", o.ktiles, 1, 64);
  if (!tiles) return Wrong(tiles.error());
  r.trace = {stage->stage, stage->tile, *size, *block, static_cast<std::uint32_t>(*tiles)};
  if (auto why = emulator::whyNotTraceable(r.trace); !why.empty()) return Wrong(why);

  int width = 0, height = 0, scale = 1;
  const bool window = r.page == nullptr;
  r.ownWidth = o.width.has_value();
  r.ownHeight = o.height.has_value();
  const std::string usualHeight = window ? "1000" : std::to_string(r.page->pictureHeight);
  for (const std::string& error :
       {o.step ? number("--step", *o.step, 0, 1 << 28, r.step) : std::string(),
        number("--warp", o.warp, 0, 31, r.warp),
        o.lane ? number("--lane", *o.lane, 0, 31, r.lane) : std::string(),
        number("--width", o.width.value_or(window ? "1600" : "1200"), 200, 16384, width),
        number("--height", o.height.value_or(usualHeight), 120, 16384, height),
        number("--scale", o.scale, 1, 8, scale), takeAnimation(o, r)}) {
    if (!error.empty()) return Wrong(error);
  }
  if (std::ranges::find(kTabIds, o.tab) == kTabIds.end()) {
    return Wrong(fmt::format("there is no tab \"{}\": choose one of {}", quotable(o.tab),
                             fmt::join(kTabIds, ", ")));
  }
  r.tab = o.tab;
  const auto level = rooflineLevelNamed(o.level);
  if (!level) {
    return Wrong(fmt::format("there is no level \"{}\" of the roofline: choose one of {}",
                             quotable(o.level), fmt::join(kRooflineLevelNames, ", ")));
  }
  r.level = *level;
  if (const auto error = takeTuning(o, r); !error.empty()) return Wrong(error);
  if (const auto error = number("--live", o.live, 0, 600, r.live); !error.empty())
    return Wrong(error);
  for (const std::string& move : o.moves) {
    // A move names what changes; the other knobs stay where the move before left them.
    const auto named = parseTile(*stage->stage, move);
    if (!named) return Wrong(named.error());
    TileShape tile = r.moves.empty() ? stage->tile : r.moves.back();
    for (const auto& part : QString::fromStdString(move).split(QLatin1Char(','))) {
      const auto knob = knobNamed(part.section(QLatin1Char('='), 0, 0).trimmed().toStdString());
      if (knob) tile[*knob] = (*named)[*knob];
    }
    if (const auto why = explainTile(*stage->stage, tile); !why.empty()) return Wrong(why);
    r.moves.push_back(tile);
  }
  const auto zoom = std::ranges::find(kZoomNames, o.zoom);
  if (zoom == kZoomNames.end()) {
    return Wrong(fmt::format("there is no zoom \"{}\": choose one of {}", quotable(o.zoom),
                             fmt::join(kZoomNames, ", ")));
  }
  if (!o.beside.empty()) {
    const auto beside = parsePinned(o.beside);
    if (!beside) return Wrong(beside.error());
    r.beside = *beside;
  }
  for (const std::string& panel : o.without) {
    if (panel == kLadderPanel) {
      r.ladderPanel = false;
    } else if (panel == kTilePanel) {
      r.tilePanel = false;
    } else {
      return Wrong(fmt::format("there is no panel \"{}\": choose {} or {}", quotable(panel),
                               kLadderPanel, kTilePanel));
    }
  }
  if (const auto error = number("--text", o.text, kUsualText, kMostText, r.text); !error.empty())
    return Wrong(error);
  const auto look = lookNamed(o.theme);
  if (!look) {
    return Wrong(fmt::format("there is no theme \"{}\": choose one of {}", quotable(o.theme),
                             fmt::join(kLookNames, ", ")));
  }
  r.picture.size = QSizeF(width, height);
  r.picture.scale = scale;
  r.picture.theme = Theme::make(*look);
  r.picture.zoom = o.grid ? LoomLevel::Grid : static_cast<LoomLevel>(zoom - kZoomNames.begin());
  return r;
}

tl::expected<Scene, std::string> sceneOf(const RenderRequest& r,
                                         std::shared_ptr<const analysis::Recording> recording) {
  const auto& trace = recording->trace;
  if (static_cast<std::uint32_t>(r.warp) >= trace.warps) {
    return tl::unexpected(
        fmt::format("the block has no warp {}: choose one from 0 to {}", r.warp, trace.warps - 1));
  }
  const auto warp = static_cast<std::uint32_t>(r.warp);
  const std::uint32_t length = trace.length(warp);
  const std::uint32_t index =
      r.step ? static_cast<std::uint32_t>(*r.step) : openingIndex(*recording);
  if (index >= length) {
    return tl::unexpected(fmt::format(
        "step {} is past the end: warp {} executes {} instructions, so choose a step from 0 to {}",
        index, warp, length, length - 1));
  }
  Scene scene = makeScene(std::move(recording), warp, index);
  if (r.lane) {
    Selection selection;
    selection.thread = warp * emulator::kWarpSize + static_cast<std::uint32_t>(*r.lane);
    scene.selection = complete(scene, selection);
  }
  return scene;
}

}  // namespace tileloom::app
