// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/mark_places.h"

#include "app/window/main_window.h"
#include "kernels/tile/parameters.h"

namespace tileloom {

std::vector<MarkTarget> markTargetsAt(const MainWindow& window, const QPointF& pixel) {
  using Thing = MarkTarget::Thing;
  std::vector<MarkTarget> found;
  for (const auto& page : window.pages()) {
    const QWidget* widget = page->widget();
    if (!widget->isVisible()) continue;
    const QPointF inside = widget->mapFrom(&window, pixel);
    if (!QRectF(widget->rect()).contains(inside)) continue;
    const std::vector<MarkTarget> there = page->targetsAt(inside);
    found.insert(found.end(), there.begin(), there.end());
  }
  const auto tryThis = [&](Thing thing, std::string_view text) {
    MarkTarget target;
    target.thing = thing;
    target.text = text;
    const auto place = window.placeOf(target);
    if (place && place->contains(pixel)) found.push_back(std::move(target));
  };
  for (const ParameterSpec& spec : window.services().explorer.stage().parameters)
    tryThis(Thing::Parameter, name(spec.parameter));
  for (const Stage* stage : everyStage()) tryThis(Thing::Rung, stage->id);
  for (const std::string_view area : kAreas) tryThis(Thing::Area, area);
  return found;
}

}  // namespace tileloom
