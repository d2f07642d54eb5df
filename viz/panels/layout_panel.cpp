// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/panels/layout_panel.h"

#include <QButtonGroup>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPainter>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <cmath>

#include "kernels/analysis/recording.h"
#include "viz/base/paint/table_picture.h"
#include "viz/base/text/labels.h"
#include "viz/base/text/last_word.h"
#include "viz/base/text/wrapped_text.h"
#include "viz/base/widgets/flow_layout.h"
#include "viz/panels/layout_model.h"
#include "viz/panels/number_box.h"

namespace tileloom {
namespace {

using analysis::ArrayLayout;
using analysis::LayoutForm;

QString linesScope() {
  return LayoutPanel::tr("Wavefronts of one K tile of the block, by line of the source");
}

constexpr int kOfAccess = 0;       // of the array buttons: whichever the present access touches
constexpr int kWideInChars = 140;  // from which on the table is beside the pictures

}  // namespace

LayoutPanel::LayoutPanel(QWidget* parent)
    : QWidget(parent),
      m_model(new LayoutModel(this)),
      m_before(new AccessView),
      m_after(new AccessView),
      m_table(new QTableView),
      m_scope(new ElidedLabel),
      m_question(new Prose),
      m_trouble(new Prose),
      m_verdict(new Prose),
      m_note(new Prose),
      m_footnote(new Prose),
      m_body(new QWidget) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 4, 0, 4);
  column->setSpacing(2);
  makeControls(*column);
  m_question->setObjectName(QStringLiteral("layoutQuestion"));
  m_trouble->setObjectName(QStringLiteral("layoutTrouble"));
  m_verdict->setObjectName(QStringLiteral("layoutVerdict"));
  for (Prose* words : {m_question, m_trouble, m_verdict, m_note, m_footnote})
    words->setContentsMargins(12, 0, 12, 0);
  m_footnote->setText(experimentFootnote());
  column->addWidget(m_question);
  column->addWidget(m_trouble);

  m_before->setObjectName(QStringLiteral("layoutBefore"));
  m_after->setObjectName(QStringLiteral("layoutAfter"));
  m_before->setAccessibleName(tr("The access as it was recorded: banks and wavefronts"));
  m_after->setAccessibleName(tr("The same access in the other layout: banks and wavefronts"));
  m_table->setObjectName(QStringLiteral("layoutLines"));
  m_table->setAccessibleName(tr("Accesses of one K tile before and after, by line"));
  m_table->setModel(m_model);
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);
  m_table->setShowGrid(false);
  m_table->setFrameShape(QFrame::NoFrame);
  m_table->setFocusPolicy(Qt::TabFocus);
  m_table->setWordWrap(false);
  m_table->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents);
  m_table->verticalHeader()->hide();
  m_table->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  m_table->horizontalHeader()->setHighlightSections(false);
  m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  m_table->horizontalHeader()->setMinimumSectionSize(8);
  const auto go = [this](const QModelIndex& index) {
    const analysis::LayoutLine* line = m_model->lineOf(index.row());
    if (line == nullptr) return;
    const auto& arrays = m_experiment.recording->trace.arrays;
    emit asked(line->line, line->kind, QString::fromStdString(arrays[line->array].name));
  };
  connect(m_table, &QTableView::clicked, this, go);
  connect(m_table, &QTableView::activated, this, go);

  m_pictures = new QBoxLayout(QBoxLayout::LeftToRight);
  m_pictures->setSpacing(1);
  m_pictures->addWidget(m_before, 1);
  m_pictures->addWidget(m_after, 1);
  auto* lines = new QVBoxLayout;
  lines->setSpacing(0);
  m_scope->setText(linesScope());
  m_scope->setContentsMargins(12, 4, 8, 2);
  lines->addWidget(m_scope);
  lines->addWidget(m_table, 1);
  auto* body = new QVBoxLayout(m_body);
  body->setContentsMargins(0, 0, 0, 0);
  body->setSpacing(2);
  m_across = new QBoxLayout(QBoxLayout::TopToBottom);
  m_across->setSpacing(2);
  m_across->addLayout(m_pictures, 1);
  m_across->addLayout(lines);
  m_note->setObjectName(QStringLiteral("layoutNote"));
  body->addWidget(m_note);
  body->addLayout(m_across, 1);
  body->addWidget(m_verdict);
  body->addWidget(m_footnote);
  column->addWidget(m_body, 1);
  restyle();
  showChoice();
}

QToolButton* LayoutPanel::makeButton(const QString& text, const char* id, QButtonGroup& group,
                                     int number) {
  auto* button = new QToolButton;
  button->setText(text);
  button->setObjectName(QLatin1String(id));
  button->setCheckable(true);
  button->setAutoRaise(true);
  button->setFocusPolicy(Qt::TabFocus);
  button->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  group.addButton(button, number);
  return button;
}

QSpinBox* LayoutPanel::makeBox(const char* id, int least, int most) {
  auto* box = new NumberBox;
  box->setObjectName(QLatin1String(id));
  box->setRange(least, most);
  box->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  connect(box, &QSpinBox::valueChanged, this, &LayoutPanel::takeBoxes);
  return box;
}

void LayoutPanel::makeControls(QBoxLayout& column) {
  // Controls that do not fit wrap to the next line.
  auto* controls = new FlowLayout;
  controls->setContentsMargins(8, 0, 8, 0);
  controls->setSpacing(14);
  const auto group = [&](int spacing) {
    auto* widget = new QWidget;
    auto* inner = new QHBoxLayout(widget);
    inner->setContentsMargins(0, 0, 0, 0);
    inner->setSpacing(spacing);
    controls->addWidget(widget);
    return inner;
  };
  QHBoxLayout* row = group(2);
  m_arrays = new QButtonGroup(this);
  row->addWidget(new QLabel(tr("Array")));
  row->addSpacing(4);
  m_arrayRow = new QHBoxLayout;
  m_arrayRow->setSpacing(2);
  row->addLayout(m_arrayRow);
  connect(m_arrays, &QButtonGroup::idClicked, this, [this](int id) {
    LayoutChoice choice = m_choice;
    choice.array = id == kOfAccess
                       ? std::string()
                       : m_scene.recording->trace.arrays[static_cast<std::size_t>(id)].name;
    take(choice);
  });

  row = group(2);
  m_layoutLabel = new QLabel(tr("Layout"));
  row->addWidget(m_layoutLabel);
  row->addSpacing(4);
  m_forms = new QButtonGroup(this);
  const auto form = [&](LayoutForm f, const QString& text, const char* id, const QString& tip) {
    QToolButton* b = makeButton(text, id, *m_forms, static_cast<int>(f));
    b->setToolTip(tip);
    row->addWidget(b);
  };
  form(LayoutForm::Recorded, tr("Recorded"), "layoutRecorded",
       tr("The layout that the kernel has"));
  form(LayoutForm::Plain, tr("Plain"), "layoutPlain",
       tr("Rows without padding words between them"));
  form(LayoutForm::Padded, tr("Padded"), "layoutPadded",
       tr("Padding words at the end of each row, so that the next row starts in another bank"));
  form(LayoutForm::Swizzled, tr("Swizzled"), "layoutSwizzled",
       tr("The chunks of each row are permuted differently; no padding words"));
  connect(m_forms, &QButtonGroup::idClicked, this, [this](int id) {
    LayoutChoice choice = m_choice;
    choice.layout.form = static_cast<LayoutForm>(id);
    choice.layout.pad = m_pad;
    if (m_swizzle) {
      choice.layout.swizzle = *m_swizzle;
    } else if (m_best && m_best->swizzle) {
      choice.layout.swizzle = m_best->swizzle->swizzle;
    } else if (m_experiment.ready()) {
      choice.layout.swizzle = usualSwizzle(m_experiment.shape);
    }
    take(choice);
  });

  const auto boxes = [&](std::initializer_list<std::pair<QString, QSpinBox*>> all) {
    QHBoxLayout* inner = group(4);
    for (const auto& [text, box] : all) {
      auto* label = new QLabel(text);
      label->setBuddy(box);
      inner->addWidget(label);
      inner->addWidget(box);
      inner->addSpacing(4);
    }
    return inner->parentWidget();
  };
  m_padBox = makeBox("layoutPad", 0, analysis::kMostPad);
  m_padBox->setAccessibleName(tr("Padding words per row"));
  m_padRow = boxes({{tr("padding words per row"), m_padBox}});
  m_bits = makeBox("layoutBits", 1, analysis::kMostSwizzleBits);
  m_base = makeBox("layoutBase", 0, analysis::kMostSwizzleBase);
  m_shift = makeBox("layoutShift", 1, analysis::kMostSwizzleShift);
  m_bits->setToolTip(tr("How many bits are XORed: 2 to this power chunks are permuted"));
  m_base->setToolTip(tr("A chunk has 2 to this power words, which stay together"));
  m_shift->setToolTip(tr("How many bits higher the bits are that are XORed into them"));
  m_swizzleRow = boxes({{tr("bits"), m_bits}, {tr("base"), m_base}, {tr("shift"), m_shift}});
  const auto best = [&](const char* id, auto layout) {
    auto* b = new QPushButton;
    b->setObjectName(QLatin1String(id));
    b->setFocusPolicy(Qt::TabFocus);
    connect(b, &QPushButton::clicked, this, [this, layout] {
      if (!m_best || !layout(*m_best)) return;
      LayoutChoice choice = m_choice;
      choice.layout = *layout(*m_best);
      take(choice);
    });
    return b;
  };
  m_bestPadding =
      best("layoutBestPadding", [](const analysis::BestLayouts& b) { return b.padding; });
  m_bestSwizzle =
      best("layoutBestSwizzle", [](const analysis::BestLayouts& b) { return b.swizzle; });
  controls->addWidget(m_bestPadding);
  controls->addWidget(m_bestSwizzle);
  column.addLayout(controls);
  setBest(std::nullopt);
}

void LayoutPanel::setBest(const std::optional<analysis::BestLayouts>& best) {
  m_best = best;
  const auto show = [&](QPushButton* button, const std::optional<ArrayLayout>& layout,
                        const QString& found, const QString& none) {
    button->setEnabled(layout.has_value());
    button->setText(!m_best ? tr("…") : layout ? found.arg(shortLayout(*layout)) : none);
  };
  show(m_bestPadding, best ? best->padding : std::nullopt, tr("Best padding: %1"),
       tr("No padding is better than plain rows"));
  show(m_bestSwizzle, best ? best->swizzle : std::nullopt, tr("Best swizzle: %1"),
       tr("No swizzle is better than plain rows"));
}

void LayoutPanel::choose(const LayoutChoice& choice) {
  if (choice.layout.form == LayoutForm::Padded) m_pad = choice.layout.pad;
  if (choice.layout.form == LayoutForm::Swizzled) m_swizzle = choice.layout.swizzle;
  m_choice = choice;
  showChoice();
}

void LayoutPanel::take(const LayoutChoice& choice) {
  const LayoutChoice before = m_choice;
  choose(choice);
  if (!(m_choice == before)) emit chosen(m_choice);
}

void LayoutPanel::takeBoxes() {
  const auto value = [](const QSpinBox* box) { return static_cast<std::uint32_t>(box->value()); };
  LayoutChoice choice = m_choice;
  if (choice.layout.form == LayoutForm::Padded) choice.layout.pad = value(m_padBox);
  if (choice.layout.form == LayoutForm::Swizzled) {
    // With a shift smaller than the number of XORed bits, words would coincide.
    const std::uint32_t bits = value(m_bits);
    choice.layout.swizzle = {bits, value(m_base), std::max(bits, value(m_shift))};
  }
  take(choice);
}

void LayoutPanel::showChoice() {
  const ArrayLayout& layout = m_choice.layout;
  for (QAbstractButton* b : m_forms->buttons())
    b->setChecked(m_forms->id(b) == static_cast<int>(layout.form));
  const auto set = [](QSpinBox* box, std::uint32_t value) {
    const QSignalBlocker quiet(box);
    box->setValue(static_cast<int>(value));
  };
  set(m_padBox, m_pad);
  set(m_bits, layout.swizzle.bits);
  set(m_base, layout.swizzle.base);
  {
    const QSignalBlocker quiet(m_shift);
    m_shift->setMinimum(static_cast<int>(layout.swizzle.bits));
  }
  set(m_shift, layout.swizzle.shift);
  showValues();
  showArrays();
}

void LayoutPanel::showArrays() {
  std::vector<std::pair<int, QString>> wanted = {{kOfAccess, tr("of this access")}};
  if (m_scene.ready()) {
    const auto& arrays = m_scene.recording->trace.arrays;
    for (std::size_t i = emulator::kFirstShared; i < arrays.size(); ++i)
      wanted.emplace_back(static_cast<int>(i), QString::fromStdString(arrays[i].name));
  }
  const auto there = m_arrays->buttons();
  bool same = static_cast<std::size_t>(there.size()) == wanted.size();
  for (const auto& [id, name] : wanted)
    same = same && m_arrays->button(id) != nullptr && m_arrays->button(id)->text() == name;
  if (!same) {
    for (QAbstractButton* b : there) {
      m_arrays->removeButton(b);
      retire(*b);
    }
    for (const auto& [id, name] : wanted) {
      QToolButton* b = makeButton(name, "layoutArray", *m_arrays, id);
      b->setObjectName(QStringLiteral("layoutArray%1").arg(id));
      b->setAccessibleName(tr("Array: %1").arg(name));
      m_arrayRow->addWidget(b);
    }
  }
  int chosen = kOfAccess;
  for (const auto& [id, name] : wanted) {
    if (id != kOfAccess && name.toStdString() == m_choice.array) chosen = id;
  }
  m_arrays->button(chosen)->setChecked(true);
}

// Without an experiment there is no layout to choose.
void LayoutPanel::showValues() {
  const bool ready = m_experiment.ready();
  m_layoutLabel->setVisible(ready);
  for (QAbstractButton* form : m_forms->buttons()) form->setVisible(ready);
  m_padRow->setVisible(ready && m_choice.layout.form == LayoutForm::Padded);
  m_swizzleRow->setVisible(ready && m_choice.layout.form == LayoutForm::Swizzled);
}

void LayoutPanel::setExperiment(const LayoutExperiment& experiment) {
  m_experiment = experiment;
  m_model->setExperiment(experiment);
  const bool ready = experiment.ready();
  const bool trouble = ready && isTrouble(experiment);
  for (QWidget* part :
       {m_body, static_cast<QWidget*>(m_bestPadding), static_cast<QWidget*>(m_bestSwizzle)})
    part->setVisible(ready);
  showValues();
  m_trouble->setVisible(trouble);
  m_verdict->setVisible(!trouble);
  m_question->setText(ready ? experimentQuestion(experiment) : experiment.whyNone);
  const QString verdict = ready ? experimentVerdict(experiment) : QString();
  for (Prose* words : {m_trouble, m_verdict}) words->setText(verdict);
}

void LayoutPanel::setScene(const Scene& scene) {
  m_scene = scene;
  showArrays();
  m_before->setScene(scene, m_experiment.recorded);
  m_after->setScene(scene, m_experiment.other);
  m_model->mark(scene.access ? &*scene.access : nullptr);
  const QString note = accessNote(scene, m_experiment);
  if (note != m_note->text()) m_note->setText(note);
  m_note->setVisible(!note.isEmpty());
}

void LayoutPanel::forget() {
  m_scene = {};
  m_experiment = {};
  m_model->setExperiment(m_experiment);
  m_before->setScene(m_scene, {});
  m_after->setScene(m_scene, {});
}

// With the pictures below each other: with both side by side the panel could never get narrow
// enough to stack them.
QSize LayoutPanel::minimumSizeHint() const {
  int controls = 0;
  for (const QWidget* child : findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
    if (child->isVisibleTo(this) && child != m_body)
      controls = std::max(controls, child->minimumSizeHint().width());
  return {std::max(controls, m_before->minimumSizeHint().width()),
          QWidget::minimumSizeHint().height()};
}

void LayoutPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange();
}

void LayoutPanel::arrange() {
  const bool wide = width() >= kWideInChars * fontMetrics().averageCharWidth();
  m_across->setDirection(wide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
  // Both halves are visible at once: side by side if they fit, else one below the other.
  const bool beside = width() > 2 * m_before->minimumSizeHint().width();
  m_pictures->setDirection(beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

void LayoutPanel::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) restyle();
}

void LayoutPanel::restyle() {
  const QFont small = Fonts::of(font()).small;
  m_table->setFont(small);
  m_table->horizontalHeader()->setFont(small);
  m_model->setStyle(Theme::of(palette()), small);
  QFont bold = font();
  bold.setWeight(QFont::DemiBold);
  m_question->setFont(bold);
  for (QLabel* words : {static_cast<QLabel*>(m_note), static_cast<QLabel*>(m_footnote),
                        static_cast<QLabel*>(m_scope)})
    setInk(*words, Ink::Soft);
  setInk(*m_trouble, Ink::Trouble);
  // Its rows, header, and a scroll bar's worth of room.
  const int line = QFontMetrics(small).height();
  m_table->setMinimumHeight(line * 8);
  arrange();
}

QSizeF LayoutPanel::pictureSize(const QSizeF& screen) const {
  const QSizeF table = TablePicture(*m_model, {}, font()).size();
  const double line = QFontMetricsF(font()).height();
  return {std::max(screen.width(), table.width()), std::ceil(line * 32 + table.height())};
}

void LayoutPanel::paintTo(QPainter& p, const QSizeF& size, const Theme& theme,
                          const QFont& font) const {
  const Fonts fonts = Fonts::of(font);
  p.fillRect(QRectF(QPointF(0, 0), size), theme.ground);
  const double line = QFontMetricsF(fonts.body).height() * 1.25, margin = line * 0.7;
  double y = margin;
  const auto words = [&](const QRectF& room, const QString& text, const QFont& f,
                         const QColor& ink) {
    p.setFont(f);
    p.setPen(ink);
    QRectF used;
    drawWrapped(p, room, Qt::AlignLeft | Qt::AlignTop, text, &used);
    return used.height();
  };
  const auto across = [&](double top) {
    return QRectF(margin, top, size.width() - 2 * margin, std::max(1.0, size.height() - top));
  };
  if (!m_experiment.ready()) {
    words(across(y), m_experiment.whyNone, fonts.body, theme.soft);
    return;
  }
  y += words(across(y), experimentQuestion(m_experiment), fonts.title, theme.text) + line * 0.2;
  y += words(across(y), experimentVerdict(m_experiment), fonts.body,
             isTrouble(m_experiment) ? theme.trouble : theme.soft) +
       line * 0.6;
  if (const QString note = accessNote(m_scene, m_experiment); !note.isEmpty())
    y += words(across(y), note, fonts.body, theme.soft) + line * 0.3;

  // The table and the footnote need what they need; the pictures have the rest.
  const TablePicture table(*m_model, linesScope(), font);
  const double least = line * 12;
  const double height = std::max(least, size.height() - y - table.size().height() - line * 3);
  const double half = size.width() / 2;
  int side = 0;
  for (const OtherLayout& other : {m_experiment.recorded, m_experiment.other}) {
    const QRectF room(side++ * half, y, half, height);
    paintBanks(p, bankPicture(m_scene, room, fonts, other), m_scene, theme, fonts);
  }
  y += height;
  p.save();
  p.translate(0, y);
  const double below = std::max(1.0, size.height() - y - line * 2.6);
  table.paint(p, {size.width(), below}, theme, m_model->marked());
  p.restore();
  words({margin, y + below, size.width() - 2 * margin, size.height() - y - below},
        experimentFootnote(), fonts.small, theme.soft);
}

}  // namespace tileloom
