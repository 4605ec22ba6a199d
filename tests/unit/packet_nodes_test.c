// SPDX-License-Identifier: GPL-3.0-or-later
// Addresses as text, and the nodes that have them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "packet/nodes.h"

// What a name was said for decides: the address with its port, else the address.
static void test_ports(void **state)
{
	struct pk_nodes *nodes = pk_nodes_new(10, PK_NODES_BY_PORT);
	struct pk_address address;
	struct tr_error err;

	(void)state;
	assert_true(pk_address_parse("10.0.0.1:5001", &address));
	assert_int_equal(pk_nodes_name(nodes, &address, "rank1", TR_ROLE_WORKER, &err), TR_OK);
	assert_true(pk_address_parse("10.0.0.1", &address));
	assert_int_equal(pk_nodes_name(nodes, &address, "rank0", TR_ROLE_WORKER, &err), TR_OK);
	address.port = 5001;
	assert_int_equal(pk_nodes_find(nodes, &address), 0);
	address.port = 5002;
	assert_int_equal(pk_nodes_find(nodes, &address), 1);
	assert_true(pk_address_parse("10.0.0.2", &address)); // a later fragment has no port
	assert_int_equal(pk_nodes_find(nodes, &address), 2);
	address.port = 5001;
	assert_int_equal(pk_nodes_find(nodes, &address), 3);
	pk_nodes_free(nodes);
}

static void test_addresses(void **state)
{
	static const char *const texts[] = {"10.0.0.1",
					    "255.255.255.255",
					    "::",
					    "fd00::1",
					    "2001:db8:1:2:3:4:5:6",
					    "::ffff:10.0.0.1",
					    "10.0.0.1:65535",
					    "[fe80::1]:1",
					    "02:00:00:0a:00:ff",
					    "lid:0",
					    "lid:65535"};
	static const char *const wrong[] = {"",
					    "10.0.0",
					    "10.0.0.256",
					    "10.0.0.1 ",
					    "g::1",
					    "node0",
					    "10.0.0.1:0",
					    "10.0.0.1:65536",
					    "10.0.0.1:",
					    "[fe80::1]",
					    "[10.0.0.1]:1",
					    "[fe80::1]1",
					    "[]:1",
					    "02:00:00:0a:00",
					    "02-00-00-0a-00-ff",
					    "0x:00:00:0a:00:ff",
					    "lid:",
					    "lid:65536",
					    ":1",
					    "["};
	char text[PK_ADDRESS_TEXT_BYTES];
	struct pk_address address;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		assert_true(pk_address_parse(texts[i], &address));
		assert_string_equal(pk_address_format(&address, text), texts[i]);
	}
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		assert_false(pk_address_parse(wrong[i], &address));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ports),
		cmocka_unit_test(test_addresses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
