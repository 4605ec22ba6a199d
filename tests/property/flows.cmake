# SPDX-License-Identifier: GPL-3.0-or-later
flit_unit(flows_property SOURCES ${CMAKE_CURRENT_LIST_DIR}/flows_test.c LINKS net m)
