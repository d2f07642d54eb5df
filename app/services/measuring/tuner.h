// SPDX-License-Identifier: GPL-3.0-or-later
// Tunes a rung in the window: what the engine wants compiled and measured is requested from the
// worker. The journal is that of the command line: either resumes where the other stopped.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QThread>
#include <QTimer>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "app/services/answers.h"
#include "app/services/measuring/tune_engine.h"
#include "app/services/measuring/worker_client.h"
#include "kernels/model/prediction/late_forecast.h"
#include "kernels/tile/subject.h"
#include "kernels/tuning/best.h"
#include "viz/panels/tuner_status.h"

namespace tileloom {

class Tuner : public QObject {
  Q_OBJECT
 public:
  Tuner(WorkerClient& client, TuneFiles files, QObject* parent = nullptr);
  ~Tuner() override;

  // Resumes the run of this request, if there is one, unless it is to begin again; the worker must
  // have a GPU.
  enum class Begin { GoOn, Anew };
  void start(tuning::TuneRequest request, Begin begin = Begin::GoOn);
  void pause();  // after the measurement in progress
  void resume();
  void stop();  // nothing is lost: the same request resumes

  const TunerStatus& status() const { return m_status; }
  // What the run has measured so far, one per tile; how often that has changed. A run that has
  // ended has none: its results are in ended().
  const std::vector<runs::RunRecord>& measured() const { return m_measured; }
  quint64 measurements() const { return m_measurements; }
  quint64 runs() const {
    return m_run;
  }  // how many were started or stopped: another run, another number
  // The GPU is in use: nothing else should measure.
  bool hasGpu() const { return m_status.state == TunerState::Running; }

  // How many tiles a rung's tile parameters generate and how many are legal, with only these values
  // for the listed parameters; std::nullopt: it is being counted, and surveyed() follows.
  struct Survey {
    std::uint64_t generated = 0, legal = 0;
    std::vector<tuning::Rejection> rejected = {};  // by each rule
  };
  std::optional<Survey> survey(const Stage& stage, const Architecture& arch,
                               const std::vector<tuning::ParameterValues>& listed = {});
  // Whether a survey is in progress.
  bool surveying() const { return m_counting > 0; }

  // The tile of this rung tuned on the worker's device, for this size or one near it.
  std::optional<tuning::BestTile> bestOf(const Stage& stage, const Problem& problem,
                                         Format format) const;

  // For tests: the seconds after which a kernel counts as hanging.
  void setLimit(double seconds) { m_limitMs = 1000 * seconds; }

 signals:
  void changed();  // the status; often
  void tileMeasured();
  void surveyed();
  // A run has ended with these results.
  void ended(const std::vector<runs::RunRecord>& runs);
  void bestChanged();

 private:
  struct Built {
    int registers = -1;
    int spillBytes = 0;
    sass::LoopSize loop;
    std::string failure;
    bool asCompiled = false;  // as in model::KernelShape
  };
  using Key = std::string;  // of a tile of the run

  void ask(std::function<TuneReport(TuneEngine&)> work);
  void take(TuneReport report);
  void keep(std::vector<runs::RunRecord> measured);
  void forget();
  void advance();
  void askCompile(const Subject& tile);
  void answerCompiled(const Built& built);
  void answerFailed(const std::string& why);
  void takeCompiled(const Subject& tile, const Result<worker::CompileFacts>& facts);
  void takeNotCompiled(const Subject& tile, const Error& error);
  void takeAhead(const worker::AheadAnswer& answer);
  void askAhead();
  std::optional<model::KernelShape> shapeOf(const Subject& tile, const Built& built) const;
  std::vector<double> predictions();
  void takeRun(const Result<WorkerClient::Measured>& measured);
  void fail(const QString& sentence);
  void leave(TunerState state);  // the run; its journal is closed
  void set(TunerState state);
  void show();  // soon
  double sinceResult();
  bool stepIs(tuning::TuneStep::Kind kind) const;
  Key keyOf(const Subject& tile) const;
  std::optional<tuning::TuneDevice> device() const;
  void readBest();

  WorkerClient& m_client;
  TuneFiles m_files;
  TunerStatus m_status;
  Format m_format = Format::Fp32;  // of the run
  Architecture m_arch;
  tuning::TuneDevice m_device;
  double m_limitMs = 30000;
  std::optional<tuning::TuneStep> m_step;
  std::vector<Subject> m_ahead;
  bool m_thinking = false;  // the engine is working on an answer
  std::vector<Subject> m_compiling;
  std::map<Key, Built> m_built;
  std::vector<runs::RunRecord> m_measured;
  std::map<Key, std::size_t> m_measuredAt;  // places in it
  quint64 m_measurements = 0;
  bool m_measuring = false;
  QElapsedTimer m_since;  // the latest result; budgets count everything that a measurement costs
  QTimer m_shown, m_askAgain;

  struct Counted {
    const Stage* stage = nullptr;
    std::string arch;
    std::vector<tuning::ParameterValues> listed;
    std::optional<Survey> survey;
  };
  static constexpr std::size_t kMostCounted = 128;
  std::deque<Counted> m_counted;  // the latest last
  quint64 m_forgotten = 0;        // how many were dropped before the first of them
  int m_counting = 0;             // surveys in progress
  std::vector<tuning::BestTile> m_best;

  quint64 m_run = 0;                                // answers to an earlier one are ignored
  std::unique_ptr<model::LateForecast> m_forecast;  // until the predictions were passed on
  Answers m_answers;
  TuneEngine m_engine;  // used on m_thread only
  QThread m_thread;
  QObject m_there;  // lives on m_thread
};

}  // namespace tileloom
