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
#include "kernels/model/why.h"
#include "viz/base/kernel_facts.h"

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
    std::optional<runs::RunRecord> run;  // of this very launch
    bool operator==(const Tile&) const = default;
  };
  struct Question {
    const Stage* stage = nullptr;
    Problem problem;
    Tile tile;                 // its kernel's architecture is the one asked about
    std::optional<Tile> left;  // the tile before, of the same rung and problem
    // What this machine's compiler told of tiles that one turn of a knob leads to.
    std::vector<std::pair<TileShape, KernelFacts>> compiled = {};
    std::optional<Arithmetic> arithmetic = {};  // one of the stage's, std::nullopt: the usual one
    bool operator==(const Question&) const = default;
  };

  explicit WhyService(QObject* parent = nullptr);
  ~WhyService() override;

  // Answered once nothing else has been asked for a moment; a question that was overtaken is not
  // answered.
  void ask(Question question);
  void forget();  // nobody waits for an answer any more
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
