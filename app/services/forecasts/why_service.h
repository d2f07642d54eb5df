// SPDX-License-Identifier: GPL-3.0-or-later
// Explains the speed of the shown tile, and what the last move changed, on a thread of its own: it
// traces every neighbour.
#pragma once

#include <QObject>
#include <QThreadPool>
#include <QTimer>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "app/services/answers.h"
#include "kernels/model/why/why.h"
#include "kernels/tile/subject.h"
#include "viz/base/text/kernel_facts.h"

namespace tileloom {

struct Explanation {
  model::WhySlow why;
  std::optional<model::WhyMoved> moved;  // from the tile that the question left
};

class WhyService : public QObject {
  Q_OBJECT
 public:
  struct Tile {
    TileShape shape;
    KernelFacts kernel;                  // of this tile
    std::optional<runs::RunRecord> run;  // of exactly this launch
    bool operator==(const Tile&) const = default;
  };
  struct Question {
    const Stage* stage = nullptr;
    Format format = Format::Fp32;  // one of the stage's
    Problem problem;
    Tile tile;                 // its kernel gives the architecture
    std::optional<Tile> left;  // the tile before, of the same rung and problem
    // What this machine's compiler reported for tiles one step of a tile parameter away.
    std::vector<std::pair<TileShape, KernelFacts>> compiled = {};
    Subject of(const TileShape& other) const { return {stage, other, format}; }
    bool operator==(const Question&) const = default;
  };

  explicit WhyService(QObject* parent = nullptr);
  ~WhyService() override;

  // Answered once no other question has come for a moment; an overtaken question is not answered.
  void ask(Question question);
  void forget();  // no answer is needed any more
  bool pending() const { return m_next.has_value() || m_busy; }

 signals:
  void explained(std::shared_ptr<const tileloom::Explanation> explanation);

 private:
  void begin();

  std::optional<Question> m_next;
  quint64 m_number = 0;  // of the latest question
  bool m_busy = false;
  QTimer m_rest;
  Answers m_answers;
  QThreadPool m_pool;
};

}  // namespace tileloom
