// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/lecture/lecture_keys.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <algorithm>

#include "app/window/common/fixed_keys.h"
#include "app/window/lecture/lecture_mode.h"
#include "app/window/lecture/speaker_window.h"
#include "app/window/window.h"

namespace tileloom {
namespace {

struct KeyRow {
  int key;
  bool always;  // also for a user who learns alone
  void (*act)(LectureMode&);
  const char* name;                           // "": the second key of the same
  const char* brief = "";                     // in the line below a presentation; "": omitted there
  bool (*has)(const LectureMode&) = nullptr;  // whether there is something to do now
};

const KeyRow kKeys[] = {
    {Qt::Key_PageDown, true, [](LectureMode& m) { m.next(); },
     QT_TRANSLATE_NOOP("tileloom::LectureKeys", "Next step"),
     QT_TRANSLATE_NOOP("tileloom::LectureKeys", "next")},
    {Qt::Key_PageUp, true, [](LectureMode& m) { m.previous(); },
     QT_TRANSLATE_NOOP("tileloom::LectureKeys", "Previous step"),
     QT_TRANSLATE_NOOP("tileloom::LectureKeys", "back")},
    {Qt::Key_Home, false, [](LectureMode& m) { m.first(); },
     QT_TRANSLATE_NOOP("tileloom::LectureKeys", "First step")},
    {Qt::Key_End, false, [](LectureMode& m) { m.last(); },
     QT_TRANSLATE_NOOP("tileloom::LectureKeys", "Last step")},
    {Qt::Key_A, false, [](LectureMode& m) { m.answer(); },
     QT_TRANSLATE_NOOP("tileloom::LectureKeys", "Answer"),
     QT_TRANSLATE_NOOP("tileloom::LectureKeys", "answer"),
     [](const LectureMode& m) { return m.answerable(); }},
    {Qt::Key_C, false, [](LectureMode& m) { m.openContents(); },
     QT_TRANSLATE_NOOP("tileloom::LectureKeys", "Contents"),
     QT_TRANSLATE_NOOP("tileloom::LectureKeys", "contents")},
    {Qt::Key_B, false, [](LectureMode& m) { m.setBlank(true); },
     QT_TRANSLATE_NOOP("tileloom::LectureKeys", "Blank screen"),
     QT_TRANSLATE_NOOP("tileloom::LectureKeys", "blank")},
    {Qt::Key_Period, false, [](LectureMode& m) { m.setBlank(true); }, ""},  // of clickers
    {Qt::Key_L, false, [](LectureMode& m) { m.toggle(MarksLayer::Tool::Pointer); },
     QT_TRANSLATE_NOOP("tileloom::LectureKeys", "Pointer"),
     QT_TRANSLATE_NOOP("tileloom::LectureKeys", "pointer")},
    {Qt::Key_I, false, [](LectureMode& m) { m.toggle(MarksLayer::Tool::Pen); },
     QT_TRANSLATE_NOOP("tileloom::LectureKeys", "Ink"),
     QT_TRANSLATE_NOOP("tileloom::LectureKeys", "ink")},
    {Qt::Key_E, false, [](LectureMode& m) { m.clearInk(); },
     QT_TRANSLATE_NOOP("tileloom::LectureKeys", "Erase the ink"),
     QT_TRANSLATE_NOOP("tileloom::LectureKeys", "erase"),
     [](const LectureMode& m) { return m.inked(); }},
    {Qt::Key_Escape, false, [](LectureMode& m) { m.leave(); },
     QT_TRANSLATE_NOOP("tileloom::LectureKeys", "Use the window; F5 returns"),
     QT_TRANSLATE_NOOP("tileloom::LectureKeys", "play")},
};

}  // namespace

std::vector<FixedKey> presentingKeys() {
  std::vector<FixedKey> keys;
  for (const KeyRow& row : kKeys) {
    if (*row.name == 0) continue;
    keys.push_back(
        {LectureKeys::tr("Presenting › %1").arg(LectureKeys::tr(row.name)), QKeySequence(row.key)});
  }
  return keys;
}

QString LectureKeys::line(const LectureMode& mode) {
  QStringList keys;
  if (const int choices = mode.choices(); choices > 0) keys += tr("1-%1 choose").arg(choices);
  for (const KeyRow& row : kKeys) {
    if (*row.brief == 0 || (row.has != nullptr && !row.has(mode))) continue;
    keys += QStringLiteral("%1 %2").arg(QKeySequence(row.key).toString(QKeySequence::NativeText),
                                        tr(row.brief));
  }
  return keys.join(QStringLiteral(" · "));
}

LectureKeys::LectureKeys(LectureMode& mode, const Window& window)
    : QObject(&mode), m_mode(mode), m_window(window) {
  mode.setKeysLine([&mode] { return line(mode); });
  qApp->installEventFilter(this);
}

// Before shortcuts and before the focused view: a clicker has two keys, and they apply to the
// lecture while it is open.
bool LectureKeys::eventFilter(QObject* watched, QEvent* event) {
  const bool press = event->type() == QEvent::KeyPress;
  if (!m_mode.active() || !watched->isWidgetType() ||
      (!press && event->type() != QEvent::ShortcutOverride))
    return false;
  const QWidget* active = QApplication::activeWindow();
  if (active != &m_window.frame() && active != m_mode.speaker()) return false;
  const auto* key = static_cast<QKeyEvent*>(event);
  if ((key->modifiers() & ~Qt::KeypadModifier) != Qt::NoModifier) return false;
  // The menu with this key is that of the other window.
  if (key->key() == Qt::Key_F5 && active == m_mode.speaker()) {
    if (press) m_mode.present();
    event->accept();
    return true;
  }
  const auto row = std::ranges::find(kKeys, key->key(), &KeyRow::key);
  const bool ours = row != std::end(kKeys) && (row->always || m_mode.presenting());
  const bool number = key->key() >= Qt::Key_0 && key->key() <= Qt::Key_9;
  if (number && m_mode.asks() && !m_mode.blank() && takeDigit(key->key() - Qt::Key_0, press)) {
    event->accept();
    return true;
  }
  if (!ours && !m_mode.blank()) return false;
  // The keys of a clicker also work in a menu or a field. All other keys belong to the menu or
  // field: Escape closes a menu first, and letters are typed.
  const bool clicker = ours && row->always;
  const bool typing = qobject_cast<QLineEdit*>(QApplication::focusWidget()) != nullptr;
  QWidget* popup = QApplication::activePopupWidget();
  if (!clicker && (popup != nullptr || (typing && key->key() != Qt::Key_Escape))) return false;
  if (!press) {
    event->accept();  // no shortcut has it: it comes again as a key press
    return true;
  }
  while (popup != nullptr) {
    popup->close();
    QWidget* below = QApplication::activePopupWidget();
    popup = below == popup ? nullptr : below;
  }
  if (m_mode.blank()) {
    m_mode.setBlank(false);
  } else {
    row->act(m_mode);
  }
  return true;
}

// A digit picks a choice of the step's question. In a presentation no digit zooms the loom while a
// question is asked.
bool LectureKeys::takeDigit(int digit, bool press) {
  const QWidget* focus = QApplication::focusWidget();
  const bool typing = qobject_cast<const QLineEdit*>(focus) != nullptr ||
                      qobject_cast<const QAbstractSpinBox*>(focus) != nullptr;
  if (QApplication::activePopupWidget() != nullptr || typing) return m_mode.presenting();
  const bool picks = digit >= 1 && digit <= m_mode.choices();
  if (picks && press) m_mode.choose(digit - 1);
  return picks || m_mode.presenting();
}

}  // namespace tileloom
