// SPDX-License-Identifier: GPL-3.0-or-later
// Studies the main loop of a rewritten kernel on a thread of its own: it rewrites the loop in every
// version, which takes half a second.
#pragma once

#include <QObject>
#include <QString>
#include <QThreadPool>
#include <deque>
#include <memory>
#include <optional>

#include "app/services/answers.h"
#include "kernels/rewrite/loop_study.h"
#include "kernels/sass/machine_code.h"
#include "kernels/tile/subject.h"

namespace tileloom {

class LoopService : public QObject {
  Q_OBJECT
 public:
  struct Answer {
    std::shared_ptr<const rewrite::LoopStudy> study;
    QString whyNot;  // one sentence without a full stop, if there is no study
  };

  explicit LoopService(QObject* parent = nullptr);
  ~LoopService() override;

  // The study of this kernel, if it is known; otherwise it is begun, and changed() follows. `code`
  // must have its untouched file.
  std::optional<Answer> of(const sass::MachineCode& code);
  bool pending() const { return m_busy || m_next.has_value(); }

 signals:
  void changed();

 private:
  struct Question : Subject {
    std::string arch;
    std::vector<char> cubin;
    bool operator==(const Question&) const = default;
  };
  void begin();

  std::deque<std::pair<Question, Answer>> m_known;  // the latest last
  std::optional<Question> m_next;
  bool m_busy = false;
  Answers m_answers;
  QThreadPool m_pool;
};

}  // namespace tileloom
