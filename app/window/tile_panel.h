// SPDX-License-Identifier: GPL-3.0-or-later
// The panel beside the loom: tile parameters, problem size, and figures of the tile.
#pragma once

#include <QScrollArea>
#include <QTimer>

#include "app/services/forecasts/forecaster.h"
#include "app/services/forecasts/why_service.h"
#include "kernels/timeline/wait_places.h"
#include "viz/base/scene.h"

class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace tileloom {

class WhyPanel;
class FactRows;
class FactsPanel;
class ParameterPanel;
struct Services;

class TilePanel : public QScrollArea {
  Q_OBJECT
 public:
  explicit TilePanel(Services& services, QWidget* parent = nullptr);

  // Whether the rung's description is above its limits: in a high window both are visible, and in a
  // low one the figures that change with the tile parameters are.
  void setRungFirst(bool first);
  // The field for the size has room for four digits in each of its three numbers.
  void fitFields(const QFontMetrics& metrics);
  // Whether the search for causes is still running.
  bool explaining() const;

 protected:
  void hideEvent(QHideEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void addSize(QVBoxLayout& column);
  // Fields are below their labels if there is no room beside them.
  void wrapFields();
  void addFigures(QVBoxLayout& column);
  void connectAll();
  void takeSize();
  void showSize();
  void showChoice();
  void showRecording(const Scene& scene);
  void showKernel();
  void showMeasured();
  static QString fewBlocks(const Scene& scene);
  void foretell();
  void showWorker();
  void askWhy();
  void sendQuestion();
  void addRun(WhyService::Tile& tile, const WhyService::Question& question) const;
  void showFloors();
  void showSampled();
  void showFastest();
  static QString gridText(const Scene& scene);
  void sayDerived();

  Services& m_services;
  QString m_limit;         // that the latest forecast names
  QString m_fewBlocks;     // a sentence, if the grid leaves places on the GPU empty
  Problem m_shownProblem;  // in the field
  ParameterPanel* m_parameters = nullptr;
  FactsPanel* m_facts = nullptr;
  QLabel* m_loop = nullptr;  // whether the main loop is rewritten, of a rung that rewrites it
  FactRows* m_rows = nullptr;
  WhyPanel* m_why = nullptr;
  std::weak_ptr<const analysis::Recording> m_placesOf;
  timeline::WaitPlaces m_places;  // of that recording
  QTimer m_rest;                  // until the tile parameters stop changing
  QLineEdit* m_size = nullptr;
  QFormLayout* m_sizeForm = nullptr;
  QComboBox* m_elements = nullptr;  // bf16 or fp16, of 16-bit rungs
  QLabel* m_sizeMessage = nullptr;
  QLabel* m_derived = nullptr;
  QLabel* m_advice = nullptr;  // on occupancy
  QLabel* m_origin = nullptr;  // one sentence on where the figures come from
  QLabel* m_trouble = nullptr;
  QPushButton* m_again = nullptr;
  QWidget* m_rung = nullptr;  // its heading and paragraph
  QLabel* m_aboutHead = nullptr;
  QLabel* m_about = nullptr;
};

}  // namespace tileloom
