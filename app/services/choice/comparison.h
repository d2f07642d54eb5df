// SPDX-License-Identifier: GPL-3.0-or-later
// The present tile beside the pinned baseline: their names, what to look at, and what differs.
// Views of both follow it.
#pragma once

#include <QObject>
#include <memory>
#include <utility>

#include "viz/base/scene.h"
#include "viz/compare/differences.h"

namespace tileloom {

struct Services;
struct TeachingPair;

class Comparison : public QObject {
  Q_OBJECT
 public:
  explicit Comparison(Services& services);

  // Names of the baseline and of the present tile that say what differs; empty: nothing is
  // compared.
  const std::pair<QString, QString>& titles() const { return m_titles; }
  // The step of each of them, if the steps differ or the same step is another instruction; else
  // empty.
  const std::pair<QString, QString>& moments() const { return m_moments; }
  // The sentence of the example that this pair is; empty if the user has chosen the pair.
  const QString& look() const { return m_look; }
  const std::vector<Difference>& differences() const { return m_differences; }

  // Compares this pair, at the size and on the page that show it best.
  void open(const TeachingPair& pair);

 signals:
  void titlesChanged(const QString& baseline, const QString& now);
  void momentsChanged(const QString& baseline, const QString& now);
  void differencesChanged();
  // An example is best seen on its page, with its latency of memory.
  void pageWanted(const tileloom::TeachingPair& pair);

 private:
  void takeBaseline(const Scene& scene);
  void sayMoments();
  void compare();

  Services& m_services;
  std::shared_ptr<const analysis::Recording> m_from, m_to;
  std::pair<QString, QString> m_titles, m_moments;
  QString m_look;
  std::vector<Difference> m_differences;
};

}  // namespace tileloom
