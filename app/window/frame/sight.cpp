// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/frame/sight.h"

#include <QActionGroup>
#include <QApplication>
#include <QMenu>
#include <QStyle>
#include <algorithm>

#include "app/session/view_state.h"
#include "app/window/common/actions.h"
#include "app/window/common/settings.h"
#include "app/window/frame/outlined_style.h"
#include "viz/base/text/scaled_font.h"

namespace tileloom {
namespace {

constexpr int kWidest = 200;  // percent; from here on in larger steps

int larger(int percent) {
  return percent < kWidest ? percent + 10 : percent + 25;
}

int smaller(int percent) {
  return percent > kWidest ? percent - 25 : percent - 10;
}

constexpr const char* kThemeKey = "sight/theme";
constexpr const char* kTextKey = "sight/text";
constexpr const char* kMotionKey = "sight/reducedMotion";

}  // namespace

Sight::Sight(QMenu& view, QObject* parent) : QObject(parent), m_usualFont(QApplication::font()) {
  addLooks(addFolded(view, tr("T&heme")));
  addTextSizes(addFolded(view, tr("Te&xt size")));
  m_still = view.addAction(tr("&Reduced motion"), this, [this](bool on) {
    setReducedMotion(on);
    Settings().set(kMotionKey, on);
  });
  m_still->setCheckable(true);
  view.addAction(tr("&Cursor mode"), QKeySequence(Qt::Key_F2), this, &Sight::cursorAsked);
}

Sight::~Sight() {
  if (m_textSize != kUsualText) QApplication::setFont(m_usualFont);
}

void Sight::addLooks(QMenu& view) {
  m_looks = new QActionGroup(this);
  const auto entry = [&](const QString& name, Look look, const QString& also) {
    auto* action = view.addAction(name, this, [this, look] {
      setLook(look);
      Settings().set(kThemeKey, QString::fromStdString(std::string(nameOf(look))));
    });
    action->setProperty(kAlsoFoundBy, also);
    action->setCheckable(true);
    action->setData(static_cast<int>(look));
    m_looks->addAction(action);
  };
  entry(tr("&Dark"), Look::Dark, tr("dark mode, night mode, black, theme, colours"));
  entry(tr("&Light"), Look::Light, tr("light mode, day mode, bright, white, theme, colours"));
  entry(tr("&High contrast"), Look::Contrast, tr("accessibility, theme, colours, projector"));
  showLook();
}

void Sight::addTextSizes(QMenu& view) {
  const auto size = [&](const QString& name, Qt::Key key, auto next, const QString& also) {
    QAction* action = view.addAction(name, QKeySequence(Qt::CTRL | key), this, [this, next] {
      setTextSize(next(m_textSize));
      Settings().set(kTextKey, m_textSize);
    });
    action->setProperty(kAlsoFoundBy, also);
    return action;
  };
  QAction* more = size(tr("&Larger text"), Qt::Key_Plus, larger,
                       tr("text size, font size, bigger font, bigger text, zoom in, increase"));
  // The same key without Shift.
  more->setShortcuts(
      {QKeySequence(Qt::CTRL | Qt::Key_Plus), QKeySequence(Qt::CTRL | Qt::Key_Equal)});
  size(tr("&Smaller text"), Qt::Key_Minus, smaller,
       tr("text size, font size, smaller font, zoom out, decrease"));
  size(
      tr("&Usual text size"), Qt::Key_0, [](int) { return kUsualText; },
      tr("font size, normal, default, reset"));
}

void Sight::load() {
  const Settings kept;
  const auto look = lookNamed(kept.text(kThemeKey).value_or(QString()).toStdString());
  if (look) setLook(*look);
  if (const auto percent = kept.number(kTextKey)) setTextSize(*percent);
  if (const auto on = kept.flag(kMotionKey)) setReducedMotion(*on);
}

Look Sight::look() const {
  return Theme::of(QApplication::palette()).look;
}

void Sight::setLook(Look look) {
  if (this->look() != look) QApplication::setPalette(Theme::make(look).palette());
  showLook();
}

void Sight::showLook() {
  for (QAction* action : m_looks->actions())
    action->setChecked(action->data().toInt() == static_cast<int>(look()));
}

void Sight::setTextSize(int percent) {
  percent = std::clamp(percent, kUsualText, kMostText);
  if (percent == m_textSize) return;
  m_textSize = percent;
  QApplication::setFont(scaledFont(m_usualFont, percent / 100.0));
  emit textSizeChanged();
}

bool Sight::reducedMotion() const {
  return m_still->isChecked();
}

void Sight::setReducedMotion(bool on) {
  m_still->setChecked(on);
  if (auto* style = qobject_cast<OutlinedStyle*>(QApplication::style())) style->setStill(on);
  emit motionChanged(on);
}

}  // namespace tileloom
