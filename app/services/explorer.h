// SPDX-License-Identifier: GPL-3.0-or-later
// The state behind the window: which stage, tile, size and block, where playing has got to, and
// what is selected. It hands every view the same Scene.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <functional>
#include <map>

#include "app/services/trace_service.h"
#include "app/session/view_state.h"
#include "kernels/analysis/tempo.h"
#include "viz/base/pace.h"
#include "viz/base/scene.h"

namespace tileloom {

class Explorer : public QObject {
  Q_OBJECT
 public:
  explicit Explorer(QObject* parent = nullptr);

  const Stage& stage() const { return *m_stage; }
  const TileShape& tile() const { return m_tile; }       // as asked for, legal or not
  std::optional<Knob> moved() const { return m_moved; }  // that led to this tile
  const Problem& problem() const { return m_problem; }
  // Of the present stage, and the one that is chosen for all 16-bit ones.
  Arithmetic arithmetic() const { return arithmeticOf(*m_stage, m_halves); }
  Arithmetic halves() const { return m_halves; }
  const Scene& scene() const { return m_scene; }
  const Extent& block() const { return m_block; }
  // What the scene is compared with, in lock step; not ready() while nothing is pinned.
  const Scene& baseline() const { return m_baseline; }
  const std::optional<Pinned>& pinned() const { return m_pinned; }
  // The side whose selection the person pointed at last.
  const Scene& pointedAt() const;
  // Whether the baseline does the step that the scene does (counterpart.h); true without one.
  bool inStep() const { return m_inStep; }
  ViewState state() const;
  // At which the other rungs were left.
  const std::map<const Stage*, TileShape>& tiles() const { return m_tiles; }
  void setTiles(std::map<const Stage*, TileShape> tiles) { m_tiles = std::move(tiles); }
  // Which instruction of this warp the recording that is on its way is to be looked at, asked once
  // it is there; std::nullopt: where it would be looked at anyway.
  using Aim = std::function<std::optional<std::uint32_t>(const analysis::Recording& recording,
                                                         std::uint32_t warp)>;
  void aim(Aim wanted);
  Pace pace() const { return m_pace; }
  bool playing() const { return m_timer.isActive(); }
  // Whether the recording that was asked for last is still on its way; whether that or the
  // baseline's is.
  bool recording() const { return m_service.busy(); }
  bool busy() const { return recording() || m_baselineService.busy(); }

  // How many K tiles the window records: two, or where shared memory is a ring of K tiles one more
  // than it holds. Fewer, where the tile is so large that this would take longer than a person
  // waits for a slider.
  static std::uint32_t tilesRecorded(const Stage& stage, const TileShape& tile);
  // What the window records of this rung and tile: the block that owns the state's element of C.
  // std::nullopt: it cannot be traced.
  static std::optional<emulator::TraceRequest> requestFor(const Stage& stage, const TileShape& tile,
                                                          const ViewState& state);

 public slots:
  // Everything at once; the recording follows.
  void setState(const tileloom::ViewState& state);
  void setStage(const tileloom::Stage& stage);  // with the tile it was left at
  // An illegal tile keeps the last legal recording, marked stale.
  void setTile(const tileloom::TileShape& tile, std::optional<tileloom::Knob> moved = std::nullopt);
  // Empty, or why the size was not taken.
  QString setProblem(const tileloom::Problem& problem);
  // What the elements of 16-bit stages are; of the others nothing changes.
  void setHalves(tileloom::Arithmetic halves);
  void setBlockAt(int row, int column);  // the block that owns this element of C
  void setWarp(int warp);
  void setIndex(int index);
  // The same, where a share of the time until the next instruction has gone by: 0 to 1.
  void setInstant(int index, double passed);
  void step(int direction);
  void stepTile(int direction);
  void stepDot(int direction);
  // dot -1: the tile's first instruction; a tile after the last one: the epilogue.
  void goTo(int kTile, int dot);
  // The warp's next execution of this line of the source, the first one after the last.
  void goToLine(int line);
  void goToInstruction(int line, tileloom::emulator::Kind kind, const QString& array);
  // The baseline: another rung or tile, or the present one as it is now; nothing ends comparing.
  void pin(const std::optional<tileloom::Pinned>& pinned);
  void pinThis();
  void swapWithPinned();
  // Goes to the access that differs most between the two (telling_difference.h), once both are
  // recorded as they are asked for, unless somebody goes elsewhere before.
  void showDifference();
  // A pair in one step, opened at that access.
  void compare(const tileloom::Pinned& baseline, const tileloom::Pinned& now);
  // What the lab knows of the shown tile; views draw the waves of blocks from it.
  void setResidency(const std::optional<tileloom::Residency>& residency);
  void setPlaying(bool playing);
  // Plays on by this many seconds of playing; false: the warp has ended.
  bool playOn(double seconds);
  void setPace(tileloom::Pace pace) { m_pace = pace; }
  void hover(const tileloom::Selection& selection);
  void hold(const tileloom::Selection& selection);
  // The same in a picture of the baseline: threads and words are the baseline's own.
  void hoverBaseline(const tileloom::Selection& selection);
  void holdBaseline(const tileloom::Selection& selection);
  // The baseline goes to this instruction of its own, and the present tile to what it does then:
  // until somebody goes elsewhere.
  void goInBaseline(int warp, int index);
  // The same to the next execution of a line, of an instruction, or of a line by a warp.
  void goToBaselineLine(int line);
  void goToBaselineInstruction(int line, tileloom::emulator::Kind kind, const QString& array);
  void goToWarpsLine(int warp, int line);
  void goToBaselineWarpsLine(int warp, int line);

 signals:
  void sceneChanged(const tileloom::Scene& scene);
  void recordingChanged(const tileloom::Scene& scene);  // before the sceneChanged that shows it
  // The baseline at the same instant; not ready(): none. Follows every sceneChanged.
  void baselineChanged(const tileloom::Scene& scene);
  void playingChanged(bool playing);
  void stageChanged(const tileloom::Stage& stage);
  // Stage, tile or size are others than before; `legal`: they can be traced and run.
  void choiceChanged(bool legal);
  // Something that state() tells, but for the instruction, may be another.
  void stateChanged();

 private:
  void retrace();
  std::optional<emulator::TraceRequest> requestFor(const Stage& stage, const TileShape& tile) const;
  void retraceBaseline();
  void publishBaseline();
  bool bothAsAsked() const;
  void goToNextInBaseline(std::uint32_t warp,
                          const std::function<bool(const emulator::Instruction&)>& wanted);
  void take(std::shared_ptr<const analysis::Recording> recording);
  void keepChosen();
  Selection heldHere() const;
  void watchHeld();
  Selection chosenInBaseline() const;
  void show(std::uint32_t warp, std::uint32_t index);
  void showTime(double time);
  void moveTo(double time);
  void publish();
  void advance();
  void goToNext(const std::function<bool(const emulator::Instruction&)>& wanted);
  // Goes to the next instruction that way for which `wanted` holds, if there is one; counted from
  // the present one or from just beyond `from`.
  std::optional<emulator::Instruction> seek(
      int direction, const std::function<bool(const emulator::Instruction&)>& wanted,
      std::optional<int> from = std::nullopt);

  TraceService m_service;
  const Stage* m_stage;
  TileShape m_tile;
  std::optional<Knob> m_moved;
  std::map<const Stage*, TileShape> m_tiles;  // of the other stages, as they were left
  Problem m_problem = kOpeningProblem;
  Arithmetic m_halves = Arithmetic::Bf16;
  Extent m_block{0, 0};
  std::int64_t m_row = 0, m_column = 0;  // an element of the wanted block
  Scene m_scene;
  TraceService m_baselineService;
  std::optional<Pinned> m_pinned;
  std::shared_ptr<const analysis::Recording> m_baselineRecording;
  Scene m_baseline;
  bool m_inStep = true;
  bool m_seeksDifference = false;
  std::optional<Residency> m_residency;
  Selection m_hovered, m_held;
  // In a picture of the baseline; empty: the two above were chosen in the present one.
  Selection m_hoveredThere, m_heldThere;
  std::optional<std::uint32_t> m_warpThere;  // of a thread that is held there
  struct Place {
    std::uint32_t warp, index;
    bool operator==(const Place&) const = default;
  };
  // Where somebody has gone in the baseline, while the present tile stays at `now`.
  struct GoneThere {
    Place there, now;
  };
  std::optional<GoneThere> m_gone;
  std::optional<Place> m_goal;  // where the next recording is to be looked at
  Aim m_aim;                    // likewise, and it comes first
  // The instant that was chosen last, by whomever. A recording of another tile is looked at as near
  // to it as it allows, whichever recordings came between.
  std::shared_ptr<const analysis::Recording> m_chosenIn;
  Place m_chosen{0, 0};
  std::map<const Stage*, Place> m_places;  // at which the other stages were left
  QTimer m_timer;
  QElapsedTimer m_clock;
  double m_due = 0;  // instructions that playing owes
  Pace m_pace = kUsualPace;
  analysis::Tempo m_tempo;  // of the watched warp
  double m_time = 0;        // in its K tiles
  bool m_illegal = false;   // what is chosen: the last legal tile is shown
  bool m_opening = true;    // the first recording of a stage starts where there is something to see
};

}  // namespace tileloom
