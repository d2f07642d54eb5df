// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/menus/animation_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSpinBox>
#include <algorithm>
#include <cmath>

#include "app/session/page_ids.h"
#include "kernels/analysis/recording.h"

namespace tileloom {
namespace {

constexpr int kLeastSide = 120, kMostSide = 8192;

QString suffixOf(AnimationFormat format) {
  switch (format) {
    case AnimationFormat::Mp4:
      return QStringLiteral(".mp4");
    case AnimationFormat::Gif:
      return QStringLiteral(".gif");
    case AnimationFormat::Frames:
      break;
  }
  return {};
}

}  // namespace

AnimationDialog::AnimationDialog(AnimationSource source, QWidget* parent)
    : WritingDialog(parent), m_source(std::move(source)) {
  setWindowTitle(tr("Export an animation"));
  place(makeForm(), 72);
  takeView();
  takeFormat();
}

// Fields that lose the focus emit signals: they go while their receivers exist.
AnimationDialog::~AnimationDialog() {
  hide();
}

QWidget* AnimationDialog::makeForm() {
  auto* page = new QWidget;
  auto* form = new QFormLayout(page);
  form->setContentsMargins(0, 0, 0, 0);
  using Entries = std::vector<std::pair<QString, QString>>;
  const auto choice = [form](const QString& label, const char* name, const Entries& entries) {
    QComboBox* box = addChoice(*form, label, name);
    for (const auto& [text, value] : entries) box->addItem(text, value);
    return box;
  };
  const auto number = [this](const char* name, int least, int most, int value) {
    QSpinBox* box = makeNumber(name, least, most);
    box->setValue(value);
    return box;
  };
  Entries views;
  for (const AnimatedView& each : m_source.views) views.emplace_back(each.name, each.id);
  m_view = choice(tr("&View"), "view", views);
  const auto& trace = m_source.recording->trace;
  const int last = static_cast<int>(trace.length(m_source.warp)) - 1;
  const FrameRange first = firstKTile(trace, m_source.warp);
  m_from = number("from", 0, last, static_cast<int>(first.from));
  m_to = number("to", 0, last, static_cast<int>(first.to));
  addRow(*form, tr("&Instructions"), m_from, beside(m_from, tr("to"), m_to));
  m_every = choice(tr("A frame &for each"), "every",
                   {{tr("k"), QStringLiteral("k")},
                    {tr("instruction"), QStringLiteral("instruction")},
                    {tr("K tile"), QStringLiteral("ktile")},
                    {tr("of %1 equal parts").arg(kEvenFrames), QStringLiteral("even")}});
  selectStep(usualStep(trace, m_source.warp, first));
  m_fps = number("fps", 1, kMostFps, usualFps(indices().size()));
  form->addRow(tr("Frames a &second"), m_fps);
  m_width = number("width", kLeastSide, kMostSide, kLeastSide);
  m_height = number("height", kLeastSide, kMostSide, kLeastSide);
  addRow(*form, tr("Si&ze in pixels"), m_width, beside(m_width, QStringLiteral("×"), m_height));
  m_caption = new QCheckBox(tr("&Caption below the picture"));
  m_caption->setObjectName(QStringLiteral("caption"));
  m_caption->setChecked(true);
  form->addRow(QString(), m_caption);
  m_format = choice(tr("F&ormat"), "format",
                    {{tr("MP4 video"), QStringLiteral("mp4")},
                     {tr("GIF"), QStringLiteral("gif")},
                     {tr("Folder of PNGs"), QStringLiteral("frames")}});
  if (findFfmpeg().isEmpty()) m_format->setCurrentIndex(2);
  m_file = addFile(*form);
  m_file->setText(QDir::current().absoluteFilePath(
      proposedName(*trace.rung(), trace.tile, QStringLiteral("animation"))));

  connect(m_view, &QComboBox::currentIndexChanged, this, &AnimationDialog::takeView);
  // Until the user sets the rate, an animation has its default duration.
  connect(m_fps, &QSpinBox::valueChanged, this, [this] { m_ownPace = true; });
  for (QSpinBox* box : {m_from, m_to})
    connect(box, &QSpinBox::valueChanged, this, &AnimationDialog::takePace);
  connect(m_every, &QComboBox::currentIndexChanged, this, &AnimationDialog::takePace);
  connect(m_caption, &QCheckBox::toggled, this, &AnimationDialog::judge);
  connect(m_format, &QComboBox::currentIndexChanged, this, &AnimationDialog::takeFormat);
  return page;
}

const AnimatedView& AnimationDialog::view() const {
  return m_source.views.at(static_cast<std::size_t>(std::max(0, m_view->currentIndex())));
}

AnimationFormat AnimationDialog::format() const {
  const QString name = m_format->currentData().toString();
  return name == QLatin1String("mp4")   ? AnimationFormat::Mp4
         : name == QLatin1String("gif") ? AnimationFormat::Gif
                                        : AnimationFormat::Frames;
}

FrameRange AnimationDialog::range() const {
  return {static_cast<std::uint32_t>(m_from->value()), static_cast<std::uint32_t>(m_to->value())};
}

std::vector<std::uint32_t> AnimationDialog::indices() const {
  const QString name = m_every->currentData().toString();
  const auto step = std::ranges::find_if(
      kFrameSteps, [&name](const char* each) { return name == QLatin1String(each); });
  return frameIndices(m_source.recording->trace, m_source.warp, range(),
                      static_cast<FrameStep>(step - kFrameSteps.begin()));
}

void AnimationDialog::selectStep(FrameStep step) {
  m_every->setCurrentIndex(
      m_every->findData(QLatin1String(kFrameSteps[static_cast<std::size_t>(step)])));
}

void AnimationDialog::takePace() {
  if (!m_ownPace && m_from->value() <= m_to->value()) {
    const QSignalBlocker notByThePerson(m_fps);
    m_fps->setValue(usualFps(indices().size()));
  }
  judge();
}

// The default size is the size of the view on the screen. The window is exported as it is.
void AnimationDialog::takeView() {
  const bool window = view().id == QLatin1String(kWindowId.data(), qsizetype(kWindowId.size()));
  const QSizeF size = view().size;
  {
    const QSignalBlocker noWidth(m_width), noHeight(m_height);
    m_width->setValue(qRound(size.width()));
    m_height->setValue(qRound(size.height()));
  }
  m_width->setEnabled(!window);
  m_height->setEnabled(!window);
  judge();
}

void AnimationDialog::takeFormat() {
  QString name = m_file->text();
  for (const char* old : {".mp4", ".gif"}) {
    if (name.endsWith(QLatin1String(old), Qt::CaseInsensitive)) name.chop(4);
  }
  m_file->setText(name + suffixOf(format()));
  judge();
}

void AnimationDialog::browse() {
  const QString suffix = suffixOf(format());
  const QString name = QFileDialog::getSaveFileName(
      this, tr("Export an animation"), m_file->text(),
      suffix.isEmpty() ? tr("Folders (*)") : tr("Animations (*%1)").arg(suffix));
  if (!name.isEmpty()) m_file->setText(name);
}

// Says what the export writes, or why it cannot.
void AnimationDialog::judge() {
  if (!placed() || running()) return;
  QString problem;
  if (m_from->value() > m_to->value()) {
    problem = tr("the first instruction is after the last one: choose a smaller one");
  }
  const std::size_t frames = problem.isEmpty() ? indices().size() : 0;
  if (problem.isEmpty()) problem = whyNotAnimated(format(), frames, m_fps->value());
  if (problem.isEmpty()) {
    const auto target = animationTarget(m_file->text().trimmed());
    if (!target) {
      problem = target.error();
    } else if (target->format != format()) {
      problem =
          suffixOf(format()).isEmpty()
              ? tr("a folder name has no such suffix: remove it")
              : tr("the file name does not match its format: end it in %1").arg(suffixOf(format()));
    }
  }
  if (!problem.isEmpty()) return offer(problem, {});
  QString text = lengthText(frames, m_fps->value());
  if (format() != AnimationFormat::Frames && QFileInfo::exists(m_file->text().trimmed()))
    text += tr(" · replaces the existing file");
  offer({}, text);
}

void AnimationDialog::begin() {
  if (running()) return;
  const auto target = animationTarget(m_file->text().trimmed());
  if (!target) return say(target.error(), true);
  AnimationSetup setup;
  setup.indices = indices();
  setup.fps = m_fps->value();
  setup.target = *target;
  auto paint = m_source.frames(view(), setup.indices, QSizeF(m_width->value(), m_height->value()),
                               m_caption->isChecked());
  if (!paint) return say(paint.error(), true);
  setup.paint = std::move(*paint);
  showRunning(static_cast<int>(setup.indices.size()));
  m_clock.start();
  m_writer = std::make_unique<AnimationWriter>(std::move(setup));
  connect(m_writer.get(), &AnimationWriter::progress, this, &AnimationDialog::showProgress);
  connect(m_writer.get(), &AnimationWriter::finished, this, &AnimationDialog::ended);
  m_writer->start();
}

void AnimationDialog::showProgress(int done, int total) {
  showDone(done, total);
  if (done == total) return say(tr("%1 of %2 frames, finishing").arg(done).arg(total), false);
  const double left =
      static_cast<double>(m_clock.elapsed()) / 1000.0 / done * static_cast<double>(total - done);
  say(tr("%1 of %2 frames, about %3 s left").arg(done).arg(total).arg(std::ceil(left)), false);
}

void AnimationDialog::ended(const QString& problem) {
  // Called from its own signal: it must not be deleted now.
  m_writer.release()->deleteLater();
  showEnded(problem, m_file->text().trimmed());
}

void AnimationDialog::cancel() {
  m_writer->cancel();
}

}  // namespace tileloom
