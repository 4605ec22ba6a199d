# SPDX-License-Identifier: GPL-3.0-or-later
flit_unit(num_test SOURCES num_test.c LINKS trace)
flit_unit(ticks_test SOURCES ticks_test.c LINKS trace)
flit_unit(random_test SOURCES random_test.c LINKS trace m)
flit_unit(opt_test SOURCES opt_test.c LINKS trace)
if(jansson_FOUND)
	flit_unit(table_test SOURCES table_test.c LINKS trace PkgConfig::jansson)
endif()
flit_unit(spawn_test SOURCES spawn_test.c LINKS trace)
