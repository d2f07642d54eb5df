// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/common/writing_dialog.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include "viz/base/text/labels.h"
#include "viz/base/widgets/choice_box.h"
#include "viz/panels/number_box.h"

namespace tileloom {

QString WritingDialog::message() const {
  return m_message->text();
}

void WritingDialog::reject() {
  if (running()) return cancel();
  QDialog::reject();
}

QComboBox* WritingDialog::addChoice(QFormLayout& form, const QString& label, const char* name) {
  auto* box = new ChoiceBox;
  box->setObjectName(QLatin1String(name));
  form.addRow(label, box);
  return box;
}

QSpinBox* WritingDialog::makeNumber(const char* name, int least, int most) {
  auto* box = new NumberBox;
  box->setObjectName(QLatin1String(name));
  box->setRange(least, most);
  connect(box, &QSpinBox::valueChanged, this, [this] { judge(); });
  return box;
}

void WritingDialog::addRow(QFormLayout& form, const QString& label, QWidget* first,
                           QLayout* fields) {
  auto* words = new QLabel(label);
  words->setBuddy(first);
  form.addRow(words, fields);
}

QLayout* WritingDialog::beside(QWidget* a, const QString& words, QWidget* b) {
  auto* line = new QHBoxLayout;
  line->addWidget(a);
  line->addWidget(new QLabel(words));
  line->addWidget(b);
  line->addStretch(1);
  return line;
}

QLineEdit* WritingDialog::addFile(QFormLayout& form) {
  auto* file = new QLineEdit;
  file->setObjectName(QStringLiteral("file"));
  auto* button = new QPushButton(tr("&Browse…"));
  auto* line = new QHBoxLayout;
  line->addWidget(file, 1);
  line->addWidget(button);
  addRow(form, tr("Fi&le"), file, line);
  connect(file, &QLineEdit::textChanged, this, [this] { judge(); });
  connect(button, &QPushButton::clicked, this, [this] { browse(); });
  return file;
}

void WritingDialog::place(QWidget* form, int letters) {
  m_form = form;
  m_message = new QLabel;
  m_message->setObjectName(QStringLiteral("message"));
  m_message->setTextFormat(Qt::PlainText);
  m_message->setWordWrap(true);
  m_message->setMinimumHeight(2 * fontMetrics().lineSpacing());
  m_message->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  m_progress = new QProgressBar;
  m_progress->setObjectName(QStringLiteral("progress"));
  m_progress->setVisible(false);
  auto* buttons = new QDialogButtonBox;
  m_export = buttons->addButton(tr("&Export"), QDialogButtonBox::AcceptRole);
  m_close = buttons->addButton(tr("Close"), QDialogButtonBox::RejectRole);
  m_export->setObjectName(QStringLiteral("export"));
  m_close->setObjectName(QStringLiteral("close"));
  connect(buttons, &QDialogButtonBox::accepted, this, [this] { begin(); });
  connect(buttons, &QDialogButtonBox::rejected, this, &WritingDialog::reject);
  auto* column = new QVBoxLayout(this);
  for (QWidget* part : std::initializer_list<QWidget*>{m_form, m_message, m_progress, buttons})
    column->addWidget(part);
  setMinimumWidth(fontMetrics().averageCharWidth() * letters);
}

void WritingDialog::say(const QString& text, bool trouble) {
  m_message->setText(text);
  setInk(*m_message, trouble ? Ink::Trouble : Ink::Soft);
}

void WritingDialog::offer(const QString& problem, const QString& text) {
  m_export->setEnabled(problem.isEmpty());
  say(problem.isEmpty() ? text : problem, !problem.isEmpty());
}

void WritingDialog::showRunning(int all) {
  m_form->setEnabled(false);
  m_export->setEnabled(false);
  m_close->setText(tr("Cancel"));
  showDone(0, all);
  m_progress->setVisible(true);
}

void WritingDialog::showDone(int done, int all) {
  m_progress->setRange(0, all);
  m_progress->setValue(done);
}

void WritingDialog::showEnded(const QString& problem, const QString& file) {
  m_form->setEnabled(true);
  m_close->setText(tr("Close"));
  m_progress->setVisible(false);
  judge();
  if (!problem.isEmpty()) return say(problem, true);
  say(tr("written: %1").arg(file), false);
  m_close->setFocus();
}

}  // namespace tileloom
