// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/menus/glossary_dialog.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QScrollArea>
#include <QVBoxLayout>

#include "app/pages/page.h"
#include "kernels/tile/stage.h"
#include "viz/base/text/labels.h"
#include "viz/base/text/text.h"

namespace tileloom {
namespace {

constexpr const char *kPageLink = "page:", *kRungLink = "rung:";

QString also(const Term& term) {
  QStringList words;
  for (const std::string& word : term.also) words += toQString(word);
  return words.join(GlossaryDialog::tr(", "));
}

QString paragraph(const QString& html) {
  return QStringLiteral("<p>%1</p>").arg(html);
}

QString link(const char* kind, const QString& target, const QString& text) {
  return QStringLiteral("<a href=\"%1%2\">%3</a>")
      .arg(QLatin1String(kind), target, text.toHtmlEscaped());
}

QString htmlOf(const Term& term) {
  QString html = QStringLiteral("<h3>%1</h3>").arg(toQString(term.term).toHtmlEscaped());
  html += paragraph(toQString(term.means).toHtmlEscaped());
  if (!term.also.empty())
    html += paragraph(GlossaryDialog::tr("Also: %1").arg(also(term)).toHtmlEscaped());
  if (const PageRow* row = pageRow(term.page); row != nullptr && row->place == PagePlace::Below)
    html += paragraph(link(kPageLink, toQString(term.page),
                           GlossaryDialog::tr("Show the page %1").arg(pageTitle(*row))));
  if (term.rung != nullptr)
    html +=
        paragraph(link(kRungLink, toQString(term.rung->id),
                       GlossaryDialog::tr("Show rung %1, %2")
                           .arg(toQString(rungLabel(*term.rung)), toQString(term.rung->title))));
  return html;
}

}  // namespace

QString sentenceOf(const Term& term) {
  const QString means = toQString(term.means);
  return term.also.empty() ? means : GlossaryDialog::tr("%1 Also: %2").arg(means, also(term));
}

GlossaryDialog::GlossaryDialog(QWidget* parent)
    : QDialog(parent), m_field(new QLineEdit), m_list(new QListWidget), m_text(new QLabel) {
  setWindowTitle(tr("Glossary"));
  setAttribute(Qt::WA_DeleteOnClose);
  m_field->setPlaceholderText(tr("A word or a part of one"));
  m_field->setAccessibleName(tr("Word"));
  m_field->setClearButtonEnabled(true);
  m_field->installEventFilter(this);
  m_list->setAccessibleName(tr("Words"));
  m_text->setObjectName(QStringLiteral("explanation"));
  m_text->setWordWrap(true);
  m_text->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  m_text->setTextFormat(Qt::RichText);
  m_text->setMargin(12);
  m_text->setTextInteractionFlags(Qt::TextBrowserInteraction);
  auto* scroll = new QScrollArea;
  scroll->setWidget(m_text);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  auto* left = new QVBoxLayout;
  left->addWidget(m_field);
  left->addWidget(m_list, 1);
  auto* row = new QHBoxLayout;
  row->addLayout(left, 2);
  row->addWidget(scroll, 3);
  auto* column = new QVBoxLayout(this);
  column->addLayout(row, 1);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  column->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
  connect(m_field, &QLineEdit::textChanged, this, &GlossaryDialog::filter);
  connect(m_list, &QListWidget::currentRowChanged, this, &GlossaryDialog::explain);
  connect(m_text, &QLabel::linkActivated, this, &GlossaryDialog::follow);
  filter();
  resize(fontMetrics().averageCharWidth() * 84, fontMetrics().height() * 24);
}

void GlossaryDialog::filter() {
  const Term* before = current();
  m_list->clear();
  for (const Term* term : termsLike(m_field->text().trimmed().toStdString())) {
    auto* item = new QListWidgetItem(toQString(term->term), m_list);
    item->setData(Qt::UserRole, QVariant::fromValue(static_cast<const void*>(term)));
  }
  // With a typed word the best match is chosen; without one, the term stays.
  if (m_field->text().isEmpty() && before != nullptr) return show(before);
  m_list->setCurrentRow(0);
  explain();
}

const Term* GlossaryDialog::current() const {
  const QListWidgetItem* item = m_list->currentItem();
  return item == nullptr ? nullptr
                         : static_cast<const Term*>(item->data(Qt::UserRole).value<const void*>());
}

void GlossaryDialog::show(const Term* term) {
  if (!isVisible()) QDialog::show();
  for (int row = 0; row < m_list->count(); ++row) {
    if (m_list->item(row)->data(Qt::UserRole).value<const void*>() == term)
      m_list->setCurrentRow(row);
  }
  m_list->scrollToItem(m_list->currentItem(), QAbstractItemView::PositionAtCenter);
}

QStringList GlossaryDialog::offered() const {
  QStringList words;
  for (int row = 0; row < m_list->count(); ++row) words += m_list->item(row)->text();
  return words;
}

QString GlossaryDialog::explanation() const {
  return m_text->text();
}

void GlossaryDialog::explain() {
  const Term* term = current();
  m_text->setText(term != nullptr
                      ? htmlOf(*term)
                      : paragraph(tr("No word of the glossary contains this. Try a part of it.")));
}

void GlossaryDialog::follow(const QString& link) {
  const Term* term = current();
  if (term == nullptr) return;
  if (link.startsWith(QLatin1String(kPageLink))) emit pageAsked(toQString(term->page));
  if (link.startsWith(QLatin1String(kRungLink))) emit rungAsked(term->rung);
}

// From the field, arrow keys move in the list.
bool GlossaryDialog::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_field && event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    const int step = key == Qt::Key_Down ? 1 : key == Qt::Key_Up ? -1 : 0;
    if (step != 0 && m_list->count() > 0) {
      m_list->setCurrentRow(std::clamp(m_list->currentRow() + step, 0, m_list->count() - 1));
      return true;
    }
    if (key == Qt::Key_Return || key == Qt::Key_Enter) return true;  // must not close the dialog
  }
  return QDialog::eventFilter(watched, event);
}

}  // namespace tileloom
