# SPDX-License-Identifier: GPL-3.0-or-later
flit_unit(program_property_test
	SOURCES ${CMAKE_CURRENT_LIST_DIR}/program_test.c
		${CMAKE_CURRENT_LIST_DIR}/program_naive.c
	LINKS program_bed)
flit_unit(program_matching_property_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/program_matching_test.c
	LINKS program_bed)
flit_unit(program_tcp_property_test
	SOURCES ${CMAKE_CURRENT_LIST_DIR}/program_tcp_test.c LINKS program_bed)
flit_unit(values_property SOURCES ${CMAKE_CURRENT_LIST_DIR}/values_test.c LINKS values)
flit_unit(program_repeat_property_test
	SOURCES ${CMAKE_CURRENT_LIST_DIR}/program_repeat_test.c LINKS program_bed)
flit_unit(program_regions_property_test
	SOURCES ${CMAKE_CURRENT_LIST_DIR}/program_regions_test.c LINKS program_bed)
