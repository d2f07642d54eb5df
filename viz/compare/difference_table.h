// SPDX-License-Identifier: GPL-3.0-or-later
// Shows the differences as a table, or a hint on how to get some.
#pragma once

#include <QWidget>

#include "viz/base/theme.h"
#include "viz/compare/differences.h"

class QLabel;
class QPainter;
class QTreeWidget;
class QTreeWidgetItem;

namespace tileloom {

class DifferenceTable : public QWidget {
  Q_OBJECT
 public:
  explicit DifferenceTable(QWidget* parent = nullptr);

  // Shown while nothing is compared.
  void setHint(const QString& hint);
  void setDifferences(std::vector<Difference> rows);  // empty: shows the hint
  const std::vector<Difference>& rows() const { return m_rows; }

  // A few lines at any font size.
  QSize minimumSizeHint() const override;

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void restyle();
  void fill();
  void dress(QTreeWidgetItem* item, const Difference& d) const;

  std::vector<Difference> m_rows;
  QTreeWidget* m_tree;
  QLabel* m_hint;
};

// The table as a picture: the same rows under the titles of both sides, in the largest letters that
// fit.
void paintDifferences(QPainter& painter, const std::vector<Difference>& rows,
                      const std::pair<QString, QString>& titles, const QSizeF& size,
                      const Theme& theme, const Fonts& fonts);

// "better", "worse", "equal", "too close to tell", or empty.
QString verdictWord(Verdict verdict);

}  // namespace tileloom
