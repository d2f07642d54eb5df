// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/rewrite/product_order.h"

#include <algorithm>
#include <array>
#include <utility>

namespace tileloom::rewrite {
namespace {

constexpr std::size_t kBlock = 4;  // products of two rows and two columns

using Block = std::array<Product, kBlock>;

// The blocks in the order in which they are visited: the inner pairs forwards and backwards.
std::vector<Block> blocksOf(const OuterProduct& product, bool columnsOutside) {
  const std::size_t outer = (columnsOutside ? product.columns : product.rows).size();
  const std::size_t inner = (columnsOutside ? product.rows : product.columns).size();
  std::vector<Block> blocks;
  for (std::size_t o = 0; o < outer; o += 2) {
    for (std::size_t step = 0; step < inner; step += 2) {
      const std::size_t i = o / 2 % 2 == 0 ? step : inner - 2 - step;
      Block block;
      std::size_t next = 0;
      for (const std::size_t second : {o, o + 1}) {
        for (const std::size_t first : {i, i + 1})
          block[next++] = columnsOutside ? Product{first, second} : Product{second, first};
      }
      blocks.push_back(block);
    }
  }
  return blocks;
}

sass::RegisterFile::Sources sourcesOf(const OuterProduct& product, const Product& p) {
  return {{product.rows[p.row], product.columns[p.column], product.sumAt(p.row, p.column)},
          {true, true, false}};
}

// A partial order: the blocks so far, each with the order of its products, and what they lost.
struct Candidate {
  int lost = 0;
  sass::RegisterFile registers;
  std::vector<std::array<unsigned char, kBlock>> orders;
};

constexpr std::array<unsigned char, kBlock> kFirstOrder = {0, 1, 2, 3};

}  // namespace

OrderedProducts orderProducts(const OuterProduct& product, const ProductOrder& how,
                              const sass::RegisterFile& before) {
  const std::vector<Block> blocks = blocksOf(product, how.columnsOutside);
  std::vector<Candidate> followed = {{0, before, {}}};
  const auto most = static_cast<std::size_t>(std::max(1, how.followed));
  for (const Block& block : blocks) {
    struct Next {
      int lost;
      sass::RegisterFile registers;
      std::size_t from;
      std::array<unsigned char, kBlock> order;
    };
    std::vector<Next> all;
    for (std::size_t from = 0; from < followed.size(); ++from) {
      auto order = kFirstOrder;
      do {
        Next next{followed[from].lost, followed[from].registers, from, order};
        for (const unsigned char at : order) {
          next.lost += next.registers.issue(sourcesOf(product, block[at]));
        }
        all.push_back(next);
      } while (std::next_permutation(order.begin(), order.end()));
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const Next& a, const Next& b) { return a.lost < b.lost; });
    std::vector<Candidate> kept;
    for (const Next& next : all) {
      if (kept.size() == most) break;
      const bool known = std::ranges::any_of(
          kept, [&next](const Candidate& c) { return c.registers.sameState(next.registers); });
      if (known) continue;
      Candidate candidate = followed[next.from];
      candidate.lost = next.lost;
      candidate.registers = next.registers;
      candidate.orders.push_back(next.order);
      kept.push_back(std::move(candidate));
    }
    followed = std::move(kept);
  }
  const Candidate& best = followed.front();
  OrderedProducts ordered{{}, best.lost, best.registers};
  for (std::size_t b = 0; b < blocks.size(); ++b)
    for (const unsigned char at : best.orders[b]) ordered.products.push_back(blocks[b][at]);
  return ordered;
}

OrderedProducts takeOrder(const OuterProduct& product, std::vector<Product> order,
                          const sass::RegisterFile& before) {
  OrderedProducts ordered{std::move(order), 0, before};
  for (const Product& p : ordered.products)
    ordered.lost += ordered.registers.issue(sourcesOf(product, p));
  return ordered;
}

std::vector<Product> thereAndBack(const OuterProduct& product, bool columnsOutside) {
  const std::size_t outer = (columnsOutside ? product.columns : product.rows).size();
  const std::size_t inner = (columnsOutside ? product.rows : product.columns).size();
  std::vector<Product> products;
  for (std::size_t o = 0; o < outer; ++o) {
    for (std::size_t step = 0; step < inner; ++step) {
      const std::size_t i = o % 2 == 0 ? step : inner - 1 - step;
      products.push_back(columnsOutside ? Product{i, o} : Product{o, i});
    }
  }
  return products;
}

}  // namespace tileloom::rewrite
