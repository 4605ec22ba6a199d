# SPDX-License-Identifier: GPL-3.0-or-later
set(here ${CMAKE_CURRENT_LIST_DIR})
flit_unit(trails_test SOURCES ${here}/trails_test.c ${here}/trails_figure.c LINKS studies)
flit_unit(trails_routes_test SOURCES ${here}/trails_routes_test.c ${here}/trails_figure.c
	LINKS studies)
