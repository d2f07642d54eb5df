// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/window.h"

#include "app/window/frame/loom_and_pages.h"

namespace tileloom {

Page* Window::page(std::string_view id) const {
  return pageOf(pages(), id);
}

void Window::showPage(std::string_view id) {
  middle().showPage(id);
}

std::string_view Window::currentPage() const {
  return middle().currentPage();
}

}  // namespace tileloom
