# SPDX-License-Identifier: GPL-3.0-or-later
flit_unit(trace_round_trip_test SOURCES trace_round_trip_test.c LINKS trace_samples)
