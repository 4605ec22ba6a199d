# SPDX-License-Identifier: GPL-3.0-or-later
flit_unit(stat_counts_property SOURCES stat_counts_test.c LINKS stat trace)
flit_unit(stat_dyadic_property SOURCES stat_dyadic_test.c LINKS stat trace)
flit_unit(stat_poisson_size_property SOURCES stat_poisson_size_test.c LINKS stat trace m)
flit_unit(stat_burst_property SOURCES stat_burst_test.c LINKS stat trace)
flit_unit(stat_burstiness_property SOURCES stat_burstiness_test.c LINKS stat trace m)
flit_unit(stat_tables_property SOURCES stat_tables_test.c LINKS stat trace)
if(fftw_FOUND)
	flit_unit(stat_hurst_property SOURCES stat_hurst_test.c fgn.c LINKS hurst stat trace PkgConfig::fftw)
	flit_unit(stat_hurst_plain_property SOURCES stat_hurst_plain_test.c plain_estimators.c fractional_difference.c fgn.c
		LINKS hurst stat trace PkgConfig::fftw m)
	flit_unit(stat_multiscale_property SOURCES stat_multiscale_test.c fgn.c LINKS hurst stat trace PkgConfig::fftw)
	flit_unit(stat_hurst_table_property SOURCES stat_hurst_table_test.c hurst_rows.c hurst_models.c fgn.c
		LINKS hurst stat trace PkgConfig::fftw)
	flit_unit(stat_noise_property SOURCES stat_noise_test.c hurst_models.c fgn.c LINKS hurst stat trace PkgConfig::fftw)
	flit_unit(stat_agreement_property SOURCES stat_agreement_test.c hurst_rows.c hurst_models.c fgn.c
		LINKS hurst stat trace PkgConfig::fftw)
	add_executable(hurst_table hurst_table.c hurst_rows.c hurst_models.c fgn.c)
	target_link_libraries(hurst_table PRIVATE hurst stat trace PkgConfig::fftw)
	set_target_properties(hurst_table PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
	flit_unit(stat_power_property SOURCES stat_power_test.c fgn.c LINKS verdicts hurst stat trace PkgConfig::fftw)
	flit_unit(stat_periods_property SOURCES stat_periods_test.c period_series.c fgn.c LINKS hurst stat trace PkgConfig::fftw)
	flit_unit(stat_verdicts_property SOURCES stat_verdicts_test.c fgn.c LINKS verdicts hurst stat trace PkgConfig::fftw)
	flit_unit(stat_self_similarity_property SOURCES stat_self_similarity_test.c verdict_rows.c traffic_kinds.c fgn.c
		LINKS verdicts hurst stat trace PkgConfig::fftw PkgConfig::gsl m)
	add_executable(verdict_table verdict_table.c verdict_rows.c traffic_kinds.c fgn.c)
	target_link_libraries(verdict_table PRIVATE verdicts hurst stat trace PkgConfig::fftw PkgConfig::gsl m)
	set_target_properties(verdict_table PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
	add_executable(hurst_bias_table hurst_bias_table.c fgn.c)
	target_link_libraries(hurst_bias_table PRIVATE hurst stat trace PkgConfig::fftw)
	set_target_properties(hurst_bias_table PROPERTIES
		RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
endif()
flit_unit(stat_interval_property SOURCES stat_interval_test.c LINKS stat_moments trace m)
