# SPDX-License-Identifier: GPL-3.0-or-later
add_library(program_bed STATIC ${CMAKE_CURRENT_LIST_DIR}/program_bed.c)
target_link_libraries(program_bed PUBLIC program PkgConfig::cmocka)
target_include_directories(program_bed PUBLIC ${CMAKE_CURRENT_LIST_DIR})
flit_unit(program_loggops_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/program_loggops_test.c
	LINKS program_bed)
flit_unit(program_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/program_test.c LINKS program_bed)
flit_unit(gen_programs_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/gen_programs_test.c LINKS gen)
flit_unit(program_mpi_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/program_mpi_test.c LINKS program_bed)
flit_unit(dcqcn_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/dcqcn_test.c LINKS program)
flit_unit(program_tcp_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/program_tcp_test.c LINKS program_bed m)
flit_unit(program_path_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/program_path_test.c LINKS program_bed)
flit_unit(collectives_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/collectives_test.c
	LINKS gen program_bed)
flit_unit(collectives_loggops_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/collectives_loggops_test.c
	LINKS gen program_bed)
flit_unit(patterns_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/patterns_test.c LINKS gen program_bed)
flit_unit(programs_streaming_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/programs_streaming_test.c
	LINKS gen)
flit_unit(collectives_order_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/collectives_order_test.c
	LINKS gen)
flit_unit(collectives_cost_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/collectives_cost_test.c
	LINKS gen program_bed)
flit_unit(program_looks_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/program_looks_test.c LINKS gen)
flit_unit(program_library_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/program_library_test.c LINKS gen)
flit_unit(timeline_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/timeline_test.c LINKS timeline)
