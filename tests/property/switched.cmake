# SPDX-License-Identifier: GPL-3.0-or-later
flit_unit(switched_property SOURCES ${CMAKE_CURRENT_LIST_DIR}/switched_test.c
	${CMAKE_CURRENT_LIST_DIR}/switched_case.c
	${CMAKE_CURRENT_LIST_DIR}/switched_naive.c LINKS net)
flit_unit(standstill_property SOURCES ${CMAKE_CURRENT_LIST_DIR}/standstill_test.c
	LINKS studies net)
flit_unit(cppe_property SOURCES ${CMAKE_CURRENT_LIST_DIR}/cppe_test.c
	${CMAKE_CURRENT_LIST_DIR}/cppe_naive.c LINKS studies net)
