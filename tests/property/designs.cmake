# SPDX-License-Identifier: GPL-3.0-or-later
flit_unit(designs_property SOURCES ${CMAKE_CURRENT_LIST_DIR}/designs_test.c
	LINKS studies net_tool m)
