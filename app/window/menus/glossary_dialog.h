// SPDX-License-Identifier: GPL-3.0-or-later
// Help › Glossary: the meaning of terms, and the page that shows each.
#pragma once

#include <QDialog>

#include "app/glossary/glossary.h"

class QLabel;
class QLineEdit;
class QListWidget;

namespace tileloom {

// "Occupancy: the warps …", with its synonyms; for screen readers and the palette.
QString sentenceOf(const Term& term);

class GlossaryDialog : public QDialog {
  Q_OBJECT
 public:
  explicit GlossaryDialog(QWidget* parent = nullptr);

  // Chooses a term; nullptr: none.
  void show(const Term* term);
  const Term* current() const;
  QStringList offered() const;  // in the list
  QLineEdit* field() const { return m_field; }
  QString explanation() const;

 signals:
  void pageAsked(const QString& id);
  void rungAsked(const Stage* stage);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void filter();
  void explain();
  void follow(const QString& link);

  QLineEdit* m_field;
  QListWidget* m_list;
  QLabel* m_text;
};

}  // namespace tileloom
