// SPDX-License-Identifier: GPL-3.0-or-later
// Checks the steps of a draft on a separate thread, as `tileloom lecture check` does: each is
// recorded, which takes some hundredths of a second. Unchanged steps are not checked again.
#pragma once

#include <QObject>
#include <QThreadPool>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/lecture/lecture_draft.h"
#include "app/services/answers.h"

namespace tileloom {

class DraftCheck : public QObject {
  Q_OBJECT
 public:
  explicit DraftCheck(QObject* parent = nullptr);
  ~DraftCheck() override;

  // Checks the steps without a result; `first` comes before the others.
  void look(const lecture::LectureDraft& draft, const lecture::Attempt& attempt, std::size_t first);
  // Whether every step of the last draft has a result.
  bool complete() const { return m_wanted.empty() && !m_busy; }
  // Checks the remaining steps now.
  void finish();
  // The errors known so far; the pointers are those of the file.
  std::vector<lecture::Complaint> complaints() const;

 signals:
  void changed();

 private:
  struct Question {
    std::string key;  // everything the result depends on
    lecture::Step step;
    std::vector<std::size_t> marks;  // places in the file of the marks that could be read
  };
  void begin();
  void take(const std::string& key, std::vector<lecture::Complaint> found);

  std::map<std::string, std::vector<lecture::Complaint>> m_known;  // by key
  std::vector<std::string> m_keys;                                 // of the steps
  std::vector<Question> m_wanted;                                  // the next one last
  bool m_busy = false;
  Answers m_answers;
  QThreadPool m_pool;
};

}  // namespace tileloom
