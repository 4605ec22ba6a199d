# SPDX-License-Identifier: GPL-3.0-or-later
flit_unit(rule_test SOURCES rule_test.c LINKS messages)
if(TARGET packet)
	flit_unit(tcp_messages_test SOURCES tcp_messages_test.c mpi_streams.c LINKS packet)
endif()
