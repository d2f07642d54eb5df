// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/menus/keys_dialog.h"

#include <QBuffer>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QGridLayout>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QPdfWriter>
#include <QPushButton>
#include <QScrollArea>
#include <QTextDocument>
#include <QVBoxLayout>

#include "app/window/common/fixed_keys.h"
#include "viz/base/paint/sheet.h"
#include "viz/base/text/text.h"

namespace tileloom {

KeysDialog::KeysDialog(std::vector<NamedAction> actions, QWidget* parent)
    : QDialog(parent), m_actions(std::move(actions)), m_message(new QLabel) {
  setWindowTitle(tr("Keys"));
  setAttribute(Qt::WA_DeleteOnClose);
  auto* inside = new QWidget;
  auto* grid = new QGridLayout(inside);
  grid->setColumnStretch(0, 1);
  for (std::size_t i = 0; i < m_actions.size(); ++i) {
    auto* field = new QKeySequenceEdit(m_actions[i].action->shortcut());
    field->setObjectName(m_actions[i].name);
    field->setAccessibleName(m_actions[i].name);
    field->setClearButtonEnabled(true);
    connect(field, &QKeySequenceEdit::editingFinished, this, [this, i] { take(i); });
    grid->addWidget(new QLabel(m_actions[i].name), static_cast<int>(i), 0);
    grid->addWidget(field, static_cast<int>(i), 1);
    m_fields.push_back(field);
  }
  int row = static_cast<int>(m_actions.size());
  for (const FixedKey& fixed : fixedKeys()) {
    grid->addWidget(new QLabel(fixed.name), row, 0);
    grid->addWidget(new QLabel(fixed.key.toString(QKeySequence::NativeText)), row++, 1);
  }
  auto* scroll = new QScrollArea;
  scroll->setWidget(inside);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  m_message->setWordWrap(true);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  connect(buttons->addButton(tr("Default keys"), QDialogButtonBox::ResetRole),
          &QPushButton::clicked, this, &KeysDialog::reset);
  connect(buttons->addButton(tr("Sheet as PDF…"), QDialogButtonBox::ActionRole),
          &QPushButton::clicked, this, &KeysDialog::print);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
  auto* column = new QVBoxLayout(this);
  column->addWidget(scroll, 1);
  column->addWidget(m_message);
  column->addWidget(buttons);
  resize(fontMetrics().averageCharWidth() * 80, fontMetrics().height() * 34);
}

// Fields that lose the focus emit signals: they go while their receivers exist.
KeysDialog::~KeysDialog() {
  hide();
}

QKeySequenceEdit* KeysDialog::fieldOf(const QString& name) const {
  return findChild<QKeySequenceEdit*>(name);
}
QString KeysDialog::message() const {
  return m_message->text();
}

void KeysDialog::take(std::size_t row) {
  const QKeySequence key = m_fields[row]->keySequence();
  const NamedAction* holder = holderOf(m_actions, key);
  if (holder != nullptr && holder->action != m_actions[row].action) {
    m_message->setText(tr("%1 is already the key of \"%2\": remove it there first.")
                           .arg(key.toString(QKeySequence::NativeText), holder->name));
    m_fields[row]->setKeySequence(m_actions[row].action->shortcut());
    return;
  }
  m_message->clear();
  m_actions[row].action->setShortcut(key);
  emit changed();
}

void KeysDialog::reset() {
  for (std::size_t i = 0; i < m_actions.size(); ++i) {
    m_actions[i].action->setShortcut(m_actions[i].usual);
    m_fields[i]->setKeySequence(m_actions[i].usual);
  }
  m_message->clear();
  emit changed();
}

void KeysDialog::print() {
  const QString file =
      QFileDialog::getSaveFileName(this, tr("Sheet of keys"), tr("keys.pdf"), tr("PDF (*.pdf)"));
  if (file.isEmpty()) return;
  QBuffer pdf;
  pdf.open(QIODevice::WriteOnly);
  QPdfWriter printer(&pdf);
  printer.setResolution(96);  // as screens: fonts in points keep their size
  QTextDocument sheet;
  sheet.setHtml(keySheet(m_actions));
  sheet.print(&printer);
  const QString problem = writeBytes(pdf.data(), file);
  m_message->setText(problem.isEmpty() ? tr("The sheet is in %1.").arg(shownFile(file)) : problem);
}

}  // namespace tileloom
