// SPDX-License-Identifier: GPL-3.0-or-later
// The tuning landscape: what is known of a rung's tiles as a map over two tile parameters, as lines
// over all tile parameters, and as a list; one device beside another.
#pragma once

#include <QWidget>
#include <map>
#include <optional>
#include <vector>

#include "app/services/forecasts/tile_forecasts.h"
#include "app/session/tuning_choice.h"
#include "viz/base/paint/table_picture.h"

class QComboBox;
class QLabel;
class QPainter;
class QSortFilterProxyModel;
class QStackedWidget;
class QTableView;
class QVBoxLayout;

namespace tileloom {

class TileLinesView;
class TileListModel;
struct TileMapData;
class TileMapView;

class TuningView : public QWidget {
  Q_OBJECT
 public:
  explicit TuningView(QWidget* parent = nullptr);

  // All known runs; the view does not keep them. Another revision means other runs.
  struct Known {
    std::vector<const runs::RunRecord*> runs;
    quint64 revision = 0;
  };
  // What the window shows. Cheap if nothing has changed.
  void show(const Stage& stage, const TileShape& tile, const Problem& problem, Format format,
            const Architecture& arch, const Known& known);
  // How it is shown. A choice that the present rung does not have (a tile parameter, runs of a
  // device) is kept for a rung that has it.
  void choose(const TuningChoice& choice);
  const TuningChoice& choice() const { return m_choice; }
  // Devices with runs of the present rung at this size, the one with the most first.
  QStringList devices() const;
  bool knows(const std::string& device) const {
    return device.empty() || named(device, nullptr) != nullptr;
  }
  bool hasBeside() const { return beside() != nullptr; }

  // No prediction is in progress.
  bool settled() const { return !m_forecasts.busy(); }

  // How the tiles are shown: as chosen, except that a rung with one tile parameter has a list
  // instead of a map.
  TuningForm form() const;
  // The shown form as a picture; of the list as many rows as fit.
  void paintTo(QPainter& painter, const QSizeF& size) const;
  double pictureWidth() const;  // at least; 0: any
  QString description() const;  // "speed over BM and BN, other tile parameters as they are"
  QString source() const;       // "recorded on NVIDIA H100 80GB HBM3"

  TileMapView* map() const { return m_map; }
  TileLinesView* lines() const { return m_lines; }
  TileListModel* list() const { return m_list; }
  QTableView* table() const { return m_table; }
  // Where the tuner's own row of controls goes.
  QVBoxLayout* column() const { return m_column; }

 signals:
  void picked(const tileloom::TileShape& tile);
  void changed();  // a prediction has come

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;  // the room of the list

 private:
  QWidget* makeControls();
  void takeControls(const QComboBox* moved);
  void fillControls();
  TablePicture listPicture() const;
  int presentRow() const;  // of the list as it is sorted; -1: not in it
  void tightenColumns();
  void refresh();
  void foretell(TileMapData& made, TileForecasts::Question& question) const;
  void takeForecasts(const TileForecasts::Question& question, const std::vector<double>& gflops);

  // What is known of the present rung and size on one device.
  struct Sweep {
    std::string device;
    std::vector<tuning::TileFigure> figures;
    double cublas = 0;  // GFLOP/s; 0: unknown
  };
  // By its exact name, else by a part of it; nullptr: there is none.
  const Sweep* named(const std::string& device, const Sweep* but) const;
  const Sweep* first() const;   // nullptr: nothing is known
  const Sweep* beside() const;  // nullptr: no other device
  std::optional<TileShape> mended(const tuning::MapValues& values, int x, int y);
  // A legal tile with its values on the axes, near the present one.
  TileShape nearPresent(const TileShape& tile) const;
  MapAxes axes() const;  // for a rung with two tile parameters or more

  QVBoxLayout* m_column;
  QComboBox* m_form;
  QComboBox* m_parameterX;
  QComboBox* m_parameterY;
  QComboBox* m_others;
  QComboBox* m_device;
  QComboBox* m_beside;  // "no other device" first
  std::vector<QWidget*> m_mapControls;
  QStackedWidget* m_stack;
  TileMapView* m_map;
  TileLinesView* m_lines;
  TileListModel* m_list;
  QSortFilterProxyModel* m_order;
  QTableView* m_table;

  const Stage* m_stage = nullptr;
  TileShape m_tile;
  Problem m_problem;
  Format m_format = Format::Fp32;
  QString m_unpredicted;  // why no tile of this rung is predicted; empty: its tiles are predicted
  Architecture m_arch = defaultArchitecture();
  quint64 m_revision = 0;  // of the runs
  std::vector<Sweep> m_sweeps;
  std::optional<model::Rates> m_rates;  // of m_arch; std::nullopt: no predictions
  TileForecasts m_forecasts;
  // Of this rung and size. More than the cells of a map: those for several choices of its tile
  // parameters.
  static constexpr std::size_t kMostForetold = 4096;
  std::vector<std::pair<TileShape, runs::Interval>> m_foretold;
  TuningChoice m_choice;
  // Which cells can be filled at all, with a tile for each: searching for one takes up to 10 ms.
  struct Mended {
    struct Key {
      const Stage* stage = nullptr;
      std::string_view arch;
      Parameter x{}, y{};
      bool operator==(const Key&) const = default;
    };
    Key key;
    std::map<std::pair<int, int>, std::optional<TileShape>> tiles;  // by the values of x and y
  };
  Mended m_mended;
  bool m_filling = false;
};

}  // namespace tileloom
