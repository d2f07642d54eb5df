// SPDX-License-Identifier: GPL-3.0-or-later
// The one window: ladder, loom over banks and source, knobs and facts, transport.
#pragma once

#include <QMainWindow>
#include <array>
#include <string_view>

#include "app/export/export.h"
#include "app/services/explorer.h"
#include "app/services/forecaster.h"
#include "app/services/lab.h"
#include "app/services/listings.h"
#include "app/services/rung_totals.h"
#include "app/session/session.h"
#include "app/window/lower_tab.h"
#include "app/window/undo_history.h"
#include "viz/base/theme.h"
#include "viz/charts/roofline_data.h"

class QActionGroup;
class QLabel;
class QLineEdit;
class QMenu;
class QPushButton;
class QSplitter;
class QTabWidget;

namespace tileloom {

// How a view becomes a file.
struct ViewExport {
  QSizeF size;       // with the caption; 0: as on the screen, or as much as the view needs
  double scale = 2;  // pixels of a PNG for each of these
  std::optional<QDate> caption;  // with this date in it
};

class BankView;
class DifferenceTable;
class FactsPanel;
class HistoryCharts;
class InstructionTable;
class KnobPanel;
class LadderChart;
class LadderList;
class LoomView;
class PathView;
class RooflineChart;
class SassView;
class SideBySide;
class SourceStrip;
class SourceView;
class DeviceCeilings;
class Tuner;
class TuningView;
class TransportBar;

// What the window is arranged for.
enum class WindowLayout { Explore, Measure, Lecture };
enum class SidePanel { Ladder, Tile };

class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  static constexpr QSize kUsualSize{1600, 1000};  // where the screen has room for it

  // Without a setup the window starts no worker and keeps no file: what pictures and tests want.
  explicit MainWindow(LabSetup setup = {{}, {}, false}, QWidget* parent = nullptr);
  ~MainWindow() override;

  QSize usualSize() const;

  Explorer& explorer() { return m_explorer; }
  Lab& lab() { return m_lab; }
  QUndoStack& undoStack() { return m_undo.stack(); }
  // What makes the picture of this view.
  QString commandLine() const;
  HistoryCharts* charts() const { return m_charts; }
  LadderChart* ladderChart() const { return m_ladderChart; }
  RooflineChart* roofline() const { return m_roofline; }
  TuningView* tuning() const { return m_tuning; }
  // Waits, with the event loop turning, until what ladder and roofline need is traced.
  void finishTotals();
  QTabWidget* lowerTabs() const { return m_lower; }
  SourceView* sourceView() const { return m_sourceView; }
  SassView* sass() const { return m_sass; }
  SassView* baselineSass() const { return m_baselineSass; }
  Listings& listings() { return m_listings; }
  InstructionTable* instructions() const { return m_instructions; }
  void showTab(LowerTab tab);
  void setLayout(WindowLayout layout);
  void showPanel(SidePanel panel, bool shown);
  bool panelShown(SidePanel panel) const;
  // A link that opens this very view, and what comes of one: empty, or one sentence.
  QString link() const;
  QString openLink(const QString& link);
  LowerTab currentTab() const;
  Look look() const;
  void setLook(Look look);
  int textSize() const { return m_textSize; }  // percent of the usual one
  void setTextSize(int percent);
  bool reducedMotion() const;
  void setReducedMotion(bool on);
  // How the person wants to see the window, in this run or an earlier one.
  void loadSight();
  // The keys that the person has chosen, in this run or an earlier one.
  void loadKeys();
  Session session() const;
  void restore(const Session& session);
  // Empty, or one sentence on why the file was not opened or written; nothing is lost then.
  QString openSession(const QString& file);
  QString saveSession(const QString& file);
  // Empty, or one sentence on why the view was not written.
  QString writeView(ExportedView view, const QString& file, const ViewExport& how);
  Caption captionOf(ExportedView view, const Scene& scene, const QDate& date) const;
  // The whole window, with a caption of at least this height below it if there is a date for one.
  QImage windowImage(double scale, std::optional<QDate> caption = std::nullopt,
                     double captionRoom = 0);
  LoomView* loom() const { return m_loom; }
  // The same views of the baseline, hidden while nothing is compared.
  LoomView* baselineLoom() const { return m_baselineLoom; }
  BankView* baselineBanks() const { return m_baselineBanks; }
  DifferenceTable* differences() const { return m_differences; }
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
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  QWidget* makeLeft();
  QWidget* makeMiddle();
  QWidget* makeRight();
  void makeMenus();
  void makeCompareMenu();
  QWidget* makeCompareTab();
  void connectCompare();
  void showBaseline(const Scene& scene);
  void showDifferences();
  void makeSightMenu(QMenu& view);
  void makeLayoutMenu(QMenu& view);
  void showLook();
  void toggleCursor();
  void fitPanels();
  void connectAll();
  void showScene(const Scene& scene);
  void showRecording(const Scene& scene);
  void takeSize();
  void showSize();
  QWidget* makeLower();
  void connectLab();
  QWidget* makeSassTab();
  void connectSass();
  void showSass();
  Caption sassCaption(Caption caption) const;
  QString writeSass(const QString& file, const ViewExport& how, const Sheet& sheet);
  QWidget* makeRooflineTab();
  void connectRoofline();
  void showRoofline();
  void showLadderFigures();
  void connectTuning();
  void showTuning();
  Caption tuningCaption(Caption caption) const;
  std::optional<RooflinePoint> rooflinePoint(const Stage& stage, const TileShape& tile,
                                             const Problem& problem, const model::Machine& machine,
                                             RungTotals::Urgency urgency);
  Caption rooflineCaption(Caption caption) const;
  void showKernel();
  void foretell();
  void showSpeed();
  void showStanding();
  void restorePoint(int point);
  void restartWorker();
  void makeSessionMenu(QMenu& file);
  void askForSession();
  void askWhereToSave();
  void tryToOpen(const QString& file);
  void remember(const QString& file);
  void keepKeys();
  void importRuns();
  void exportRuns();
  void makeExportMenu(QMenu& file);
  void exportView(ExportedView view);
  void exportAnimation();
  ExportedView currentView() const;  // where the keys go
  QString writeSource(const QString& file, const ViewExport& how, const Sheet& sheet);
  QSizeF screenSize(ExportedView view) const;

  Explorer m_explorer;
  UndoHistory m_undo{m_explorer};
  Problem m_shownProblem = m_explorer.problem();  // in the field
  Lab m_lab;
  Forecaster m_forecaster;
  QString m_limit;  // that the latest forecast names
  Listings m_listings{m_lab};
  RungTotals m_totals;
  DeviceCeilings* m_ceilings = nullptr;
  LadderList* m_ladder = nullptr;
  LoomView* m_loom = nullptr;
  BankView* m_banks = nullptr;
  PathView* m_path = nullptr;
  LoomView* m_baselineLoom = nullptr;
  BankView* m_baselineBanks = nullptr;
  SideBySide* m_looms = nullptr;
  SideBySide* m_bankPair = nullptr;
  DifferenceTable* m_differences = nullptr;
  QMenu* m_pairs = nullptr;
  QAction* m_ladderShown = nullptr;
  QAction* m_tileShown = nullptr;
  QLabel* m_look = nullptr;  // at the compared pair
  std::pair<QString, QString> m_comparedTitles;
  std::shared_ptr<const analysis::Recording> m_comparedFrom, m_comparedTo;
  SourceStrip* m_source = nullptr;
  SourceView* m_sourceView = nullptr;
  InstructionTable* m_instructions = nullptr;
  SassView* m_sass = nullptr;
  SassView* m_baselineSass = nullptr;
  SideBySide* m_sassPair = nullptr;
  KnobPanel* m_knobs = nullptr;
  FactsPanel* m_facts = nullptr;
  TransportBar* m_transport = nullptr;
  QString m_sessionFile;  // that was opened or saved last
  QMenu* m_recent = nullptr;
  QActionGroup* m_looks = nullptr;
  QAction* m_still = nullptr;
  QFont m_usualFont;  // at 100 percent
  int m_textSize = 100;
  QSplitter* m_across = nullptr;
  QLineEdit* m_size = nullptr;
  QLabel* m_sizeMessage = nullptr;
  QLabel* m_derived = nullptr;
  QLabel* m_about = nullptr;
  QSplitter* m_down = nullptr;
  QTabWidget* m_lower = nullptr;
  HistoryCharts* m_charts = nullptr;
  LadderChart* m_ladderChart = nullptr;
  RooflineChart* m_roofline = nullptr;
  TuningView* m_tuning = nullptr;
  Tuner* m_tuner = nullptr;
  quint64 m_tunedOn = 0;  // the tuner's run whose device the tuning page was turned to
  QPushButton* m_measureLadder = nullptr;
  QLabel* m_standing = nullptr;
  QLabel* m_advice = nullptr;  // on occupancy
  QLabel* m_trouble = nullptr;
  QPushButton* m_again = nullptr;
  QLabel* m_faults = nullptr;
  QLabel* m_status = nullptr;
  QLabel* m_selection = nullptr;
};

}  // namespace tileloom
