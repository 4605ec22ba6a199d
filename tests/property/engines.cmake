# SPDX-License-Identifier: GPL-3.0-or-later
set(here ${CMAKE_CURRENT_LIST_DIR})
add_library(engines_case STATIC ${here}/engines_apart.c ${here}/engines_case.c
	${here}/engines_compare.c
	${here}/engines_draw.c ${here}/engines_draw_losses.c
	${here}/engines_shrink.c ${here}/engines_text.c)
target_link_libraries(engines_case PUBLIC replay_bed)
target_include_directories(engines_case PUBLIC ${here})
flit_unit(myrinet_engines_test SOURCES ${here}/myrinet_engines_test.c LINKS engines_case)
flit_unit(engines_shrink_test SOURCES ${here}/engines_shrink_test.c LINKS engines_case)
