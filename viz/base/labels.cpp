// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/base/labels.h"

#include <QApplication>
#include <QEvent>
#include <QPainter>

#include "viz/base/theme.h"

namespace tileloom {

QSize Heading::sizeHint() const {
  const QFontMetrics metrics(Fonts::of(font()).title);
  return {metrics.horizontalAdvance(text()) + std::max(0, indent()), metrics.height()};
}

void Heading::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setFont(Fonts::of(font()).title);
  painter.drawText(contentsRect().adjusted(std::max(0, indent()), 0, 0, 0),
                   Qt::AlignLeft | Qt::AlignVCenter, text());
}

namespace {

// Follows the palette of its label, whose other colours come from the theme.
class InkKeeper : public QObject {
 public:
  InkKeeper(QLabel& label, Ink ink) : QObject(&label), m_label(label), m_ink(ink) {
    label.installEventFilter(this);
  }

  void set(Ink ink) {
    m_ink = ink;
    apply();
  }

 protected:
  bool eventFilter(QObject*, QEvent* event) override {
    const bool changed =
        event->type() == QEvent::PaletteChange || event->type() == QEvent::ApplicationPaletteChange;
    if (changed) apply();
    return false;
  }

 private:
  void apply() {
    const Theme theme = Theme::of(QApplication::palette());
    const QColor colour = m_ink == Ink::Soft ? theme.soft : theme.trouble;
    QPalette palette = m_label.palette();
    if (palette.color(QPalette::WindowText) == colour) return;
    palette.setColor(QPalette::WindowText, colour);
    m_label.setPalette(palette);
  }

  QLabel& m_label;
  Ink m_ink;
};

}  // namespace

void setInk(QLabel& label, Ink ink) {
  for (QObject* child : label.children()) {
    if (auto* keeper = dynamic_cast<InkKeeper*>(child)) return keeper->set(ink);
  }
  (new InkKeeper(label, ink))->set(ink);
}

Prose::Prose(QWidget* parent) : QLabel(parent) {
  setTextFormat(Qt::PlainText);
  setWordWrap(true);
  setTextInteractionFlags(Qt::TextSelectableByMouse);
}

void Prose::check() const {
  if (m_text == text() && m_font == font()) return;
  m_heights.clear();
  m_hint = m_least = QSize();
  m_text = text();
  m_font = font();
}

QSize Prose::sizeHint() const {
  check();
  if (!m_hint.isValid()) m_hint = QLabel::sizeHint();
  return m_hint;
}

QSize Prose::minimumSizeHint() const {
  check();
  if (!m_least.isValid()) m_least = QLabel::minimumSizeHint();
  return m_least;
}

int Prose::heightForWidth(int width) const {
  check();
  const auto known = m_heights.constFind(width);
  if (known != m_heights.constEnd()) return *known;
  return *m_heights.insert(width, QLabel::heightForWidth(width));
}

QSize ElidedLabel::minimumSizeHint() const {
  return {fontMetrics().averageCharWidth() * 4, QLabel::minimumSizeHint().height()};
}

void ElidedLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  QRect room = contentsRect();
  room.setLeft(room.left() + std::max(0, indent()));
  painter.drawText(room, static_cast<int>(alignment()),
                   fontMetrics().elidedText(text(), Qt::ElideRight, room.width()));
}

}  // namespace tileloom
