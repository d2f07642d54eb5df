// SPDX-License-Identifier: GPL-3.0-or-later
// The bar above the views at the first start: the purpose of the program and three buttons; then
// the four areas of the window.
#pragma once

#include <QWidget>

class QBoxLayout;
class QLabel;

namespace tileloom {

class WelcomeBar : public QWidget {
  Q_OBJECT
 public:
  explicit WelcomeBar(QWidget* parent = nullptr);

  // "2  Loom": of an area, by its place in kAreas.
  static QString areaName(std::size_t area);
  // The four areas instead of the three buttons.
  void showAreas();
  bool asks() const { return m_notes != nullptr; }  // the chosen button
  // Notes for which the loom has no room, as rich text; empty: none.
  void setNotes(const QString& notes);

 signals:
  void tourAsked();
  void kernelAsked();
  void openAsked();
  void closed();  // it has been read

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QWidget* makeWays();
  QWidget* makeAreas();

  QBoxLayout* m_column = nullptr;
  QWidget* m_shown = nullptr;
  QLabel* m_notes = nullptr;  // of the ways
};

}  // namespace tileloom
