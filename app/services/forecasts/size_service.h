// SPDX-License-Identifier: GPL-3.0-or-later
// Predicts the shown tile over the size of the problem, on a thread of its own: it traces a K tile
// at each size.
#pragma once

#include <QObject>
#include <QThreadPool>
#include <QTimer>
#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "app/services/answers.h"
#include "kernels/model/prediction/size_curve.h"
#include "kernels/tile/architecture.h"
#include "kernels/tile/subject.h"

namespace tileloom {

class SizeService : public QObject {
  Q_OBJECT
 public:
  struct Question : Subject {
    std::vector<int> sizes;
    model::KernelShape shape;  // of this tile; at least one block fits an SM
    model::Rates rates;
    bool operator==(const Question&) const = default;
  };
  using Answer = std::shared_ptr<const std::vector<model::SizePoint>>;

  explicit SizeService(QObject* parent = nullptr);
  ~SizeService() override;

  // Answered once no other question has come for a moment; an overtaken question is not answered,
  // and its computation is abandoned. Repeating the latest question does nothing.
  void ask(Question question);
  void forget();  // no answer is needed any more
  bool pending() const { return m_next.has_value() || m_busy; }

 signals:
  void answered(const tileloom::SizeService::Question& question,
                const tileloom::SizeService::Answer& points);

 private:
  void begin();

  std::optional<Question> m_next;
  std::optional<Question> m_latest;
  std::shared_ptr<std::atomic<bool>> m_cancelled;  // of the question being computed
  bool m_busy = false;
  QTimer m_rest;
  Answers m_answers;
  QThreadPool m_pool;
};

}  // namespace tileloom
