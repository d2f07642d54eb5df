// SPDX-License-Identifier: GPL-3.0-or-later
// Predictions of many tiles, away from the GUI thread; the latest question replaces earlier ones.
#pragma once

#include <QObject>
#include <QThreadPool>
#include <optional>
#include <vector>

#include "app/services/answers.h"
#include "kernels/model/prediction/prediction.h"
#include "kernels/tile/architecture.h"

namespace tileloom {

class TileForecasts : public QObject {
  Q_OBJECT
 public:
  explicit TileForecasts(QObject* parent = nullptr);
  ~TileForecasts() override;

  struct Question {
    const Stage* stage = nullptr;
    Problem problem;
    Architecture arch;
    model::Rates rates;
    std::vector<TileShape> tiles;
  };
  void ask(Question question);
  bool busy() const { return m_busy; }

 signals:
  // GFLOP/s, one per tile in order; 0 where no block fits an SM.
  void answered(const tileloom::TileForecasts::Question& question,
                const std::vector<double>& gflops);

 private:
  void begin();

  std::optional<Question> m_next;
  bool m_busy = false;
  Answers m_answers;
  QThreadPool m_pool;
};

}  // namespace tileloom
