// SPDX-License-Identifier: GPL-3.0-or-later
// The experiment on a shared array: choose a layout, see the present access before and after, and
// the cost of every access of the array.
#pragma once

#include <QWidget>
#include <optional>

#include "viz/memory/bank_view.h"
#include "viz/memory/layout_experiment.h"

class QBoxLayout;
class QButtonGroup;
class QHBoxLayout;
class QLabel;
class QPainter;
class QPushButton;
class QSpinBox;
class QTableView;
class QToolButton;

namespace tileloom {

class ElidedLabel;
class LayoutModel;
class Prose;

class LayoutPanel : public QWidget {
  Q_OBJECT
 public:
  explicit LayoutPanel(QWidget* parent = nullptr);

  const LayoutChoice& choice() const { return m_choice; }
  void choose(const LayoutChoice& choice);

  // The choices, for the recording of the next scene; then scenes follow.
  void setExperiment(const LayoutExperiment& experiment);
  void setScene(const Scene& scene);
  // Releases the recording. Called while hidden; an experiment and a scene follow.
  void forget();
  // std::nullopt: the search is running.
  void setBest(const std::optional<analysis::BestLayouts>& best);

  AccessView* before() const { return m_before; }
  AccessView* after() const { return m_after; }

  QSize minimumSizeHint() const override;

  // The picture without the controls.
  QSizeF pictureSize(const QSizeF& screen) const;
  void paintTo(QPainter& painter, const QSizeF& size, const Theme& theme, const QFont& font) const;

 signals:
  void chosen(const tileloom::LayoutChoice& choice);  // by the user
  // A row of the table was clicked: requests the next execution of this access.
  void asked(int line, tileloom::emulator::Kind kind, const QString& array);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void makeControls(QBoxLayout& column);
  QToolButton* makeButton(const QString& text, const char* id, QButtonGroup& group, int number);
  QSpinBox* makeBox(const char* id, int least, int most);
  void take(const LayoutChoice& choice);  // the user's choice
  void takeBoxes();
  void showChoice();
  void showArrays();
  void showValues();
  void restyle();
  void arrange();  // by the width

  LayoutChoice m_choice;
  std::uint32_t m_pad = 4;                     // kept while another form is chosen
  std::optional<analysis::Swizzle> m_swizzle;  // likewise; std::nullopt: none was chosen yet
  Scene m_scene;
  LayoutExperiment m_experiment;
  std::optional<analysis::BestLayouts> m_best;

  LayoutModel* m_model;
  AccessView* m_before;
  AccessView* m_after;
  QTableView* m_table;
  ElidedLabel* m_scope;  // of the table
  Prose* m_question;
  Prose* m_trouble;  // the verdict on an impossible layout, above the pictures
  Prose* m_verdict;
  Prose* m_note;
  Prose* m_footnote;
  QButtonGroup* m_arrays;
  QHBoxLayout* m_arrayRow;
  QLabel* m_layoutLabel;
  QButtonGroup* m_forms;
  QSpinBox *m_padBox, *m_bits, *m_base, *m_shift;
  QWidget *m_padRow, *m_swizzleRow;
  QPushButton *m_bestPadding, *m_bestSwizzle;
  QWidget* m_body;  // hidden without an experiment
  QBoxLayout* m_across;
  QBoxLayout* m_pictures;
};

}  // namespace tileloom
