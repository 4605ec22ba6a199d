# SPDX-License-Identifier: GPL-3.0-or-later
flit_unit(stat_moments_test SOURCES stat_moments_test.c LINKS stat_moments text tool)
flit_unit(stat_saturation_test SOURCES stat_saturation_test.c LINKS stat_moments text tool m)
flit_unit(stat_quantile_test SOURCES stat_quantile_test.c LINKS stat_moments)
flit_unit(stat_value_counts_test SOURCES stat_value_counts_test.c LINKS stat text tool)
flit_unit(stat_distance_test SOURCES stat_distance_test.c LINKS stat text tool m)
flit_unit(stat_laws_test SOURCES stat_laws_test.c LINKS stat_moments)
flit_unit(stat_line_test SOURCES stat_line_test.c LINKS stat)
flit_unit(stat_minimum_test SOURCES stat_minimum_test.c LINKS hurst gsl m)
flit_unit(stat_compare_test SOURCES stat_compare_test.c LINKS stat_moments m)
flit_unit(stat_poisson_test SOURCES stat_poisson_test.c LINKS stat text tool m)
if(fftw_FOUND)
	flit_unit(stat_dyadic_estimate_test SOURCES stat_dyadic_estimate_test.c
		LINKS hurst stat text tool m)
	flit_unit(stat_poisson_draw_test SOURCES stat_poisson_draw_test.c LINKS hurst text tool m)
	flit_unit(stat_ranks_test SOURCES stat_ranks_test.c LINKS verdicts text tool m)
	flit_unit(stat_tail_test SOURCES stat_tail_test.c LINKS verdicts text tool m)
	flit_unit(stat_spectral_fit_test SOURCES stat_spectral_fit_test.c LINKS hurst text tool m)
	flit_unit(stat_stationarity_test SOURCES stat_stationarity_test.c
		LINKS verdicts text tool m)
	flit_unit(stat_periods_test SOURCES stat_periods_test.c
		LINKS hurst stat stat_moments text tool m)
	flit_unit(stat_shuffle_test SOURCES stat_shuffle_test.c LINKS verdicts text tool m)
	flit_unit(stat_self_similarity_test SOURCES stat_self_similarity_test.c
		LINKS verdicts text tool m)
endif()
flit_unit(stat_burstiness_test SOURCES stat_burstiness_test.c LINKS stat text tool m)
