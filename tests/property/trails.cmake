# SPDX-License-Identifier: GPL-3.0-or-later
flit_unit(trails_property SOURCES ${CMAKE_CURRENT_LIST_DIR}/trails_test.c
	${CMAKE_CURRENT_LIST_DIR}/trail_naive.c LINKS studies)
