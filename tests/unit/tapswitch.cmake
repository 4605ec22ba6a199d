# SPDX-License-Identifier: GPL-3.0-or-later
flit_unit(tapswitch_link_test SOURCES tapswitch_link_test.c
	${CMAKE_SOURCE_DIR}/datasets/record/tapswitch/tap_link.c)
target_link_libraries(tapswitch_link_test PRIVATE m)
target_include_directories(tapswitch_link_test
	PRIVATE ${CMAKE_SOURCE_DIR}/datasets/record/tapswitch)
