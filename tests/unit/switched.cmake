# SPDX-License-Identifier: GPL-3.0-or-later
flit_unit(switched_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/switched_test.c LINKS net)
