// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/lecture/asking_fields.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/window/lecture/draft_field.h"
#include "app/window/lecture/lecture_editor.h"
#include "app/window/lecture/number_field.h"
#include "viz/base/text/labels.h"
#include "viz/base/text/text.h"

namespace tileloom {
namespace {

using Json = LectureEditor::Json;

QVBoxLayout* columnOf(QWidget& widget) {
  auto* column = new QVBoxLayout(&widget);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(6);
  return column;
}

}  // namespace

AskingFields::AskingFields(LectureEditor& editor, QWidget* parent)
    : QWidget(parent),
      m_editor(editor),
      m_kind(new QComboBox),
      m_question(new QWidget),
      m_task(new QWidget),
      m_rightRow(new QWidget),
      m_right(new QComboBox),
      m_rightTrouble(new Prose),
      m_solution(new Prose),
      m_solutionTrouble(new Prose),
      m_trouble(new Prose),
      m_take(new QPushButton(tr("Use the window as the solution"))) {
  auto* column = columnOf(*this);
  m_kind->setObjectName(QStringLiteral("asking"));
  m_kind->setAccessibleName(tr("Question or task of the step"));
  m_kind->addItems({tr("No question or task"), tr("A question"), tr("A task")});
  for (QComboBox* combo : {m_kind, m_right}) {
    combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    combo->setMinimumContentsLength(10);
  }
  connect(m_kind, &QComboBox::activated, this, &AskingFields::setKind);
  column->addWidget(m_kind);
  column->addWidget(m_trouble);
  column->addWidget(m_question);
  column->addWidget(m_task);
  for (Prose* label : {m_rightTrouble, m_solutionTrouble, m_trouble}) setInk(*label, Ink::Trouble);

  auto* question = columnOf(*m_question);
  add(*m_question, "questionAsks", tr("Question"), "/question/asks");
  add(*m_question, "questionChoices", tr("Choices, one per line (empty: no choices)"),
      "/question/choices", true, true);
  auto* right = columnOf(*m_rightRow);
  auto* rightLabel = new QLabel(tr("The correct choice"));
  rightLabel->setBuddy(m_right);
  right->addWidget(rightLabel);
  m_right->setObjectName(QStringLiteral("questionRight"));
  m_right->setAccessibleName(tr("The correct choice"));
  connect(m_right, &QComboBox::activated, this, &AskingFields::setRight);
  right->addWidget(m_right);
  right->addWidget(m_rightTrouble);
  question->addWidget(m_rightRow);
  auto* number =
      new NumberField(editor, tr("Or the correct number (empty: no number)"), "/question/number");
  number->setObjectName(QStringLiteral("questionNumberField"));
  question->addWidget(number);
  add(*m_question, "questionHint", tr("Hint"), "/question/hint", false, true);
  add(*m_question, "questionAnswer", tr("Answer, with its explanation"), "/question/answer");

  auto* task = columnOf(*m_task);
  add(*m_task, "taskAsks", tr("Task"), "/task/asks");
  add(*m_task, "taskUntil", tr("Met when all of these are true, one per line"), "/task/until", true,
      false, tr("such as: subtiles = 2, or: blocks per SM >= before + 1"));
  task->addWidget(m_solution);
  m_take->setObjectName(QStringLiteral("takeSolution"));
  m_take->setToolTip(tr("Saves rung, tile and size of the window as the solution of the task"));
  connect(m_take, &QPushButton::clicked, &editor, &LectureEditor::takeSolution);
  task->addWidget(m_take, 0, Qt::AlignLeft);
  m_solutionTrouble->setObjectName(QStringLiteral("solutionTrouble"));
  task->addWidget(m_solutionTrouble);
  add(*m_task, "taskHint", tr("Hint"), "/task/hint", false, true);
  add(*m_task, "taskAnswer", tr("Answer, with its explanation"), "/task/answer");
}

DraftField* AskingFields::add(QWidget& to, const char* object, const QString& label,
                              const char* pointer, bool list, bool mayLack, const QString& hint) {
  auto* field = new DraftField(
      m_editor, {object, label, pointer,
                 list ? DraftField::Kind::List : DraftField::Kind::Paragraph, mayLack, hint});
  to.layout()->addWidget(field);
  m_fields.push_back(field);
  return field;
}

AskingFields::Kind AskingFields::kind() const {
  if (m_editor.draft().size() == 0) return Nothing;
  if (m_editor.step().contains("task")) return Task;
  return m_editor.step().contains("question") ? Question : Nothing;
}

// Members that both have are kept.
void AskingFields::setKind(int wanted) {
  const Kind now = kind();
  if (wanted == now || m_editor.draft().size() == 0) return;
  Json both = Json::object();
  for (const char* member : {"asks", "hint", "answer"}) {
    const std::string pointer = std::string(now == Task ? "/task/" : "/question/") + member;
    const Json* text = m_editor.draft().find(m_editor.chosen(), pointer);
    if (text != nullptr) both[member] = *text;
  }
  for (const char* member : {"asks", "answer"})
    if (!both.contains(member)) both[member] = "";
  if (wanted == Task) {
    both["until"] = Json::array();
    both["solution"] = Json::object();
  }
  Json question, task;
  (wanted == Question ? question : task) = wanted == Nothing ? Json() : std::move(both);
  m_editor.setAll({{"/question", std::move(question)}, {"/task", std::move(task)}},
                  tr("question or task of the step"));
}

void AskingFields::setRight(int choice) {
  m_editor.set("/question/right", m_right->itemText(choice).toStdString(), tr("right choice"));
}

void AskingFields::refresh() {
  const Kind now = kind();
  m_kind->setEnabled(m_editor.draft().size() > 0);
  m_kind->setCurrentIndex(now);
  m_question->setVisible(now == Question);
  m_task->setVisible(now == Task);
  for (DraftField* field : m_fields) field->refresh();
  findChild<NumberField*>()->refresh();
  QStringList choices;
  if (now == Question) {
    for (const std::string& choice : m_editor.draft().texts(m_editor.chosen(), "/question/choices"))
      choices += toQString(choice);
  }
  m_rightRow->setVisible(!choices.isEmpty());
  m_right->clear();
  m_right->addItems(choices);
  if (now == Question) {
    m_right->setCurrentIndex(static_cast<int>(
        choices.indexOf(toQString(m_editor.draft().text(m_editor.chosen(), "/question/right")))));
  }
  if (now == Task) {
    m_solution->setText(
        solved() ? tr("Solution: %1")
                       .arg(toQString(
                           m_editor.draft().find(m_editor.chosen(), "/task/solution")->dump()))
                 : tr("No solution yet: set the window to one, then press the button"));
  }
  showTrouble();
}

bool AskingFields::solved() const {
  if (m_editor.draft().size() == 0) return false;
  const Json* solution = m_editor.draft().find(m_editor.chosen(), "/task/solution");
  return solution != nullptr && solution->is_object() && !solution->empty();
}

void AskingFields::showTrouble() {
  for (DraftField* field : m_fields) field->showTrouble();
  findChild<NumberField*>()->showTrouble();
  tileloom::showTrouble(*m_rightTrouble, m_editor.trouble("/question/right"));
  // Without a solution that is said already, and the step itself is not a wrong one.
  tileloom::showTrouble(*m_solutionTrouble,
                        solved() ? m_editor.trouble("/task/solution") : QString());
  static const std::vector<std::string> kOwnFields = {
      "/question/asks",   "/question/choices", "/question/hint", "/question/answer",
      "/question/number", "/question/right",   "/task/asks",     "/task/until",
      "/task/hint",       "/task/answer",      "/task/solution"};
  QStringList all;
  for (const char* whole : {"/question", "/task"}) {
    const QString text = m_editor.trouble(whole, kOwnFields);
    if (!text.isEmpty()) all += text;
  }
  tileloom::showTrouble(*m_trouble, all.join(QStringLiteral(". ")));
}

}  // namespace tileloom
