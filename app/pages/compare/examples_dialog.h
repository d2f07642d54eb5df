// SPDX-License-Identifier: GPL-3.0-or-later
// The examples as a list in groups: a small picture of the difference, the name, and a line.
#pragma once

#include <QDialog>
#include <vector>

#include "app/pages/compare/example_sketches.h"
#include "app/services/teaching/teaching_pairs.h"

class QLineEdit;
class QListWidget;

namespace tileloom {

class Comparison;

class ExamplesDialog : public QDialog {
  Q_OBJECT
 public:
  // `comparison` must live as long as this.
  ExamplesDialog(Comparison& comparison, QWidget* parent);

  QLineEdit* field() const { return m_field; }
  QStringList offered() const;  // names of pairs, in their order
  const ExampleSketches& sketches() const { return m_sketches; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void filter();
  void step(int by);
  void run();

  Comparison& m_comparison;
  std::vector<TeachingPair> m_pairs;
  ExampleSketches m_sketches;
  QLineEdit* m_field;
  QListWidget* m_list;
};

}  // namespace tileloom
