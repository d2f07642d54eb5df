// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/lecture/number_field.h"

#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>
#include <nlohmann/json.hpp>

#include "app/window/lecture/draft_field.h"
#include "app/window/lecture/lecture_editor.h"
#include "viz/base/text/labels.h"
#include "viz/base/text/text.h"

namespace tileloom {
namespace {

using Json = LectureEditor::Json;

// Text that is not a number stays text, and the check says so.
Json numberIn(const QString& text) {
  if (text.isEmpty()) return {};
  bool whole = false, number = false;
  const qlonglong integer = text.toLongLong(&whole);
  const double value = text.toDouble(&number);
  if (whole) return integer;
  return number ? Json(value) : Json(text.toStdString());
}

}  // namespace

NumberField::NumberField(LectureEditor& editor, const QString& label, std::string pointer,
                         QWidget* parent)
    : QWidget(parent),
      m_editor(editor),
      m_label(label),
      m_pointer(std::move(pointer)),
      m_text(new QLineEdit),
      m_trouble(new Prose) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(2);
  auto* words = new QLabel(label);
  words->setWordWrap(true);
  words->setBuddy(m_text);
  column->addWidget(words);
  m_text->setObjectName(toQString(m_pointer).section(u'/', -1));
  m_text->setAccessibleName(label);
  connect(m_text, &QLineEdit::textEdited, this, &NumberField::write);
  column->addWidget(m_text);
  setInk(*m_trouble, Ink::Trouble);
  column->addWidget(m_trouble);
  m_trouble->hide();
}

QString NumberField::drafted() const {
  if (m_editor.draft().size() == 0) return {};
  const Json* value = m_editor.draft().find(m_editor.chosen(), m_pointer);
  if (value == nullptr) return {};
  return value->is_string() ? toQString(value->get<std::string>()) : toQString(value->dump());
}

void NumberField::write() {
  m_editor.set(m_pointer, numberIn(m_text->text().trimmed()), m_label);
}

void NumberField::refresh() {
  const QString wanted = drafted();
  // "1." may become "1.5".
  if (m_text->text() != wanted && numberIn(m_text->text().trimmed()) != numberIn(wanted))
    m_text->setText(wanted);
  showTrouble();
}

void NumberField::showTrouble() {
  tileloom::showTrouble(*m_trouble, m_editor.trouble(m_pointer));
}

}  // namespace tileloom
