// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/menus/explain_page.h"

#include <QCoreApplication>
#include <QSpinBox>
#include <QTextDocument>
#include <QWhatsThis>

#include "app/pages/page.h"
#include "app/window/first_sight.h"
#include "app/window/frame/window_pictures.h"
#include "app/window/last_touched.h"
#include "app/window/tile_panel.h"
#include "app/window/window.h"
#include "viz/code/source_strip.h"
#include "viz/panels/ladder_list.h"
#include "viz/panels/parameter_note.h"
#include "viz/panels/parameter_panel.h"
#include "viz/panels/transport_bar.h"
#include "viz/timeline/timeline_strip.h"

namespace tileloom {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::ExplainPage)
};

struct Part {
  const QWidget* widget;
  QString name, purpose;
};

bool isIn(const QWidget* widget, const QWidget* part) {
  return part != nullptr && (widget == part || part->isAncestorOf(widget));
}

// The most exact first.
std::vector<Part> partsOf(const Window& window) {
  const auto* ladder = window.view<LadderList>();
  return {
      {ladder->parentWidget(), Words::tr("Ladder"),
       Words::tr("The kernels, from the simplest to the fastest: each has one optimisation more. A "
                 "bar is the speed in percent of NVIDIA's library at this problem size. A click "
                 "shows the kernel in all views.")},
      {window.view<TilePanel>(), Words::tr("Tile"),
       Words::tr("The tile parameters of the kernel, then its figures and what costs time. A move "
                 "of a slider changes all views. A figure says below it how it was found: "
                 "measured, recorded, counted or predicted.")},
      {window.view<TimelineStrip>(), Words::tr("Time"),
       Words::tr("What each warp does around the shown instruction, by the virtual clock. A click "
                 "goes to that cycle; the page Timeline has all of it.")},
      {window.view<SourceStrip>(), Words::tr("Source"),
       Words::tr("The line of the kernel's source that the shown instruction belongs to.")},
      {window.view<TransportBar>(), Words::tr("Playback"),
       Words::tr("The instructions of one warp of the recording, in their order. Space plays and "
                 "stops, the arrow keys step, a click on the bar goes to an instruction.")}};
}

// Of the nearest widget that has one.
QString tipAt(const QWidget* widget, const QWidget* part) {
  for (; widget != nullptr && widget != part; widget = widget->parentWidget()) {
    if (widget->toolTip().isEmpty()) continue;
    const QString tip = widget->toolTip();
    return Qt::mightBeRichText(tip) ? tip : tip.toHtmlEscaped();
  }
  return {};
}

// Of a slider, its box or the name beside it.
QString parameterAt(const Window& window, const QWidget* widget) {
  const auto* panel = window.view<ParameterPanel>();
  const Explorer& explorer = window.services().explorer;
  for (const ParameterSpec& spec : explorer.stage().parameters) {
    const QWidget *slider = panel->slider(spec.parameter), *box = panel->spinBox(spec.parameter);
    if (isIn(widget, slider) || isIn(widget, box))
      return parameterNote(explorer.stage(), explorer.tile(), spec.parameter);
  }
  return {};
}

QString paragraphs(const QStringList& all) {
  return QStringLiteral("<p>%1</p>").arg(all.join(QStringLiteral("</p><p>")));
}

}  // namespace

QString explanationOf(const Window& window, const Page& page) {
  QStringList all = {
      QStringLiteral("<b>%1</b>").arg(pageTitle(page.row()).toHtmlEscaped()),
      QCoreApplication::translate("tileloom::Page", page.row().tip).toHtmlEscaped() + u'.'};
  const QString why = page.whyNothing();
  const Explorer& explorer = window.services().explorer;
  if (!why.isEmpty()) {
    all += Words::tr("Nothing to show here: %1").arg(why).toHtmlEscaped();
  } else if (const Scene& scene = explorer.scene(); scene.ready()) {
    QString shown = captionOf(window, page.row().id, scene, {}).shown;
    // A comparison names its two sides in lines of their own.
    const bool both = explorer.baseline().ready() && shown.contains(u'\n');
    if (!shown.isEmpty() && !both) shown = Words::tr("Now: %1").arg(shown);
    for (const QString& line : shown.split(u'\n', Qt::SkipEmptyParts)) all += line.toHtmlEscaped();
  }
  return paragraphs(all);
}

QString explanationOf(const Window& window, const QWidget* widget) {
  for (const Part& part : partsOf(window)) {
    if (widget == nullptr || !isIn(widget, part.widget)) continue;
    QStringList all;
    QString exact = parameterAt(window, widget);
    if (exact.isEmpty()) exact = tipAt(widget, part.widget);
    if (!exact.isEmpty()) all += exact;
    all += QStringLiteral("<b>%1</b>").arg(part.name.toHtmlEscaped());
    all += part.purpose.toHtmlEscaped();
    return paragraphs(all);
  }
  return {};
}

void explainPage(Window& window, const Page& page) {
  QWidget& widget = *page.widget();
  QWhatsThis::showText(widget.mapToGlobal(QPoint(widget.width() / 4, widget.height() / 4)),
                       explanationOf(window, page), &widget);
}

void explainHere(Window& window) {
  const LastTouched& touched = LastTouched::of(window);
  QWidget* widget = touched.widget();
  if (const QString words = explanationOf(window, widget); !words.isEmpty()) {
    const QPoint below(0, std::min(widget->height(), 40));
    return QWhatsThis::showText(widget->mapToGlobal(below), words, widget);
  }
  const Page& page = touched.page();
  if (page.row().place == PagePlace::Loom) return explainTheLoom(window);
  explainPage(window, page);
}

}  // namespace tileloom
