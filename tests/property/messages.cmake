# SPDX-License-Identifier: GPL-3.0-or-later
flit_unit(messages_rule_test SOURCES messages_rule_test.c LINKS messages text tool)
flit_unit(exchange_test SOURCES exchange_test.c LINKS messages)
