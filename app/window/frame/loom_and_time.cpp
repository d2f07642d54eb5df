// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/frame/loom_and_time.h"

#include <QEvent>
#include <QEventLoop>
#include <QFontMetrics>
#include <algorithm>

#include "app/services/services.h"
#include "viz/timeline/timeline_strip.h"

namespace tileloom {
namespace {

// The least height of the loom beside a strip with all rows, and beside one with the fewest: the
// larger of pixels and lines of text.
struct Least {
  int pixels, lines;
};
constexpr Least kBesideAll{330, 15}, kBesideFew{250, 11};

}  // namespace

LoomAndTime::LoomAndTime(QWidget* loom, Services& services, QWidget* parent)
    : QWidget(parent), m_services(services), m_loom(loom), m_strip(new TimelineStrip(this)) {
  m_loom->setParent(this);
  m_strip->setObjectName(QStringLiteral("timeStrip"));
  m_strip->hide();
  connect(&services.timeline, &TimelineSide::changed, this, &LoomAndTime::refresh);
  connect(&services.explorer, &Explorer::playingChanged, m_strip, &TimelineStrip::setPlaying);
  // Under two looms it is the present one's.
  connect(&services.explorer, &Explorer::baselineChanged, m_strip, [this](const Scene& baseline) {
    m_strip->setSide(baseline.ready() ? tr("Now") : QString());
  });
  connect(m_strip, &TimelineStrip::opened, this, &LoomAndTime::opened);
  connect(m_strip, &TimelineStrip::sought, this, [this](double cycle) {
    Explorer& explorer = m_services.explorer;
    if (const auto at = m_services.timeline.instantAt(explorer.scene(), cycle))
      explorer.setInstant(static_cast<int>(at->index), at->passed);
  });
}

void LoomAndTime::setWanted(bool wanted) {
  m_wanted = wanted;
  place();
}

void LoomAndTime::setNeeded(bool needed) {
  m_needed = needed;
  place();
}

void LoomAndTime::setStill(bool still) {
  m_strip->setStill(still);
}

void LoomAndTime::showScene(const Scene& scene) {
  if (m_strip->isHidden() || !scene.ready()) return;
  m_strip->setData(m_services.timeline.show(scene));
}

void LoomAndTime::refresh() {
  showScene(m_services.explorer.scene());
}

void LoomAndTime::prepare() {
  if (m_strip->isHidden()) return;
  QEventLoop loop;
  do {
    refresh();
    while (m_services.timeline.pending()) loop.processEvents(QEventLoop::WaitForMoreEvents);
  } while (m_services.timeline.data().waiting);
  m_strip->centre();
}

void LoomAndTime::centre() {
  m_strip->centre();
}

// Laid out by hand: in a layout, a strip that appears and disappears with the height would change
// the size hint.
void LoomAndTime::place() {
  int strip = 0;
  if (m_wanted && m_needed) {
    const int all = m_strip->heightOf(TimelineRows::Condensed);
    const int few = m_strip->heightOf(TimelineRows::Fewest);
    const auto room = [this](int beside, const Least& least) {
      return height() - beside >= std::max(least.pixels, least.lines * fontMetrics().height());
    };
    const bool roomForAll = room(all, kBesideAll);
    m_strip->setRows(roomForAll ? TimelineRows::Condensed : TimelineRows::Fewest);
    strip = roomForAll ? all : room(few, kBesideFew) ? few : 0;
  }
  m_loom->setGeometry(0, 0, width(), height() - strip);
  m_strip->setGeometry(0, height() - strip, width(), strip);
  if (m_strip->isHidden() == (strip > 0)) {
    m_strip->setVisible(strip > 0);
    refresh();
  }
}

QSize LoomAndTime::sizeHint() const {
  return m_loom->sizeHint();
}

QSize LoomAndTime::minimumSizeHint() const {
  return m_loom->minimumSizeHint();
}

bool LoomAndTime::event(QEvent* event) {
  // The loom's size hint or the strip's font has changed.
  if (event->type() == QEvent::LayoutRequest) {
    updateGeometry();
    place();
  }
  return QWidget::event(event);
}

void LoomAndTime::resizeEvent(QResizeEvent*) {
  place();
}

}  // namespace tileloom
