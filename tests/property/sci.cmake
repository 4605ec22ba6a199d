# SPDX-License-Identifier: GPL-3.0-or-later
flit_unit(sci_formulas_property SOURCES ${CMAKE_CURRENT_LIST_DIR}/sci_formulas_test.c
	LINKS studies m)
flit_unit(sci_alone_property SOURCES ${CMAKE_CURRENT_LIST_DIR}/sci_alone_test.c LINKS studies m)
flit_unit(sci_engines_property SOURCES ${CMAKE_CURRENT_LIST_DIR}/sci_engines_test.c LINKS studies)
flit_unit(sci_ringlets_property SOURCES ${CMAKE_CURRENT_LIST_DIR}/sci_ringlets_test.c
	${CMAKE_CURRENT_LIST_DIR}/sci_plain.c ${CMAKE_CURRENT_LIST_DIR}/sci_plan.c LINKS studies)
