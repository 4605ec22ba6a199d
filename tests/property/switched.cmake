# SPDX-License-Identifier: GPL-3.0-or-later
flit_unit(switched_property SOURCES ${CMAKE_CURRENT_LIST_DIR}/switched_test.c ${CMAKE_CURRENT_LIST_DIR}/switched_case.c
	${CMAKE_CURRENT_LIST_DIR}/switched_naive.c LINKS net)
