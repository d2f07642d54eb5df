// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/base/text/labels.h"

#include <QApplication>
#include <QEvent>
#include <QPainter>
#include <QResizeEvent>

#include "viz/base/text/clauses.h"
#include "viz/base/text/scaled_font.h"
#include "viz/base/text/wrapped_text.h"
#include "viz/base/theme.h"

namespace tileloom {

Heading::Heading(const QString& text, QWidget* parent) : QLabel(text, parent) {
  QSizePolicy policy = sizePolicy();
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

int Heading::heightForWidth(int width) const {
  const QRect room(0, 0, std::max(1, width - std::max(0, indent())), QWIDGETSIZE_MAX);
  return QFontMetrics(Fonts::of(font()).title)
      .boundingRect(room, Qt::AlignLeft | Qt::TextWordWrap, text())
      .height();
}

QSize Heading::sizeHint() const {
  const QFontMetrics metrics(Fonts::of(font()).title);
  return {metrics.horizontalAdvance(text()) + std::max(0, indent()), metrics.height()};
}

// The longest word, and the lines of the text at the present width: not every layout above uses
// heightForWidth().
QSize Heading::minimumSizeHint() const {
  const QFontMetrics metrics(Fonts::of(font()).title);
  int widest = 0;
  for (const QString& word : text().split(u' '))
    widest = std::max(widest, metrics.horizontalAdvance(word));
  return {widest + std::max(0, indent()), std::max(metrics.height(), heightForWidth(width()))};
}

void Heading::resizeEvent(QResizeEvent* event) {
  QLabel::resizeEvent(event);
  if (event->size().width() != event->oldSize().width()) updateGeometry();
}

void Heading::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setFont(Fonts::of(font()).title);
  drawWrapped(painter, contentsRect().adjusted(std::max(0, indent()), 0, 0, 0),
              Qt::AlignLeft | Qt::AlignVCenter, text());
}

namespace {

// Updates the label's colour when its palette changes.
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

Prose::Sizes& Prose::sizes() const {
  constexpr qsizetype kRemembered = 16;  // texts
  if (m_font != font()) m_known.clear();
  m_font = font();
  const auto found = m_known.find(text());
  if (found != m_known.end()) return *found;
  if (m_known.size() >= kRemembered) m_known.clear();
  return *m_known.insert(text(), {});
}

QSize Prose::sizeHint() const {
  QSize& hint = sizes().hint;
  if (!hint.isValid()) hint = QLabel::sizeHint();
  return hint;
}

QSize Prose::minimumSizeHint() const {
  QSize& least = sizes().least;
  if (!least.isValid()) least = QLabel::minimumSizeHint();
  return least;
}

int Prose::heightForWidth(int width) const {
  QHash<int, int>& heights = sizes().heights;
  const auto known = heights.constFind(width);
  if (known != heights.constEnd()) return *known;
  return *heights.insert(width, QLabel::heightForWidth(width));
}

QSize ElidedLabel::minimumSizeHint() const {
  return {0, QLabel::minimumSizeHint().height()};
}

void ElidedLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  QRect room = contentsRect();
  room.setLeft(room.left() + std::max(0, indent()));
  painter.drawText(room, static_cast<int>(alignment()),
                   fitted(text(), fontMetrics(), room.width()));
}

SteadyLabel::SteadyLabel(const QString& text, const QString& widest, QWidget* parent)
    : QLabel(text, parent), m_widest(widest) {}

QSize SteadyLabel::sizeHint() const {
  const QFontMetrics metrics = fontMetrics();
  const int more = metrics.horizontalAdvance(m_widest) - metrics.horizontalAdvance(text());
  return QLabel::sizeHint().grownBy({0, 0, std::max(0, more), 0});
}

QSize SteadyLabel::minimumSizeHint() const {
  return sizeHint();
}

void scaleFont(QWidget& widget, const QFont& base, double by, bool bold) {
  QFont font = scaledFont(base, by);
  font.setBold(bold);
  widget.setFont(font);
}

}  // namespace tileloom
