# SPDX-License-Identifier: GPL-3.0-or-later
if(TARGET packet)
	flit_unit(packet_anonymize_test SOURCES packet_anonymize_test.c LINKS packet)
	flit_unit(packet_capture_test SOURCES packet_capture_test.c packet_pack.c
		LINKS packet captures_maker)
	flit_unit(packet_copies_test SOURCES packet_copies_test.c LINKS packet)
	flit_unit(packet_decode_test SOURCES packet_decode_test.c LINKS packet)
	flit_unit(packet_lengths_test SOURCES packet_lengths_test.c LINKS packet)
	flit_unit(packet_interface_test SOURCES packet_interface_test.c LINKS packet)
	flit_unit(packet_privileges_test SOURCES packet_privileges_test.c LINKS packet)
	flit_unit(packet_order_test SOURCES packet_order_test.c LINKS packet)
	flit_unit(packet_merge_test SOURCES packet_merge_test.c LINKS packet captures_maker)
	flit_unit(tcp_messages_test SOURCES tcp_messages_test.c mpi_streams.c LINKS packet)
endif()
