// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/waits/waits_words.h"

#include <algorithm>

#include "kernels/tile/architecture.h"
#include "viz/base/text/clauses.h"
#include "viz/base/text/describe.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/text/text.h"

namespace tileloom {
namespace {

using analysis::LeftOut;
using analysis::Sleeper;
using analysis::WaitEdge;
using analysis::WaitGraph;
using analysis::WaitNode;
using analysis::WaitOn;
using analysis::WaitPoint;

using Words = WaitsWords;

QString warpsOf(std::uint32_t first, std::uint32_t count) {
  return count == 1 ? Words::tr("warp %1").arg(first)
                    : Words::tr("warps %1 to %2").arg(first).arg(first + count - 1);
}

// Several warps, or one: for verbs.
bool plural(const WaitGraph& graph, std::size_t node) {
  const WaitNode& n = graph.nodes[node];
  if (n.role.empty() && n.groups > 1) return false;  // "warpgroup 0"
  return n.kind == WaitNode::Kind::TensorCore || n.role.empty() ? n.count != 1
                                                                : n.role.ends_with('s');
}

QString recordedTiles(const WaitsData& data) {
  return counted(data.facts->tiles, Words::tr("1 recorded K tile"),
                 Words::tr("%1 recorded K tiles"));
}

QString shares(double part, double whole) {
  return Words::tr("%1 %").arg(figures::wholePercent(part / std::max(1.0, whole)));
}

QString linesText(const std::vector<std::uint16_t>& lines) {
  QStringList words;
  for (const std::uint16_t line : lines) words += QString::number(line);
  return lines.size() == 1 ? Words::tr("line %1").arg(words.front())
                           : Words::tr("lines %1").arg(enumerated(words));
}

// What a phase waits for, as the end of a sentence.
QString forText(const WaitPoint& point) {
  switch (point.on) {
    case WaitOn::Phase:
      return Words::tr("for a phase of %1").arg(pointName(point));
    case WaitOn::Products:
      return Words::tr("for their wgmma");
    case WaitOn::Copies:
      return Words::tr("for copies");
    case WaitOn::Stored:
      return Words::tr("for TMA stores of C");
    case WaitOn::Block:
    case WaitOn::Meeting:
    case WaitOn::Cluster:
      return Words::tr("at %1").arg(pointName(point));
    case WaitOn::Registers:
      return Words::tr("for registers");
  }
  return {};
}

}  // namespace

QString nodeName(const WaitGraph& graph, std::size_t node) {
  const WaitNode& n = graph.nodes.at(node);
  switch (n.kind) {
    case WaitNode::Kind::CopyEngine:
      return Words::tr("TMA");
    case WaitNode::Kind::TensorCore:
      return Words::tr("tensor cores");
    case WaitNode::Kind::Copies:
      return Words::tr("copies in flight");
    case WaitNode::Kind::Warps:
      break;
  }
  if (n.role.empty()) {
    if (n.other) return Words::tr("its warps");
    return n.groups > 1 ? Words::tr("warpgroup %1").arg(n.group) : warpsOf(n.first, n.count);
  }
  const QString role = toQString(n.role);
  return n.groups > 1 ? Words::tr("%1 %2").arg(role).arg(n.group) : role;
}

QString nodeDetail(const WaitGraph& graph, std::size_t node) {
  const WaitNode& n = graph.nodes.at(node);
  if (n.kind == WaitNode::Kind::Warps && n.count > 0) {
    // Without a role the name already gives these warps.
    return n.role.empty() && n.groups == 1 ? Words::tr("all of the block")
                                           : warpsOf(n.first, n.count);
  }
  if (n.kind == WaitNode::Kind::CopyEngine) return Words::tr("copies boxes");
  if (n.kind == WaitNode::Kind::TensorCore) return Words::tr("run asynchronously");
  if (n.kind == WaitNode::Kind::Copies) return Words::tr("cp.async");
  return Words::tr("do the same");
}

QString otherBlockName(std::uint32_t rank) {
  return WaitsWords::tr("block %1 of the cluster").arg(rank);
}

QString pointName(const WaitPoint& point) {
  switch (point.on) {
    case WaitOn::Phase:
      return toQString(point.name);
    case WaitOn::Products:
      return Words::tr("wait_products");
    case WaitOn::Copies:
      return Words::tr("wait_copies");
    case WaitOn::Stored:
      return Words::tr("wait_boxes");
    case WaitOn::Block:
      return Words::tr("__syncthreads()");
    case WaitOn::Meeting:
      return Words::tr("meet(%1)").arg(point.number);
    case WaitOn::Cluster:
      return Words::tr("meet_cluster()");
    case WaitOn::Registers:
      return Words::tr("registers");
  }
  return {};
}

QString pointDetail(const WaitPoint& point) {
  switch (point.on) {
    case WaitOn::Phase:
      return Words::tr("%1, %2").arg(
          counted(point.barriers, Words::tr("1 barrier"), Words::tr("%1 barriers")),
          point.barriers == 1
              ? counted(point.arrivals, Words::tr("1 arrival"), Words::tr("%1 arrivals"))
              : counted(point.arrivals, Words::tr("1 arrival each"),
                        Words::tr("%1 arrivals each")));
    case WaitOn::Products:
      return Words::tr("of its own warpgroup");
    case WaitOn::Copies:
      return Words::tr("cp.async groups");
    case WaitOn::Stored:
      return Words::tr("read by TMA stores");
    case WaitOn::Meeting:
      return Words::tr("%1 threads").arg(point.arrivals);
    case WaitOn::Block:
      return Words::tr("all threads of the block");
    case WaitOn::Cluster:
      return Words::tr("all threads of the cluster");
    case WaitOn::Registers:
      return Words::tr("that others release");
  }
  return {};
}

QString standstillText(const WaitsData& data) {
  if (!data.standstill) return {};
  if (data.standstill->cycles < 0.5) return Words::tr("never idle");
  return Words::tr("idle %1 of %2 cycles")
      .arg(figures::grouped(data.standstill->cycles), figures::grouped(data.cyclesPerTile));
}

QString waiterText(const WaitsData& data, std::size_t point, std::size_t waiter) {
  const WaitEdge& edge = data.facts->graph.points.at(point).waiters.at(waiter);
  const QString times = Words::tr("%1 ×").arg(edge.times), cycles = cyclesText(data, point, waiter);
  return cycles.isEmpty() ? times : Words::tr("%1, %2 cycles").arg(times, cycles);
}

QString wholeWaiterText(const WaitsData& data, std::size_t point, std::size_t waiter) {
  const WaitEdge& edge = data.facts->graph.points.at(point).waiters.at(waiter);
  const QString times = Words::tr("%1 × in %2").arg(edge.times).arg(recordedTiles(data));
  const QString cycles = cyclesText(data, point, waiter);
  return cycles.isEmpty() ? times
                          : Words::tr("%1, predicted %2 cycles per K tile").arg(times, cycles);
}

QString cyclesText(const WaitsData& data, std::size_t point, std::size_t waiter) {
  if (point >= data.cycles.size() || data.cycles[point][waiter] < 0.5) return {};
  return figures::grouped(data.cycles[point][waiter]);
}

QString enderText(const WaitsData& data, std::size_t point, std::size_t ender) {
  const WaitGraph& graph = data.facts->graph;
  const WaitPoint& p = graph.points.at(point);
  const WaitEdge& edge = p.enders.at(ender);
  switch (graph.nodes[edge.node].kind) {
    case WaitNode::Kind::CopyEngine:
      return counted(edge.times, Words::tr("1 box"), Words::tr("%1 boxes"));
    case WaitNode::Kind::TensorCore:
      return counted(edge.times, Words::tr("1 wgmma"), Words::tr("%1 wgmma"));
    case WaitNode::Kind::Copies:
      return counted(edge.times, Words::tr("1 group"), Words::tr("%1 groups"));
    case WaitNode::Kind::Warps:
      break;
  }
  if (p.on == WaitOn::Registers) return Words::tr("keeps %1").arg(edge.perThread);
  return counted(edge.times, Words::tr("1 arrival"), Words::tr("%1 arrivals"));
}

QString sleepPlace(const WaitsData& data, const Sleeper& s) {
  const WaitGraph& graph = data.facts->graph;
  if (s.point >= graph.points.size()) return Words::tr("meet_warp()");
  const WaitPoint& point = graph.points[s.point];
  if (point.on != WaitOn::Phase) return pointName(point);
  return Words::tr("%1[%2], phase %3")
      .arg(toQString(point.name))
      .arg(s.index)
      .arg(static_cast<std::int32_t>(s.phase));
}

QString lackText(const WaitsData& data, const Sleeper& s) {
  const WaitGraph& graph = data.facts->graph;
  if (s.point >= graph.points.size()) return Words::tr("not all lanes have arrived");
  const WaitPoint& point = graph.points[s.point];
  switch (point.on) {
    case WaitOn::Phase: {
      QStringList lacks;
      if (s.missing > 0) {
        lacks += Words::tr("%1 of %2")
                     .arg(s.missing)
                     .arg(counted(s.expected, Words::tr("1 arrival"), Words::tr("%1 arrivals")));
      }
      if (s.announced > s.come) {
        lacks += Words::tr("%1 of %2 bytes")
                     .arg(figures::grouped(s.announced - s.come), figures::grouped(s.announced));
      }
      QString what = lacks.isEmpty() ? QString() : Words::tr("lacks %1").arg(enumerated(lacks));
      if (s.come > s.announced) {
        const QString more = Words::tr("has got %1 bytes that were not expected")
                                 .arg(figures::grouped(s.come - s.announced));
        what = what.isEmpty() ? more : Words::tr("%1 and %2").arg(what, more);
      }
      return what;
    }
    case WaitOn::Meeting:
      return Words::tr("lacks %1 of %2 threads").arg(s.missing).arg(s.expected);
    case WaitOn::Registers:
      return Words::tr("lacks %1 per thread, the pool has %2")
          .arg(s.wants - s.has)
          .arg(figures::grouped(s.pool));
    case WaitOn::Products:
      return Words::tr("not all lanes have issued the wgmma");
    case WaitOn::Block:
    case WaitOn::Cluster:
    case WaitOn::Copies:
    case WaitOn::Stored:
      return Words::tr("not all arrive");
  }
  return {};
}

QString sleeperText(const WaitsData& data, const Sleeper& s) {
  const WaitGraph& graph = data.facts->graph;
  const QString who = Words::tr("%1 (%2)").arg(
      nodeName(graph, s.node), s.threads == 1 ? Words::tr("thread %1").arg(s.thread)
                                              : Words::tr("%1 threads").arg(s.threads));
  return (s.threads == 1 ? Words::tr("%1 waits in line %2 at %3: %4")
                         : Words::tr("%1 wait in line %2 at %3: %4"))
      .arg(who)
      .arg(s.line)
      .arg(sleepPlace(data, s), lackText(data, s));
}

QString omissionText(const WaitGraph& graph, const LeftOut& what) {
  const WaitPoint& point = graph.points.at(what.point);
  if (point.on == WaitOn::Registers) return Words::tr("release of registers");
  return what.boxes ? Words::tr("TMA loads to %1").arg(toQString(point.name))
                    : Words::tr("arrivals at %1").arg(toQString(point.name));
}

namespace {

// What warps do while the tensor cores are idle.
QString partText(const timeline::Standstill::Part& part) {
  const QString cycles = figures::grouped(part.cycles);
  switch (part.on) {
    case timeline::On::Products:
      return Words::tr("%1 for their wgmma").arg(cycles);
    case timeline::On::Warps:
      return Words::tr("%1 for other warps").arg(cycles);
    case timeline::On::Phase:
      return Words::tr("%1 for a stage to be filled").arg(cycles);
    case timeline::On::Nothing:
      return Words::tr("%1 not at all").arg(cycles);
    default:
      return Words::tr("%1 for something else").arg(cycles);
  }
}

QString standstillSentence(const WaitsData& data) {
  if (!data.standstill) return {};
  const timeline::Standstill& s = *data.standstill;
  if (s.cycles < 0.5) return Words::tr("Predicted: the tensor cores are never idle. ");
  QStringList parts;
  for (const timeline::Standstill::Part& part : s.parts) parts += partText(part);
  QString text =
      Words::tr("Predicted: the tensor cores are idle for %1 of %2 cycles per K tile (%3)")
          .arg(figures::grouped(s.cycles), figures::grouped(data.cyclesPerTile),
               shares(s.cycles, data.cyclesPerTile));
  if (data.facts->waitsForAll)
    text = Words::tr("%1, since wait_products(0) leaves no wgmma in flight").arg(text);
  return parts.isEmpty() ? Words::tr("%1. ").arg(text)
                         : Words::tr("%1; of these, warps wait %2. ").arg(text, enumerated(parts));
}

// "3.4 % for other warps (sampled: 2.2 %)"; empty: neither was measured, or it is nothing.
QString measuredPart(const timeline::ComparedWait& wait) {
  const std::optional<double> first = wait.timed     ? wait.timed
                                      : wait.sampled ? wait.sampled
                                                     : wait.stamped;
  if (!first || std::max(*first, wait.sampled.value_or(0)) < 0.0005) return {};
  const bool multiplies = wait.who == timeline::Who::Multiply;
  const auto what = [&] {
    switch (wait.on) {
      case timeline::On::Products:
        return Words::tr("for their wgmma");
      case timeline::On::Warps:
        return Words::tr("at barriers for other warps");
      case timeline::On::Phase:
        return multiplies ? Words::tr("for a stage to be filled") : Words::tr("for an empty stage");
      case timeline::On::Copies:
        return Words::tr("for copies");
      case timeline::On::Memory:
        return Words::tr("for loads from global memory");
      case timeline::On::Boxes:
        return Words::tr("for TMA stores");
      default:
        return Words::tr("for something else");
    }
  };
  const QString text = Words::tr("%1 % %2").arg(figures::percentText(100 * *first)).arg(what());
  return wait.timed && wait.sampled
             ? Words::tr("%1 (sampled: %2 %)").arg(text, figures::percentText(100 * *wait.sampled))
             : text;
}

// What a GPU has measured, and how. Empty: nothing.
QString measuredSentence(const WaitsData& data) {
  if (!data.measured) return {};
  const timeline::Comparison& c = *data.measured;
  const QString how = c.timed                ? Words::tr("Timed on a GPU")
                      : !c.sampledOn.empty() ? Words::tr("Sampled on a GPU")
                                             : Words::tr("Timestamped on a GPU");
  QStringList all;
  for (const timeline::Who who : {timeline::Who::Multiply, timeline::Who::Bring}) {
    QStringList parts;
    for (const timeline::ComparedWait& wait : c.waits) {
      if (const QString part = measuredPart(wait); wait.who == who && !part.isEmpty())
        parts += part;
    }
    if (!parts.isEmpty())
      all += (who == timeline::Who::Multiply ? Words::tr("warps that multiply wait %1")
                                             : Words::tr("warps that load wait %1"))
                 .arg(enumerated(parts));
  }
  return all.isEmpty() ? QString() : Words::tr("%1: %2. ").arg(how, all.join(QStringLiteral("; ")));
}

}  // namespace

QString waitsSentence(const WaitsData& data) {
  if (!data.ready()) return Words::tr("Nothing is recorded yet.");
  const WaitGraph& graph = data.facts->graph;
  if (data.deadlock()) {
    QStringList all;
    for (const Sleeper& s : data.sleepers) all += sleeperText(data, s);
    const QString text = all.join(Words::tr("; "));
    return data.without
               ? Words::tr("Deadlock without %1: %2.").arg(omissionText(graph, *data.without), text)
               : Words::tr("Deadlock: %1.").arg(text);
  }
  if (data.without) {
    return Words::tr("Without %1, all threads still finish.")
        .arg(omissionText(graph, *data.without));
  }
  // A deadlock that the replay does not find: the emulator's words.
  if (!data.facts->fault.empty()) return Words::tr("%1.").arg(toQString(data.facts->fault));
  if (graph.points.empty()) return Words::tr("No warp waits for another: there is no barrier.");
  struct Long {
    double cycles = 0;
    std::size_t point = 0, node = 0;
  };
  std::vector<Long> waits;
  for (std::size_t p = 0; p < data.cycles.size(); ++p) {
    for (std::size_t w = 0; w < data.cycles[p].size(); ++w) {
      if (data.cycles[p][w] >= 0.5)
        waits.push_back({data.cycles[p][w], p, graph.points[p].waiters[w].node});
    }
  }
  if (data.cyclesPerTile <= 0) {
    return Words::tr("Waits between warps in the %1.").arg(recordedTiles(data));
  }
  std::ranges::stable_sort(waits, std::ranges::greater(), &Long::cycles);
  constexpr std::size_t kMost = 4;
  if (waits.size() > kMost) waits.resize(kMost);
  QStringList texts;
  for (const Long& wait : waits) {
    texts += (plural(graph, wait.node) ? Words::tr("%1 wait %2 %3") : Words::tr("%1 waits %2 %3"))
                 .arg(nodeName(graph, wait.node), shares(wait.cycles, data.cyclesPerTile),
                      forText(graph.points[wait.point]));
  }
  // Measured figures come before predicted ones.
  const QString still =
      measuredSentence(data) +
      (data.timestamped > 0 ? Words::tr("Timestamped on a GPU: %1 cycles per K tile. ")
                                  .arg(figures::grouped(data.timestamped))
                            : QString()) +
      standstillSentence(data);
  if (texts.isEmpty()) {
    return still + Words::tr("Predicted: no warp waits at these within the %1 cycles of a K tile.")
                       .arg(figures::grouped(data.cyclesPerTile));
  }
  return still +
         Words::tr("Predicted, as shares of each warp's own time, %1 cycles per K tile: %2.")
             .arg(figures::grouped(data.cyclesPerTile), texts.join(Words::tr(", ")));
}

QString waitsNote(const WaitsData& data) {
  QString text = Words::tr("Counts (5 ×, 24 groups, …) are of the %1 together, not per K tile.")
                     .arg(recordedTiles(data));
  if (data.cyclesPerTile > 0)
    text += Words::tr(
                " Cycles are per K tile and warp, predicted by a virtual clock with the "
                "rates of %1.")
                .arg(figures::deviceText(data.device));
  if (data.deadlock())
    text += Words::tr(" A circle of red arrows never resolves: each waits for the next.");
  return text;
}

QString nodeText(const WaitsData& data, std::size_t node) {
  const WaitGraph& graph = data.facts->graph;
  const WaitNode& n = graph.nodes.at(node);
  QStringList lines;
  lines += n.other
               ? Words::tr("%1 of the block with rank %2").arg(nodeName(graph, node)).arg(n.rank)
               : Words::tr("%1 (%2)").arg(nodeName(graph, node), nodeDetail(graph, node));
  for (std::size_t p = 0; p < graph.points.size(); ++p) {
    const WaitPoint& point = graph.points[p];
    for (std::size_t w = 0; w < point.waiters.size(); ++w) {
      if (point.waiters[w].node != node) continue;
      lines += Words::tr("waits at %1: %2 (%3)")
                   .arg(pointName(point), wholeWaiterText(data, p, w),
                        linesText(point.waiters[w].lines));
    }
    for (std::size_t e = 0; e < point.enders.size(); ++e) {
      if (point.enders[e].node != node) continue;
      lines += Words::tr("ends waits at %1: %2 (%3)")
                   .arg(pointName(point), enderText(data, p, e), linesText(point.enders[e].lines));
    }
  }
  for (const Sleeper& s : data.sleepers) {
    if (s.node == node) lines += sleeperText(data, s);
  }
  return lines.join(u'\n');
}

QString pointText(const WaitsData& data, std::size_t index) {
  const WaitGraph& graph = data.facts->graph;
  const WaitPoint& point = graph.points.at(index);
  QStringList lines;
  lines += Words::tr("%1: %2").arg(pointName(point), pointDetail(point));
  for (std::size_t w = 0; w < point.waiters.size(); ++w) {
    lines += Words::tr("%1 waits here: %2 (%3)")
                 .arg(nodeName(graph, point.waiters[w].node), wholeWaiterText(data, index, w),
                      linesText(point.waiters[w].lines));
  }
  for (std::size_t e = 0; e < point.enders.size(); ++e) {
    const WaitNode& node = graph.nodes[point.enders[e].node];
    QString who = nodeName(graph, point.enders[e].node);
    if (node.other) who = Words::tr("%1 of the block with rank %2").arg(who).arg(node.rank);
    lines += Words::tr("%1: %2 (%3)")
                 .arg(who, enderText(data, index, e), linesText(point.enders[e].lines));
  }
  for (const Sleeper& s : data.sleepers) {
    if (s.point == index) lines += sleeperText(data, s);
  }
  return lines.join(u'\n');
}

QString poolSentence(const WaitsData& data) {
  const auto& all = data.facts->shares;
  if (all.empty()) return {};
  std::uint32_t threads = 0;
  for (const auto& share : all) threads += share.threads;
  QStringList parts;
  for (const auto& share : all) {
    if (share.after < share.before) {
      parts +=
          Words::tr("%1 keeps %2").arg(nodeName(data.facts->graph, share.node)).arg(share.after);
    } else if (share.after > share.before) {
      parts +=
          Words::tr("%1 take %2").arg(nodeName(data.facts->graph, share.node)).arg(share.after);
    }
  }
  return Words::tr(
             "Registers per thread: all %1 threads start with %2; then %3. A thread that "
             "multiplies needs about %4; %5 of them hold its sums.")
      .arg(threads)
      .arg(all.front().before)
      .arg(enumerated(parts))
      .arg(data.facts->needed)
      .arg(data.facts->results);
}

}  // namespace tileloom
