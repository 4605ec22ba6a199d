# SPDX-License-Identifier: GPL-3.0-or-later
flit_fuzz(goal_fuzz SOURCES goal_fuzz.c LINKS trace)
