// SPDX-License-Identifier: GPL-3.0-or-later
// Predictions of many tiles, away from the GUI thread; the latest question wins.
#pragma once

#include <QObject>
#include <optional>
#include <vector>

#include "kernels/model/prediction.h"
#include "kernels/tile/architecture.h"

class QThread;

namespace tileloom {

class TileForecasts : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;
  ~TileForecasts() override;

  struct Question {
    const Stage* stage = nullptr;
    Problem problem;
    Architecture arch;
    model::Rates rates;
    std::vector<TileShape> tiles;
  };
  void ask(Question question);
  bool busy() const { return m_thread != nullptr; }

 signals:
  // GFLOP/s, one per tile in order; 0 where no block fits an SM.
  void answered(const tileloom::TileForecasts::Question& question,
                const std::vector<double>& gflops);

 private:
  void begin(Question question);

  QThread* m_thread = nullptr;
  std::optional<Question> m_waiting;
};

}  // namespace tileloom
