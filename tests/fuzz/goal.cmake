# SPDX-License-Identifier: GPL-3.0-or-later
flit_fuzz(goal_fuzz SOURCES goal_fuzz.c LINKS text tool)
flit_fuzz(program_fuzz SOURCES program_fuzz.c LINKS program
	SEEDS ${CMAKE_CURRENT_SOURCE_DIR}/cases/goal_fuzz)
flit_fuzz(programs_fuzz SOURCES programs_fuzz.c LINKS gen
	SEEDS ${CMAKE_CURRENT_LIST_DIR}/seeds/programs)
flit_fuzz(processes_fuzz SOURCES processes_fuzz.c LINKS values gen)
