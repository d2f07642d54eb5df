// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/lecture/step_list.h"

#include <QKeyEvent>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/window/common/fixed_keys.h"
#include "app/window/lecture/lecture_editor.h"
#include "viz/base/text/text.h"
#include "viz/base/widgets/flow_layout.h"

namespace tileloom {
namespace {

constexpr int kLines = 6;  // visible in the list

struct KeyRow {
  int key;
  Qt::KeyboardModifiers with;
  void (*act)(LectureEditor&);
  const char* name;
};

const KeyRow kKeys[] = {
    {Qt::Key_Up, Qt::AltModifier, [](LectureEditor& e) { e.moveBy(-1); },
     QT_TRANSLATE_NOOP("tileloom::StepList", "Move the step up")},
    {Qt::Key_Down, Qt::AltModifier, [](LectureEditor& e) { e.moveBy(1); },
     QT_TRANSLATE_NOOP("tileloom::StepList", "Move the step down")},
    {Qt::Key_Insert, Qt::NoModifier, [](LectureEditor& e) { e.addShown(); },
     QT_TRANSLATE_NOOP("tileloom::StepList", "Add the window as a step")},
    {Qt::Key_D, Qt::ControlModifier, [](LectureEditor& e) { e.duplicate(); },
     QT_TRANSLATE_NOOP("tileloom::StepList", "Duplicate the step")},
    {Qt::Key_Delete, Qt::NoModifier, [](LectureEditor& e) { e.erase(); },
     QT_TRANSLATE_NOOP("tileloom::StepList", "Delete the step")},
};

}  // namespace

std::vector<FixedKey> stepListKeys() {
  std::vector<FixedKey> keys;
  for (const KeyRow& row : kKeys) {
    keys.push_back({StepList::tr("Steps of a lecture › %1").arg(StepList::tr(row.name)),
                    QKeySequence(QKeyCombination(row.with, static_cast<Qt::Key>(row.key)))});
  }
  return keys;
}

StepList::StepList(LectureEditor& editor, QWidget* parent)
    : QWidget(parent), m_editor(editor), m_list(new QListWidget) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  m_list->setObjectName(QStringLiteral("steps"));
  m_list->setAccessibleName(tr("Steps of the lecture"));
  m_list->setTextElideMode(Qt::ElideRight);
  m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_list->installEventFilter(this);
  column->addWidget(m_list);
  auto* buttons = new FlowRow;
  buttons->flow().setContentsMargins(0, 0, 0, 0);
  m_add = button("addShown", tr("Add the window"),
                 tr("Adds a step after this one that shows the present window (Insert)"));
  m_copy = button("duplicateStep", tr("Duplicate"), tr("Copies this step (Ctrl+D)"));
  m_erase = button("eraseStep", tr("Delete"), {});
  m_up = button("moveStepUp", tr("Up"), tr("Moves it before the step above (Alt+Up)"));
  m_down = button("moveStepDown", tr("Down"), tr("Moves it after the step below (Alt+Down)"));
  for (QPushButton* one : {m_add, m_copy, m_erase, m_up, m_down}) buttons->flow().addWidget(one);
  column->addWidget(buttons);
  connect(m_add, &QPushButton::clicked, &editor, &LectureEditor::addShown);
  connect(m_copy, &QPushButton::clicked, &editor, &LectureEditor::duplicate);
  connect(m_erase, &QPushButton::clicked, &editor, &LectureEditor::erase);
  connect(m_up, &QPushButton::clicked, &editor, [&editor] { editor.moveBy(-1); });
  connect(m_down, &QPushButton::clicked, &editor, [&editor] { editor.moveBy(1); });
  connect(m_list, &QListWidget::currentRowChanged, &editor, [&editor](int row) {
    if (row >= 0) editor.choose(static_cast<std::size_t>(row));
  });
}

QPushButton* StepList::button(const char* name, const QString& text, const QString& tip) {
  auto* made = new QPushButton(text);
  made->setObjectName(QLatin1String(name));
  made->setToolTip(tip);
  return made;
}

QString StepList::nameOf(std::size_t step) const {
  const QString headline = toQString(m_editor.draft().text(step, "/headline"));
  return tr("%1  %2").arg(step + 1).arg(headline.isEmpty() ? tr("(no headline)") : headline);
}

void StepList::refresh() {
  const QSignalBlocker still(m_list);
  const auto count = static_cast<int>(m_editor.draft().size());
  while (m_list->count() > count) delete m_list->takeItem(m_list->count() - 1);
  while (m_list->count() < count) m_list->addItem(QString());
  m_list->setCurrentRow(count == 0 ? -1 : static_cast<int>(m_editor.chosen()));
  m_copy->setEnabled(count > 0);
  m_erase->setEnabled(count > 1);
  m_erase->setToolTip(count > 1 ? tr("Undo restores it (Delete)")
                                : tr("A lecture has at least one step"));
  m_up->setEnabled(m_editor.chosen() > 0);
  m_down->setEnabled(static_cast<int>(m_editor.chosen()) + 1 < count);
  showTrouble();
}

// A sign and a sentence, not only a colour.
void StepList::showTrouble() {
  for (int i = 0; i < m_list->count(); ++i) {
    const auto step = static_cast<std::size_t>(i);
    if (step >= m_editor.draft().size()) break;
    const QString wrong = m_editor.troubleOfStep(step);
    QListWidgetItem& item = *m_list->item(i);
    item.setText(wrong.isEmpty() ? nameOf(step) : tr("✗ %1").arg(nameOf(step)));
    item.setToolTip(wrong.isEmpty() ? item.text() : wrong);
  }
}

bool StepList::eventFilter(QObject* watched, QEvent* event) {
  const auto type = event->type();
  if (type == QEvent::FontChange || type == QEvent::Show || type == QEvent::StyleChange) {
    m_list->setFixedHeight(m_list->fontMetrics().lineSpacing() * kLines + 16);
  } else if (type == QEvent::KeyPress || type == QEvent::ShortcutOverride) {
    const auto* key = static_cast<QKeyEvent*>(event);
    const auto row = std::ranges::find_if(kKeys, [key](const KeyRow& each) {
      return each.key == key->key() && each.with == (key->modifiers() & ~Qt::KeypadModifier);
    });
    if (row != std::end(kKeys)) {
      event->accept();  // no shortcut of the window has it
      if (type == QEvent::KeyPress) row->act(m_editor);
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace tileloom
