# SPDX-License-Identifier: GPL-3.0-or-later
flit_unit(ethernet_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/ethernet_test.c LINKS net)
