# SPDX-License-Identifier: GPL-3.0-or-later
# The trace stream: the parts of its library, then the shape of a program.
add_library(trace_samples STATIC hand_made.c golden_streams.c memory_file.c)
target_link_libraries(trace_samples PUBLIC text tool PkgConfig::cmocka)
target_include_directories(trace_samples PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})

foreach(part source record names provenance writer reader refuse golden)
	flit_unit(trace_${part}_test SOURCES trace_${part}_test.c LINKS trace_samples)
endforeach()
flit_unit(trace_live_test SOURCES trace_live_test.c LINKS trace_samples)

add_executable(tool_probe tool_probe.c)
target_link_libraries(tool_probe PRIVATE text tool)
set_target_properties(tool_probe PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
flit_script(tool_status sh ${CMAKE_CURRENT_SOURCE_DIR}/tool_status.sh $<TARGET_FILE:tool_probe>)
