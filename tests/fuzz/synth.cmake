# SPDX-License-Identifier: GPL-3.0-or-later
flit_fuzz(model_fuzz SOURCES model_fuzz.c LINKS gen SEEDS ${CMAKE_SOURCE_DIR}/datasets/data/models)
