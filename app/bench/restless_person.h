// SPDX-License-Identifier: GPL-3.0-or-later
// Somebody who does random things to the window, one at a time: turns knobs, picks rungs, hovers,
// clicks, drags, scrolls, types and presses keys wherever the pointer or the focus happens to be,
// in menus and dialogs, too. Boxes that stay open for long are closed, as is the window now and
// then, and opened again.
#pragma once

#include <QObject>
#include <QPointer>
#include <QWidget>
#include <random>
#include <string>

namespace tileloom {
class MainWindow;
}

namespace tileloom::app {

class RestlessPerson : public QObject {
  Q_OBJECT
 public:
  RestlessPerson(MainWindow& window, std::uint32_t seed);

  // From the event loop, those of boxes included.
  void start();
  void stop() { m_active = false; }
  long long acts() const { return m_acts; }
  // The latest act, and where: "rung, at page timeline".
  std::string latest() const;

 private:
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(m_random); }
  void act();
  void actOnTheView();
  void actByHand();
  void turnAKnob();
  void hover();
  void click(QWidget& top);
  void scroll(QWidget& top);
  void press(QWidget& top);
  void type(QWidget& top);
  QWidget& foremost() const;

  MainWindow& m_window;
  std::mt19937 m_random;
  bool m_active = false;
  long long m_acts = 0;
  std::string m_latest;
  QPointer<QWidget> m_box;  // the box or menu in front, and for how many acts
  int m_boxActs = 0;
};

}  // namespace tileloom::app
