// SPDX-License-Identifier: GPL-3.0-or-later
// The controls of the tuner, its funnel and its result, in two lines. It takes plain values and
// emits signals.
#pragma once

#include <QWidget>

#include "viz/panels/tuner_status.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QToolButton;

namespace tileloom {

class FunnelBar;

class TunerRow : public QWidget {
  Q_OBJECT
 public:
  // What would be tuned: the rung and size that the window shows.
  struct Target {
    const Stage* stage = nullptr;
    Problem problem;
    TileShape tile;  // the one that the knobs show
    bool canMeasure = false;
    QString wrong;  // one sentence: what is wrong with knobs(); empty: nothing
    std::optional<std::pair<std::uint64_t, std::uint64_t>> space;  // generated, legal
    std::optional<TileShape> known;                                // found here by an earlier run
    QString knownText;                                             // when, and for which size
  };

  explicit TunerRow(QWidget* parent = nullptr);

  void show(const Target& target, const TunerStatus& status);
  double budgetSeconds() const;  // 0: no limit
  QString knobs() const;         // the values to search, "BM=64,128 BK=8"; empty: all
  QString text() const;          // the state of the run, in words
  FunnelBar* funnel() const { return m_funnel; }

 signals:
  void knobsChanged();
  void startAsked(double budgetSeconds);
  void anewAsked(double budgetSeconds);
  void pauseAsked();
  void resumeAsked();
  void stopAsked();
  void taken(const tileloom::Stage* stage, const tileloom::TileShape& tile);

 private:
  QString wordsOf(const Target& target, const TunerStatus& status, bool here) const;

  QToolButton* m_go;  // Start, Pause or Go on
  QToolButton* m_stop;
  QToolButton* m_anew;  // runs what has ended once more
  QComboBox* m_budget;
  QLineEdit* m_knobs;
  QLabel* m_words;
  QToolButton* m_take;
  FunnelBar* m_funnel;
  TunerState m_state = TunerState::Idle;
  const Stage* m_takeStage = nullptr;
  TileShape m_takeTile;
};

}  // namespace tileloom
