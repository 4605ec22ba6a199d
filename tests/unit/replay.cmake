# SPDX-License-Identifier: GPL-3.0-or-later
add_library(replay_bed STATIC ${CMAKE_CURRENT_LIST_DIR}/replay_bed.c)
target_link_libraries(replay_bed PUBLIC net PkgConfig::cmocka)
target_include_directories(replay_bed PUBLIC ${CMAKE_CURRENT_LIST_DIR})
flit_unit(myrinet_alone_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/myrinet_alone_test.c LINKS replay_bed m)
flit_unit(myrinet_switch_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/myrinet_switch_test.c LINKS replay_bed)
flit_unit(net_topology_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/net_topology_test.c LINKS net)
flit_unit(sim_arena_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/sim_arena_test.c LINKS sim)
flit_unit(sim_events_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/sim_events_test.c LINKS sim)
