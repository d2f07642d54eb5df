// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/lecture/new_step_dialog.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>

namespace tileloom {

NewStepDialog::NewStepDialog(QWidget* parent)
    : QDialog(parent), m_headline(new QLineEdit), m_text(new QPlainTextEdit) {
  setWindowTitle(tr("Add the window as a step"));
  m_headline->setObjectName(QStringLiteral("headline"));
  m_text->setObjectName(QStringLiteral("text"));
  m_text->setTabChangesFocus(true);
  m_text->setPlaceholderText(tr("One short paragraph; you can write it in the file later"));
  auto* form = new QFormLayout(this);
  form->addRow(tr("&Headline"), m_headline);
  form->addRow(tr("&Text"), m_text);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
  QPushButton* add = buttons->addButton(tr("&Add"), QDialogButtonBox::AcceptRole);
  add->setObjectName(QStringLiteral("add"));
  add->setEnabled(false);
  connect(m_headline, &QLineEdit::textChanged, add,
          [this, add] { add->setEnabled(!headline().isEmpty()); });
  connect(buttons, &QDialogButtonBox::accepted, this, &NewStepDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &NewStepDialog::reject);
  form->addRow(buttons);
  setMinimumWidth(fontMetrics().averageCharWidth() * 64);
}

QString NewStepDialog::headline() const {
  return m_headline->text().trimmed();
}

QString NewStepDialog::text() const {
  const QString text = m_text->toPlainText().trimmed();
  return text.isEmpty() ? tr("The text of this step.") : text;
}

}  // namespace tileloom
