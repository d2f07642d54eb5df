// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/menus/command_palette.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QSet>
#include <QTimer>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

namespace tileloom {
namespace {

// "specialization" finds a specialisation. The text keeps its length.
QString spelled(QString text) {
  for (const char* vowel : {"a", "e", "i"})
    text.replace(QLatin1String("iz") + QLatin1String(vowel),
                 QLatin1String("is") + QLatin1String(vowel), Qt::CaseInsensitive);
  return text;
}

const QString kBelow = QStringLiteral(" › ");

// "conflicts" finds a conflict.
QString stem(QString word) {
  constexpr int kStem = 4;
  if (word.size() > kStem && word.endsWith(u's', Qt::CaseInsensitive)) word.chop(1);
  return word;
}

enum class How { Word, Begins, Within, Missing };
struct Found {
  How how = How::Missing;
  qsizetype at = -1;
};

// How the text from `own` on contains the word, or else the text before it. Numbers are found as
// whole numbers before all others: "1" is not the rung 12.
Found find(const QString& typed, const QString& text, qsizetype own) {
  const QString word = stem(typed);
  Found best;
  const auto look = [&](qsizetype from, qsizetype to) {
    for (qsizetype at = text.indexOf(word, from, Qt::CaseInsensitive); at >= 0 && at < to;
         at = text.indexOf(word, at + 1, Qt::CaseInsensitive)) {
      qsizetype end = at + word.size();
      if (end < text.size() && text[end].toLower() == u's') ++end;  // a plural
      const bool begins = at == 0 || !text[at - 1].isLetterOrNumber();
      const bool ends = end >= text.size() || !text[end].isLetterOrNumber();
      const bool partOfNumber = word.front().isDigit() && !ends;
      const How how = begins && ends            ? How::Word
                      : begins && !partOfNumber ? How::Begins
                                                : How::Within;
      if (how < best.how) best = {how, at};
    }
  };
  look(own, text.size());
  if (best.how == How::Missing) look(0, own);
  return best;
}

// Whether it is another name of an action, spelled out.
bool isSynonym(const QString& whole, const QStringList& also) {
  return std::ranges::any_of(also, [&](const QString& other) {
    return spelled(other).compare(whole, Qt::CaseInsensitive) == 0;
  });
}

bool isQuestion(const QString& typed) {
  return typed.simplified().startsWith(QStringLiteral("what "), Qt::CaseInsensitive);
}

}  // namespace

int fit(const QString& asked, const Spoken& action) {
  const QString typed = spelled(asked).simplified(), name = spelled(action.name);
  constexpr int kPart = 200, kWithin = 1000, kAlso = 2000, kAbout = 5000, kDeeper = 20;
  constexpr int kExact = 400;  // less than the handicap of a term: a view of that name comes first
  // Words of a question are ignored.
  static const QSet<QString> idle = {
      QStringLiteral("what"), QStringLiteral("is"),   QStringLiteral("are"), QStringLiteral("a"),
      QStringLiteral("an"),   QStringLiteral("the"),  QStringLiteral("how"), QStringLiteral("do"),
      QStringLiteral("does"), QStringLiteral("mean"), QStringLiteral("i"),   QStringLiteral("to"),
      QStringLiteral("of")};
  QStringList words = QString(typed).remove(u'?').split(u' ', Qt::SkipEmptyParts);
  const bool telling = std::ranges::any_of(
      words, [](const QString& word) { return !idle.contains(word.toLower()); });
  if (telling) words.removeIf([](const QString& word) { return idle.contains(word.toLower()); });
  if (words.isEmpty()) return 0;
  // The last part of the name is what it does; the menus that lead to it come before.
  const qsizetype own = name.lastIndexOf(kBelow) < 0 ? 0 : name.lastIndexOf(kBelow) + kBelow.size();
  const QString whole = words.join(u' ');
  int score = 0;
  for (const QString& word : words) {
    const Found there = find(word, name, own);
    if (there.how != How::Missing) {
      score += static_cast<int>(there.at >= own ? there.at - own : there.at + own) +
               (there.how == How::Word     ? 0
                : there.how == How::Begins ? kPart
                                           : kWithin);
    } else if (std::ranges::any_of(action.also, [&](const QString& other) {
                 return find(word, spelled(other), 0).how != How::Missing;
               })) {
      score += kAlso;
    } else if (find(word, spelled(action.about), 0).how < How::Within) {
      score += kAbout;
    } else {
      return -1;
    }
  }
  // What is typed is this very name, its beginning, or another name of it.
  const QString last = name.sliced(own);
  const bool begins = find(whole, last.left(whole.size() + 1), 0).how == How::Word;
  const bool synonym = isSynonym(whole, action.also);
  if (last.compare(whole, Qt::CaseInsensitive) == 0) {
    score -= kExact;
  } else if (begins && words.size() > 1) {
    score -= kExact / 2;
  } else if (synonym) {
    score = std::min(score, kPart);
  }
  // Of two equal matches, the one with fewer menus.
  return std::max(0, kExact + score + kDeeper * static_cast<int>(name.count(u'›')));
}

CommandPalette::CommandPalette(std::vector<NamedAction> actions, QWidget* parent)
    : QDialog(parent, Qt::Popup), m_actions(std::move(actions)) {
  setAttribute(Qt::WA_DeleteOnClose);
  m_field = new QLineEdit;
  m_field->setPlaceholderText(tr("What do you want to do?"));
  m_field->setAccessibleName(tr("Command"));
  m_list = new QTreeWidget;
  m_list->setColumnCount(2);
  m_list->setHeaderHidden(true);
  m_list->setRootIsDecorated(false);
  m_list->setFocusPolicy(Qt::NoFocus);
  m_list->setUniformRowHeights(true);
  m_list->header()->setStretchLastSection(false);
  m_list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  m_list->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
  m_about = new QLabel;
  m_about->setWordWrap(true);
  m_about->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  m_about->setMinimumHeight(fontMetrics().lineSpacing() * 3);
  m_about->setTextFormat(Qt::PlainText);
  connect(m_list, &QTreeWidget::currentItemChanged, this, &CommandPalette::explain);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(8, 8, 8, 8);
  column->addWidget(m_field);
  column->addWidget(m_list, 1);
  column->addWidget(m_about);
  const int letter = fontMetrics().averageCharWidth();
  resize(letter * 70, fontMetrics().height() * 22);
  if (parent != nullptr)
    move(parent->mapToGlobal(QPoint((parent->width() - width()) / 2, parent->height() / 8)));
  connect(m_field, &QLineEdit::textChanged, this, &CommandPalette::filter);
  connect(m_field, &QLineEdit::returnPressed, this, &CommandPalette::run);
  connect(m_list, &QTreeWidget::itemClicked, this, &CommandPalette::run);
  m_field->installEventFilter(this);
  m_field->setFocus();
  filter();
}

QStringList CommandPalette::offered() const {
  QStringList names;
  for (int i = 0; i < m_list->topLevelItemCount(); ++i) {
    const QTreeWidgetItem* item = m_list->topLevelItem(i);
    if (item->flags() != Qt::NoItemFlags) names += item->text(0);
  }
  return names;
}

void CommandPalette::filter() {
  std::vector<std::pair<int, const NamedAction*>> found;
  constexpr int kAnswersFirst = 10000;
  const bool asks = isQuestion(m_field->text());
  for (const NamedAction& a : m_actions) {
    QStringList also = a.also;
    also +=
        a.action->property(kAlsoFoundBy).toString().split(QStringLiteral(", "), Qt::SkipEmptyParts);
    const int score = fit(m_field->text(), {a.name, also, a.action->whatsThis()});
    if (score < 0 || !a.action->isEnabled()) continue;
    // A term that is also called this comes before the pages that show it.
    const bool called = a.explains && isSynonym(spelled(m_field->text()).simplified(), also);
    const int handicap = called ? -1 : asks && a.explains ? 0 : a.handicap;
    found.emplace_back(score + (asks && !a.explains ? kAnswersFirst : 0) + handicap, &a);
  }
  std::ranges::stable_sort(found, {}, [](const auto& f) { return f.first; });
  m_list->clear();
  for (const auto& [score, a] : found) {
    auto* item =
        new QTreeWidgetItem({a->name, a->action->shortcut().toString(QKeySequence::NativeText)});
    item->setData(0, Qt::UserRole, QVariant::fromValue(static_cast<void*>(a->action)));
    m_list->addTopLevelItem(item);
  }
  if (found.empty()) {
    auto* none = new QTreeWidgetItem({tr("No command matches: try another word")});
    none->setFlags(Qt::NoItemFlags);
    m_list->addTopLevelItem(none);
    return;
  }
  m_list->setCurrentItem(m_list->topLevelItem(0));
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_field && event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    const int step = key == Qt::Key_Down       ? 1
                     : key == Qt::Key_Up       ? -1
                     : key == Qt::Key_PageDown ? 10
                     : key == Qt::Key_PageUp   ? -10
                                               : 0;
    if (step != 0) {
      const int now = m_list->indexOfTopLevelItem(m_list->currentItem());
      const int last = m_list->topLevelItemCount() - 1;
      m_list->setCurrentItem(m_list->topLevelItem(std::clamp(now + step, 0, std::max(0, last))));
      return true;
    }
  }
  return QDialog::eventFilter(watched, event);
}

void CommandPalette::explain() {
  const QTreeWidgetItem* item = m_list->currentItem();
  const auto* action =
      item != nullptr ? static_cast<QAction*>(item->data(0, Qt::UserRole).value<void*>()) : nullptr;
  m_about->setText(action != nullptr ? action->whatsThis() : QString());
}

void CommandPalette::run() {
  const QTreeWidgetItem* item = m_list->currentItem();
  if (item == nullptr) return;
  auto* action = static_cast<QAction*>(item->data(0, Qt::UserRole).value<void*>());
  if (action == nullptr) return;
  close();
  // After this is closed: the action may open a dialog.
  QTimer::singleShot(0, action, &QAction::trigger);
}

}  // namespace tileloom
