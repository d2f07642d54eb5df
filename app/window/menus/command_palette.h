// SPDX-License-Identifier: GPL-3.0-or-later
// The command palette (Ctrl+K): finds actions by parts of their names and runs them.
#pragma once

#include <QDialog>

#include "app/window/common/actions.h"

class QLabel;
class QLineEdit;
class QTreeWidget;

namespace tileloom {

class CommandPalette : public QDialog {
  Q_OBJECT
 public:
  // The actions must outlive this.
  CommandPalette(std::vector<NamedAction> actions, QWidget* parent);

  QLineEdit* field() const { return m_field; }
  QStringList offered() const;  // names, the best first

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void filter();
  void explain();  // the chosen one, below the list
  void run();

  std::vector<NamedAction> m_actions;
  QLineEdit* m_field;
  QTreeWidget* m_list;
  QLabel* m_about = nullptr;
};

// What an action is called.
struct Spoken {
  QString name;           // "View › Source"
  QStringList also = {};  // other names
  QString about = {};     // its description
};

// How well the typed text matches an action: every word must be in one of its names or in its
// description; smaller is better, -1: no match. A whole word matches better than a part of one, and
// the last part of the name counts most.
int fit(const QString& typed, const Spoken& action);

}  // namespace tileloom
