# SPDX-License-Identifier: GPL-3.0-or-later
flit_fuzz(sim_text_fuzz SOURCES sim_text_fuzz.c LINKS sim_tool)
flit_fuzz(topology_fuzz SOURCES topology_fuzz.c LINKS net
	SEEDS ${CMAKE_SOURCE_DIR}/tests/fuzz/seeds/topology)
flit_fuzz(sweep_fuzz SOURCES sweep_fuzz.c LINKS sweep
	SEEDS ${CMAKE_SOURCE_DIR}/tests/fuzz/seeds/sweep)
flit_fuzz(fabric_fuzz SOURCES ${CMAKE_CURRENT_LIST_DIR}/fabric_fuzz.c LINKS net
	SEEDS replay/net/presets/myrinet ${CMAKE_SOURCE_DIR}/tests/fuzz/seeds/fabric)
flit_fuzz(plan_fuzz SOURCES plan_fuzz.c LINKS plan SEEDS ${CMAKE_SOURCE_DIR}/tests/fuzz/seeds/plan)
flit_fuzz(counters_fuzz SOURCES counters_fuzz.c LINKS plan
	SEEDS ${CMAKE_SOURCE_DIR}/tests/fuzz/seeds/counters)
flit_fuzz(blocks_fuzz SOURCES blocks_fuzz.c LINKS studies net
	SEEDS ${CMAKE_SOURCE_DIR}/tests/fuzz/seeds/blocks)
