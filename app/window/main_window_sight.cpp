// SPDX-License-Identifier: GPL-3.0-or-later
// How the window is seen: theme, size of text, motion. What a person needs here, they need every
// time, so it is kept from run to run.
#include <QActionGroup>
#include <QApplication>
#include <QLineEdit>
#include <QMenu>
#include <QResizeEvent>
#include <QSplitter>
#include <QStatusBar>

#include "app/window/main_window.h"
#include "app/window/outlined_style.h"
#include "app/window/settings.h"
#include "viz/code/source_strip.h"
#include "viz/loom/loom_view.h"
#include "viz/panels/ladder_list.h"
#include "viz/panels/scrub_bar.h"
#include "viz/panels/transport_bar.h"

namespace tileloom {
namespace {

constexpr int kWidest = 200;  // percent; from here on in larger steps

int larger(int percent) {
  return percent < kWidest ? percent + 10 : percent + 25;
}

int smaller(int percent) {
  return percent > kWidest ? percent - 25 : percent - 10;
}

QString themeKey() {
  return QStringLiteral("sight/theme");
}
QString textKey() {
  return QStringLiteral("sight/text");
}
QString motionKey() {
  return QStringLiteral("sight/reducedMotion");
}

}  // namespace

void MainWindow::makeSightMenu(QMenu& view) {
  m_looks = new QActionGroup(this);
  const auto entry = [&](const QString& name, Look look) {
    auto* action = view.addAction(name, this, [this, look] {
      setLook(look);
      settings().setValue(themeKey(), QString::fromStdString(std::string(nameOf(look))));
    });
    action->setCheckable(true);
    action->setData(static_cast<int>(look));
    m_looks->addAction(action);
  };
  entry(tr("&Dark"), Look::Dark);
  entry(tr("&Light"), Look::Light);
  entry(tr("&High contrast"), Look::Contrast);
  showLook();
  view.addSeparator();
  const auto size = [&](const QString& name, Qt::Key key, auto next) {
    return view.addAction(name, QKeySequence(Qt::CTRL | key), this, [this, next] {
      setTextSize(next(m_textSize));
      settings().setValue(textKey(), m_textSize);
    });
  };
  QAction* more = size(tr("Larger te&xt"), Qt::Key_Plus, larger);
  // The same key without Shift.
  more->setShortcuts(
      {QKeySequence(Qt::CTRL | Qt::Key_Plus), QKeySequence(Qt::CTRL | Qt::Key_Equal)});
  size(tr("S&maller text"), Qt::Key_Minus, smaller);
  size(tr("&Usual text size"), Qt::Key_0, [](int) { return kUsualText; });
  view.addSeparator();
  m_still = view.addAction(tr("&Reduced motion"), this, [this](bool on) {
    setReducedMotion(on);
    settings().setValue(motionKey(), on);
  });
  m_still->setCheckable(true);
  view.addAction(tr("&Cursor mode"), QKeySequence(Qt::Key_F2), this, &MainWindow::toggleCursor);
  // What the desktop asks for, where Qt tells it.
  setReducedMotion(QApplication::style()->styleHint(QStyle::SH_Widget_Animation_Duration) == 0);
}

// For the view that has the focus; from anywhere else it leads to the loom.
void MainWindow::toggleCursor() {
  auto* view = qobject_cast<CellView*>(QApplication::focusWidget());
  if (view != nullptr) return view->setCursorMode(!view->cursorMode());
  m_loom->setFocus(Qt::ShortcutFocusReason);
  m_loom->setCursorMode(true);
}

void MainWindow::loadSight() {
  const QSettings kept = settings();
  const auto look = lookNamed(kept.value(themeKey()).toString().toStdString());
  if (look) setLook(*look);
  bool number = false;
  const int percent = kept.value(textKey()).toInt(&number);
  if (number) setTextSize(percent);
  if (kept.contains(motionKey())) setReducedMotion(kept.value(motionKey()).toBool());
}

Look MainWindow::look() const {
  return Theme::of(QApplication::palette()).look;
}

void MainWindow::setLook(Look look) {
  if (this->look() != look) QApplication::setPalette(Theme::make(look).palette());
  showLook();
}

void MainWindow::showLook() {
  for (QAction* action : m_looks->actions())
    action->setChecked(action->data().toInt() == static_cast<int>(look()));
}

void MainWindow::setTextSize(int percent) {
  percent = std::clamp(percent, kUsualText, kMostText);
  if (percent == m_textSize) return;
  m_textSize = percent;
  QFont font = m_usualFont;
  if (font.pixelSize() > 0) {
    font.setPixelSize(qRound(font.pixelSize() * percent / 100.0));
  } else {
    font.setPointSizeF(font.pointSizeF() * percent / 100.0);
  }
  QApplication::setFont(font);
  fitPanels();
}

// At large text the panels beside the loom would leave nothing of it: they take a share of the
// window at most, and what does not fit there is elided, wrapped or scrolled to.
void MainWindow::fitPanels() {
  if (m_across == nullptr) return;
  // Widgets hear of a new font one after the other: the application's is the latest.
  const QFontMetrics metrics(QApplication::font());
  const int letter = metrics.averageCharWidth();
  const auto fit = [this, letter](int panel, int letters, int most, int percent) {
    QWidget* widget = m_across->widget(panel);
    widget->setMinimumWidth(std::min(letters * letter, width() * percent / 100));
    widget->setMaximumWidth(std::max(widget->minimumWidth(), most * letter));
  };
  fit(0, 26, 46, 18);
  fit(2, 44, 80, 35);
  m_size->setMinimumWidth(metrics.horizontalAdvance(QStringLiteral("2048×2048×2048")) + 2 * letter);
  // In a window of few lines, pictures come before words that are said elsewhere as well.
  const int lines = height() / std::max(1, metrics.height());
  m_source->setLines(lines >= 30 ? 3 : lines >= 22 ? 1 : 0);
  m_transport->scrubBar()->setLabelled(lines >= 22);
  statusBar()->setVisible(lines >= 22);
}

void MainWindow::changeEvent(QEvent* event) {
  QMainWindow::changeEvent(event);
  if (event->type() != QEvent::FontChange || m_across == nullptr) return;
  fitPanels();
  // Both panels as wide as their words want; the middle takes the rest.
  const int least = m_across->widget(0)->minimumWidth();
  const int left =
      std::clamp(m_ladder->sizeHint().width(), least, std::max(least, width() * 18 / 100));
  const int right = m_across->widget(2)->minimumWidth();
  m_across->setSizes({left, std::max(1, width() - left - right), right});
}

void MainWindow::resizeEvent(QResizeEvent* event) {
  QMainWindow::resizeEvent(event);
  fitPanels();
}

bool MainWindow::reducedMotion() const {
  return m_still->isChecked();
}

void MainWindow::setReducedMotion(bool on) {
  m_still->setChecked(on);
  m_loom->setStill(on);
  m_baselineLoom->setStill(on);
  if (auto* style = qobject_cast<OutlinedStyle*>(QApplication::style())) style->setStill(on);
}

}  // namespace tileloom
