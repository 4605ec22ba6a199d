# SPDX-License-Identifier: GPL-3.0-or-later
flit_unit(ethernet_property SOURCES ${CMAKE_CURRENT_LIST_DIR}/ethernet_test.c
	${CMAKE_CURRENT_LIST_DIR}/ethernet_naive.c
	LINKS net)
flit_unit(ethernet_pause_property SOURCES ${CMAKE_CURRENT_LIST_DIR}/ethernet_pause_test.c
	${CMAKE_CURRENT_LIST_DIR}/ethernet_naive.c
	LINKS net)
flit_unit(ethernet_engines_property SOURCES ${CMAKE_CURRENT_LIST_DIR}/ethernet_engines_test.c
	LINKS ranks_apart)
