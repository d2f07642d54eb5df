// SPDX-License-Identifier: GPL-3.0-or-later
// Sends random input to the window, one act at a time: moves tile parameters, picks rungs, hovers,
// clicks, drags, scrolls, types and presses keys wherever the pointer or the focus is, also in
// menus and dialogs. Boxes that stay open for long are closed; so is the window at times, which is
// then opened again.
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

class RandomUser : public QObject {
  Q_OBJECT
 public:
  RandomUser(MainWindow& window, std::uint32_t seed);

  // From the event loop, also that of boxes.
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
  void changeAParameter();
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
