// SPDX-License-Identifier: GPL-3.0-or-later
// The controls of the tuner, its funnel and its result, in two lines. It takes plain values and
// emits signals.
#pragma once

#include <QWidget>

#include "kernels/tile/subject.h"
#include "viz/panels/tuner_status.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QMenu;
class QToolButton;

namespace tileloom {

class FunnelBar;

class TunerRow : public QWidget {
  Q_OBJECT
 public:
  // What would be tuned: the rungs of stagesWith(), at the size in the window.
  struct Target : Launched {
    bool canMeasure = false;
    QString wrong;  // one sentence: what is wrong with parameters(); empty: nothing
    std::optional<std::pair<std::uint64_t, std::uint64_t>> space;  // generated, legal
    std::optional<Subject> known;                                  // found here by an earlier run
    QString knownText;                                             // when, and for which size
  };

  explicit TunerRow(QWidget* parent = nullptr);

  void show(const Target& target, const TunerStatus& status);
  // The rungs to search, by rung: the ones chosen in the menu if the shown one is among them, else
  // the shown one alone.
  std::vector<const Stage*> stagesWith(const Stage& shown) const;
  double budgetSeconds() const;  // 0: no limit
  QString parameters() const;    // the values to search, "BM=64,128 BK=8"; empty: all
  QString text() const;          // the state of the run, in words
  FunnelBar* funnel() const { return m_funnel; }

 signals:
  void rungsChanged();
  void parametersChanged();
  void startAsked(double budgetSeconds);
  void anewAsked(double budgetSeconds);
  void pauseAsked();
  void resumeAsked();
  void stopAsked();
  void taken(const tileloom::Stage* stage, const tileloom::TileShape& tile);

 private:
  void showRungs(const Target& target);
  void choose(const Stage& rung, bool wanted);
  QString wordsOf(const Target& target, const TunerStatus& status, bool here) const;

  QToolButton* m_go;  // Start, Pause or Resume
  QToolButton* m_stop;
  QToolButton* m_anew;   // repeats an ended run
  QToolButton* m_rungs;  // shows the rungs to search; its menu selects them
  QMenu* m_rungMenu;
  QComboBox* m_budget;
  QLineEdit* m_parameters;
  QLabel* m_words;
  QToolButton* m_take;
  FunnelBar* m_funnel;
  TunerState m_state = TunerState::Idle;
  Subject m_offer;  // the tile that m_take uses
  const Stage* m_shown = nullptr;
  std::vector<const Stage*> m_chosen;  // in the menu, by rung; empty: no choice yet
};

}  // namespace tileloom
