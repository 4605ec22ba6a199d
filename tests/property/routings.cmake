# SPDX-License-Identifier: GPL-3.0-or-later
set(here ${CMAKE_CURRENT_LIST_DIR})
add_library(routings_bed STATIC ${here}/routings_bed.c ${here}/routings_waits.c)
target_link_libraries(routings_bed PUBLIC net PkgConfig::cmocka)
target_include_directories(routings_bed PUBLIC ${here})
flit_unit(routings_property SOURCES ${here}/routings_test.c LINKS routings_bed)
flit_unit(routings_choices_property SOURCES ${here}/routings_choices_test.c LINKS routings_bed)
flit_unit(routings_lanes_property SOURCES ${here}/routings_lanes_test.c LINKS routings_bed)
flit_unit(mapper_property SOURCES ${here}/mapper_test.c LINKS mapper)
