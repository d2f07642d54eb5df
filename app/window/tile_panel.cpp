// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/tile_panel.h"

#include <QEvent>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHideEvent>
#include <QLineEdit>
#include <QPushButton>

#include "app/commands/common/parse.h"
#include "app/services/forecasts/launch_limit.h"
#include "app/services/forecasts/present_limit.h"
#include "app/services/measuring/fastest_tile.h"
#include "app/services/services.h"
#include "app/window/measured_facts.h"
#include "app/window/own_list.h"
#include "app/window/why_panel.h"
#include "kernels/analysis/counts/loop_totals.h"
#include "kernels/analysis/counts/partial_sums.h"
#include "kernels/analysis/recording.h"
#include "kernels/model/limits/floors.h"
#include "kernels/model/limits/launch_places.h"
#include "kernels/model/prediction/next_tiles.h"
#include "kernels/model/prediction/rates.h"
#include "kernels/runs/recordings.h"
#include "kernels/tile/architecture.h"
#include "kernels/tile/constraints.h"
#include "kernels/tile/last_wave.h"
#include "kernels/tile/literature.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/residency.h"
#include "kernels/tile/words.h"
#include "viz/base/text/describe.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/text/labels.h"
#include "viz/base/text/text.h"
#include "viz/base/widgets/choice_box.h"
#include "viz/loom/grid_painter.h"
#include "viz/panels/fact_rows.h"
#include "viz/panels/facts_panel.h"
#include "viz/panels/parameter_panel.h"

namespace tileloom {
namespace {

// Content of a scroll area that is never squeezed: the height of wrapped text depends on the width,
// which scroll areas ignore.
class TallContent : public QWidget {
 protected:
  bool event(QEvent* event) override {
    if (layout() != nullptr &&
        (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest)) {
      setMinimumHeight(std::max(0, layout()->totalHeightForWidth(width())));
    }
    return QWidget::event(event);
  }
};

}  // namespace

TilePanel::TilePanel(Services& services, QWidget* parent)
    : QScrollArea(parent), m_services(services), m_shownProblem(services.explorer.problem()) {
  auto* content = new TallContent;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(14, 10, 14, 10);
  column->setSpacing(8);
  auto* top = new QHBoxLayout;
  top->addWidget(new Heading(tr("Tile")));
  m_derived = new Prose;
  m_derived->setObjectName(QStringLiteral("derived"));
  m_derived->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  top->addWidget(m_derived, 1);
  column->addLayout(top);
  m_parameters = new ParameterPanel;
  column->addWidget(m_parameters);
  addSize(*column);
  column->addSpacing(6);
  addFigures(*column);
  column->addSpacing(6);
  m_rung = new QWidget;
  auto* rung = new QVBoxLayout(m_rung);
  rung->setContentsMargins(0, 0, 0, 6);
  rung->setSpacing(8);
  m_aboutHead = new Heading(tr("What this rung does"));
  rung->addWidget(m_aboutHead);
  m_about = new Prose;
  m_about->setObjectName(QStringLiteral("about"));
  rung->addWidget(m_about);
  column->addWidget(m_rung);
  column->addWidget(m_origin);
  m_advice = new Prose;
  m_advice->setObjectName(QStringLiteral("advice"));
  column->addWidget(m_advice);
  column->addSpacing(6);
  column->addWidget(m_why->turns());
  m_rows = new FactRows;
  column->addWidget(m_rows);
  connect(m_facts, &FactsPanel::factsChanged, this, [this] { m_rows->setFacts(m_facts->facts()); });
  column->addStretch(1);

  setWidget(content);
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  connectAll();
  m_parameters->setStage(services.explorer.stage());
  showSize();
  showWorker();
}

void TilePanel::setRungFirst(bool first) {
  auto* column = static_cast<QVBoxLayout*>(widget()->layout());
  QWidget* below = first ? m_why->costs() : m_origin;
  if (column->indexOf(m_rung) == column->indexOf(below) - 1) return;
  column->removeWidget(m_rung);
  column->insertWidget(column->indexOf(below), m_rung);
}

void TilePanel::addSize(QVBoxLayout& column) {
  auto* size = new QFormLayout;
  size->setContentsMargins(0, 0, 0, 0);
  auto* label = new QLabel(tr("M × N × K"));
  m_size = new QLineEdit(QString::fromStdString(toString(m_shownProblem)));
  m_size->setObjectName(QStringLiteral("size"));
  m_size->setAccessibleName(tr("Problem size, M × N × K"));
  m_size->setToolTip(tr("Problem size, M × N × K; one number means a cube"));
  label->setBuddy(m_size);
  size->addRow(label, m_size);
  m_elements = new ChoiceBox;
  m_elements->setObjectName(QStringLiteral("elements"));
  m_elements->setAccessibleName(tr("Type of the elements of A, B and C"));
  m_elements->setToolTip(
      tr("Type of the elements of A, B and C: bf16 has the range of FP32 and 8 bits of precision, "
         "fp16 has 11 bits and numbers up to 65,504. Sums are FP32 in both."));
  for (const FormatRow* row : formatsOfRungs()) {
    if (row->format != Format::Fp32)
      m_elements->addItem(toQString(row->name), static_cast<int>(row->format));
  }
  size->addRow(tr("Elements"), m_elements);
  m_sizeForm = size;
  column.addLayout(size);
  m_sizeMessage = new Prose;
  m_sizeMessage->setObjectName(QStringLiteral("sizeMessage"));
  m_sizeMessage->hide();
  column.addWidget(m_sizeMessage);
}

void TilePanel::addFigures(QVBoxLayout& column) {
  m_facts = new FactsPanel;
  column.addWidget(m_facts);
  m_loop = new Prose;
  m_loop->setObjectName(QStringLiteral("mainLoop"));
  m_loop->setToolTip(
      tr("Tileloom rewrites the machine code of this rung's main loop after compiling. The page "
         "\"Rewritten loop\" shows both loops, and the gain of each change."));
  m_loop->hide();
  column.addWidget(m_loop);
  m_why = new WhyPanel(this);
  constexpr int kRestMs = 100;
  m_rest.setSingleShot(true);
  m_rest.setInterval(kRestMs);
  connect(&m_rest, &QTimer::timeout, this, &TilePanel::sendQuestion);
  column.addWidget(m_why->costs());
  m_origin = new Prose;
  m_origin->setObjectName(QStringLiteral("workerStatus"));
  m_trouble = new Prose;
  m_trouble->setObjectName(QStringLiteral("trouble"));
  column.addWidget(m_trouble);
  m_trouble->hide();
  m_again = new QPushButton(tr("Start the worker again"));
  m_again->setObjectName(QStringLiteral("startWorker"));
  m_again->hide();
  column.addWidget(m_again);
}

void TilePanel::connectAll() {
  Explorer& explorer = m_services.explorer;
  Lab& lab = m_services.lab;
  connect(&explorer, &Explorer::stageChanged, this, [this, &explorer](const Stage& stage) {
    m_parameters->setStage(stage);
    m_parameters->setTile(explorer.tile(), explorer.moved());
  });
  connect(&explorer, &Explorer::choiceChanged, this, &TilePanel::showChoice);
  connect(&explorer, &Explorer::recordingChanged, this, &TilePanel::showRecording);
  connect(m_parameters, &ParameterPanel::edited, &explorer,
          [&explorer](const TileShape& tile, Parameter moved) { explorer.setTile(tile, moved); });
  connect(m_size, &QLineEdit::editingFinished, this, &TilePanel::takeSize);
  connect(m_elements, &QComboBox::activated, &explorer, [this, &explorer](int place) {
    explorer.setHalves(static_cast<Format>(m_elements->itemData(place).toInt()));
  });

  connect(&lab, &Lab::historyChanged, this, [this, &lab] {
    m_facts->setOrigin(measuredOrigin(lab));
    showMeasured();
    const QString loop = mainLoop(lab);
    m_loop->setText(loop);
    m_loop->setVisible(!loop.isEmpty());
    setInk(*m_loop, Ink::Soft);
  });
  connect(&lab, &Lab::kernelChanged, this, &TilePanel::showKernel);
  connect(&lab, &Lab::ladderChanged, this, &TilePanel::askWhy);  // a run has been kept
  connect(&lab, &Lab::cliffsChanged, this, [this, &lab] {
    m_parameters->setCliffs(lab.cliffs());
    askWhy();  // more is known about the neighbours
  });
  connect(&lab, &Lab::workerStatusChanged, this, &TilePanel::showWorker);
  // The limit of a launch needs it.
  connect(&m_services.ceilings, &DeviceCeilings::changed, this, [this] {
    showMeasured();
    askWhy();
  });
  connect(&m_services.listings, &Listings::changed, this, [this] {
    if (!m_rest.isActive()) showSampled();
  });
  connect(m_why, &WhyPanel::lineAsked, &explorer, &Explorer::goToLine);
  connect(m_why, &WhyPanel::parameterPicked, &explorer,
          [&explorer](Parameter parameter, int value) {
            explorer.setTile(explorer.tile().with(parameter, value), parameter);
          });
  connect(m_why, &WhyPanel::tilePicked, &explorer,
          [&explorer](const TileShape& tile) { explorer.setTile(tile); });
  connect(m_again, &QPushButton::clicked, this, [this, &lab] {
    lab.restartWorker();
    showWorker();  // it retries
  });
}

void TilePanel::fitFields(const QFontMetrics& metrics) {
  m_size->setMinimumWidth(metrics.horizontalAdvance(QStringLiteral("2048×2048×2048")) +
                          2 * metrics.averageCharWidth());
  wrapFields();
}

// Qt's own policy for long rows leaves a field without height.
void TilePanel::wrapFields() {
  const QMargins margins = widget()->layout()->contentsMargins();
  const int words = m_sizeForm->labelForField(m_size)->sizeHint().width();
  const int needed = margins.left() + words + std::max(6, m_sizeForm->horizontalSpacing()) +
                     m_size->minimumWidth() + margins.right();
  const auto policy =
      needed > viewport()->width() ? QFormLayout::WrapAllRows : QFormLayout::DontWrapRows;
  if (m_sizeForm->rowWrapPolicy() != policy) m_sizeForm->setRowWrapPolicy(policy);
}

void TilePanel::resizeEvent(QResizeEvent* event) {
  QScrollArea::resizeEvent(event);
  wrapFields();
}

// A size that is typed but not entered is dropped when the panel is hidden, as in a NumberBox: a
// session that hides the panel has its own size.
void TilePanel::hideEvent(QHideEvent* event) {
  if (!event->spontaneous()) m_size->setText(QString::fromStdString(toString(m_shownProblem)));
  QScrollArea::hideEvent(event);
}

void TilePanel::takeSize() {
  const auto parsed = app::parseSize(m_size->text().toStdString());
  const QString problem =
      parsed ? m_services.explorer.setProblem(*parsed) : QString::fromStdString(parsed.error());
  m_sizeMessage->setText(problem);
  m_sizeMessage->setVisible(!problem.isEmpty());
  setInk(*m_sizeMessage, Ink::Trouble);
}

// The size may come from elsewhere: a point of the history, the command line.
void TilePanel::showSize() {
  const Explorer& explorer = m_services.explorer;
  m_sizeForm->setRowVisible(m_elements, explorer.stage().formats.size() > 1);
  m_elements->setCurrentIndex(m_elements->findData(static_cast<int>(explorer.format())));
  const Problem& problem = explorer.problem();
  if (m_shownProblem == problem) return;
  m_shownProblem = problem;
  m_size->setText(QString::fromStdString(toString(problem)));
  m_sizeMessage->hide();
}

void TilePanel::showChoice() {
  const Explorer& explorer = m_services.explorer;
  showSize();
  if (m_parameters->tile() != explorer.tile())
    m_parameters->setTile(explorer.tile(), explorer.moved());
  // Figures of the last legal tile are not those of the chosen tile parameters.
  const bool stale = !isLegal(explorer.stage(), explorer.tile());
  m_facts->setStale(stale);
  m_rows->setStale(stale);
  if (stale) m_why->expect(explorer.stage(), explorer.problem(), explorer.tile());
  m_derived->setEnabled(!stale);
  sayDerived();
}

void TilePanel::sayDerived() {
  const Explorer& explorer = m_services.explorer;
  if (!explorer.scene().ready()) return;
  // As short as the text it replaces: the tile parameters below must not move under the next
  // click.
  const bool legal = isLegal(explorer.stage(), explorer.tile());
  m_derived->setText(legal ? gridText(explorer.scene()) : tr("shown: last legal tile"));
  const auto& trace = explorer.scene().recording->trace;
  m_derived->setToolTip(legal ? QString()
                              : tr("Pictures and figures show %1.")
                                    .arg(QString::fromStdString(tileText(*trace.rung(), trace.tile))
                                             .replace(u',', QLatin1String(", "))));
}

QString TilePanel::gridText(const Scene& scene) {
  const auto& trace = scene.recording->trace;
  const Extent grid = launchOf(*trace.rung(), trace.tile, trace.problem).grid;
  // Persistent and split-K launches do not have one block per tile.
  const bool walks = trace.features().persistent || trace.rung()->split() == SplitK::Rounds;
  const int sms = scene.residency && scene.residency->sms > 0 ? scene.residency->sms : kUsualSms;
  const auto cut = looksUpParts(*trace.rung(), trace.tile)
                       ? analysis::cutTilesOf(*trace.rung(), trace.tile, trace.problem, sms)
                       : analysis::CutTiles();
  QString text = (walks           ? tr("%1 × %2 tiles, %3 threads")
                  : cut.tiles > 0 ? tr("%1 × %2 tiles in %4 blocks of %3 threads")
                                  : tr("%1 × %2 blocks of %3 threads"))
                     .arg(grid.x)
                     .arg(grid.y)
                     .arg(trace.threads);
  if (cut.tiles > 0)
    text = text.arg(figures::grouped(std::int64_t{grid.x} * grid.y -
                                     static_cast<std::int64_t>(cut.tiles) +
                                     static_cast<std::int64_t>(cut.parts)));
  if (!(trace.problem == trace.asked)) {
    text += tr(" · padded to %1").arg(QString::fromStdString(toString(trace.problem)));
  }
  // TMA fills elements beyond the edges with zeros, which are multiplied like the others.
  const double useful =
      model::placesOf(*trace.rung(), trace.tile, trace.asked, 1, kUsualSms).useful;
  constexpr double kAll = 0.995;
  if (trace.features().tma && useful < kAll)
    text += tr(" · %1 % of its multiply-adds are padding").arg(figures::wholePercent(1 - useful));
  return text;
}

void TilePanel::showRecording(const Scene& scene) {
  const auto& trace = scene.recording->trace;
  sayDerived();
  setInk(*m_derived, Ink::Soft);
  m_facts->setRecording(scene.recording);
  showKernel();
  showMeasured();
  if (const auto* own = own::OwnKernel::of(*trace.rung())) {
    m_about->setText(ownParagraph(*own));
    setInk(*m_about, own->check().wrong > 0 ? Ink::Trouble : Ink::Soft);
    m_aboutHead->setText(tr("Your kernel"));
    return;
  }
  m_aboutHead->setText(tr("What this rung does"));
  QString about = openingParagraph(*trace.rung());
  if (const auto differs = literatureDifference(*trace.rung()); !differs.empty())
    about += QLatin1Char(' ') + toQString(differs);
  if (trace.tile != trace.rung()->standardTile())
    about += tr(" The kernel's source says this of its default tile.");
  m_about->setText(about);
  setInk(*m_about, Ink::Soft);
}

// What limits the launch is known once its recording is there.
void TilePanel::showMeasured() {
  m_facts->setMeasured(measuredFacts(m_services.lab, launchLimit(m_services)));
}

void TilePanel::showKernel() {
  Lab& lab = m_services.lab;
  // The facts are those of the recording in the loom, which may lag behind the tile parameters by a
  // frame.
  m_facts->setKernel(lab.kernel());
  const auto& kernel = lab.kernel();
  m_services.explorer.setResidency(
      kernel && kernel->blocks > 0 ? std::optional(lab.residencyOf(*kernel)) : std::nullopt);
  foretell();
  QString advice = kernel ? tr("Occupancy on %1: %2.").arg(kernel->arch, kernel->nextStep)
                          : tr("Occupancy: this tile's registers are unknown, without a "
                               "compiler or a recorded run (yet).");
  advice += m_fewBlocks;
  if (!m_limit.isEmpty()) advice += tr(" Predicted limit: %1.").arg(m_limit);
  m_advice->setText(advice);
  setInk(*m_advice, Ink::Soft);
}

// Room for more blocks does not help a grid that does not fill the present places.
QString TilePanel::fewBlocks(const Scene& scene) {
  Waves waves = wavesOf(scene);
  // Parts of tiles have their own blocks.
  const auto& trace = scene.recording->trace;
  if (scene.residency && looksUpParts(*trace.rung(), trace.tile)) {
    waves.blocks =
        residentLaunch(*trace.rung(), trace.tile, trace.problem, scene.residency->sms).grid.x;
  }
  // Persistent blocks are launched for all places; some have no tile, or a part of one.
  if (scene.residency && trace.features().persistent) {
    const model::LaunchPlaces places = model::placesOf(
        *trace.rung(), trace.tile, trace.asked,
        static_cast<int>(waves.atOnce) / scene.residency->sms, scene.residency->sms);
    if (places.smsWithWork >= places.sms) return {};
    return tr(" At this size %1 of %2 SMs have work.").arg(places.smsWithWork).arg(places.sms);
  }
  if (waves.blocks >= waves.atOnce) return {};
  return tr(" At this size the grid has %1 for %2 places: %3 per SM on average.")
      .arg(counted(waves.blocks, tr("1 block"), tr("%1 blocks")))
      .arg(waves.atOnce)
      .arg(static_cast<double>(waves.blocks) / scene.residency->sms, 0, 'f', 1);
}

void TilePanel::foretell() {
  if (presentRecording(m_services) == nullptr) return;  // it is the next one's turn
  const auto& recording = m_services.explorer.scene().recording;
  const auto& kernel = m_services.lab.kernel();
  const auto forecast = kernel ? forecastOf(*recording, *kernel) : std::nullopt;
  // Both stay until the next recording arrives, as the recording in the loom does: a text that
  // disappears and returns with every move would lay out the panel twice.
  m_limit = forecast ? forecast->limit : QString();
  m_fewBlocks = fewBlocks(m_services.explorer.scene());
  askWhy();
  m_services.lab.foretell(forecast);
}

void TilePanel::askWhy() {
  if (presentRecording(m_services) == nullptr) return;
  const auto& kernel = m_services.lab.kernel();
  // Figures of the trace need no kernel.
  if (model::isPredicted(*m_services.lab.place().rung()) && (!kernel || kernel->blocks < 1)) {
    m_rest.stop();
    return m_why->forget();
  }
  const Explorer& explorer = m_services.explorer;
  m_why->expect(explorer.stage(), explorer.problem(), explorer.tile());
  m_rest.start();
}

// The search for neighbours takes longer than a frame of a moving slider.
void TilePanel::sendQuestion() {
  const auto& kernel = m_services.lab.kernel();
  const Subject& place = m_services.lab.place();
  if (presentRecording(m_services) == nullptr) return;
  if (!model::isPredicted(*place.rung())) return showFloors();
  if (!kernel) return;
  WhyService::Question question;
  question.stage = place.rung();
  question.problem = m_services.lab.problem();
  question.tile = {place.tile, *kernel, std::nullopt};
  const Format format = place.format;
  question.format = format;
  addRun(question.tile, question);
  // The move is from the previous point of the history: intermediate values of a drag do not count.
  const HistoryPoint* left = m_services.lab.left();
  if (left != nullptr && left->rung() == question.stage && left->problem == question.problem &&
      left->format == format) {
    if (const auto its = m_services.lab.kernelOf(*left)) {
      question.left = WhyService::Tile{left->tile, *its, std::nullopt};
      addRun(*question.left, question);
    }
  }
  if (const auto arch = architectureNamed(kernel->arch.toStdString())) {
    for (const model::Turn& turn : model::turnsOf(*question.stage, place.tile, *arch)) {
      const TileShape tile = place.tile.with(turn.parameter, turn.value);
      const auto known = m_services.lab.kernelOf(question.of(tile));
      if (known && known->arch == kernel->arch) question.compiled.emplace_back(tile, *known);
    }
  }
  m_why->ask(std::move(question));
  showSampled();
  showFastest();
}

// Counts of this GPU have priority over those of another one.
void TilePanel::addRun(WhyService::Tile& tile, const WhyService::Question& question) const {
  const auto* run = m_services.lab.ownRun(question.of(tile.shape), question.problem);
  if (run == nullptr) run = runs::recordedRun(question.of(tile.shape), question.problem, {});
  if (run != nullptr && run->arch == tile.kernel.arch.toStdString()) tile.run = *run;
}

// For a rung without a prediction: its lower bounds from the trace.
void TilePanel::showFloors() {
  const Lab& lab = m_services.lab;
  const analysis::Recording& recording = *m_services.explorer.scene().recording;
  const Stage& stage = *lab.place().rung();
  const TileShape& tile = lab.place().tile;
  WhyService::Question question;
  question.stage = &stage;
  question.problem = lab.problem();
  question.tile.shape = tile;
  const Format format = lab.place().format;
  question.format = format;
  const auto* run = lab.ownRun({&stage, tile, format}, question.problem);
  if (run == nullptr)
    run = runs::recordedRun({&stage, tile, format}, question.problem, kReferenceDevice);
  if (run != nullptr) question.tile.run = *run;
  const model::Ceilings& ceilings = m_services.ceilings.get();
  const model::Floors floors = model::floorsOf(stage, tile, recording.kTile()->totals,
                                               recording.kTile()->kTiles, lab.arch(), &ceilings);
  const bool comparable =
      run != nullptr && run->device == ceilings.device && run->arch == lab.arch().name;
  m_why->showFloors(question, floors,
                    comparable ? model::measuredCycles(stage, *run, ceilings.sms) : std::nullopt,
                    launchLimit(recording, nullptr, lab.arch(), &ceilings));
  showSampled();
  showFastest();
}

void TilePanel::showSampled() {
  const Lab& lab = m_services.lab;
  const Subject& place = lab.place();
  const Problem& problem = lab.problem();
  const auto speed = lab.speedOf(place, problem);
  const auto stalls = m_services.listings.stallsOf(place, problem);
  const auto& recording = m_services.explorer.scene().recording;
  if (stalls != nullptr && presentRecording(m_services) && recording != m_placesOf.lock()) {
    m_placesOf = recording;
    m_places = timeline::waitPlaces(recording->trace);
  }
  m_why->showSampled(stalls, m_placesOf.lock() == recording ? m_places : timeline::WaitPlaces(),
                     speed, problem);
}

// On the device of the shown speed, or else on the device whose figures are beside it.
void TilePanel::showFastest() {
  const Lab& lab = m_services.lab;
  const Subject& place = lab.place();
  HistoryPoint present;
  if (const auto speed = lab.speedOf(place, lab.problem())) present = *speed;
  present.subject() = place;
  present.problem = lab.problem();
  const QString device = present.device.isEmpty() ? toQString(kReferenceDevice) : present.device;
  m_why->showFastest(fastestTile(lab.runs(), *present.rung(), present.problem, present.format,
                                 device.toStdString()),
                     device, present);
}

bool TilePanel::explaining() const {
  return m_rest.isActive() || m_why->pending();
}

void TilePanel::showWorker() {
  const Lab& lab = m_services.lab;
  m_origin->setText(lab.workerStatus());
  setInk(*m_origin, Ink::Soft);
  m_trouble->setText(lab.trouble());
  m_trouble->setVisible(!lab.trouble().isEmpty());
  setInk(*m_trouble, Ink::Trouble);
  m_again->setVisible(lab.gaveUp());
}

}  // namespace tileloom
