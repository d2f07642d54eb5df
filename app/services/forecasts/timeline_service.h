// SPDX-License-Identifier: GPL-3.0-or-later
// Simulates blocks on the virtual clock, away from the GUI thread: it traces more K tiles than the
// views show, without the factors of multiply-adds, makes the programs of the block, and simulates
// them.
#pragma once

#include <QObject>
#include <QString>
#include <QThreadPool>
#include <QTimer>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "app/services/answers.h"
#include "kernels/analysis/recording.h"
#include "kernels/emulator/run.h"
#include "kernels/model/prediction/workload.h"
#include "kernels/tile/subject.h"
#include "kernels/timeline/beside.h"
#include "kernels/timeline/operation.h"
#include "kernels/timeline/timeline.h"
#include "kernels/timeline/wait_places.h"

namespace tileloom {

class TimelineService : public QObject {
  Q_OBJECT
 public:
  // What to trace.
  struct Block : Launched {
    Extent block{0, 0};
    bool operator==(const Block&) const = default;
  };
  struct Question {
    Block block;
    bool betweenTiles =
        false;       // between the tiles of C of the launch's first block, for persistent kernels
    int delay = 0;   // cycles added to the latency of memory
    int varies = 0;  // the most cycles added to that, drawn for each K tile of A and of B
    model::KernelShape kernel;  // at least one block per SM, counted or estimated
    bool guessed = false;       // the number of its blocks per SM is estimated
    std::string arch;           // "sm_90": its rates are used if it has some
    // Timestamps opened by the user; if they are of something else, those that ship are used.
    std::shared_ptr<const timeline::Measured> stamps;
    bool operator==(const Question&) const = default;
  };
  struct Answer {
    std::shared_ptr<const timeline::BlockProgram> program;
    // Null: `trouble` says why, as a sentence.
    std::shared_ptr<const timeline::Timeline> timeline;
    std::shared_ptr<const timeline::Timeline> usual;  // with the usual latency
    QString device;                                   // the device of the rates
    QString remark;                                   // where the prediction disagrees
    QString trouble;
    // Timestamps beside `timeline`; null: `noStamps` says why.
    std::shared_ptr<const timeline::Beside> beside;
    QString noStamps;
  };

  explicit TimelineService(QObject* parent = nullptr);
  ~TimelineService() override;

  // The same question as the latest is not asked again; one that was overtaken is not answered.
  // Another block waits until no further one comes: while a slider is drawn, its recordings need
  // the processor more.
  // The tile must be traceable; `recording` is of that block, and its totals are used.
  void ask(const Question& question, std::shared_ptr<const analysis::Recording> recording);
  // No answer is needed any more.
  void forget();
  bool pending() const { return m_next.has_value() || m_busy; }

 signals:
  void answered(const tileloom::TimelineService::Question& question,
                const tileloom::TimelineService::Answer& answer);

 private:
  struct Task {
    Question question;
    std::shared_ptr<const analysis::Recording> recording;
  };
  void begin();
  Answer answer(const Task& task);

  // GUI thread only.
  std::optional<Task> m_next;
  std::optional<Question> m_latest;
  bool m_busy = false;
  std::optional<Block> m_begun;  // the latest
  QTimer m_rest;
  // Of the latest answers; only used by the one task at a time that the pool runs.
  Question m_made;
  std::uint32_t m_kTiles = 0;  // the number requested
  std::shared_ptr<const timeline::BlockProgram> m_program;
  timeline::WaitPlaces m_places;  // of the same block
  std::shared_ptr<const timeline::Timeline> m_usual;
  Answers m_answers;
  QThreadPool m_pool;
};

}  // namespace tileloom
