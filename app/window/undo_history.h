// SPDX-License-Identifier: GPL-3.0-or-later
// Undo and redo of what the person chose: rung, tile, size, block, warp, selection. A drag is one
// step however many values it passes.
#pragma once

#include <QObject>
#include <QUndoStack>

#include "app/services/explorer.h"

namespace tileloom {

class UndoHistory : public QObject {
  Q_OBJECT
 public:
  explicit UndoHistory(Explorer& explorer, QObject* parent = nullptr);

  QUndoStack& stack() { return m_stack; }
  // Nothing that happened before now can be undone.
  void forget();
  // A button or a key goes down: what follows is a step of its own.
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
