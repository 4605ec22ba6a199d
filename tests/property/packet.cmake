# SPDX-License-Identifier: GPL-3.0-or-later
if(TARGET packet)
	flit_unit(packet_input_property
		SOURCES packet_input_test.c ${CMAKE_SOURCE_DIR}/tests/unit/packet_pack.c
		LINKS packet captures_maker)
	target_include_directories(packet_input_property PRIVATE ${CMAKE_SOURCE_DIR}/tests/unit)
	flit_unit(tcp_messages_property SOURCES tcp_messages_test.c ${CMAKE_SOURCE_DIR}/tests/unit/mpi_streams.c LINKS packet)
	target_include_directories(tcp_messages_property PRIVATE ${CMAKE_SOURCE_DIR}/tests/unit)
	flit_unit(packet_quick_property SOURCES packet_quick_test.c LINKS packet captures_maker)
endif()
