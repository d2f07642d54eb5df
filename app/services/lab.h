// SPDX-License-Identifier: GPL-3.0-or-later
// What is known of the speed and the resources of the tile in the window: compiled and measured by
// the worker where there is one that can, recorded otherwise. The lab decides what is asked when,
// and puts its parts together: KnobHistory (the moves of the knobs), KernelKnowledge (compiled
// kernels), KernelRequests and Measuring (what the worker was asked for), KeptRuns (runs on disk).
//
//   Lab lab({.worker = {}, .runFile = runs::defaultRunFile()});
//   connect(&lab, &Lab::historyChanged, [&] { chart.show(lab.history(), lab.current()); });
//   lab.choose(stage, tile, problem);
#pragma once

#include <QObject>
#include <QTimer>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "app/services/kept_runs.h"
#include "app/services/kernel_knowledge.h"
#include "app/services/kernel_requests.h"
#include "app/services/knob_history.h"
#include "app/services/measuring.h"
#include "app/services/worker_client.h"
#include "kernels/runs/run_record.h"
#include "viz/base/kernel_facts.h"
#include "viz/base/scene.h"
#include "viz/charts/chart_data.h"

namespace tileloom {

struct LabSetup {
  QStringList worker;             // command; empty: this executable
  std::filesystem::path runFile;  // empty: nothing is read or kept
  bool startWorker = true;        // without: recorded values only
};

class Lab : public QObject {
  Q_OBJECT
 public:
  using Cliffs = KernelKnowledge::Cliffs;

  explicit Lab(LabSetup setup, QObject* parent = nullptr);
  ~Lab() override;

  // The tile, legal, the size and the arithmetic that the window shows now. Here and below
  // std::nullopt is the stage's usual arithmetic.
  void choose(const Stage& stage, const TileShape& tile, const Problem& problem,
              std::optional<Arithmetic> arithmetic = {});
  // What is chosen while this is set is asked for as a whole, by a session or a lecture, and stays
  // in the history.
  void setAskedFor(bool asked) { m_askedFor = asked; }
  // What a lecture shows is not a move of the user. Sets the history aside and begins another one
  // with what is shown now. setAside(false) brings the first one back.
  void setAside(bool aside);
  // That of 16-bit rungs in the ladder, which is the present one's or the one chosen last.
  void setHalves(Arithmetic arithmetic);
  // An illegal tile is in the knobs: nothing is measured.
  void rest();
  // While somebody else has the GPU nothing is measured here; afterwards the present tile is.
  void lend(bool lent);
  // Runs that are on disk already, from a tuning run; those that are known are not taken twice.
  void take(std::span<const runs::RunRecord> runs);
  // The baseline of a comparison: its kernel is asked for, too, and where there is a GPU its speed
  // is measured once the present tile's is known. nullptr: none.
  void watch(const Stage* stage, const TileShape& tile, std::optional<Arithmetic> arithmetic = {});
  // What is known of any tile: its kernel, and the latest run of it at this size, live ones of this
  // device before recorded ones.
  std::optional<KernelFacts> kernelOf(const Stage& stage, const TileShape& tile,
                                      std::optional<Arithmetic> arithmetic = {}) const;
  // How many blocks of a kernel this GPU, or else the recorded one, holds at once.
  Residency residencyOf(const KernelFacts& kernel) const;
  std::optional<HistoryPoint> speedOf(const Stage& stage, const TileShape& tile,
                                      const Problem& problem,
                                      std::optional<Arithmetic> arithmetic = {}) const;
  // The latest finished run of this very launch on this machine's GPU. nullptr: there is none.
  const runs::RunRecord* ownRun(const Stage& stage, const TileShape& tile, const Problem& problem,
                                std::optional<Arithmetic> arithmetic = {}) const;
  // A run of this rung at this size for each device that has one, of its present source: of this
  // tile, the latest, or else of the rung's fastest tile there. Fastest first.
  std::vector<HistoryPoint> onEveryDevice(const Stage& stage, const TileShape& tile,
                                          const Problem& problem,
                                          std::optional<Arithmetic> arithmetic = {}) const;
  // Measures every rung at its default tile, at the present size.
  void measureLadder();
  // Also where the last try has failed, which is not tried again by itself.
  void measureAgain();
  void restartWorker() { m_client.restart(); }
  // Adds a file's runs to the kept ones, or writes all of these. One sentence on what happened, or
  // the error.
  tl::expected<QString, QString> importRuns(const std::filesystem::path& file);
  tl::expected<QString, QString> exportRuns(const std::filesystem::path& file) const;
  // Every run that is known: the person's own and those that ship. True until the next signal.
  std::vector<const runs::RunRecord*> runs() const;
  // What is predicted of the present tile, beside what is measured.
  void foretell(const std::optional<Forecast>& forecast);
  // Likewise of a point of the history that was left before.
  void foretell(int point, const std::optional<Forecast>& forecast);
  const std::optional<Forecast>& forecast() const { return m_history.forecast(); }
  bool canMeasure() const { return machine().measures; }
  Architecture arch() const { return machine().arch; }  // of the GPU, or the usual one
  bool gaveUp() const { return m_client.gaveUp(); }

  const std::vector<HistoryPoint>& history() const { return m_history.points(); }
  int current() const { return m_history.current(); }
  // The point of the history from which the present one was reached; nullptr: none.
  const HistoryPoint* left() const { return m_history.left(); }
  // What was chosen last, which is legal; without a stage: nothing yet.
  const Place& place() const { return m_place; }
  const Problem& problem() const { return m_problem; }
  const std::optional<KernelFacts>& kernel() const { return m_kernel; }
  const Cliffs& cliffs() const { return m_cliffs; }
  const std::vector<LadderBar>& ladder() const { return m_ladder; }
  QString ladderSource() const { return m_ladderSource; }  // of the rungs of both ladders
  QString ladderSource(Ladder ladder) const {
    return ladder == Ladder::Tensor ? m_tensorSource : m_fp32Source;
  }
  // Where runs are kept; empty: nowhere.
  const std::filesystem::path& runFile() const { return m_kept.file(); }
  // One sentence on where figures come from, and the latest trouble (or nothing).
  QString workerStatus() const;
  QString trouble() const { return m_trouble; }
  // Whether a move is still too fresh to act upon; cliffs and measurements follow it.
  bool settling() const { return m_settle.isActive(); }
  WorkerClient& client() { return m_client; }
  const WorkerClient& client() const { return m_client; }

 signals:
  void historyChanged();
  void kernelChanged();  // of the present tile or of the watched one
  void cliffsChanged();
  void ladderChanged();
  void workerStatusChanged();
  // A point of the history, whose kernel is this one, was left before anything was predicted of it.
  void leftUnforetold(int point, const tileloom::KernelFacts& kernel);

 private:
  LabMachine machine() const { return labMachineOf(m_client.info()); }
  void loadHistory();
  // Of a tile of which nothing has been measured in this session.
  HistoryPoint unmeasured(const Place& place, const Problem& problem) const;
  void begin();  // the person has let go
  void askNeighbours();
  void askWatched();
  void measureWatched();  // where nothing of it has been tried in this session
  worker::MeasureRequest requestOf(const Place& place) const;
  void takeCompiled(quint64 id, const worker::CompileFacts& facts);
  static bool isAbout(const Measuring::Asked& what, const runs::RunRecord& run);
  void takeProgress(quint64 id, const runs::RunRecord& run);
  void takeMeasured(quint64 id, const runs::RunRecord& run);
  void showRun(const Measuring::Asked& what, const runs::RunRecord& run, bool more);
  void takeFailure(quint64 id, const Error& error);
  std::optional<KnownKernel> known(const Place& place) const;
  void refreshKernel();
  bool fillPresent();  // the point of the history; false: nothing is new
  void refreshLadder();
  Arithmetic inLadder(const Stage& stage) const;
  void keep(const runs::RunRecord& run);
  // Of troubles that answers bring in any order the first of these is told.
  enum class Told { Measurement, Kernel, BaselineSpeed, BaselineKernel, Others };
  static Told toldOf(const QString& tag);  // of a measurement
  void addTrouble(const QString& sentence, Told told);
  void setTrouble(const QString& sentence);
  void forgetTrouble();
  // Of the present tile and of the baseline; what is known already is kept.
  void stopMeasuring();
  void stopMeasuring(const QString& tag);

  bool m_startWorker;
  WorkerClient m_client;
  KnobHistory m_history;
  std::optional<KnobHistory> m_aside;  // the person's own, see setAside()
  KernelKnowledge m_knowledge;
  KernelRequests m_compiling{m_client};
  Measuring m_measuring{m_client};
  KeptRuns m_kept;
  Place m_place;
  Place m_watched;
  Problem m_problem;
  Arithmetic m_halves = Arithmetic::Bf16;  // of 16-bit rungs in the ladder
  bool m_resting = true;
  bool m_lent = false;
  bool m_askedFor = false;
  bool m_failedHere = false;  // the present tile's measurement
  std::optional<KernelFacts> m_kernel;
  Cliffs m_cliffs;
  std::vector<LadderBar> m_ladder;
  QString m_ladderSource, m_fp32Source, m_tensorSource;
  QString m_trouble;
  Told m_told = Told::Others;  // what that is about
  QString m_countersMissing;   // why, as the worker says; empty: they can be read, or nobody tried
  QTimer m_settle;
};

}  // namespace tileloom
