// SPDX-License-Identifier: GPL-3.0-or-later
// The state behind the window: the chosen stage, tile, size and block, the position of playback,
// and the selection. It gives every view the same Scene.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <functional>
#include <map>

#include "app/services/choice/trace_service.h"
#include "app/session/goal.h"
#include "app/session/view_state.h"
#include "kernels/analysis/order/tempo.h"
#include "kernels/tile/subject.h"
#include "viz/base/scene.h"
#include "viz/base/widgets/pace.h"

namespace tileloom {

class Explorer : public QObject {
  Q_OBJECT
 public:
  explicit Explorer(QObject* parent = nullptr);

  const Stage& stage() const { return *m_stage; }
  const TileShape& tile() const { return m_tile; }            // as chosen, legal or not
  std::optional<Parameter> moved() const { return m_moved; }  // the move that led to this tile
  const Problem& problem() const { return m_problem; }
  // Of the present stage, and the one chosen for all 16-bit stages.
  Format format() const { return formatOf(*m_stage, m_halves); }
  Format halves() const { return m_halves; }
  const Scene& scene() const { return m_scene; }
  const Extent& block() const { return m_block; }
  // The other side of the comparison, in lock step; not ready() while nothing is pinned.
  const Scene& baseline() const { return m_baseline; }
  const std::optional<Subject>& pinned() const { return m_pinned; }
  // The side in which the user pointed at something last.
  const Scene& pointedAt() const;
  // Whether the baseline is at the same step as the scene (counterpart.h); true without a baseline.
  bool inStep() const { return m_inStep; }
  ViewState state() const;
  // The tiles at which the user left the other rungs.
  const std::map<const Stage*, TileShape>& tiles() const { return m_tiles; }
  void setTiles(std::map<const Stage*, TileShape> tiles) { m_tiles = std::move(tiles); }
  Pace pace() const { return m_pace; }
  bool playing() const { return m_timer.isActive(); }
  // Whether the recording requested last has not arrived yet; whether that or the baseline's has
  // not.
  bool recording() const { return m_service.busy(); }
  bool busy() const { return recording() || m_baselineService.busy(); }

  // How many K tiles the window records: two, or in a multistage pipeline one more than its stages.
  // Fewer, if the tile is so large that recording would keep the user of a slider waiting.
  static std::uint32_t tilesRecorded(const Stage& stage, const TileShape& tile);
  // What the window records of this rung and tile: the block that owns the state's element of C.
  // std::nullopt: it cannot be traced.
  static std::optional<emulator::TraceRequest> requestFor(const Stage& stage, const TileShape& tile,
                                                          const ViewState& state);

 public slots:
  // Everything at once; the recording follows.
  void setState(const tileloom::ViewState& state);
  void setStage(const tileloom::Stage& stage);  // with the tile at which the user left it
  // The same at another size, which can be traced, from the first block on.
  void setStage(const tileloom::Stage& stage, const tileloom::Problem& problem);
  // A later version of the kernel of the present stage: the instant stays.
  void replaceStage(const tileloom::Stage& stage);
  // An illegal tile keeps the last legal recording, marked stale.
  void setTile(const tileloom::TileShape& tile,
               std::optional<tileloom::Parameter> moved = std::nullopt);
  // Empty, or why the size was refused.
  QString setProblem(const tileloom::Problem& problem);
  // The element format of 16-bit stages; other stages do not change.
  void setHalves(tileloom::Format halves);
  void setBlockAt(int row, int column);  // the block that owns this element of C
  void setWarp(int warp);
  void setIndex(int index);
  // The same, with the elapsed share of the time until the next instruction: 0 to 1.
  void setInstant(int index, double passed);
  void step(int direction);
  void stepTile(int direction);
  void stepDot(int direction);
  // dot -1: the tile's first instruction; a tile after the last one: the epilogue.
  void goTo(int kTile, int dot);
  // The warp's next execution of this line of the source, or the first one after the last.
  void goToLine(int line);
  void goToInstruction(int line, tileloom::emulator::Kind kind, const QString& array);
  // The baseline: another rung or tile, or the present one; std::nullopt ends comparing.
  void pin(const std::optional<tileloom::Subject>& pinned);
  void pinThis();
  void swapWithPinned();
  // Goes to the access that differs most between the two (telling_difference.h), once both are
  // recorded as requested, unless another move comes first.
  void showDifference();
  // Pins and chooses a pair in one step, opened at that access.
  void compare(const tileloom::Subject& baseline, const tileloom::Subject& now);
  // What the lab knows of the shown tile; views draw the waves of blocks from it.
  void setResidency(const std::optional<tileloom::Residency>& residency);
  void setBaselineResidency(const std::optional<tileloom::Residency>& residency);
  void setPlaying(bool playing);
  // Advances playback by this many seconds of its time; false: the warp has ended.
  bool playOn(double seconds);
  void setPace(tileloom::Pace pace) { m_pace = pace; }
  void hover(const tileloom::Selection& selection);
  void hold(const tileloom::Selection& selection);
  // The same in a picture of the baseline: threads and words are the baseline's.
  void hoverBaseline(const tileloom::Selection& selection);
  void holdBaseline(const tileloom::Selection& selection);
  // The baseline goes to this instruction of its own, and the present tile to its counterpart,
  // until the next move.
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
  // Stage, tile or size has changed; `legal`: they can be traced and run.
  void choiceChanged(bool legal);
  // A part of state() other than the instruction may have changed.
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
  // Goes to the next instruction in that direction for which `wanted` holds, if there is one;
  // counted from the present one or from just beyond `from`.
  std::optional<emulator::Instruction> seek(
      int direction, const std::function<bool(const emulator::Instruction&)>& wanted,
      std::optional<int> from = std::nullopt);

  TraceService m_service;
  const Stage* m_stage;
  TileShape m_tile;
  std::optional<Parameter> m_moved;
  std::map<const Stage*, TileShape> m_tiles;  // of the other stages, as the user left them
  Problem m_problem = kOpeningProblem;
  Format m_halves = Format::Bf16;
  Extent m_block{0, 0};
  std::int64_t m_row = 0, m_column = 0;  // an element of the wanted block
  Scene m_scene;
  TraceService m_baselineService;
  std::optional<Subject> m_pinned;
  std::shared_ptr<const analysis::Recording> m_baselineRecording;
  Scene m_baseline;
  bool m_inStep = true;
  bool m_seeksDifference = false;
  std::optional<Residency> m_residency, m_baselineResidency;
  Selection m_hovered, m_held;
  // In a picture of the baseline; empty: the two above were chosen in the present one.
  Selection m_hoveredThere, m_heldThere;
  std::optional<std::uint32_t> m_warpThere;  // of a thread held there
  struct Place {
    std::uint32_t warp, index;
    bool operator==(const Place&) const = default;
  };
  // The place chosen in the baseline, while the present tile stays at `now`.
  struct GoneThere {
    Place there, now;
  };
  std::optional<GoneThere> m_gone;
  // Where to show the next recording: `goal` takes precedence if the recording has it.
  struct Destination {
    Place place;
    std::optional<Goal> goal = std::nullopt;
  };
  std::optional<Destination> m_destination;
  // The instant chosen last. A recording of another tile is shown as near to it as it allows,
  // whichever recordings came between.
  std::shared_ptr<const analysis::Recording> m_chosenIn;
  Place m_chosen{0, 0};
  std::map<const Stage*, Place> m_places;  // at which the user left the other stages
  QTimer m_timer;
  QElapsedTimer m_clock;
  double m_due = 0;  // instructions due in playback
  Pace m_pace = kUsualPace;
  analysis::Tempo m_tempo;  // of the watched warp
  double m_time = 0;        // in its K tiles
  bool m_illegal = false;   // of the choice: the last legal tile is shown
  bool m_opening = true;    // the first recording of a stage opens at an access worth seeing
};

}  // namespace tileloom
