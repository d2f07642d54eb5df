// SPDX-License-Identifier: GPL-3.0-or-later
// What is known of the speed and the resources of the tile in the window: compiled and measured by
// the worker if there is one that can, recorded otherwise. The lab decides what to request when,
// and connects its parts: ParameterHistory (the moves of the tile parameters), KernelKnowledge
// (compiled kernels), KernelRequests and Measuring (requests to the worker), KeptRuns (runs on
// disk), and what follows from these: known_speeds.h, LadderBars, LatestTrouble, WorkerStatus.
//
//   Lab lab({.worker = {}, .runFile = runs::defaultRunFile()});
//   connect(&lab, &Lab::historyChanged, [&] { chart.show(lab.history(), lab.current()); });
//   lab.choose(usualSubject(stage, tile), problem);
#pragma once

#include <QObject>
#include <QTimer>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "app/services/measuring/kept_runs.h"
#include "app/services/measuring/kernel_knowledge.h"
#include "app/services/measuring/kernel_requests.h"
#include "app/services/measuring/ladder_bars.h"
#include "app/services/measuring/latest_trouble.h"
#include "app/services/measuring/measuring.h"
#include "app/services/measuring/parameter_history.h"
#include "app/services/measuring/worker_client.h"
#include "kernels/runs/run_record.h"
#include "kernels/tile/subject.h"
#include "viz/base/scene.h"
#include "viz/base/text/kernel_facts.h"
#include "viz/charts/chart_data.h"

namespace tileloom {

struct LabSetup {
  QStringList worker;             // command; empty: this executable
  std::filesystem::path runFile;  // empty: nothing is read or kept
  bool startWorker = true;        // false: recorded values only
};

class Lab : public QObject {
  Q_OBJECT
 public:
  using Cliffs = KernelKnowledge::Cliffs;

  explicit Lab(LabSetup setup, QObject* parent = nullptr);
  ~Lab() override;

  // What the window shows now, with a legal tile, and the size.
  void choose(const Subject& subject, const Problem& problem);
  // While this is set, a session or a lecture makes the choices as a whole, and they stay in the
  // history.
  void setAskedFor(bool asked) { m_askedFor = asked; }
  // The choices of a lecture are not moves of the user. Sets the history aside and begins another
  // one with what is shown now. setAside(false) restores the first one, after the window was
  // restored.
  void setAside(bool aside);
  // The format of 16-bit rungs in the ladder: the present one's or the one chosen last.
  void setHalves(Format format);
  // An illegal tile is in the tile parameters: nothing is measured.
  void rest();
  // While the tuner has the GPU nothing is measured here; afterwards the present tile is.
  void lend(bool lent);
  // Takes runs of a tuning run that are on disk already; known ones are not taken twice.
  void take(std::span<const runs::RunRecord> runs);
  // The baseline of a comparison: its kernel is requested as well, and with a GPU its speed is
  // measured once the present tile's is known. Without a kernel: none.
  void watch(const Subject& subject);
  // What is known of any tile: its kernel, and the latest run of it at this size, live ones of this
  // device before recorded ones.
  std::optional<KernelFacts> kernelOf(const Subject& subject) const;
  // How many blocks of a kernel this GPU, or else the recorded one, holds at once.
  Residency residencyOf(const KernelFacts& kernel) const;
  std::optional<HistoryPoint> speedOf(const Subject& subject, const Problem& problem) const;
  // The latest finished run of exactly this launch on this machine's GPU. nullptr: there is none.
  const runs::RunRecord* ownRun(const Subject& subject, const Problem& problem) const;
  // As speedsByDevice().
  std::vector<HistoryPoint> onEveryDevice(const Subject& subject, const Problem& problem) const;
  // Measures every rung at its default tile, at the present size.
  void measureLadder();
  // Also if the last attempt failed, which is not repeated automatically.
  void measureAgain();
  void restartWorker() { m_client.restart(); }
  // Adds a file's runs to the kept ones, or writes all of these. Returns one sentence on what
  // happened, or the error.
  tl::expected<QString, QString> importRuns(const std::filesystem::path& file);
  tl::expected<QString, QString> exportRuns(const std::filesystem::path& file) const;
  // All known runs: the user's own and those that ship. Valid until the next signal.
  std::vector<const runs::RunRecord*> runs() const;
  // Sets the prediction for the present tile, shown beside the measurement.
  void foretell(const std::optional<Forecast>& forecast);
  // Likewise for a point of the history that was left before.
  void foretell(int point, const std::optional<Forecast>& forecast);
  const std::optional<Forecast>& forecast() const { return m_history.forecast(); }
  bool canMeasure() const { return machine().measures; }
  bool measures(const Subject& place) const;
  Architecture arch() const { return machine().arch; }  // of the GPU, or the usual one
  bool gaveUp() const { return m_client.gaveUp(); }

  const std::vector<HistoryPoint>& history() const { return m_history.points(); }
  int current() const { return m_history.current(); }
  // The point of the history from which the present one was reached; nullptr: none.
  const HistoryPoint* left() const { return m_history.left(); }
  // The latest choice, which is legal; without a stage: nothing yet.
  const Subject& place() const { return m_place; }
  const Problem& problem() const { return m_problem; }
  const std::optional<KernelFacts>& kernel() const { return m_kernel; }
  const Cliffs& cliffs() const { return m_cliffs; }
  const std::vector<LadderBar>& ladder() const { return m_ladder.bars; }
  QString ladderSource() const { return m_ladder.source; }  // of the rungs of both ladders
  QString ladderSource(Ladder ladder) const {
    return ladder == Ladder::Tensor ? m_ladder.tensorSource : m_ladder.fp32Source;
  }
  // Where runs are kept; empty: nowhere.
  const std::filesystem::path& runFile() const { return m_kept.file(); }
  // One sentence on where figures come from, and the latest trouble (or nothing).
  QString workerStatus() const;
  QString trouble() const { return m_trouble.text(); }
  // Whether the latest move is too recent to act upon; cliffs and measurements follow it.
  bool settling() const { return m_settle.isActive(); }
  WorkerClient& client() { return m_client; }
  const WorkerClient& client() const { return m_client; }
  const Measuring& measuring() const { return m_measuring; }

 signals:
  void historyChanged();
  void kernelChanged();  // of the present tile or of the baseline
  void cliffsChanged();
  void ladderChanged();
  void workerStatusChanged();
  // The user left a point of the history, with this kernel, before it was predicted.
  void leftUnforetold(int point, const tileloom::KernelFacts& kernel);

 private:
  LabMachine machine() const { return labMachineOf(m_client.info()); }
  // Of a tile without a measurement in this session.
  HistoryPoint unmeasured(const Subject& place, const Problem& problem) const;
  void returnToHistory();
  void begin();  // the user has released the slider
  void askNeighbours();
  void askWatched();
  void measureWatched();  // unless an attempt was made in this session
  worker::MeasureRequest requestOf(const Subject& place) const;
  void takeCompiled(const Subject& place, const worker::CompileFacts& facts);
  void takeNotCompiled(const Subject& place, const Error& error);
  static bool isAbout(const Measuring::Asked& what, const runs::RunRecord& run);
  void takeProgress(const Measuring::Asked& what);
  void takeMeasured(const Measuring::Asked& what, const WorkerClient::Measured& measured);
  void takeNotMeasured(const Measuring::Asked& what, const Error& error);
  void showRun(const Measuring::Asked& what, const runs::RunRecord& run, bool more);
  std::optional<KnownKernel> known(const Subject& place) const;
  void refreshKernel();
  bool fillPresent();  // the point of the history; false: nothing is new
  void refreshLadder();
  void keep(const runs::RunRecord& run);
  using Told = LatestTrouble::Told;
  static Told toldOf(const QString& tag);  // of a measurement
  void setTrouble(const QString& sentence);
  void forgetTrouble();
  // Of the present tile and of the baseline; what is known already is kept.
  void stopMeasuring();
  void stopMeasuring(const QString& tag);

  bool m_startWorker;
  WorkerClient m_client;
  ParameterHistory m_history;
  std::optional<ParameterHistory> m_aside;  // the user's own, see setAside()
  KernelKnowledge m_knowledge;
  KernelRequests m_compiling{m_client};
  Measuring m_measuring{m_client};
  KeptRuns m_kept;
  Subject m_place;
  Subject m_watched;
  Problem m_problem;
  Format m_halves = Format::Bf16;  // of 16-bit rungs in the ladder
  bool m_resting = true;
  bool m_lent = false;
  bool m_askedFor = false;
  bool m_failedHere = false;  // the present tile's measurement
  std::optional<KernelFacts> m_kernel;
  Cliffs m_cliffs;
  LadderBars m_ladder;
  LatestTrouble m_trouble;
  QString m_countersMissing;  // as in WorkerStatus
  QTimer m_settle;
};

}  // namespace tileloom
