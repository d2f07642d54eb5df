// SPDX-License-Identifier: GPL-3.0-or-later
// A busy machine: what services hand out arrives late, each service's answers by another time, and
// the moments at which tile parameters count as resting come late as well. Answers of one service
// keep their order, as they do on any machine. Drawn from a seed.
//
//   LateAnswers late;
//   late.begin(seed);
//   ... ask, and wait until all is quiet ...
//   late.end();
#pragma once

#include <QApplication>
#include <QElapsedTimer>
#include <QPointer>
#include <QTimer>
#include <deque>
#include <functional>
#include <map>

#include "app/services/answers.h"
#include "tests/support/random.h"

namespace tileloom::test {

class LateAnswers : public QObject {
 public:
  LateAnswers() { qApp->installEventFilter(this); }
  ~LateAnswers() override { end(); }

  void begin(std::uint32_t seed) {
    random_ = Random(seed);
    late_ = true;
    clock_.start();
  }
  // Nothing arrives until end().
  void hold() {
    random_ = Random(1);
    late_ = holding_ = true;
    clock_.start();
  }
  // Everything that is held arrives now.
  void end() {
    late_ = holding_ = false;
    while (!held_.empty()) arrive(held_.begin()->first);
  }
  int held() const { return heldSoFar_; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (!late_) return false;
    if (event->type() == AnswerEvent::kind()) {
      hold(watched, std::move(static_cast<AnswerEvent*>(event)->arrive));
      return true;
    }
    // A timer whose event is lost fires once more an interval later.
    const auto* timer =
        event->type() == QEvent::Timer && !holding_ ? qobject_cast<QTimer*>(watched) : nullptr;
    return timer != nullptr && timer->isSingleShot() && timer->interval() >= kRest &&
           random_.oneIn(3);
  }

 private:
  static constexpr int kRest = 20;  // ms; a shorter timer does not wait for the user to pause

  struct Queue {
    QPointer<QObject> to;
    std::deque<std::function<void()>> answers;
    qint64 due = 0;  // of the last one
  };

  void hold(QObject* to, std::function<void()> answer) {
    Queue& queue = held_[to];
    if (queue.to != to) queue = {to, {}, 0};
    queue.answers.push_back(std::move(answer));
    ++heldSoFar_;
    if (holding_) return;
    // Most soon, some later than any timer of the program waits.
    const int ms = random_.oneIn(8)   ? random_.integer(150, 350)
                   : random_.oneIn(3) ? random_.integer(10, 80)
                                      : random_.integer(0, 5);
    queue.due = std::max(queue.due, clock_.elapsed() + ms);
    QTimer::singleShot(static_cast<int>(queue.due - clock_.elapsed()), Qt::PreciseTimer, this,
                       [this, to] { arrive(to); });
  }

  // The oldest of this receiver's.
  void arrive(QObject* to) {
    const auto found = held_.find(to);
    if (found == held_.end()) return;
    Queue& queue = found->second;
    if (queue.to == nullptr || queue.answers.empty()) {
      held_.erase(found);
      return;
    }
    const auto answer = std::move(queue.answers.front());
    queue.answers.pop_front();
    if (queue.answers.empty()) held_.erase(found);
    answer();
  }

  std::map<QObject*, Queue> held_;
  Random random_{1};
  QElapsedTimer clock_;
  bool late_ = false;
  bool holding_ = false;
  int heldSoFar_ = 0;
};

}  // namespace tileloom::test
