// SPDX-License-Identifier: GPL-3.0-or-later
// What the window says above everything to somebody who has just opened it for the first time: what
// the program shows, and three ways to go on; then what its four areas are.
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
  // The four areas in place of the three ways.
  void showAreas();
  bool asks() const { return m_notes != nullptr; }  // which way to go on
  // What the loom has no room to say, as rich text; empty: nothing.
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
