# SPDX-License-Identifier: GPL-3.0-or-later
flit_unit(goal_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/goal_test.c LINKS text tool)
