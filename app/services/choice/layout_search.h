// SPDX-License-Identifier: GPL-3.0-or-later
// Looks for the best layouts of a shared array on a thread of its own: it counts all accesses of a
// K tile in dozens of layouts.
#pragma once

#include <QObject>
#include <QThreadPool>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "app/services/answers.h"
#include "kernels/analysis/memory/relayout.h"

namespace tileloom {

class LayoutSearch : public QObject {
  Q_OBJECT
 public:
  struct Question {
    std::shared_ptr<const analysis::SharedUse> use;
    std::uint32_t array = 0;
    analysis::ArrayShape shape;
    Architecture arch;
    bool operator==(const Question& other) const {
      return use == other.use && array == other.array && arch.name == other.arch.name;
    }
  };

  explicit LayoutSearch(QObject* parent = nullptr) : QObject(parent) {
    m_pool.setMaxThreadCount(1);
  }
  ~LayoutSearch() override { m_pool.waitForDone(); }

  // The known answer to this question; otherwise found() follows with it, unless a newer question
  // overtakes it.
  std::optional<analysis::BestLayouts> ask(const Question& question);
  // The same immediately, for a picture.
  analysis::BestLayouts answer(const Question& question);

 signals:
  void found();

 private:
  void begin();

  const analysis::BestLayouts* find(const Question& question) const;
  void keep(const Question& question, const analysis::BestLayouts& best);

  // The arrays of one kernel: playback alternates between them.
  static constexpr std::size_t kKept = 4;
  std::vector<std::pair<Question, analysis::BestLayouts>> m_known;  // the latest last
  std::optional<Question> m_next, m_running;
  Answers m_answers;
  QThreadPool m_pool;
};

}  // namespace tileloom
