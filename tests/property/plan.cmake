# SPDX-License-Identifier: GPL-3.0-or-later
flit_unit(plan_property SOURCES ${CMAKE_CURRENT_LIST_DIR}/plan_test.c LINKS plan)
