// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/lecture/mark_places.h"

#include <QSpinBox>
#include <algorithm>

#include "app/window/frame/loom_and_pages.h"
#include "app/window/frame/loom_and_time.h"
#include "app/window/frame/page_tabs.h"
#include "app/window/tile_panel.h"
#include "app/window/window.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/placement.h"
#include "viz/panels/ladder_list.h"
#include "viz/panels/parameter_panel.h"

namespace tileloom {
namespace {

// The visible part of a rectangle of a widget, in its pixels: scroll areas around it clip the rest.
// A sliver counts as invisible.
std::optional<QRectF> seenOf(const QWidget& widget, const QRectF& place) {
  constexpr double kLeast = 12;  // pixels
  QRectF seen = place;
  for (const QWidget* around = &widget; around != nullptr; around = around->parentWidget()) {
    const QPointF corner = around == &widget ? QPointF() : widget.mapTo(around, QPointF());
    seen &= QRectF(around->rect()).translated(-corner);
    if (around->isWindow()) break;
  }
  const bool enough = seen.width() >= std::min(kLeast, place.width() / 2) &&
                      seen.height() >= std::min(kLeast, place.height() / 2);
  if (seen.isEmpty() || !enough) return std::nullopt;
  return seen;
}

}  // namespace

std::optional<QRectF> placeOf(const Window& window, const MarkTarget& target) {
  const auto* ladder = window.view<LadderList>();
  const auto shown = [&window](const QWidget* widget,
                               const QRectF& place) -> std::optional<QRectF> {
    if (widget == nullptr || !widget->isVisible()) return std::nullopt;
    const auto seen = seenOf(*widget, place);
    if (!seen) return std::nullopt;
    return within(window.frame(), *widget, *seen);
  };
  if (target.thing == MarkTarget::Thing::Parameter) {
    const auto parameter = parameterNamed(target.text);
    if (!parameter || window.services().explorer.stage().spec(*parameter) == nullptr)
      return std::nullopt;
    // The whole row: the name beside the slider, and the box.
    const auto* panel = window.view<ParameterPanel>();
    const QWidget *slider = panel->slider(*parameter), *box = panel->spinBox(*parameter);
    if (slider == nullptr || box == nullptr) return std::nullopt;
    QRectF row = within(*panel, *slider, slider->rect()).united(within(*panel, *box, box->rect()));
    row.setLeft(0);
    return shown(panel, row);
  }
  if (target.thing == MarkTarget::Thing::Rung) {
    const auto place = ladder->placeOf(target.text);
    return place ? shown(ladder->viewport(), *place) : std::nullopt;
  }
  if (target.thing == MarkTarget::Thing::Area) {
    const std::pair<std::string_view, const QWidget*> areas[] = {
        {kLadderArea, ladder->parentWidget()},
        {kLoomArea, window.view<LoomAndTime>()},
        {kPagesArea, window.middle().folded() ? nullptr : window.view<PageTabs>()},
        {kTileArea, window.view<TilePanel>()}};
    for (const auto& [name, widget] : areas) {
      if (name == target.text && widget != nullptr) return shown(widget, widget->rect());
    }
    return std::nullopt;
  }
  const Page* there = window.page(target.page);
  if (there == nullptr || !there->widget()->isVisible()) return std::nullopt;
  const auto place = there->placeOf(target);
  return place ? shown(there->widget(), *place) : std::nullopt;
}

void reveal(const Window& window, const MarkTarget& target) {
  if (target.thing == MarkTarget::Thing::Parameter) {
    const auto parameter = parameterNamed(target.text);
    QWidget* slider = parameter ? window.view<ParameterPanel>()->slider(*parameter) : nullptr;
    if (slider != nullptr && slider->isVisible())
      window.view<TilePanel>()->ensureWidgetVisible(slider, 0,
                                                    window.frame().fontMetrics().height());
  } else if (target.thing == MarkTarget::Thing::Rung) {
    window.view<LadderList>()->reveal(target.text);
  }
}

std::vector<MarkTarget> markTargetsAt(const Window& window, const QPointF& pixel) {
  using Thing = MarkTarget::Thing;
  std::vector<MarkTarget> found;
  for (const auto& page : window.pages()) {
    const QWidget* widget = page->widget();
    if (!widget->isVisible()) continue;
    const QPointF inside = widget->mapFrom(&window.frame(), pixel);
    if (!QRectF(widget->rect()).contains(inside)) continue;
    const std::vector<MarkTarget> there = page->targetsAt(inside);
    found.insert(found.end(), there.begin(), there.end());
  }
  const auto tryThis = [&](Thing thing, std::string_view text) {
    MarkTarget target;
    target.thing = thing;
    target.text = text;
    const auto place = placeOf(window, target);
    if (place && place->contains(pixel)) found.push_back(std::move(target));
  };
  for (const ParameterSpec& spec : window.services().explorer.stage().parameters)
    tryThis(Thing::Parameter, name(spec.parameter));
  for (const Stage* stage : everyStage()) tryThis(Thing::Rung, stage->id);
  for (const std::string_view area : kAreas) tryThis(Thing::Area, area);
  return found;
}

}  // namespace tileloom
