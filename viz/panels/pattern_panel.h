// SPDX-License-Identifier: GPL-3.0-or-later
// The fields of an access pattern, its picture, and the sentences about it. What was typed last and
// cannot be counted is explained under the field, and the picture before it stays.
#pragma once

#include <QWidget>
#include <optional>

#include "viz/memory/pattern_shown.h"

class QBoxLayout;
class QComboBox;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QToolButton;

namespace tileloom {

class FlowRow;
class PatternView;
class Prose;

class PatternPanel : public QWidget {
  Q_OBJECT
 public:
  explicit PatternPanel(QWidget* parent = nullptr);

  const PatternChoice& choice() const { return m_choice; }
  void choose(const PatternChoice& choice);

  // The picture that is shown; std::nullopt: no choice could be counted yet.
  const std::optional<PatternShown>& shown() const { return m_shown; }
  // Empty, or why the present choice is not the one that is shown; one sentence.
  QString trouble() const;

  QLineEdit* field() const { return m_field; }
  PatternView* view() const { return m_view; }

 signals:
  void chosen(const tileloom::PatternChoice& choice);  // by the user

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void makeField(QBoxLayout& column);
  void makeControls(QBoxLayout& column);
  QComboBox* makeBox(const char* id, const QString& name, const QStringList& entries);
  QSpinBox* makeNumber(const char* id, const QString& name, int most);
  QLineEdit* makeLine(const char* id, const QString& name, const QString& example, int letters);
  void take(const PatternChoice& choice);  // the user's
  void takeFields();
  void showChoice();
  void count();
  void restyle();

  PatternChoice m_choice;
  std::optional<PatternShown> m_shown;
  bool m_showing = false;  // the fields are being set: they are not the user's

  QLineEdit *m_field, *m_padding = nullptr, *m_swizzle = nullptr;
  QToolButton* m_examples;
  FlowRow* m_controls;
  QComboBox *m_kind = nullptr, *m_memory = nullptr, *m_bytes = nullptr, *m_element = nullptr,
            *m_unit = nullptr;
  QSpinBox *m_warp = nullptr, *m_step = nullptr;
  QPushButton *m_usePadding, *m_useSwizzle;
  Prose *m_trouble, *m_units, *m_verdict, *m_hint;
  PatternView* m_view;
};

}  // namespace tileloom
