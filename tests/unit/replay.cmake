# SPDX-License-Identifier: GPL-3.0-or-later
add_library(ranks_apart STATIC ${CMAKE_CURRENT_LIST_DIR}/ranks_apart.c)
target_link_libraries(ranks_apart PUBLIC net PkgConfig::cmocka)
target_include_directories(ranks_apart PUBLIC ${CMAKE_CURRENT_LIST_DIR})
add_library(replay_bed STATIC ${CMAKE_CURRENT_LIST_DIR}/replay_bed.c)
target_link_libraries(replay_bed PUBLIC ranks_apart)
target_include_directories(replay_bed PUBLIC ${CMAKE_CURRENT_LIST_DIR})
flit_unit(myrinet_alone_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/myrinet_alone_test.c
	LINKS replay_bed m)
flit_unit(net_reaction_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/net_reaction_test.c LINKS replay_bed)
flit_unit(myrinet_switch_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/myrinet_switch_test.c
	LINKS replay_bed)
flit_unit(myrinet_packet_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/myrinet_packet_test.c
	LINKS replay_bed)
flit_unit(myrinet_multicast_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/myrinet_multicast_test.c
	LINKS replay_bed)
flit_unit(myrinet_fault_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/myrinet_fault_test.c
	LINKS replay_bed m)
flit_unit(myrinet_characters_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/myrinet_characters_test.c
	LINKS replay_bed)
flit_unit(myrinet_timeout_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/myrinet_timeout_test.c
	LINKS replay_bed)
flit_unit(myrinet_cut_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/myrinet_cut_test.c LINKS replay_bed)
if(metis_library)
	flit_unit(net_cut_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/net_cut_test.c LINKS net)
endif()
flit_unit(net_topology_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/net_topology_test.c LINKS net)
flit_unit(sim_arena_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/sim_arena_test.c LINKS sim)
flit_unit(sim_calendar_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/sim_calendar_test.c LINKS sim)
flit_unit(sim_crew_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/sim_crew_test.c LINKS sim)
flit_unit(sim_marks_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/sim_marks_test.c LINKS sim)
flit_unit(sim_timers_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/sim_timers_test.c LINKS sim)
flit_unit(myrinet_memory_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/myrinet_memory_test.c
	LINKS replay_bed)
flit_unit(myrinet_meter_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/myrinet_meter_test.c
	LINKS replay_bed)
flit_unit(sim_report_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/sim_report_test.c LINKS sim_tool m)
flit_unit(steady_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/steady_test.c LINKS sim_tool m)
flit_unit(net_memory_calls_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/net_memory_calls_test.c LINKS net)
target_link_options(net_memory_calls_test PRIVATE
	-Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=realloc)
flit_unit(occupancy_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/occupancy_test.c LINKS net m)
flit_unit(fabric_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/fabric_test.c LINKS studies)
flit_unit(net_drive_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/net_drive_test.c LINKS net)
flit_unit(example_bus_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/example_bus_test.c
	${CMAKE_CURRENT_LIST_DIR}/example_bus.c LINKS net)
flit_unit(example_crossbar_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/example_crossbar_test.c
	${CMAKE_CURRENT_LIST_DIR}/example_crossbar.c LINKS net)
flit_unit(placement_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/placement_test.c LINKS network_input m)
flit_unit(sweep_queue_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/sweep_queue_test.c LINKS sweep)
