# SPDX-License-Identifier: GPL-3.0-or-later
if(TARGET packet)
	# The captures that the tests are made of are the seeds.
	set(seeds ${CMAKE_BINARY_DIR}/fuzz/captures)
	add_custom_command(OUTPUT ${seeds}.made
		COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/capture_seeds $<TARGET_FILE:make-captures>
		${seeds}
		COMMAND ${CMAKE_COMMAND} -E touch ${seeds}.made
		DEPENDS make-captures ${CMAKE_CURRENT_SOURCE_DIR}/capture_seeds
		VERBATIM)
	add_custom_target(capture_seeds ALL DEPENDS ${seeds}.made)
	flit_fuzz(capture_fuzz SOURCES capture_fuzz.c LINKS packet SEEDS ${seeds})
	flit_fuzz(decode_fuzz SOURCES decode_fuzz.c LINKS packet SEEDS ${seeds}
		${CMAKE_SOURCE_DIR}/tests/fuzz/seeds/decode_fuzz.hex)
	add_dependencies(capture_fuzz capture_seeds)
	add_dependencies(decode_fuzz capture_seeds)
	flit_fuzz(tcp_messages_fuzz SOURCES tcp_messages_fuzz.c LINKS packet
		SEEDS ${CMAKE_SOURCE_DIR}/tests/fuzz/seeds/tcp_messages_fuzz.hex)
	flit_fuzz(verbs_fuzz SOURCES verbs_fuzz.c LINKS packet
		SEEDS ${CMAKE_SOURCE_DIR}/tests/fuzz/seeds/verbs_fuzz.hex)
	flit_fuzz(nodefile_fuzz SOURCES nodefile_fuzz.c LINKS packet
		SEEDS ${CMAKE_SOURCE_DIR}/datasets/data/nodes)
endif()
flit_fuzz(rule_fuzz SOURCES rule_fuzz.c LINKS messages
	SEEDS ${CMAKE_SOURCE_DIR}/tests/fuzz/seeds/rule_fuzz.hex)
