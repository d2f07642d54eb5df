// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/lecture/draft_field.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QVBoxLayout>
#include <nlohmann/json.hpp>

#include "app/window/lecture/lecture_editor.h"
#include "viz/base/text/labels.h"
#include "viz/base/text/text.h"

namespace tileloom {
namespace {

using Json = LectureEditor::Json;

constexpr int kLines = 4, kShortList = 3;  // that are seen of a block

QStringList linesOf(const QString& text) {
  QStringList lines;
  for (const QString& line : text.split(u'\n')) {
    if (!line.trimmed().isEmpty()) lines += line.trimmed();
  }
  return lines;
}

constexpr std::string_view kOfLecture = "lecture/";

}  // namespace

void showTrouble(Prose& label, const QString& sentence) {
  label.setText(sentence);
  label.setVisible(!sentence.isEmpty());
}

DraftField::DraftField(LectureEditor& editor, Row row, QWidget* parent)
    : QWidget(parent), m_editor(editor), m_row(std::move(row)), m_trouble(new Prose) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(2);
  auto* label = new QLabel(m_row.label);
  label->setWordWrap(true);
  column->addWidget(label);
  if (m_row.kind == Kind::Line) {
    m_line = new QLineEdit;
    m_line->setPlaceholderText(m_row.hint);
    connect(m_line, &QLineEdit::textEdited, this, &DraftField::write);
    connect(m_line, &QLineEdit::editingFinished, this, [this] { m_editor.endTyping(); });
  } else {
    m_block = new QPlainTextEdit;
    m_block->setTabChangesFocus(true);
    m_block->setUndoRedoEnabled(false);  // the editor's history covers it
    m_block->setPlaceholderText(m_row.hint);
    m_block->installEventFilter(this);
    connect(m_block, &QPlainTextEdit::textChanged, this, &DraftField::write);
  }
  text()->setObjectName(QLatin1String(m_row.object));
  text()->setAccessibleName(m_row.label);
  label->setBuddy(text());
  column->addWidget(text());
  setInk(*m_trouble, Ink::Trouble);
  m_trouble->setObjectName(QLatin1String(m_row.object) + QStringLiteral("Trouble"));
  column->addWidget(m_trouble);
  m_trouble->hide();
}

QWidget* DraftField::text() const {
  return m_line != nullptr ? static_cast<QWidget*>(m_line) : m_block;
}

void DraftField::setPointer(std::string pointer) {
  m_row.pointer = std::move(pointer);
}

QString DraftField::shown() const {
  switch (m_row.kind) {
    case Kind::Line:
      return m_line->text();
    case Kind::Paragraph:
      return linesOf(m_block->toPlainText()).join(u' ');
    case Kind::List:
      return linesOf(m_block->toPlainText()).join(u'\n');
  }
  return {};
}

QString DraftField::drafted() const {
  const lecture::LectureDraft& draft = m_editor.draft();
  if (m_row.pointer.starts_with(kOfLecture))
    return toQString(draft.title(m_row.pointer.substr(kOfLecture.size())));
  if (draft.size() == 0 || m_row.pointer.empty()) return {};
  if (m_row.kind != Kind::List) return toQString(draft.text(m_editor.chosen(), m_row.pointer));
  QStringList lines;
  for (const std::string& text : draft.texts(m_editor.chosen(), m_row.pointer))
    lines += toQString(text);
  return lines.join(u'\n');
}

void DraftField::write() {
  const QString now = shown();
  if (now == drafted()) return;
  if (m_row.pointer.starts_with(kOfLecture))
    return m_editor.setTitle(m_row.pointer.substr(kOfLecture.size()), now);
  if (m_row.pointer.empty()) return;
  Json value;
  if (m_row.kind == Kind::List) {
    for (const QString& line : linesOf(now)) value.push_back(line.toStdString());
    // A single note that was one text stays one text.
    const Json* before = m_editor.draft().find(m_editor.chosen(), m_row.pointer);
    if (value.size() == 1 && before != nullptr && before->is_string()) value = Json(value[0]);
    if (value.is_null() && !m_row.mayLack) value = Json::array();
  } else if (!now.isEmpty() || !m_row.mayLack) {
    value = now.toStdString();
  }
  m_editor.set(m_row.pointer, std::move(value), m_row.label);
}

void DraftField::refresh() {
  const QString wanted = drafted();
  if (shown() != wanted) {
    const QSignalBlocker line(m_line), block(m_block);
    if (m_line != nullptr) {
      m_line->setText(wanted);
      m_line->setCursorPosition(0);  // its beginning is seen
    }
    if (m_block != nullptr) m_block->setPlainText(wanted);
  }
  showTrouble();
}

void DraftField::showTrouble() {
  const bool ofLecture = m_row.pointer.starts_with(kOfLecture);
  QString trouble;
  if (ofLecture) {
    std::string pointer = m_row.pointer.substr(kOfLecture.size());
    pointer.insert(pointer.begin(), '/');
    trouble = m_editor.troubleOfLecture(pointer);
  } else if (!m_row.pointer.empty()) {
    trouble = m_editor.trouble(m_row.pointer);
  }
  tileloom::showTrouble(*m_trouble, trouble);
}

// A block is as high as some lines of its text, at every size of text. A paragraph has no line
// ends.
bool DraftField::eventFilter(QObject* watched, QEvent* event) {
  const auto type = event->type();
  if (type == QEvent::FontChange || type == QEvent::Show || type == QEvent::StyleChange) {
    const int lines = m_row.kind == Kind::List ? kShortList : kLines;
    m_block->setFixedHeight(m_block->fontMetrics().lineSpacing() * lines + 16);
  } else if (type == QEvent::FocusOut) {
    m_editor.endTyping();
  } else if (type == QEvent::KeyPress && m_row.kind == Kind::Paragraph) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Return || key == Qt::Key_Enter) return true;
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace tileloom
