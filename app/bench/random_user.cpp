// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/random_user.h"

#include <QAction>
#include <QApplication>
#include <QMouseEvent>
#include <QTimer>
#include <QWheelEvent>
#include <algorithm>
#include <array>
#include <vector>

#include "app/session/page_ids.h"
#include "app/window/main_window.h"
#include "kernels/tile/constraints.h"
#include "viz/loom/loom_view.h"
#include "viz/memory/bank_view.h"

namespace tileloom::app {
namespace {

// Keys that move things, keys that views and fields may use, and some without a meaning. The
// shortcuts are those of the menus.
constexpr std::array kKeys = {
    Qt::Key_Space,    Qt::Key_Left, Qt::Key_Right, Qt::Key_Up,  Qt::Key_Down,   Qt::Key_PageUp,
    Qt::Key_PageDown, Qt::Key_Home, Qt::Key_End,   Qt::Key_Tab, Qt::Key_Return, Qt::Key_Escape,
    Qt::Key_Delete,   Qt::Key_A,    Qt::Key_X,     Qt::Key_0,   Qt::Key_Slash,  Qt::Key_Menu};

constexpr std::array kWords = {"0",   "-1",   "99999999999", "64x64x64", "abc",
                               "128", "1e18", "BM=64",       "ü☃",       "../x"};

void send(QWidget& to, QEvent::Type type, const QPoint& at, Qt::MouseButton button,
          Qt::MouseButtons buttons) {
  QMouseEvent event(type, at, to.mapToGlobal(at), button, buttons, Qt::NoModifier);
  QApplication::sendEvent(&to, &event);
}

}  // namespace

RandomUser::RandomUser(MainWindow& window, std::uint32_t seed) : m_window(window), m_random(seed) {}

void RandomUser::start() {
  m_active = true;
  QTimer::singleShot(0, this, &RandomUser::act);
}

QWidget& RandomUser::foremost() const {
  if (QWidget* popup = QApplication::activePopupWidget()) return *popup;
  if (QWidget* modal = QApplication::activeModalWidget()) return *modal;
  return m_window;
}

void RandomUser::act() {
  if (!m_active) return;
  // First of all: this act may open a box, which runs its own event loop.
  QTimer::singleShot(0, this, &RandomUser::act);
  ++m_acts;
  QWidget& top = foremost();
  if (&top == &m_window) {
    m_box.clear();
    m_boxActs = 0;
  } else {
    m_boxActs = m_box == &top ? m_boxActs + 1 : 0;
    m_box = &top;
    constexpr int kLong = 30;
    if (m_boxActs > kLong) {
      top.close();
      return;
    }
  }
  if (!m_window.isVisible()) m_window.show();
  if (&top == &m_window && below(2) == 0) {
    actOnTheView();
  } else {
    actByHand();
  }
}

std::string RandomUser::latest() const {
  return m_latest + ", at page " + std::string(m_window.currentPage());
}

void RandomUser::actOnTheView() {
  Explorer& explorer = m_window.explorer();
  constexpr std::array kActs = {"rung", "parameter", "parameter", "parameter", "size", "block",
                                "zoom", "page",      "baseline",  "undo",      "hover"};
  const int act = below(static_cast<int>(kActs.size()));
  m_latest = kActs[static_cast<std::size_t>(act)];
  switch (act) {
    case 0:
      return explorer.setStage(
          stages()[static_cast<std::size_t>(below(static_cast<int>(stages().size())))]);
    case 1:
    case 2:
    case 3:
      return changeAParameter();
    case 4:
      explorer.setProblem({64 + below(4000), 64 + below(4000), 64 + below(4000)});
      return;
    case 5:
      explorer.setBlockAt(below(explorer.problem().m), below(explorer.problem().n));
      return;
    case 6:
      return m_window.view<LoomView>()->zoomTo(static_cast<LoomLevel>(below(4)), false);
    case 7:
      return m_window.showPage(
          kTabIds[static_cast<std::size_t>(below(static_cast<int>(kTabIds.size())))]);
    case 8:
      if (below(2) == 0) return explorer.pinThis();
      return explorer.pin(std::nullopt);
    case 9:
      return m_window.undoStack().undo();
    default:
      return hover();
  }
}

void RandomUser::actByHand() {
  QWidget& top = foremost();
  m_latest = std::string("by hand in ") + top.metaObject()->className();
  const int what = below(20);
  if (what < 8) return press(top);
  if (what < 14) return click(top);
  if (what < 16) return scroll(top);
  if (what < 18) return type(top);
  if (what == 18 && below(10) == 0) return m_window.resize(300 + below(1400), 200 + below(880));
  if (what == 19 && below(200) == 0) {
    m_window.close();
    return;
  }
  hover();
}

void RandomUser::changeAParameter() {
  Explorer& explorer = m_window.explorer();
  const auto& parameters = explorer.stage().parameters;
  const ParameterSpec& spec =
      parameters[static_cast<std::size_t>(below(static_cast<int>(parameters.size())))];
  const auto values = legalValues(explorer.stage(), explorer.tile(), spec.parameter);
  // Sometimes a value that breaks a rule.
  const int value = values.empty() || below(8) == 0
                        ? spec.min + below(spec.max - spec.min + 1)
                        : values[static_cast<std::size_t>(below(static_cast<int>(values.size())))];
  explorer.setTile(explorer.tile().with(spec.parameter, value));
}

void RandomUser::hover() {
  for (QWidget* view : {static_cast<QWidget*>(m_window.view<LoomView>()),
                        static_cast<QWidget*>(m_window.view<BankView>())}) {
    const QPoint at(below(std::max(1, view->width())), below(std::max(1, view->height())));
    send(*view, QEvent::MouseMove, at, Qt::NoButton, Qt::NoButton);
  }
}

// Pressed and let go in the same place, or dragged to another one.
void RandomUser::click(QWidget& top) {
  const QPoint from(below(std::max(1, top.width())), below(std::max(1, top.height())));
  const QPointer<QWidget> to = top.childAt(from) != nullptr ? top.childAt(from) : &top;
  const QPoint at = to->mapFrom(&top, from);
  const QPoint end = below(3) == 0 ? at + QPoint(below(400) - 200, below(400) - 200) : at;
  const Qt::MouseButton button = below(10) == 0 ? Qt::RightButton : Qt::LeftButton;
  send(*to, QEvent::MouseMove, at, Qt::NoButton, Qt::NoButton);
  send(*to, QEvent::MouseButtonPress, at, button, button);
  if (to != nullptr && end != at) send(*to, QEvent::MouseMove, end, Qt::NoButton, button);
  if (to != nullptr) send(*to, QEvent::MouseButtonRelease, end, button, Qt::NoButton);
}

void RandomUser::scroll(QWidget& top) {
  const QPoint at(below(std::max(1, top.width())), below(std::max(1, top.height())));
  QWidget* const to = top.childAt(at) != nullptr ? top.childAt(at) : &top;
  const QPoint inside = to->mapFrom(&top, at);
  QWheelEvent event(inside, to->mapToGlobal(inside), {}, {0, 120 * (below(9) - 4)}, Qt::NoButton,
                    below(4) == 0 ? Qt::ControlModifier : Qt::NoModifier, Qt::NoScrollPhase, false);
  QApplication::sendEvent(to, &event);
}

// As from the keyboard. Every other key is one of the menus' shortcuts, which come before the
// widget that has the focus.
void RandomUser::press(QWidget& top) {
  if (&top == &m_window && below(2) == 0) {
    std::vector<QAction*> actions;
    for (QAction* action : m_window.findChildren<QAction*>())
      if (!action->shortcuts().isEmpty() && action->isEnabled()) actions.push_back(action);
    if (actions.empty()) return;
    // A box that it opens runs its own event loop, in which the acts continue.
    return actions[static_cast<std::size_t>(below(static_cast<int>(actions.size())))]->trigger();
  }
  const Qt::Key key = kKeys[static_cast<std::size_t>(below(static_cast<int>(kKeys.size())))];
  const Qt::KeyboardModifiers modifiers = below(4) != 0   ? Qt::NoModifier
                                          : below(2) == 0 ? Qt::ControlModifier
                                                          : Qt::ControlModifier | Qt::ShiftModifier;
  QPointer<QWidget> to = top.focusWidget() != nullptr ? top.focusWidget() : &top;
  for (const QEvent::Type kind : {QEvent::KeyPress, QEvent::KeyRelease}) {
    if (to == nullptr) return;
    QKeyEvent event(kind, key, modifiers);
    QApplication::sendEvent(to, &event);
  }
}

void RandomUser::type(QWidget& top) {
  const QString word =
      QString::fromUtf8(kWords[static_cast<std::size_t>(below(static_cast<int>(kWords.size())))]);
  const QPointer<QWidget> to = top.focusWidget() != nullptr ? top.focusWidget() : &top;
  for (const QChar c : word) {
    if (to == nullptr) return;
    QKeyEvent event(QEvent::KeyPress, 0, Qt::NoModifier, QString(c));
    QApplication::sendEvent(to, &event);
  }
}

}  // namespace tileloom::app
