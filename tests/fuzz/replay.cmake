# SPDX-License-Identifier: GPL-3.0-or-later
flit_fuzz(sim_text_fuzz SOURCES sim_text_fuzz.c LINKS sim_tool)
