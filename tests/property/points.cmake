# SPDX-License-Identifier: GPL-3.0-or-later
if(TARGET points)
	flit_unit(points_join_test SOURCES points_join_test.c points_world.c LINKS points m)
	add_executable(make-points points_files.c points_world.c)
	target_link_libraries(make-points PRIVATE flit_settings text tool m)
	set_target_properties(make-points
		PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
endif()
