# SPDX-License-Identifier: GPL-3.0-or-later
flit_unit(stat_counts_property SOURCES stat_counts_test.c LINKS stat text tool)
flit_unit(stat_poisson_size_property SOURCES stat_poisson_size_test.c LINKS stat text tool m)
flit_unit(stat_burst_property SOURCES stat_burst_test.c LINKS stat text tool)
flit_unit(stat_burst_gap_property SOURCES stat_burst_gap_test.c burst_trains.c burst_rules.c
	LINKS stat text tool m)
add_executable(bursts_table bursts_table.c burst_trains.c burst_rules.c)
target_link_libraries(bursts_table PRIVATE beds stat text tool m)
set_target_properties(bursts_table PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
flit_unit(stat_burstiness_property SOURCES stat_burstiness_test.c LINKS stat text tool m)
flit_unit(microbursts_property SOURCES microbursts_test.c LINKS stat)
flit_unit(talkers_property SOURCES talkers_test.c LINKS stat)
flit_unit(time_rows_property SOURCES time_rows_test.c LINKS stat text tool m)
flit_unit(stat_lagged_property SOURCES stat_lagged_test.c LINKS stat text tool m)
flit_unit(stat_tables_property SOURCES stat_tables_test.c LINKS stat text tool)
if(fftw_FOUND)
	flit_unit(stat_dyadic_property SOURCES stat_dyadic_test.c LINKS hurst stat text tool)
	flit_unit(stat_hurst_property SOURCES stat_hurst_test.c
		LINKS hurst stat text tool PkgConfig::fftw)
	flit_unit(stat_hurst_plain_property SOURCES stat_hurst_plain_test.c plain_estimators.c
		fractional_difference.c
		LINKS hurst stat text tool PkgConfig::fftw m)
	flit_unit(stat_multiscale_property SOURCES stat_multiscale_test.c
		LINKS hurst stat text tool PkgConfig::fftw)
	flit_unit(stat_leaders_property SOURCES stat_leaders_test.c
		LINKS hurst stat text tool PkgConfig::fftw)
	flit_unit(stat_hurst_table_property SOURCES stat_hurst_table_test.c
		LINKS hurst stat text tool PkgConfig::fftw)
	flit_unit(stat_noise_property SOURCES stat_noise_test.c
		LINKS hurst stat text tool PkgConfig::fftw)
	flit_unit(stat_agreement_property SOURCES stat_agreement_test.c
		LINKS hurst stat text tool PkgConfig::fftw)
	add_executable(hurst_table hurst_table.c)
	target_link_libraries(hurst_table PRIVATE beds hurst stat text tool PkgConfig::fftw)
	set_target_properties(hurst_table
		PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
	flit_unit(stat_power_property SOURCES stat_power_test.c
		LINKS verdicts hurst stat text tool PkgConfig::fftw)
	flit_unit(stat_periods_property SOURCES stat_periods_test.c period_series.c
		LINKS hurst stat text tool PkgConfig::fftw)
	flit_unit(stat_verdicts_property SOURCES stat_verdicts_test.c
		LINKS verdicts hurst stat text tool PkgConfig::fftw)
	flit_unit(stat_self_similarity_property SOURCES stat_self_similarity_test.c
		LINKS verdicts hurst stat text tool PkgConfig::fftw m)
	flit_unit(mean_error_property SOURCES mean_error_test.c dependent_series.c
		LINKS hurst stat text tool PkgConfig::fftw m)
	flit_unit(distance_test_property SOURCES distance_test_test.c
		LINKS hurst stat text tool PkgConfig::fftw m)
	add_executable(verdict_table verdict_table.c)
	target_link_libraries(verdict_table PRIVATE beds verdicts hurst stat text tool
		PkgConfig::fftw m)
	set_target_properties(verdict_table
		PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
	add_executable(hurst_bias_table hurst_bias_table.c)
	target_link_libraries(hurst_bias_table PRIVATE beds hurst stat text tool PkgConfig::fftw)
	set_target_properties(hurst_bias_table PROPERTIES
		RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
endif()
flit_unit(stat_interval_property SOURCES stat_interval_test.c LINKS stat_moments text tool m)
