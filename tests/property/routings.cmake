# SPDX-License-Identifier: GPL-3.0-or-later
flit_unit(routings_property SOURCES ${CMAKE_CURRENT_LIST_DIR}/routings_test.c LINKS net)
