// SPDX-License-Identifier: GPL-3.0-or-later
// The one window: ladder, loom over banks and source, knobs and facts, transport.
#pragma once

#include <QMainWindow>

#include "app/explorer.h"

class QLabel;
class QLineEdit;

namespace tileloom {

class BankView;
class FactsPanel;
class KnobPanel;
class LadderList;
class LoomView;
class SourceStrip;
class TransportBar;

class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  explicit MainWindow(QWidget* parent = nullptr);
  ~MainWindow() override;

  Explorer& explorer() { return m_explorer; }
  LoomView* loom() const { return m_loom; }
  BankView* banks() const { return m_banks; }
  KnobPanel* knobs() const { return m_knobs; }
  LadderList* ladder() const { return m_ladder; }
  TransportBar* transport() const { return m_transport; }
  FactsPanel* facts() const { return m_facts; }
  QString statusText() const;

  // Shows faults above the loom; an empty log hides the banner.
  void showFaults(const emulator::FaultLog& faults);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QWidget* makeLeft();
  QWidget* makeMiddle();
  QWidget* makeRight();
  void makeMenus();
  void connectAll();
  void showScene(const Scene& scene);
  void showRecording(const Scene& scene);
  void takeSize();
  void exportView(QWidget* view);

  Explorer m_explorer;
  LadderList* m_ladder = nullptr;
  LoomView* m_loom = nullptr;
  BankView* m_banks = nullptr;
  SourceStrip* m_source = nullptr;
  KnobPanel* m_knobs = nullptr;
  FactsPanel* m_facts = nullptr;
  TransportBar* m_transport = nullptr;
  QLineEdit* m_size = nullptr;
  QLabel* m_sizeMessage = nullptr;
  QLabel* m_derived = nullptr;
  QLabel* m_about = nullptr;
  QLabel* m_faults = nullptr;
  QLabel* m_status = nullptr;
  QLabel* m_selection = nullptr;
};

}  // namespace tileloom
