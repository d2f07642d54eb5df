// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/explain_page.h"

#include <QCoreApplication>
#include <QWhatsThis>

#include "app/pages/page.h"
#include "app/window/main_window.h"
#include "app/window/window_pictures.h"

namespace tileloom {

QString explanationOf(const MainWindow& window, const Page& page) {
  QStringList paragraphs = {
      QStringLiteral("<b>%1</b>").arg(pageTitle(page.row()).toHtmlEscaped()),
      QCoreApplication::translate("tileloom::Page", page.row().tip).toHtmlEscaped() + u'.'};
  const QString why = page.whyNothing();
  if (!why.isEmpty()) {
    paragraphs += MainWindow::tr("Nothing to show here: %1").arg(why).toHtmlEscaped();
  } else if (const Scene& scene = window.services().explorer.scene(); scene.ready()) {
    const QString shown = captionOf(window, page.row().id, scene, {}).shown;
    if (!shown.isEmpty()) paragraphs += MainWindow::tr("Now: %1").arg(shown).toHtmlEscaped();
  }
  return QStringLiteral("<p>%1</p>").arg(paragraphs.join(QStringLiteral("</p><p>")));
}

void explainPage(MainWindow& window, const Page& page) {
  QWidget& widget = *page.widget();
  QWhatsThis::showText(widget.mapToGlobal(QPoint(widget.width() / 4, widget.height() / 4)),
                       explanationOf(window, page), &widget);
}

}  // namespace tileloom
