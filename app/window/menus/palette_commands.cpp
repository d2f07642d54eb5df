// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/menus/palette_commands.h"

#include <QCoreApplication>
#include <QFile>
#include <QLineEdit>
#include <QScrollBar>

#include "app/lecture/lecture_files.h"
#include "app/services/choice/comparison.h"
#include "app/services/teaching/teaching_pairs.h"
#include "app/window/common/palette_words.h"
#include "app/window/common/tell.h"
#include "app/window/frame/layouts.h"
#include "app/window/lecture/lecture_mode.h"
#include "app/window/menus/glossary_dialog.h"
#include "app/window/tile_panel.h"
#include "app/window/why_panel.h"
#include "app/window/window.h"
#include "kernels/tile/stage.h"
#include "kernels/tile/subject.h"
#include "viz/base/text/text.h"

namespace tileloom {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::PaletteCommands)
};

// A glossary entry comes after actions with this name, and before actions that only mention it. A
// page of this name comes before a lecture on it.
constexpr int kExplains = 500, kTeaches = 100;

template <class Act>
NamedAction command(QObject& owner, const QString& name, const QString& what,
                    const QStringList& words, Act act) {
  auto* action = new QAction(name, &owner);
  action->setWhatsThis(what);
  action->setProperty(kAlsoFoundBy, joinedWords(words));
  QObject::connect(action, &QAction::triggered, &owner, act);
  return {name, action};
}

void addRungs(std::vector<NamedAction>& all, QObject& owner, Window& window) {
  for (const Stage* stage : everyStage()) {
    QStringList words{toQString(stage->id)};
    for (const Term& term : glossary()) {
      if (term.rung == stage) words += namesOf(term);
    }
    all.push_back(command(owner,
                          Words::tr("Ladder › Rung %1: %2")
                              .arg(toQString(rungLabel(*stage)), toQString(stage->title)),
                          toQString(stage->idea), words,
                          [&window, stage] { window.explorer().setStage(*stage); }));
  }
}

void addLectures(std::vector<NamedAction>& all, QObject& owner, Window& window) {
  for (const lecture::Entry& entry : lecture::allLectures()) {
    if (!entry.lecture) continue;
    const QString name =
        entry.shipped ? QString::fromStdString(entry.id) : QFile::decodeName(entry.file.c_str());
    all.push_back(command(
        owner,
        Words::tr("Lecture › Learn alone › %1").arg(QString::fromStdString(entry.lecture->title)),
        Words::tr("%1 min").arg(static_cast<int>(entry.lecture->minutes() + 0.5)), {name},
        [&window, name] {
          const QString wrong =
              window.lecture().openNamed(name, LectureMode::Manner::Learning, std::nullopt);
          if (!wrong.isEmpty()) tellProblem(window.frame(), Words::tr("Open a lecture"), wrong);
        }));
    all.back().handicap = kTeaches;
  }
}

void addExamples(std::vector<NamedAction>& all, QObject& owner, Window& window) {
  for (const TeachingPair& pair : teachingPairs()) {
    all.push_back(command(owner, Words::tr("Compare › Examples › %1").arg(pair.name),
                          QStringLiteral("%1: %2").arg(pair.group, pair.look), {},
                          [&window, pair] { window.comparison().open(pair); }));
  }
}

void addWords(std::vector<NamedAction>& all, QObject& owner, Window& window) {
  for (const Term& term : glossary()) {
    NamedAction word =
        command(owner, Words::tr("Glossary › %1").arg(toQString(term.term)), sentenceOf(term), {},
                [&window, &term] { openGlossary(window, &term); });
    word.handicap = kExplains;
    word.explains = true;
    for (const auto& other : term.also) word.also += toQString(other);
    all.push_back(std::move(word));
  }
}

// Each rung as the baseline of the present tile.
void addBaselines(std::vector<NamedAction>& all, QObject& owner, Window& window) {
  for (const Stage* stage : everyStage()) {
    all.push_back(command(
        owner,
        Words::tr("Compare › Beside rung %1: %2")
            .arg(toQString(rungLabel(*stage)), toQString(stage->title)),
        Words::tr("This rung, with its usual tile, becomes the baseline of the present one"),
        {Words::tr("compare with rung %1").arg(toQString(rungLabel(*stage)))}, [&window, stage] {
          window.explorer().pin(standardSubject(*stage));
          window.explorer().showDifference();
        }));
    all.back().handicap = kTeaches;
  }
}

// Scrolls the panel at the right to the causes.
void showCauses(Window& window) {
  window.layouts().showPanel(SidePanel::Tile, true);
  auto* panel = window.view<TilePanel>();
  const auto* why = window.view<WhyPanel>();
  if (panel == nullptr || why == nullptr) return;
  panel->verticalScrollBar()->setValue(why->costs()->mapTo(panel->widget(), QPoint()).y());
}

}  // namespace

std::vector<NamedAction> paletteCommands(QObject& owner, Window& window) {
  std::vector<NamedAction> all;
  addRungs(all, owner, window);
  addLectures(all, owner, window);
  addExamples(all, owner, window);
  addBaselines(all, owner, window);
  all.push_back(command(owner, Words::tr("Tile › Why not faster?"),
                        Words::tr("What costs the present tile its time, in the panel Tile"),
                        {Words::tr("why slow"), Words::tr("slow"), Words::tr("bottleneck"),
                         Words::tr("what limits the speed"), Words::tr("causes")},
                        [&window] { showCauses(window); }));
  addWords(all, owner, window);
  return all;
}

void openGlossary(Window& window, const Term* term) {
  auto* dialog = window.view<GlossaryDialog>();
  if (dialog == nullptr) {
    dialog = new GlossaryDialog(&window.frame());
    QObject::connect(dialog, &GlossaryDialog::pageAsked, &window.frame(),
                     [&window](const QString& id) { window.showPage(id.toStdString()); });
    QObject::connect(dialog, &GlossaryDialog::rungAsked, &window.frame(),
                     [&window](const Stage* stage) { window.explorer().setStage(*stage); });
  }
  dialog->field()->clear();
  dialog->show(term != nullptr ? term : dialog->current());
  dialog->raise();
  dialog->field()->setFocus();
}

}  // namespace tileloom
