// SPDX-License-Identifier: GPL-3.0-or-later
// What is known of the speed and the resources of the tile in the window: compiled and measured by
// the worker where there is one that can, recorded otherwise. Keeps the history of knob moves.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "app/services/worker_client.h"
#include "kernels/runs/run_record.h"
#include "viz/base/kernel_facts.h"
#include "viz/base/scene.h"
#include "viz/charts/chart_data.h"
#include "viz/panels/knob_slider.h"

namespace tileloom {

struct LabSetup {
  QStringList worker;             // command; empty: this executable
  std::filesystem::path runFile;  // empty: nothing is read or kept
  bool startWorker = true;        // without: recorded values only
};

class Lab : public QObject {
  Q_OBJECT
 public:
  using Cliffs = std::map<Knob, std::vector<KnobSlider::Cliff>>;

  explicit Lab(LabSetup setup, QObject* parent = nullptr);
  ~Lab() override;

  // The tile, legal, and the size that the window shows now.
  void choose(const Stage& stage, const TileShape& tile, const Problem& problem);
  // An illegal tile is in the knobs: nothing is measured.
  void rest();
  // While somebody else has the GPU nothing is measured here; afterwards the present tile is.
  void lend(bool lent);
  // Runs that are on disk already, from a tuning run; those that are known are not taken twice.
  void take(std::span<const runs::RunRecord> runs);
  // The baseline of a comparison: its kernel is asked for, too, and where there is a GPU its speed
  // is measured once the present tile's is known. nullptr: none.
  void watch(const Stage* stage, const TileShape& tile);
  // What is known of any tile: its kernel, and the latest run of it at this size, live ones of this
  // device before recorded ones.
  std::optional<KernelFacts> kernelOf(const Stage& stage, const TileShape& tile) const;
  // How many blocks of a kernel this GPU, or else the recorded one, holds at once.
  Residency residencyOf(const KernelFacts& kernel) const;
  std::optional<HistoryPoint> speedOf(const Stage& stage, const TileShape& tile,
                                      const Problem& problem) const;
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
  const std::optional<Forecast>& forecast() const;
  bool canMeasure() const;
  Architecture arch() const;  // of the GPU, or the usual one
  bool gaveUp() const { return m_client.gaveUp(); }

  const std::vector<HistoryPoint>& history() const { return m_history; }
  int current() const { return m_current; }
  const std::optional<KernelFacts>& kernel() const { return m_kernel; }
  const Cliffs& cliffs() const { return m_cliffs; }
  const std::vector<LadderBar>& ladder() const { return m_ladder; }
  QString ladderSource() const { return m_ladderSource; }
  // Where runs are kept; empty: nowhere.
  const std::filesystem::path& runFile() const { return m_setup.runFile; }
  // One sentence on where figures come from, and the latest trouble (or nothing).
  QString standing() const;
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
  void standingChanged();

 private:
  struct Known {  // what a compiler has said
    int registers = -1;
    int spillBytes = 0;
    QString source;
    sass::LoopSize loop;
  };
  struct Place {
    const Stage* stage = nullptr;
    TileShape tile;
    bool operator==(const Place&) const = default;
  };
  struct Asked {
    quint64 id = 0;
    Place place;
    Problem problem;
    std::optional<runs::RunRecord> latest;  // what is known of a measurement so far
  };
  using Requests = std::map<QString, Asked>;  // by tag: a newer one takes the place of an older
  // A measurement of this session that has ended by itself.
  struct Tried {
    Place place;
    Problem problem;
    bool failed = false;
  };

  // Tags of what is asked for the present tile and for the watched one.
  static inline const QString kNow = QStringLiteral("now");
  static inline const QString kBaseline = QStringLiteral("baseline");

  void loadHistory();
  void begin();  // the person has let go
  void askNeighbours();
  void askWatched();
  void measureWatched();  // where nothing of it has been tried in this session
  worker::MeasureRequest requestOf(const Place& place) const;
  void remember(const Asked& what, bool failed);
  void takeCompiled(quint64 id, const worker::CompileFacts& facts);
  void takeRun(quint64 id, const runs::RunRecord& run, bool done);
  void takeFailure(quint64 id, const Error& error);
  std::optional<Known> known(const Place& place) const;
  std::optional<Known> recorded(const Place& place) const;
  KernelFacts factsOf(const Place& place, const Known& known) const;
  HistoryPoint pointOf(const runs::RunRecord& run) const;
  void fill(HistoryPoint& point) const;
  void refreshKernel();
  void refreshLadder();
  void keep(const runs::RunRecord& run);
  void forgetTrouble();
  // Of the present tile and of the baseline; what is known already is kept.
  void stopMeasuring();
  void stopMeasuring(const QString& tag);
  HistoryPoint* pointOf(const Asked& asked);
  static Requests::iterator find(Requests& requests, quint64 id);
  QString deviceName() const;

  LabSetup m_setup;
  WorkerClient m_client;
  std::vector<HistoryPoint> m_history;
  int m_current = -1;
  Place m_place;
  Place m_watched;
  Problem m_problem;
  bool m_resting = true;
  bool m_lent = false;
  bool m_failedHere = false;  // the present tile's measurement
  std::optional<KernelFacts> m_kernel;
  Cliffs m_cliffs;
  std::vector<LadderBar> m_ladder;
  QString m_ladderSource;
  QString m_trouble;
  QString m_countersMissing;  // why, as the worker says; empty: they can be read, or nobody tried
  std::vector<std::pair<Place, Known>> m_known;  // of the present architecture, the latest last
  Requests m_compiling, m_measuring;
  std::vector<Tried> m_tried;
  std::vector<runs::RunRecord> m_live;  // of this session and the kept ones
  std::vector<QString> m_neighbourTags;
  QTimer m_settle;
  QElapsedTimer m_sinceMove;
};

}  // namespace tileloom
