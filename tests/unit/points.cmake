# SPDX-License-Identifier: GPL-3.0-or-later
if(TARGET points)
	flit_unit(points_test SOURCES points_test.c LINKS points m)
	flit_unit(points_alike_test SOURCES points_alike_test.c LINKS points m)
endif()
