# SPDX-License-Identifier: GPL-3.0-or-later
flit_unit(sci_formulas_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/sci_formulas_test.c LINKS studies m)
flit_unit(sci_components_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/sci_components_test.c
	LINKS studies m)
