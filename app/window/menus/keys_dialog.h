// SPDX-License-Identifier: GPL-3.0-or-later
// Dialog of all actions with their keys, to change and to print them.
#pragma once

#include <QDialog>

#include "app/window/common/actions.h"

class QKeySequenceEdit;
class QLabel;

namespace tileloom {

class KeysDialog : public QDialog {
  Q_OBJECT
 public:
  KeysDialog(std::vector<NamedAction> actions, QWidget* parent);
  ~KeysDialog() override;

  QKeySequenceEdit* fieldOf(const QString& name) const;
  QString message() const;

 signals:
  void changed();

 private:
  void take(std::size_t row);
  void reset();
  void print();

  std::vector<NamedAction> m_actions;
  std::vector<QKeySequenceEdit*> m_fields;
  QLabel* m_message;
};

}  // namespace tileloom
