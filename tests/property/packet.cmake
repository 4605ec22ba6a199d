# SPDX-License-Identifier: GPL-3.0-or-later
if(TARGET packet)
	flit_unit(packet_input_property
		SOURCES packet_input_test.c
		LINKS packet captures_maker)
	flit_unit(tcp_messages_property SOURCES tcp_messages_test.c LINKS packet)
	flit_unit(verbs_property SOURCES verbs_test.c verbs_world.c LINKS packet)
	flit_unit(packet_quick_property SOURCES packet_quick_test.c LINKS packet captures_maker)
endif()
