// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/undo_history.h"

#include <QGuiApplication>

#include "kernels/analysis/recording.h"
#include "kernels/tile/parameters.h"
#include "viz/base/text/text.h"

namespace tileloom {
namespace {

constexpr int kMostSteps = 500;

QString nameOf(const ViewState& before, const ViewState& after) {
  if (before.pinned != after.pinned) return UndoHistory::tr("comparison");
  if (before.stage != after.stage) return UndoHistory::tr("rung");
  if (before.tile != after.tile) {
    for (const ParameterSpec& spec : after.stage->parameters) {
      if (before.tile[spec.parameter] != after.tile[spec.parameter]) {
        return UndoHistory::tr("%1 = %2")
            .arg(toQString(name(spec.parameter)))
            .arg(after.tile[spec.parameter]);
      }
    }
  }
  if (!(before.problem == after.problem)) return UndoHistory::tr("size");
  if (before.halves != after.halves) return UndoHistory::tr("elements");
  if (before.row != after.row || before.column != after.column) return UndoHistory::tr("block");
  if (before.warp != after.warp) return UndoHistory::tr("warp");
  return UndoHistory::tr("selection");
}

}  // namespace

class StateChange : public QUndoCommand {
 public:
  StateChange(UndoHistory& history, ViewState before, ViewState after, int gesture)
      : m_history(history), m_before(before), m_after(after), m_gesture(gesture) {
    setText(nameOf(m_before, m_after));
  }
  // Undo and redo return to the instruction that was on the screen.
  void undo() override {
    m_after.index = m_history.m_explorer.state().index;
    m_history.apply(m_before);
  }
  void redo() override {
    if (m_done) {  // false: already applied when pushed
      m_before.index = m_history.m_explorer.state().index;
      m_history.apply(m_after);
    }
    m_done = true;
  }
  int id() const override { return m_gesture; }  // -1: merges with nothing
  bool mergeWith(const QUndoCommand* other) override {
    m_after = static_cast<const StateChange*>(other)->m_after;
    setText(nameOf(m_before, m_after));
    setObsolete(m_before.sameChoice(m_after));  // a drag that ended at its start
    return true;
  }

 private:
  UndoHistory& m_history;
  ViewState m_before, m_after;
  int m_gesture;
  bool m_done = false;
};

UndoHistory::UndoHistory(Explorer& explorer, QObject* parent)
    : QObject(parent), m_explorer(explorer), m_last(explorer.state()) {
  m_stack.setUndoLimit(kMostSteps);
  connect(&m_explorer, &Explorer::stateChanged, this, &UndoHistory::note);
  connect(&m_explorer, &Explorer::sceneChanged, this, [this](const Scene& scene) {
    // Playback makes no step, but the next step starts at its present instant.
    if (!scene.ready() || scene.stale) return;
    const auto& trace = scene.recording->trace;
    if (trace.rung() == m_last.stage && trace.tile == m_last.tile && trace.asked == m_last.problem)
      m_last.index = scene.moment.index;
  });
}

void UndoHistory::note() {
  if (m_applying) return;
  const ViewState now = m_explorer.state();
  if (now.sameChoice(m_last)) return;
  const bool dragging = QGuiApplication::mouseButtons() != Qt::NoButton;
  m_stack.push(new StateChange(*this, m_last, now, dragging ? m_gesture : -1));
  m_last = now;
}

void UndoHistory::forget() {
  m_stack.clear();
  m_last = m_explorer.state();
}

void UndoHistory::apply(const ViewState& state) {
  m_applying = true;
  m_explorer.setState(state);
  m_applying = false;
  m_last = m_explorer.state();
}

}  // namespace tileloom
