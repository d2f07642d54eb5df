// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/teaching/role_pairs.h"

#include <QCoreApplication>
#include <string_view>

#include "kernels/runs/recordings.h"
#include "kernels/tile/literature.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/subject.h"
#include "kernels/tile/words.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/text/library_text.h"
#include "viz/base/text/text.h"

namespace tileloom {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::TeachingPairs)
};

constexpr int kMiddle = 4096, kLarge = 8192;  // M = N = K

const Stage& rung(std::string_view id) {
  return *stageOfEitherLadder(id);
}

TileShape standard(std::string_view id) {
  return rung(id).standardTile();
}

// The tile of T7 and T9 for every rung that supports it, so that only the idea differs.
TileShape wide(std::string_view id) {
  return standard(id).with(Parameter::BN, 256).with(Parameter::CONSUMERS, 2);
}

const runs::RunRecord* recorded(std::string_view id, const TileShape& tile, int size) {
  return runs::recordedRun(usualSubject(rung(id), tile), {size, size, size});
}

// "95.7 %", of cublasGemmEx.
QString shareOf(std::string_view id, const TileShape& tile, int size) {
  const runs::RunRecord* run = recorded(id, tile, size);
  return run == nullptr ? Words::tr("–")
                        : Words::tr("%1 %").arg(figures::percentText(100 * run->ratio.median));
}

// "680.4 TFLOP/s, 87.6 %".
QString speedOf(std::string_view id, const TileShape& tile, int size) {
  const runs::RunRecord* run = recorded(id, tile, size);
  return run == nullptr ? Words::tr("–")
                        : Words::tr("%1 TFLOP/s, %2")
                              .arg(figures::speedText(run->gflops.median, run->format),
                                   shareOf(id, tile, size));
}

// "675.9 of 805.4 TFLOP/s, 83.9 %": what the literature's kernel reached beside its cuBLAS.
QString theirs(std::string_view id) {
  const RolesFigure figure = *rolesFigureOf(rung(id));
  return Words::tr("%1 of %2 TFLOP/s, %3 %")
      .arg(figures::grouped(figure.gflops / 1000, 1), figures::grouped(figure.cublas / 1000, 1),
           figures::percentText(100 * figure.gflops / figure.cublas));
}

// The reference of percentages, and the origin of the figures.
QString ofWhat() {
  const runs::RunRecord* run = recorded("overlapped", standard("overlapped"), kLarge);
  return run == nullptr ? figures::libraryName(Format::Bf16)
                        : Words::tr("%1 (%2; %3)")
                              .arg(figures::libraryName(Format::Bf16), figures::libraryOfSameRun(),
                                   figures::whereText(Freshness::Recorded, toQString(run->device)));
}

// One warp, one program.
TeachingPair rolesBelongToWarps() {
  return {rolesGroup(),
          Words::tr("Roles belong to warps, not to threads: T6 beside T8"),
          Words::tr(
              "A warp issues one instruction for its 32 threads. If these branch differently, it "
              "runs one side after the other: twice as long for two sides, up to 32 times as long "
              "for 32. Warps that take different branches cost nothing, since each executes on its "
              "own; so roles are given to warps. In T6 one thread of warp 0 issues the TMA loads "
              "while the other 31 are idle, and the three neighbouring warps wait for the next "
              "wgmma, which all four start together. In T8 a separate warp issues the loads. The "
              "first such kernels had warps that only load (CUDA-DMA), later ones warps that share "
              "one calculation (Singe). On Hopper and Blackwell warp specialisation is usual: TMA "
              "and the tensor cores run asynchronously, one instruction starts them, a wait checks "
              "whether they are done, and a warp serves each."),
          usualSubject(rung("multistage"), standard("multistage")),
          usualSubject(rung("specialised"), wide("specialised")),
          "timeline"};
}

// What roles cannot change, and the source of all that they can change.
TeachingPair onlyTheOrderDiffers() {
  return {
      rolesGroup(),
      Words::tr("What roles can change: T7 beside T9"),
      Words::tr(
          "Eight warps beside twelve, at the same tile. An SM has four schedulers: at most four "
          "warps issue in a cycle, however many there are, and its units are as fast with 4 warps "
          "as with 64. A unit is busy if there is work for it and a warp issues that work in time; "
          "roles change only the order in which instructions are issued. A warp issues in order: "
          "the hardware with which a CPU core issues independent instructions early takes area and "
          "energy that a GPU saves. So within one program the compiler has to interleave work of "
          "different units (the page SASS shows its order), and does it well if it knows how long "
          "each instruction takes. If that varies, as with memory, its order is a guess: data that "
          "arrive early leave a unit idle, data that arrive late stall the warp. Between warps the "
          "schedulers choose again in each cycle: with roles an SM is out of order exactly where "
          "one role meets another. That helps in three cases: resources, latency that varies, "
          "waits that block. The next pairs show them."),
      usualSubject(rung("overlapped"), standard("overlapped")),
      usualSubject(rung("consumers"), standard("consumers")),
      "timeline"};
}

TeachingPair resources() {
  const TileShape half = standard("specialised")
                             .with(Parameter::BM, 128)
                             .with(Parameter::BN, 192)
                             .with(Parameter::STAGES, 3);
  return {
      rolesGroup(),
      Words::tr("Resources: 128 × 192 of one warpgroup beside 256 × 192 of two"),
      Words::tr(
          "A thread has at most 255 registers; the rest is spilled to memory, which is slow. More "
          "warps have more registers: Singe distributed the temporary values of one formula over "
          "several warps, and here a second warpgroup holds the other half of the accumulators. "
          "There are 192 per thread in both; one warpgroup alone would need 384 for 256 rows. Both "
          "warpgroups run the same program, so this alone is not warp specialisation. But a "
          "producer is one more warp, the ninth: one of the four schedulers then has three warps, "
          "and no thread may have more than 168 registers. T8 refuses 256 × 192, which T7 accepts "
          "without roles. In T9 the producer is a whole warpgroup, setmaxnreg moves registers from "
          "the producer to the consumers, and the tile fits again: the page Waits shows which role "
          "gives and which takes them. 256 × 256 fits nowhere: two warpgroups would hold 256 FP32 "
          "accumulators per thread. The literature multiplies that tile with FP16 accumulators, "
          "two to a register: 256 registers for one warpgroup, too many, and 128 for each of two."),
      usualSubject(rung("specialised"), half),
      usualSubject(rung("consumers"), standard("consumers")
                                          .with(Parameter::BM, 256)
                                          .with(Parameter::BN, 192)
                                          .with(Parameter::STAGES, 3)),
      "waits"};
}

TeachingPair latencyThatVaries() {
  const auto three = [](std::string_view id) { return standard(id).with(Parameter::STAGES, 3); };
  return {.group = rolesGroup(),
          .name = Words::tr("Latency that varies: T7 beside T9, memory 0 to 3,000 cycles slower"),
          .look = Words::tr(
              "Each K tile of A and each of B arrives up to 3,000 cycles later, in both kernels by "
              "the same numbers, and three stages cannot hide that. In T7 the thread that issues "
              "the TMA loads also waits for them: it refills a free stage only when the next K "
              "tile has arrived. In T9 the producer issues a load as soon as a stage is empty. On "
              "the timeline T9 needs 1,519 cycles per K tile and T7 1,666. T6, which leaves no "
              "wgmma in flight and so also issues at once, needs 1,537; but with the usual latency "
              "it is 14 % slower than both others. Which order of waits is better depends on the "
              "latency; with roles it need not be known. Roles hide no latency that the stages do "
              "not hide: most of the loss is the longer mean. With 2,000 cycles for all, T9 needs "
              "1,431 and T7 1,603. Drag both sliders."),
          .baseline = usualSubject(rung("overlapped"), three("overlapped")),
          .now = usualSubject(rung("consumers"), three("consumers")),
          .page = "timeline",
          .size = 4096,
          .varies = 3000};
}

TeachingPair waitsThatBlock() {
  return {
      rolesGroup(),
      Words::tr("Waits that block: T6 beside T7"),
      Words::tr(
          "Both are without roles: T6 is v1 of the literature, %1, and T7 its v2. T6 waits for its "
          "wgmma before it issues more, and the tensor cores are idle until then: see their row. "
          "In T7 that wait was moved by hand: the next wgmma are issued first, one group is always "
          "in flight, and the gap is closed. At 8192 in bf16 with FP32 accumulators T6 reaches %2, "
          "T7 %3 of %4. The literature, in fp16 beside its own cuBLAS: v1 %5, v2 %6. Its kernels "
          "have 256 × 256 tiles, FP16 accumulators and pairs of blocks. So at that size roles are "
          "not needed to come within two percent of cuBLAS.")
          .arg(toQString(kRolesArticle), speedOf("multistage", standard("multistage"), kLarge),
               speedOf("overlapped", standard("overlapped"), kLarge), ofWhat(),
               theirs("multistage"), theirs("overlapped")),
      usualSubject(rung("multistage"), standard("multistage")),
      usualSubject(rung("overlapped"), standard("overlapped")),
      "timeline",
      0,
      kLarge};
}

TeachingPair wakesByItself() {
  return {
      rolesGroup(),
      Words::tr("Waits that block: T6 beside T9"),
      Words::tr(
          "Both wait for all of their wgmma. A wait stalls the warp with everything after it, even "
          "what does not depend on it. A compiler seldom moves code across a wait: it would have "
          "to prove that memory is not touched too early, and it cannot see what ends the wait "
          "(the page Waits draws it). In T9 nothing has to be moved: while one warpgroup is "
          "stalled, the wgmma of the other are in the tensor cores, since no __syncthreads() joins "
          "both in each K tile as in T6, and another warp issues the TMA loads. Like latency that "
          "varies, this is a case in which a good fixed order is hard to find."),
      usualSubject(rung("multistage"), standard("multistage")),
      usualSubject(rung("consumers"), standard("consumers")),
      "timeline"};
}

TeachingPair doRolesPay() {
  const auto share = [](std::string_view id) { return shareOf(id, wide(id), kMiddle); };
  return {rolesGroup(),
          Words::tr("Do roles pay? T7 beside T8 at the same tile"),
          Words::tr("Eight warps multiply the same tile from four stages in both. T7 issues its "
                    "TMA loads itself and keeps a group of wgmma in flight; in T8 a producer "
                    "issues the loads, and the consumers wait for all of their wgmma. At 4096 T7 "
                    "reaches %1, T8 %2, and T6, which does neither, %3 of %4: roles are one way to "
                    "fill the wait, and a group in flight is another. At 2048 T7 and T9 have %5 "
                    "and %6, at 8192 %7 and %8; what T10 to T13 build upon roles pays at 8192.")
              .arg(share("overlapped"), share("specialised"), share("multistage"), ofWhat(),
                   shareOf("overlapped", standard("overlapped"), 2048),
                   shareOf("consumers", standard("consumers"), 2048),
                   shareOf("overlapped", standard("overlapped"), kLarge),
                   shareOf("consumers", standard("consumers"), kLarge)),
          usualSubject(rung("overlapped"), standard("overlapped")),
          usualSubject(rung("specialised"), wide("specialised")),
          "timeline",
          0,
          kMiddle};
}

// The same change of the tile for both kinds of order.
TeachingPair aFixedOrderIsBrittle() {
  const auto two = [](std::string_view id) {
    return standard(id).with(Parameter::BK, 128).with(Parameter::STAGES, 2);
  };
  const auto change = [&](std::string_view id) {
    return Words::tr("from %1 to %2")
        .arg(shareOf(id, standard(id), kMiddle), shareOf(id, two(id), kMiddle));
  };
  return {
      rolesGroup(),
      Words::tr("A fixed order is brittle: T7 beside T9 with two long K tiles"),
      Words::tr(
          "T7's order of steps was made by hand for four stages. With BK 128 in two of them it no "
          "longer fits: one stage is read while the other is filled, so never more than one K tile "
          "is in flight, where T6 and T9 can have two. At 4096 T7 goes %1 of %2, T6 %3 and T9 %4. "
          "With roles the waits set the order again, for each tile and size. That is the "
          "trade-off: a fixed order takes thought for each tile, roles take barriers and a "
          "protocol that can deadlock (the page Waits shows how), but adapt to what they meet.")
          .arg(change("overlapped"), ofWhat(), change("multistage"), change("consumers")),
      usualSubject(rung("overlapped"), two("overlapped")),
      usualSubject(rung("consumers"), two("consumers")),
      "timeline",
      0,
      kMiddle};
}

TeachingPair whoFindsTheOrder() {
  return {
      rolesGroup(),
      Words::tr("Who finds the order? T3 beside T13"),
      Words::tr(
          "T3 multiplies as Ampere does: its copies are asynchronous and take any time, and yet "
          "all warps do the same, because a good order was found there at acceptable effort. T13 "
          "is the other end: a producer and two consumer warpgroups in each of two blocks, and "
          "barriers between all of them. Attention kernels go further: softmax, that is reductions "
          "and exponentials on the ordinary units, comes between two matrix products, no fixed "
          "order fills every gap, and on Blackwell the best of them have five kinds of warps: they "
          "load, multiply, do softmax, rescale and store. That order has to be found: by "
          "programmers that write roles or a fixed order; or by a compiler that orders "
          "instructions (NVCC) or assigns roles (Triton, Cypress), so far not as well as "
          "programmers that bypass it (Gluon). It is a trade of effort between the two. Future "
          "hardware may need it less, compilers may catch up, or tools may remove the traps."),
      usualSubject(rung("mmaring"), standard("mmaring")),
      usualSubject(rung("hopper"), standard("hopper")),
      "waits"};
}

}  // namespace

QString rolesGroup() {
  return Words::tr("Warp specialisation");
}

std::vector<TeachingPair> rolePairs() {
  return {rolesBelongToWarps(), onlyTheOrderDiffers(),  resources(),
          latencyThatVaries(),  waitsThatBlock(),       wakesByItself(),
          doRolesPay(),         aFixedOrderIsBrittle(), whoFindsTheOrder()};
}

}  // namespace tileloom
