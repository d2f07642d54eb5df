// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/page.h"

#include <algorithm>

#include <QCoreApplication>
#include <QLayout>
#include <QPainter>
#include <QScrollArea>
#include <QTimer>
#include <QVBoxLayout>
#include <array>

#include "app/services/choice/comparison.h"
#include "app/services/services.h"
#include "viz/base/text/labels.h"

namespace tileloom {

#define PAGE(name) const PageRow& name##_page();
#include "app/session/pages.def"
#undef PAGE

std::span<const PageRow* const> pageRows() {
  static const std::array all = {
#define PAGE(name) &name##_page(),
#include "app/session/pages.def"
#undef PAGE
  };
  return all;
}

const PageRow* pageRow(std::string_view id) {
  for (const PageRow* row : pageRows()) {
    if (id == row->id) return row;
  }
  return nullptr;
}

QString pageTitle(const PageRow& row) {
  return QCoreApplication::translate("tileloom::Page", row.title);
}

QKeySequence keyOf(const PageRow& row) {
  return row.key ? QKeySequence(*row.key) : QKeySequence();
}

void Page::setWidget(QWidget* widget) {
  m_widget = widget;
  if (m_row.whyAlone == nullptr) return;
  m_widget = new QWidget;
  m_widget->setFocusProxy(widget);
  auto* note = new ElidedLabel(QCoreApplication::translate("tileloom::Page", m_row.whyAlone));
  note->setObjectName(QStringLiteral("whyAlone"));
  note->setContentsMargins(12, 3, 8, 2);
  note->setToolTip(note->text());
  setInk(*note, Ink::Soft);
  note->hide();
  auto* column = new QVBoxLayout(m_widget);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(note);
  column->addWidget(widget, 1);
  connect(&comparison(), &Comparison::titlesChanged, note,
          [note](const QString& baseline) { note->setVisible(!baseline.isEmpty()); });
}

void Page::setInFront(bool inFront) {
  if (inFront == m_inFront) return;
  m_inFront = inFront;
  if (inFront) {
    cameToFront();
  } else {
    leftFront();
  }
}

void Page::refreshWithFigures() {
  const auto again = [this] {
    if (m_inFront) refresh();
  };
  Services& s = services();
  connect(&s.lab, &Lab::workerStatusChanged, this, [this] {
    if (m_inFront) cameToFront();
  });
  connect(&s.lab, &Lab::historyChanged, this, again);
  connect(&s.lab, &Lab::ladderChanged, this, again);
  connect(&s.lab, &Lab::kernelChanged, this, again);
  connect(&s.ceilings, &DeviceCeilings::changed, this, again);
  connect(&s.totals, &RungTotals::changed, this, again);
  connect(&s.explorer, &Explorer::choiceChanged, this, [again](bool legal) {
    if (legal) again();
  });
}

void Page::refreshWithAllTotals() {
  refresh();
  services().totals.finish();
  refresh();
}

QString Page::whyEmpty(const QString& file) const {
  QString why = whyNothing();
  if (why.isEmpty()) return {};
  if (why.endsWith(u'.')) why.chop(1);  // a complaint of a command has none
  return tr("\"%1\" is not written: %2").arg(file, why);
}

QString Page::write(const QString& file, const Sheet& sheet, bool) const {
  return writeSheet(
      sheet, [&](QCPPainter& painter) { paintTo(painter, sheet); }, file);
}

namespace {

// While a page is hidden its window shrinks, and Qt may leave widgets at their old width.
class PageArea : public QScrollArea {
 protected:
  void showEvent(QShowEvent* event) override {
    QScrollArea::showEvent(event);
    QTimer::singleShot(0, this, [this] {
      if (QLayout* layout = widget()->layout()) layout->invalidate();
    });
  }
};

}  // namespace

QWidget* scrolled(QWidget* content) {
  auto* area = new PageArea;
  area->setWidget(content);
  area->setWidgetResizable(true);
  area->setFrameShape(QFrame::NoFrame);
  area->setFocusPolicy(Qt::NoFocus);
  return area;
}

Page* pageOf(const std::vector<std::unique_ptr<Page>>& pages, std::string_view id) {
  const auto found =
      std::ranges::find_if(pages, [id](const auto& page) { return id == page->row().id; });
  return found == pages.end() ? nullptr : found->get();
}

QRectF within(const QWidget& whole, const QWidget& inner, const QRectF& place) {
  return place.translated(inner.mapTo(&whole, QPointF(0, 0)));
}

}  // namespace tileloom
