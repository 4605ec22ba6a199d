# SPDX-License-Identifier: GPL-3.0-or-later
flit_unit(lanes_property SOURCES ${CMAKE_CURRENT_LIST_DIR}/lanes_test.c
	${CMAKE_CURRENT_LIST_DIR}/lanes_case.c
	${CMAKE_CURRENT_LIST_DIR}/lanes_naive.c ${CMAKE_CURRENT_LIST_DIR}/lanes_naive_choose.c
	${CMAKE_CURRENT_LIST_DIR}/lanes_naive_match.c ${CMAKE_CURRENT_LIST_DIR}/lanes_naive_waits.c
	LINKS net)
