// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/memory/chunk_picture.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <algorithm>
#include <bit>

#include "kernels/analysis/memory/boxes.h"
#include "viz/base/text/describe.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/text/text.h"
#include "viz/memory/bank_picture.h"

namespace tileloom {
namespace {

using analysis::ChunkPath;
using analysis::GroupProduct;
using analysis::Matrix;
using emulator::Kind;
using Cell = ChunkPicture::Cell;
using Grid = ChunkPicture::Grid;
using Station = ChunkPicture::Station;

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::MemoryPath)
};

// The box of this instruction or, if the warp moves nothing else, its latest one.
std::optional<std::uint32_t> boxInstruction(const Scene& scene, bool multiplies) {
  if (scene.moment.box) return scene.moment.index;
  if (scene.access || multiplies) return std::nullopt;
  for (std::uint32_t i = scene.moment.index; i-- > 0;) {
    if (scene.recording->moment(scene.moment.warp, i).box) return i;
  }
  return std::nullopt;
}

QString arrayName(const Scene& scene, const ChunkPath& path) {
  return toQString(scene.recording->trace.arrays[path.array].name);
}

// The permutation of a row's chunks by the swizzle: bits 4 to 6 of the byte address are XORed with
// bits 7 to 9, those that a row of this many bytes has (PTX ISA, "Swizzling modes").
QString swizzleWords(std::uint32_t swizzle) {
  switch (swizzle) {
    case 128:
      return Words::tr("place = chunk XOR row (swizzle 128)");
    case 64:
      return Words::tr("place = chunk XOR row / 2 (swizzle 64)");
    case 32:
      return Words::tr("place = chunk XOR row / 4 (swizzle 32)");
    default:
      return Words::tr("not swizzled");
  }
}

QString sectorWords(const Scene& scene, const emulator::BoxRecord& box) {
  return Words::tr("%1 sectors in the whole box")
      .arg(figures::grouped(double(analysis::sectorsOf(scene.recording->trace, box))));
}

class Layout {
 public:
  Layout(ChunkPicture& picture, const QRectF& canvas, const Fonts& fonts)
      : pic_(picture), canvas_(canvas), small_(fonts.small), body_(fonts.body) {}

  // Shared memory appears once per destination block.
  void place(const std::vector<Station>& stations) {
    const double text = small_.height();
    const double titles = 2.1 * body_.height();
    double gap = std::clamp(0.05 * canvas_.width(), 14.0, 70.0);
    double names = 0;
    for (const ChunkPath& path : pic_.paths) names = std::max(names, nameWidth(path));
    const double shared = small_.horizontalAdvance(QStringLiteral("Xx[00000]")) + 8;
    const double strips = small_.horizontalAdvance(QStringLiteral("00")) + 8;
    const auto labelOf = [&](Station s) {
      return s == Station::Global ? names : s == Station::Shared ? shared : strips;
    };
    double fixed = 0, grids = 0;
    for (const Station s : stations) {
      if (s == Station::CopyEngine) {
        fixed += engineWidth();
      } else {
        fixed += labelOf(s);
        ++grids;
      }
    }
    fixed += gap * static_cast<double>(stations.size() - 1);
    const double wide = std::max(24.0, (canvas_.width() - fixed) / grids);
    // If even the narrowest grids do not fit, the gaps between them shrink.
    const double missing = std::max(0.0, fixed + wide * grids - canvas_.width());
    gap = std::max(6.0, gap - missing / static_cast<double>(stations.size() - 1));
    const auto parts = static_cast<double>(pic_.paths.size());
    const double room = (canvas_.height() - titles) / parts;
    double left = canvas_.left();
    std::uint32_t sharedSeen = 0;
    for (const Station s : stations) {
      const bool engine = s == Station::CopyEngine;
      const double label = engine ? 0 : labelOf(s);
      const double width = engine ? engineWidth() : label + wide;
      ChunkPicture::Title title;
      // The last one ends with the canvas.
      const double most = std::max(1.0, canvas_.right() - left);
      title.place =
          QRectF(left, canvas_.top(), std::min(most, width + (engine ? 0 : 0.5 * gap)), titles);
      pic_.titles.push_back(title);
      if (!engine) {
        for (std::size_t p = 0; p < pic_.paths.size(); ++p) {
          const double top = canvas_.top() + titles + static_cast<double>(p) * room;
          grid(s, p, QRectF(left + label, top + 1.2 * text, wide, room - 1.4 * text), label,
               s == Station::Shared && sharedSeen > 0);
        }
        if (s == Station::Shared) ++sharedSeen;
      }
      left += width + gap;
    }
    for (std::size_t p = 0; p < pic_.paths.size(); ++p) {
      pic_.namePlaces.emplace_back(canvas_.left(),
                                   canvas_.top() + titles + static_cast<double>(p) * room,
                                   canvas_.width(), 1.2 * text);
    }
  }

 private:
  double engineWidth() const {
    return std::min(body_.horizontalAdvance(Words::tr("TMA")) + 4, 0.16 * canvas_.width());
  }

  double nameWidth(const ChunkPath& path) const {
    double widest = 0;
    for (const auto& chunk : path.chunks) {
      if (chunk.column == 0 && chunk.first)
        widest = std::max(widest, small_.horizontalAdvance(globalRow(path, chunk)));
    }
    return widest + 8;
  }

  void grid(Station station, std::size_t p, const QRectF& room, double label, bool echo) {
    const ChunkPath& path = pic_.paths[p];
    Grid g;
    g.station = station;
    g.path = p;
    g.label = label;
    g.echo = echo;
    g.columns = station == Station::Global ? path.columns : ChunkPath::kPerLine;
    g.rows = station == Station::Global   ? path.rows
             : station == Station::Shared ? static_cast<std::uint32_t>(path.lines.size())
                                          : path.wavefronts;
    // Rows of one height, so that eight of them are beside eight.
    const double high = std::clamp(room.height() / std::max({g.rows, path.rows, ChunkPath::kRows}),
                                   2.0, 2.2 * small_.height());
    g.body = QRectF(room.left(), room.top(), room.width(), high * g.rows);
    pic_.grids.push_back(g);
  }

  ChunkPicture& pic_;
  QRectF canvas_;
  QFontMetricsF small_, body_;
};

// The followed column of global memory: that of the selection, else `usual`.
std::size_t followed(const Scene& scene, const ChunkPath& path, std::size_t usual) {
  if (scene.selection.element) {
    if (const auto at = path.find(*scene.selection.element)) return path.chunks[*at].column;
  }
  return std::min<std::size_t>(usual, path.columns == 0 ? 0 : path.columns - 1);
}

void describeStations(ChunkPicture& picture, const std::vector<Station>& stations,
                      const std::vector<AccessVerdict>& costs, const std::vector<QString>& names,
                      const Fonts& fonts) {
  for (std::size_t i = 0; i < stations.size(); ++i) {
    picture.titles[i].name = names[i];
    picture.titles[i].verdict = costs[i];
  }
  if (stations.size() < 2) return;
  // The last station ends with the picture: if its first words do not fit above it, the one before
  // it makes room.
  QRectF& last = picture.titles[stations.size() - 1].place;
  const QFontMetricsF body(fonts.body);
  const QString& name = names.back();
  const bool several = name.contains(u',');
  const double words =
      body.horizontalAdvance(name.section(u',', 0, 0) + (several ? Words::tr(", …") : QString()));
  const double needed = std::min(body.horizontalAdvance(name), words) + 1;
  if (needed <= last.width()) return;
  last.setLeft(last.right() - needed);
  QRectF& before = picture.titles[stations.size() - 2].place;
  before.setRight(std::max(before.left(), std::min(before.right(), last.left() - 8)));
}

QString blocksWords(const emulator::BoxRecord& box) {
  QStringList ranks;
  for (std::uint32_t r = 0; r < 32; ++r) {
    if (box.ranks >> r & 1u) ranks += QString::number(r);
  }
  return ranks.join(Words::tr(" and "));
}

void ofBox(ChunkPicture& picture, const Scene& scene, std::uint32_t index, const QRectF& canvas,
           const Fonts& fonts) {
  const analysis::Moment asked = scene.recording->moment(scene.moment.warp, index);
  const emulator::BoxRecord& box = *asked.box;
  const bool stored = asked.instruction.kind == Kind::BoxStore;
  std::uint32_t row = 0;
  if (const auto& e = scene.selection.element; e && e->matrix == static_cast<Matrix>(box.matrix) &&
                                               e->row >= box.y &&
                                               e->row < std::int64_t{box.y} + box.rows)
    row = static_cast<std::uint32_t>(e->row - box.y);
  picture.paths = {analysis::chunkPath(*scene.recording, box, row)};
  const ChunkPath& path = picture.paths.front();
  const QString moment = describeMoment(asked);
  picture.what = index == scene.moment.index ? moment : Words::tr("latest box: %1").arg(moment);
  picture.names = {Words::tr("rows %1–%2 of the box's %3 · %4")
                       .arg(path.firstRow)
                       .arg(path.firstRow + path.rows - 1)
                       .arg(box.rows)
                       .arg(arrayName(scene, path))};
  picture.chosen = {followed(scene, path, 1)};
  const auto copies =
      stored ? 1u : std::max(1u, static_cast<std::uint32_t>(std::popcount(box.ranks)));
  std::vector<Station> stations = {Station::Global, Station::CopyEngine};
  std::vector<QString> names = {Words::tr("Global memory"), Words::tr("TMA")};
  std::vector<AccessVerdict> costs = {
      {sectorWords(scene, box), Tone::Plain},
      {copies > 1 ? Words::tr("fetched once") : Words::tr("no registers"), Tone::Plain}};
  for (std::uint32_t copy = 0, rank = 0; copy < copies; ++copy, ++rank) {
    while (copies > 1 && (box.ranks >> rank & 1u) == 0) ++rank;
    stations.push_back(Station::Shared);
    names.push_back(copies > 1 ? Words::tr("Shared memory of block %1").arg(rank)
                               : Words::tr("Shared memory, by bank"));
    costs.push_back(
        {copy == 0 ? swizzleWords(path.swizzle) : Words::tr("at the same addresses"), Tone::Plain});
  }
  if (stored) {
    std::ranges::reverse(stations);
    std::ranges::reverse(names);
    std::ranges::reverse(costs);
  }
  Layout(picture, canvas, fonts).place(stations);
  describeStations(picture, stations, costs, names, fonts);
  picture.note = Words::tr(
      "each colour is a chunk of 16 bytes of a row · lines follow one column "
      "of chunks · the next 8 rows repeat the pattern");
  if (copies > 1)
    picture.note =
        Words::tr("multicast to blocks %1 of the cluster · %2").arg(blocksWords(box), picture.note);
}

void ofProduct(ChunkPicture& picture, const Scene& scene, const GroupProduct& p,
               const QRectF& canvas, const Fonts& fonts, const std::optional<ShownReads>& before) {
  const ShownReads shown = shownReads(scene, p, before);
  picture.shown = shown;
  const OperandBanks banks =
      operandBanks(scene, std::make_shared<const GroupProduct>(p), canvas, fonts, picture.shown);
  picture.what = banks.what;
  picture.paths = {analysis::chunkPath(*scene.recording, p, Matrix::A, shown.row, 0),
                   analysis::chunkPath(*scene.recording, p, Matrix::B, shown.depthB, shown.column)};
  picture.names = {banks.a.name, banks.b.name};
  // The operands of a later wgmma may not have arrived yet.
  for (std::size_t i = picture.paths.size(); i-- > 0;) {
    if (!picture.paths[i].chunks.empty()) continue;
    picture.paths.erase(picture.paths.begin() + static_cast<std::ptrdiff_t>(i));
    picture.names.erase(picture.names.begin() + static_cast<std::ptrdiff_t>(i));
  }
  // In a low picture only one operand has distinguishable rows.
  const QFontMetricsF small(fonts.small);
  const bool low =
      canvas.height() < 2.1 * QFontMetricsF(fonts.body).height() +
                            2 * (1.4 * small.height() + 0.6 * ChunkPath::kRows * small.height());
  const bool ofB = scene.selection.element && scene.selection.element->matrix == Matrix::B;
  if (low && picture.paths.size() == 2) {
    picture.paths = {picture.paths[ofB ? 1 : 0]};
    picture.names = {picture.names[ofB ? 1 : 0]};
    picture.note = ofB ? Words::tr("B is shown: its element is selected · ")
                       : Words::tr("A is shown; select an element of B to see B · ");
  }
  for (const ChunkPath& path : picture.paths) {
    // Follows what this wgmma reads, not its neighbours in the lines.
    std::size_t usual = 0;
    for (const auto& chunk : path.chunks) {
      if (!chunk.wavefront) continue;
      usual = chunk.column;
      break;
    }
    picture.chosen.push_back(followed(scene, path, usual));
  }
  const std::vector<Station> stations = {Station::Global, Station::CopyEngine, Station::Shared,
                                         Station::TensorCore};
  Layout(picture, canvas, fonts).place(stations);
  describeStations(picture, stations,
                   {{Words::tr("source of the chunks"), Tone::Plain},
                    {Words::tr("copied them"), Tone::Plain},
                    {swizzleWords(p.first.swizzle), Tone::Plain},
                    banks.verdict},
                   {Words::tr("Global memory"), Words::tr("TMA"),
                    Words::tr("Shared memory, by bank"), Words::tr("Tensor core, by wavefront")},
                   fonts);
  picture.note += Words::tr(
      "each colour is a chunk of 16 bytes of a row · lines follow one read of 8 rows, one "
      "wavefront · dim: not read by this wgmma");
}

}  // namespace

QString globalRow(const ChunkPath& path, const ChunkPath::Chunk& first) {
  if (!first.first) return {};
  return QStringLiteral("%1[%2][%3–%4]")
      .arg(QChar(u"ABC"[static_cast<int>(path.matrix)]))
      .arg(first.first->row)
      .arg(first.first->column)
      .arg(first.first->column + path.columns * ChunkPath::kElements - 1);
}

QRectF Grid::cell(std::size_t row, std::size_t column) const {
  const double wide = body.width() / columns, high = body.height() / rows;
  return {body.left() + static_cast<double>(column) * wide,
          body.top() + static_cast<double>(row) * high, wide, high};
}

QRectF Grid::rowName(std::size_t row) const {
  const QRectF first = cell(row, 0);
  return {body.left() - label, first.top(), label - 5, first.height()};
}

QRectF ChunkPicture::cellOf(const Grid& grid, const ChunkPath::Chunk& chunk) const {
  const ChunkPath& path = paths[grid.path];
  switch (grid.station) {
    case Station::Global:
      return grid.cell(chunk.row, chunk.column);
    case Station::Shared:
      return grid.cell(path.lineOf(chunk), ChunkPath::groupOf(chunk));
    case Station::TensorCore:
      return chunk.wavefront ? grid.cell(*chunk.wavefront, ChunkPath::groupOf(chunk)) : QRectF();
    case Station::CopyEngine:
      return {};
  }
  return {};
}

std::optional<Cell> ChunkPicture::at(const QPointF& pixel) const {
  for (std::size_t g = 0; g < grids.size(); ++g) {
    if (!grids[g].body.contains(pixel)) continue;
    const auto& chunks = paths[grids[g].path].chunks;
    for (std::size_t i = 0; i < chunks.size(); ++i) {
      if (cellOf(grids[g], chunks[i]).contains(pixel)) return Cell{g, i};
    }
  }
  return std::nullopt;
}

std::optional<ChunkPicture> chunkPicture(const Scene& scene, const QRectF& canvas,
                                         const Fonts& fonts,
                                         const std::optional<ShownReads>& before) {
  if (!scene.ready()) return std::nullopt;
  const BankFrame frame = BankFrame::of(canvas, fonts);
  ChunkPicture picture;
  picture.header = frame.header;
  picture.footer = frame.footer;
  const QRectF room = frame.canvas.adjusted(0, 2, 0, -2);
  const auto product = scene.moment.box ? nullptr : productForBanks(scene);
  if (const auto index = boxInstruction(scene, product != nullptr)) {
    ofBox(picture, scene, *index, room, fonts);
  } else if (product != nullptr) {
    ofProduct(picture, scene, *product, room, fonts, before);
  } else {
    return std::nullopt;
  }
  if (picture.paths.empty()) return std::nullopt;
  return picture;
}

Selection chunkSelection(const Scene& scene, const ChunkPicture& picture, const Cell& cell) {
  const ChunkPath& path = picture.paths[picture.grids[cell.grid].path];
  const ChunkPath::Chunk& chunk = path.chunks[cell.chunk];
  Selection s;
  s.element = chunk.first;
  const auto& array = scene.recording->trace.arrays[path.array];
  s.word = analysis::SharedWord{path.array, chunk.byte / 2 - array.base * 2};
  return s;
}

QString describeChunk(const Scene& scene, const ChunkPicture& picture, const Cell& cell) {
  const ChunkPath& path = picture.paths[picture.grids[cell.grid].path];
  const ChunkPath::Chunk& chunk = path.chunks[cell.chunk];
  const auto& array = scene.recording->trace.arrays[path.array];
  const QString what = chunk.first
                           ? Words::tr("8 elements from %1 on").arg(describeElement(*chunk.first))
                           : Words::tr("zeros from outside the matrix");
  const std::uint32_t bank = 4 * ChunkPath::groupOf(chunk);
  const QString where = Words::tr("%1, in %2[%3], banks %4 to %5")
                            .arg(what, toQString(array.name))
                            .arg(chunk.byte / 2 - array.base * 2)
                            .arg(bank)
                            .arg(bank + 3);
  if (path.wavefronts == 0) return where;
  return chunk.wavefront ? Words::tr("%1, read in wavefront %2 of those shown")
                               .arg(where)
                               .arg(*chunk.wavefront + 1)
                         : Words::tr("%1, not read by this wgmma").arg(where);
}

Cell moveInChunks(const ChunkPicture& picture, std::optional<Cell> from, CursorMove move,
                  int count) {
  if (!from || from->grid >= picture.grids.size() ||
      from->chunk >= picture.paths[picture.grids[from->grid].path].chunks.size())
    return {};
  Cell cell = *from;
  for (int i = 0; i < count; ++i) {
    const std::size_t p = picture.grids[cell.grid].path;
    const auto& chunks = picture.paths[p].chunks;
    const auto columns = std::max(1u, picture.paths[p].columns);
    const auto row = chunks[cell.chunk].row;
    const auto to = [&](std::uint32_t wantedRow, std::uint32_t wantedColumn) {
      const auto found = std::ranges::find_if(chunks, [&](const ChunkPath::Chunk& c) {
        return c.row == wantedRow && c.column == wantedColumn;
      });
      if (found != chunks.end()) cell.chunk = static_cast<std::size_t>(found - chunks.begin());
    };
    const auto toGrid = [&](std::size_t grid) {
      const bool there = grid < picture.grids.size() && picture.grids[grid].path == p &&
                         !picture.cellOf(picture.grids[grid], chunks[cell.chunk]).isEmpty();
      if (there) cell.grid = grid;
    };
    // Grids are ordered by station, with one per path.
    const std::size_t step = picture.paths.size();
    switch (move) {
      case CursorMove::Left:
        if (cell.grid >= step) toGrid(cell.grid - step);
        break;
      case CursorMove::Right:
        toGrid(cell.grid + step);
        break;
      case CursorMove::Up:
        if (row > 0) to(row - 1, chunks[cell.chunk].column);
        break;
      case CursorMove::Down:
        to(row + 1, chunks[cell.chunk].column);
        break;
      case CursorMove::RowStart:
        to(row, 0);
        break;
      case CursorMove::RowEnd:
        to(row, columns - 1);
        break;
      case CursorMove::Next:
        if (cell.chunk + 1 < chunks.size()) {
          ++cell.chunk;
        } else if (p + 1 < picture.paths.size()) {
          cell = {cell.grid + 1, 0};
        }
        break;
      case CursorMove::Previous:
        if (cell.chunk > 0) {
          --cell.chunk;
        } else if (p > 0) {
          cell = {cell.grid - 1, picture.paths[p - 1].chunks.size() - 1};
        }
        break;
    }
  }
  if (picture
          .cellOf(picture.grids[cell.grid],
                  picture.paths[picture.grids[cell.grid].path].chunks[cell.chunk])
          .isEmpty())
    return *from;
  return cell;
}

}  // namespace tileloom
