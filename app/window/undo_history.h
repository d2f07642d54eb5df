// SPDX-License-Identifier: GPL-3.0-or-later
// Undo and redo of the user's choices: rung, tile, size, block, warp, selection. A drag is one
// step, also over many values.
#pragma once

#include <QObject>
#include <QUndoStack>

#include "app/services/choice/explorer.h"

namespace tileloom {

class UndoHistory : public QObject {
  Q_OBJECT
 public:
  explicit UndoHistory(Explorer& explorer, QObject* parent = nullptr);

  QUndoStack& stack() { return m_stack; }
  // Forgets all steps.
  void forget();
  // A button or a key goes down: the next change is a separate step.
  void beginGesture() { ++m_gesture; }

 private:
  friend class StateChange;  // applies states
  void note();
  void apply(const ViewState& state);

  Explorer& m_explorer;
  QUndoStack m_stack;
  ViewState m_last;
  int m_gesture = 0;
  bool m_applying = false;
};

}  // namespace tileloom
