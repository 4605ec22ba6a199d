# SPDX-License-Identifier: GPL-3.0-or-later
flit_fuzz(reader_fuzz SOURCES reader_fuzz.c LINKS text tool SEEDS ${CMAKE_SOURCE_DIR}/tests/golden)
