# SPDX-License-Identifier: GPL-3.0-or-later
add_library(replay_bed STATIC ${CMAKE_CURRENT_LIST_DIR}/replay_bed.c)
target_link_libraries(replay_bed PUBLIC net PkgConfig::cmocka)
target_include_directories(replay_bed PUBLIC ${CMAKE_CURRENT_LIST_DIR})
flit_unit(myrinet_alone_test SOURCES ${CMAKE_CURRENT_LIST_DIR}/myrinet_alone_test.c LINKS replay_bed m)
