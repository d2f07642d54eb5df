// SPDX-License-Identifier: GPL-3.0-or-later
// Tries the steps of a draft on a thread of its own, as `tileloom lecture check` does: each is
// recorded, which takes some hundredths of a second. What is known of a step is not tried again.
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

  // Begins with what is not known yet; `first` comes before the others.
  void look(const lecture::LectureDraft& draft, const lecture::Attempt& attempt, std::size_t first);
  // Whether every step of what was looked at last is known.
  bool complete() const { return m_wanted.empty() && !m_busy; }
  // Tries what is left at once.
  void finish();
  // What is wrong with the steps as far as it is known; the pointers are those of the file.
  std::vector<lecture::Complaint> complaints() const;

 signals:
  void changed();

 private:
  struct Question {
    std::string key;  // all that the answer depends on
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
