// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/compare/pairs_reader.h"

#include <QAction>
#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QMenu>
#include <QTextBrowser>
#include <QUrl>
#include <QVBoxLayout>

namespace tileloom {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Page)
};

QString textOf(const QList<QAction*>& pairs) {
  QString html;
  for (qsizetype i = 0; i < pairs.size(); ++i) {
    html += QStringLiteral("<h4>%1. %2</h4><p>%3</p><p><a href=\"#%1\">%4</a></p>")
                .arg(i + 1)
                .arg(pairs[i]->text().toHtmlEscaped(), pairs[i]->toolTip().toHtmlEscaped(),
                     Words::tr("Show this pair").toHtmlEscaped());
  }
  return html;
}

void read(const QList<QAction*>& pairs, const QString& title, QWidget* parent) {
  auto* dialog = new QDialog(parent);
  dialog->setObjectName(QStringLiteral("pairsReader"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(title);
  auto* text = new QTextBrowser;
  text->setObjectName(QStringLiteral("pairsText"));
  text->setOpenLinks(false);
  text->setHtml(textOf(pairs));
  QObject::connect(text, &QTextBrowser::anchorClicked, dialog, [pairs](const QUrl& link) {
    const int number = link.fragment().toInt();
    if (number >= 1 && number <= pairs.size()) pairs[number - 1]->trigger();
  });
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
  auto* column = new QVBoxLayout(dialog);
  column->addWidget(text, 1);
  column->addWidget(buttons);
  dialog->resize(dialog->fontMetrics().averageCharWidth() * 90,
                 dialog->fontMetrics().height() * 40);
  dialog->show();
}

}  // namespace

void addReader(QMenu& menu, const QString& title) {
  QList<QAction*> pairs;
  for (QAction* action : menu.actions()) {
    if (!action->isSeparator()) pairs += action;
  }
  menu.addSeparator();
  QAction* all =
      menu.addAction(Words::tr("Read all of it, in order…"), &menu, [&menu, pairs, title] {
        read(pairs, title,
             menu.parentWidget() != nullptr ? menu.parentWidget()->window() : nullptr);
      });
  all->setToolTip(Words::tr("%1, as one text; each paragraph has its pictures").arg(title));
}

}  // namespace tileloom
