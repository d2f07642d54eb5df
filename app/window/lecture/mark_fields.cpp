// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/lecture/mark_fields.h"

#include <fmt/format.h>

#include <QComboBox>
#include <QFormLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/window/lecture/draft_field.h"
#include "app/window/lecture/lecture_editor.h"
#include "kernels/base/json_text.h"
#include "viz/base/text/labels.h"
#include "viz/base/text/text.h"
#include "viz/base/widgets/flow_layout.h"
#include "viz/lecture/mark_words.h"

namespace tileloom {
namespace {

using Json = LectureEditor::Json;
using Thing = MarkTarget::Thing;

constexpr const char* kForms[] = {"ring", "arrow", "label"};

// The targets of a mark, by their keys in the file.
struct Kind {
  const char* key;
  Thing thing;
  const char* in;       // the page, where the file says it
  const char* example;  // of the value
  bool number;
};
constexpr Kind kKinds[] = {{"element", Thing::Element, nullptr, "C[0,0]", false},
                           {"lane", Thing::Lane, nullptr, "0", true},
                           {"warp", Thing::Warp, nullptr, "0", true},
                           {"block", Thing::Block, nullptr, "", false},
                           {"bank", Thing::Bank, nullptr, "0", true},
                           {"lane", Thing::Lane, "banks", "0", true},
                           {"line", Thing::Line, nullptr, "", false},
                           {"parameter", Thing::Parameter, nullptr, "BM", false},
                           {"rung", Thing::Rung, nullptr, "naive", false},
                           {"area", Thing::Area, nullptr, "loom", false}};

QString nameOf(const Kind& kind) {
  MarkTarget target;
  target.thing = kind.thing;
  if (kind.in != nullptr) target.page = kind.in;
  return kindName(target);
}

int formOf(const Json& mark) {
  for (int form = 0; form < 3; ++form)
    if (mark.is_object() && mark.contains(kForms[form])) return form;
  return 0;
}

Json targetOf(const Json& mark) {
  const char* form = kForms[formOf(mark)];
  return mark.is_object() && mark.contains(form) ? mark[form] : Json();
}

int kindOf(const Json& target) {
  int found = -1;
  for (int i = 0; i < static_cast<int>(std::size(kKinds)); ++i) {
    const Kind& kind = kKinds[i];
    if (!target.is_object() || !target.contains(kind.key)) continue;
    const bool banks = target.contains("in") && target["in"] == "banks";
    if (found < 0 || banks == (kind.in != nullptr)) found = i;
  }
  return found;
}

QString valueOf(const Json& target) {
  const int kind = kindOf(target);
  if (kind < 0 || kKinds[kind].thing == Thing::Block) return {};
  const Json& value = target[kKinds[kind].key];
  return value.is_string() ? toQString(value.get<std::string>()) : toQString(dumped(value));
}

QString wordsOf(const Json& target) {
  const int kind = kindOf(target);
  if (kind < 0) return MarkFields::tr("nothing");
  const QString value = valueOf(target);
  MarkTarget named;
  named.thing = kKinds[kind].thing;
  if (kKinds[kind].in != nullptr) named.page = kKinds[kind].in;
  named.text = value.toStdString();
  bool whole = false;
  named.number = value.toUInt(&whole);
  const bool said = kKinds[kind].number ? whole : named.thing != Thing::Element;
  return said ? targetName(named) : MarkFields::tr("%1 %2").arg(kindName(named), value);
}

Json targetWith(int kind, const QString& value) {
  const Kind& row = kKinds[kind];
  Json target = Json::object();
  bool whole = false;
  const int number = value.toInt(&whole);
  if (row.thing == Thing::Block) {
    target[row.key] = true;
  } else if (row.number && whole) {
    target[row.key] = number;
  } else {
    target[row.key] = value.toStdString();
  }
  if (row.in != nullptr) target["in"] = row.in;
  return target;
}

// The values to choose from, if there are few.
QStringList valuesOf(int kind, const Stage* stage) {
  QStringList all;
  if (kind < 0) return all;
  switch (kKinds[kind].thing) {
    case Thing::Parameter:
      if (stage != nullptr)
        for (const ParameterSpec& spec : stage->parameters) all += toQString(name(spec.parameter));
      break;
    case Thing::Rung:
      for (const Stage* rung : everyStage()) all += toQString(rung->id);
      break;
    case Thing::Area:
      for (const std::string_view area : kAreas) all += toQString(area);
      break;
    default:
      break;
  }
  return all;
}

}  // namespace

MarkFields::MarkFields(LectureEditor& editor, QWidget* parent)
    : QWidget(parent),
      m_editor(editor),
      m_list(new QListWidget),
      m_add(new QPushButton(tr("Add a mark"))),
      m_erase(new QPushButton(tr("Delete the mark"))),
      m_fields(new QWidget),
      m_form(new QComboBox),
      m_kind(new QComboBox),
      m_value(new QComboBox),
      m_trouble(new Prose) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  m_list->setObjectName(QStringLiteral("marks"));
  m_list->setAccessibleName(tr("Marks of this step"));
  m_list->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents);
  m_list->setTextElideMode(Qt::ElideRight);
  m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  column->addWidget(m_list);
  auto* buttons = new FlowRow;
  buttons->flow().setContentsMargins(0, 0, 0, 0);
  m_add->setObjectName(QStringLiteral("addMark"));
  m_add->setToolTip(
      tr("Then click in the picture: an element, a tile, a bank, a line, "
         "a tile parameter, a rung or an area"));
  m_erase->setObjectName(QStringLiteral("eraseMark"));
  buttons->flow().addWidget(m_add);
  buttons->flow().addWidget(m_erase);
  column->addWidget(buttons);
  auto* fields = new QVBoxLayout(m_fields);
  fields->setContentsMargins(0, 4, 0, 0);
  m_text = new DraftField(editor, {"markText",
                                   tr("Text of the mark"),
                                   {},
                                   DraftField::Kind::Line,
                                   true,
                                   tr("optional for a ring or an arrow")});
  fields->addWidget(m_text);
  m_form->setObjectName(QStringLiteral("markForm"));
  m_form->setAccessibleName(tr("Shape of the mark"));
  m_form->addItems({tr("ring around"), tr("arrow to"), tr("label at")});
  m_kind->setObjectName(QStringLiteral("markKind"));
  m_kind->setAccessibleName(tr("Target of the mark"));
  for (const Kind& kind : kKinds) m_kind->addItem(nameOf(kind));
  m_value->setObjectName(QStringLiteral("markValue"));
  m_value->setAccessibleName(tr("Value of the target"));
  m_value->setEditable(true);
  m_value->setInsertPolicy(QComboBox::NoInsert);
  for (QComboBox* combo : {m_form, m_kind, m_value}) {
    combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    combo->setMinimumContentsLength(10);
  }
  fields->addWidget(m_form);
  fields->addWidget(m_kind);
  fields->addWidget(m_value);
  column->addWidget(m_fields);
  setInk(*m_trouble, Ink::Trouble);
  m_trouble->setObjectName(QStringLiteral("marksTrouble"));
  column->addWidget(m_trouble);
  connect(m_list, &QListWidget::currentRowChanged, this, &MarkFields::showMark);
  connect(m_add, &QPushButton::clicked, this, &MarkFields::pickAsked);
  connect(m_erase, &QPushButton::clicked, this, [this] {
    if (mark() >= 0) m_editor.eraseMark(static_cast<std::size_t>(mark()));
  });
  connect(m_form, &QComboBox::activated, this, &MarkFields::setForm);
  connect(m_kind, &QComboBox::activated, this, &MarkFields::setKind);
  connect(m_value, &QComboBox::activated, this, &MarkFields::setValue);
  connect(m_value->lineEdit(), &QLineEdit::textEdited, this, &MarkFields::setValue);
}

int MarkFields::mark() const {
  return m_list->currentRow();
}

void MarkFields::choose(int mark) {
  m_list->setCurrentRow(mark);
  m_text->text()->setFocus();
}

void MarkFields::refresh() {
  const Json marks = m_editor.draft().size() == 0 ? Json::array() : m_editor.marks();
  const int row = mark();
  {
    const QSignalBlocker still(m_list);
    while (m_list->count() > static_cast<int>(marks.size())) delete m_list->takeItem(0);
    while (m_list->count() < static_cast<int>(marks.size())) m_list->addItem(QString());
    for (int i = 0; i < m_list->count(); ++i) {
      const Json& one = marks[static_cast<std::size_t>(i)];
      const Json target = targetOf(one);
      const Json* text = one.is_object() && one.contains("text") ? &one["text"] : nullptr;
      QString line = tr("%1 %2").arg(m_form->itemText(formOf(one)), wordsOf(target));
      if (text != nullptr && text->is_string())
        line = tr("\"%1\": %2").arg(toQString(text->get<std::string>()), line);
      m_list->item(i)->setText(line);
      m_list->item(i)->setToolTip(line);
    }
    m_list->setCurrentRow(std::min(std::max(row, 0), m_list->count() - 1));
  }
  m_list->setVisible(m_list->count() > 0);
  constexpr int kMost = 8;
  m_add->setEnabled(m_editor.draft().size() > 0 && m_list->count() < kMost);
  const int line = m_list->sizeHintForRow(0);
  m_list->setFixedHeight(std::min(m_list->count(), 4) * std::max(line, 1) + 6);
  showMark();
}

void MarkFields::showMark() {
  const bool any = mark() >= 0;
  m_fields->setVisible(any);
  m_erase->setEnabled(any);
  m_text->setPointer(any ? fmt::format("/marks/{}/text", mark()) : std::string());
  m_text->refresh();
  if (any) {
    const Json one = m_editor.marks()[static_cast<std::size_t>(mark())];
    const Json target = targetOf(one);
    const int kind = kindOf(target);
    const auto& steps = m_editor.attempt().lecture.steps;
    const Stage* stage =
        m_editor.chosen() < steps.size() ? steps[m_editor.chosen()].session.state.stage : nullptr;
    m_form->setCurrentIndex(formOf(one));
    m_kind->setCurrentIndex(kind);
    const QString value = valueOf(target);
    const QStringList values = valuesOf(kind, stage);
    const QSignalBlocker still(m_value);
    if (m_value->currentText() != value || m_value->count() != values.size()) {
      m_value->clear();
      m_value->addItems(values);
      m_value->setCurrentIndex(static_cast<int>(values.indexOf(value)));
      m_value->setEditText(value);
    }
    m_value->setVisible(kind < 0 || kKinds[kind].thing != Thing::Block);
  }
  showTrouble();
}

void MarkFields::showTrouble() {
  m_text->showTrouble();
  const std::string text =
      mark() < 0 ? std::string("/none") : fmt::format("/marks/{}/text", mark());
  tileloom::showTrouble(*m_trouble, m_editor.trouble("/marks", {text}));
}

void MarkFields::setForm(int form) {
  if (mark() < 0) return;
  Json one = m_editor.marks()[static_cast<std::size_t>(mark())];
  Json changed = Json::object();
  changed[kForms[form]] = targetOf(one);
  for (const auto& [key, value] : one.items()) {
    if (std::ranges::find(kForms, key) == std::end(kForms)) changed[key] = value;
  }
  m_editor.setMark(static_cast<std::size_t>(mark()), std::move(changed), tr("shape of the mark"));
}

void MarkFields::setKind(int kind) {
  if (mark() < 0) return;
  const std::string form = kForms[formOf(m_editor.marks()[static_cast<std::size_t>(mark())])];
  const QStringList values = valuesOf(kind, nullptr);
  const QString value = values.isEmpty() ? QString::fromLatin1(kKinds[kind].example) : values[0];
  m_editor.set(fmt::format("/marks/{}/{}", mark(), form), targetWith(kind, value),
               tr("target of the mark"));
}

void MarkFields::setValue() {
  if (mark() < 0) return;
  const Json one = m_editor.marks()[static_cast<std::size_t>(mark())];
  const int kind = kindOf(targetOf(one));
  if (kind < 0) return;
  m_editor.set(fmt::format("/marks/{}/{}", mark(), kForms[formOf(one)]),
               targetWith(kind, m_value->currentText()), tr("target of the mark"));
}

}  // namespace tileloom
