// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the programs of a block for the virtual clock, away from the GUI thread: it traces more K
// tiles than the views show, without the factors of multiply-adds.
#pragma once

#include <QObject>
#include <QThreadPool>
#include <memory>
#include <optional>
#include <vector>

#include "kernels/emulator/run.h"
#include "kernels/timeline/operation.h"

namespace tileloom {

class TimelineService : public QObject {
  Q_OBJECT
 public:
  struct Question {
    const Stage* stage = nullptr;
    TileShape tile;
    Problem problem;
    Extent block{0, 0};
    Arithmetic arithmetic = Arithmetic::Fp32;
    bool operator==(const Question&) const = default;
  };
  using Answer = std::shared_ptr<const timeline::BlockProgram>;

  explicit TimelineService(QObject* parent = nullptr);
  ~TimelineService() override;

  // The same question as the latest is not asked again; one that was overtaken is not answered.
  // The tile must be traceable.
  void ask(const Question& question);
  bool pending() const { return m_next.has_value() || m_busy; }

 signals:
  // nullptr: there was no memory for it.
  void answered(const tileloom::TimelineService::Question& question,
                const tileloom::TimelineService::Answer& program);

 private:
  void begin();

  std::optional<Question> m_next, m_latest;
  bool m_busy = false;
  QThreadPool m_pool;
};

}  // namespace tileloom
