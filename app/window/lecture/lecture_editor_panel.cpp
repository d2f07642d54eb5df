// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/lecture/lecture_editor_panel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QKeyEvent>
#include <QPushButton>
#include <QScrollArea>
#include <QStyle>
#include <QVBoxLayout>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/pages/page.h"
#include "app/window/lecture/asking_fields.h"
#include "app/window/lecture/draft_field.h"
#include "app/window/lecture/lecture_editor.h"
#include "app/window/lecture/mark_fields.h"
#include "app/window/lecture/number_field.h"
#include "app/window/lecture/step_list.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/text/labels.h"
#include "viz/base/text/text.h"
#include "viz/base/widgets/flow_layout.h"

namespace tileloom {
namespace {

constexpr int kLetters = 44;  // of its width

struct KeyRow {
  QKeySequence::StandardKey key;
  void (*act)(LectureEditor&, LectureEditorPanel&);
};

const KeyRow kKeys[] = {
    {QKeySequence::Undo, [](LectureEditor& e, LectureEditorPanel&) { e.stack().undo(); }},
    {QKeySequence::Redo, [](LectureEditor& e, LectureEditorPanel&) { e.stack().redo(); }},
    {QKeySequence::Save, [](LectureEditor&, LectureEditorPanel& p) { emit p.saveAsked(); }},
};

}  // namespace

LectureEditorPanel::LectureEditorPanel(LectureEditor& editor, QWidget* parent)
    : QWidget(parent),
      m_editor(editor),
      m_steps(new StepList(editor)),
      m_step(new QWidget),
      m_plays(new QCheckBox(tr("Play from its instant on"))),
      m_scene(new Prose),
      m_sceneTrouble(new Prose),
      m_marks(new MarkFields(editor)),
      m_asking(new AskingFields(editor)),
      m_trouble(new Prose),
      m_said(new Prose),
      m_scroll(new QScrollArea) {
  setObjectName(QStringLiteral("lectureEditor"));
  using Kind = DraftField::Kind;
  const auto add = [this](QVBoxLayout& to, DraftField::Row row) {
    auto* field = new DraftField(m_editor, std::move(row));
    m_fields.push_back(field);
    to.addWidget(field);
  };
  auto* content = new QWidget;
  auto* words = new QVBoxLayout(content);
  words->setContentsMargins(12, 10, 12, 10);
  words->setSpacing(8);
  words->addWidget(m_steps);
  words->addWidget(m_step);
  auto* step = new QVBoxLayout(m_step);
  step->setContentsMargins(0, 0, 0, 0);
  step->setSpacing(8);
  setInk(*m_trouble, Ink::Trouble);
  m_trouble->setObjectName(QStringLiteral("stepTrouble"));
  step->addWidget(m_trouble);
  add(*step, {"stepHeadline", tr("Headline"), "/headline"});
  add(*step, {"stepText", tr("Text"), "/text", Kind::Paragraph, false,
              tr("one short paragraph; {threads} and other figures are filled in")});
  add(*step, {"stepNotes", tr("Notes for the speaker, one per line"), "/notes", Kind::List, true});

  addHeading(*step, tr("What the window shows"));
  step->addWidget(m_scene);
  setInk(*m_scene, Ink::Soft);
  m_scene->setObjectName(QStringLiteral("stepScene"));
  setInk(*m_sceneTrouble, Ink::Trouble);
  m_sceneTrouble->setObjectName(QStringLiteral("sceneTrouble"));
  step->addWidget(m_sceneTrouble);
  auto* scene = new FlowRow;
  scene->flow().setContentsMargins(0, 0, 0, 0);
  QPushButton* retake =
      button("retakeStep", tr("Set from the window"),
             tr("Saves rung, tile, page, zoom and instant of the window in this step; "
                "keeps its texts"));
  QPushButton* back = button("backToStep", tr("Back to this step"),
                             tr("Sets the window to the beginning of the step"));
  scene->flow().addWidget(retake);
  scene->flow().addWidget(back);
  step->addWidget(scene);
  m_plays->setObjectName(QStringLiteral("stepPlays"));
  step->addWidget(m_plays);
  m_minutes = new NumberField(editor, tr("Minutes (empty: 1)"), "/minutes");
  step->addWidget(m_minutes);

  addHeading(*step, tr("Marks"));
  step->addWidget(m_marks);
  addHeading(*step, tr("Question or task"));
  step->addWidget(m_asking);

  addHeading(*words, tr("The lecture"));
  add(*words, {"lectureTitle", tr("Title"), "lecture/title"});
  add(*words,
      {"lectureAbout", tr("What it teaches, in one sentence"), "lecture/about", Kind::Paragraph});
  add(*words, {"lectureLevel", tr("For whom, in one sentence"), "lecture/level", Kind::Paragraph});
  words->addStretch(1);

  m_scroll->setWidget(content);
  m_scroll->setWidgetResizable(true);
  m_scroll->setFrameShape(QFrame::NoFrame);
  m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_scroll->setFocusPolicy(Qt::NoFocus);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 8);
  column->setSpacing(4);
  column->addWidget(m_scroll, 1);
  m_said->setObjectName(QStringLiteral("editorSaid"));
  m_said->setContentsMargins(12, 0, 12, 0);
  m_said->hide();
  column->addWidget(m_said);
  auto* below = new QWidget;
  auto* row = new QVBoxLayout(below);
  row->setContentsMargins(12, 0, 12, 0);
  auto* buttons = new FlowRow;
  buttons->flow().setContentsMargins(0, 0, 0, 0);
  m_save = button("saveLecture", tr("Save"), tr("Writes the file (Ctrl+S in this editor)"));
  QPushButton* saveAs = button("saveLectureAs", tr("Save as…"), tr("Writes another file"));
  m_undo = button("undoEdit", tr("Undo"), {});
  m_redo = button("redoEdit", tr("Redo"), {});
  QPushButton* close = button("closeEditor", tr("Close"), tr("Ends editing; the lecture stays"));
  for (QPushButton* one : {m_save, saveAs, m_undo, m_redo, close}) buttons->flow().addWidget(one);
  row->addWidget(buttons);
  column->addWidget(below);

  connect(retake, &QPushButton::clicked, &editor, &LectureEditor::retake);
  connect(back, &QPushButton::clicked, this, &LectureEditorPanel::backAsked);
  connect(m_plays, &QCheckBox::clicked, this, [this](bool plays) {
    m_editor.set("/plays", plays ? LectureEditor::Json(true) : LectureEditor::Json(),
                 tr("playing"));
  });
  connect(m_marks, &MarkFields::pickAsked, this, &LectureEditorPanel::pickAsked);
  connect(m_save, &QPushButton::clicked, this, &LectureEditorPanel::saveAsked);
  connect(saveAs, &QPushButton::clicked, this, &LectureEditorPanel::saveAsAsked);
  connect(close, &QPushButton::clicked, this, &LectureEditorPanel::closeAsked);
  connect(m_undo, &QPushButton::clicked, &editor.stack(), &QUndoStack::undo);
  connect(m_redo, &QPushButton::clicked, &editor.stack(), &QUndoStack::redo);
  connect(&editor, &LectureEditor::changed, this, &LectureEditorPanel::refresh);
  connect(&editor, &LectureEditor::chosenChanged, this, &LectureEditorPanel::refresh);
  connect(&editor, &LectureEditor::troubleChanged, this, &LectureEditorPanel::showTrouble);
  connect(&editor, &LectureEditor::refused, this, [this](const QString& why) { say(why, true); });
  const auto history = [this] {
    const QUndoStack& stack = m_editor.stack();
    m_undo->setEnabled(stack.canUndo());
    m_redo->setEnabled(stack.canRedo());
    m_undo->setToolTip(stack.canUndo() ? tr("%1 (Ctrl+Z in this editor)").arg(stack.undoText())
                                       : tr("Nothing to undo"));
    m_redo->setToolTip(stack.canRedo() ? stack.redoText() : tr("Nothing to redo"));
    m_save->setEnabled(!stack.isClean());
  };
  connect(&editor.stack(), &QUndoStack::indexChanged, this, history);
  connect(&editor.stack(), &QUndoStack::cleanChanged, this, history);
  history();
  for (QWidget* widget : findChildren<QWidget*>()) widget->installEventFilter(this);
  refresh();
}

QSize LectureEditorPanel::sizeHint() const {
  return {fontMetrics().averageCharWidth() * kLetters, fontMetrics().lineSpacing() * 40};
}

QWidget* LectureEditorPanel::focusTarget() const {
  return findChild<QWidget*>(QStringLiteral("steps"));
}

void LectureEditorPanel::addHeading(QVBoxLayout& column, const QString& text) {
  column.addSpacing(6);
  column.addWidget(new Heading(text));
}

QPushButton* LectureEditorPanel::button(const char* name, const QString& text, const QString& tip) {
  auto* made = new QPushButton(text);
  made->setObjectName(QLatin1String(name));
  made->setToolTip(tip);
  return made;
}

void LectureEditorPanel::say(const QString& sentence, bool trouble) {
  setInk(*m_said, trouble ? Ink::Trouble : Ink::Soft);
  m_said->setText(sentence);
  m_said->setVisible(!sentence.isEmpty());
}

QString LectureEditorPanel::sceneText() const {
  const auto& steps = m_editor.attempt().lecture.steps;
  if (m_editor.chosen() >= steps.size()) return tr("Nothing yet");
  const lecture::Step& step = steps[m_editor.chosen()];
  const Session& session = step.session;
  const PageRow* page = pageRow(session.tab);
  QString text =
      tr("Rung %1, %2")
          .arg(toQString(session.state.stage->id), figures::sizeText(session.state.problem));
  if (session.lower > 0 && page != nullptr) text += tr(", page %1").arg(pageTitle(*page));
  if (session.state.pinned)
    text += tr(", compared with %1").arg(toQString(session.state.pinned->rung()->id));
  if (step.at) {
    text += tr(". It begins at the line with \"%1\" in K tile %2.")
                .arg(toQString(step.at->line))
                .arg(step.at->kTile + 1);
  } else if (step.instruction) {
    text += tr(". It begins at instruction %1 of warp %2.")
                .arg(session.state.index)
                .arg(session.state.warp);
  } else {
    text += tr(". It begins at the access that shows most waste.");
  }
  return text;
}

void LectureEditorPanel::refresh() {
  const bool any = m_editor.draft().size() > 0;
  m_step->setVisible(any);
  m_steps->refresh();
  for (DraftField* field : m_fields) field->refresh();
  m_minutes->refresh();
  const LectureEditor::Json* plays =
      any ? m_editor.draft().find(m_editor.chosen(), "/plays") : nullptr;
  m_plays->setChecked(plays != nullptr && *plays == true);
  m_scene->setText(sceneText());
  m_marks->refresh();
  m_asking->refresh();
  showTrouble();
}

void LectureEditorPanel::showTrouble() {
  m_steps->showTrouble();
  for (DraftField* field : m_fields) field->showTrouble();
  m_minutes->showTrouble();
  m_marks->showTrouble();
  m_asking->showTrouble();
  QStringList scene;
  for (const char* pointer : {"/session", "/at", "/plays"})
    if (const QString text = m_editor.trouble(pointer); !text.isEmpty()) scene += text;
  tileloom::showTrouble(*m_sceneTrouble, scene.join(QStringLiteral(". ")));
  static const std::vector<std::string> kOwnFields = {"/headline", "/text",  "/notes",   "/session",
                                                      "/at",       "/plays", "/minutes", "/marks",
                                                      "/question", "/task"};
  tileloom::showTrouble(*m_trouble, m_editor.trouble({}, kOwnFields));
}

// Undo, redo and save apply to the lecture while the focus is in here. Scrolls to a field that gets
// the focus by a key.
bool LectureEditorPanel::eventFilter(QObject* watched, QEvent* event) {
  const auto type = event->type();
  // Words wrap and buttons flow; the widest of them is not cut.
  if ((type == QEvent::LayoutRequest || type == QEvent::Resize) && watched == m_scroll->widget()) {
    const int bar = style()->pixelMetric(QStyle::PM_ScrollBarExtent, nullptr, m_scroll);
    m_scroll->setMinimumWidth(m_scroll->widget()->minimumSizeHint().width() + bar + 4);
  }
  // The wheel scrolls, and does not change fields below the pointer.
  if (type == QEvent::Wheel && qobject_cast<QComboBox*>(watched) != nullptr) {
    event->ignore();
    return true;
  }
  // A click or a reactivated window must not scroll.
  const auto byKeys = [event] {
    const Qt::FocusReason why = static_cast<QFocusEvent*>(event)->reason();
    return why == Qt::TabFocusReason || why == Qt::BacktabFocusReason ||
           why == Qt::ShortcutFocusReason || why == Qt::OtherFocusReason;
  };
  if (type == QEvent::FocusIn && watched->isWidgetType() && byKeys()) {
    auto* widget = static_cast<QWidget*>(watched);
    if (m_scroll->widget()->isAncestorOf(widget)) m_scroll->ensureWidgetVisible(widget, 0, 30);
  }
  if (type == QEvent::KeyPress || type == QEvent::ShortcutOverride) {
    const auto* key = static_cast<QKeyEvent*>(event);
    const auto row =
        std::ranges::find_if(kKeys, [key](const KeyRow& each) { return key->matches(each.key); });
    if (row != std::end(kKeys)) {
      event->accept();
      if (type == QEvent::KeyPress) row->act(m_editor, *this);
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace tileloom
