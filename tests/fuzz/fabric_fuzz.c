// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of kinds of networks from any bytes: rejected with a message, or reproduced when written
// and read again; those whose values are texts of their own are read by the clock.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "net/fabric.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes);

static void promise(bool kept)
{
	if (!kept)
		abort();
}

static void say_again(const struct fabric *fabric)
{
	struct fabric again = {0};
	struct tr_error err;

	promise(fabric_read(&again, fabric->text, &err) == TR_OK);
	promise(fabric_settle(&again, &err) == TR_OK || strstr(err.text, "no effect"));
	promise(!again.text || strcmp(again.text, fabric->text) == 0);
	fabric_close(&again);
}

static void read_times(const struct fabric *fabric)
{
	struct net_topology topology = {0};
	struct tr_error err = {""};
	uint64_t ticks_per_s;

	promise(net_topology_make(&topology, "switch:4", &err) == TR_OK);
	if (fabric_clock(fabric, &topology, 1000000000, &ticks_per_s, &err) != TR_OK)
		promise(*err.text != '\0');
	net_topology_clear(&topology);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
	char *text = strndup((const char *)data, size_bytes);
	struct tr_error err = {""};
	struct fabric fabric = {0};

	promise(text);
	if (fabric_read(&fabric, text, &err) == TR_OK && fabric_settle(&fabric, &err) == TR_OK) {
		say_again(&fabric);
		read_times(&fabric);
	} else {
		promise(*err.text != '\0');
	}
	fabric_close(&fabric);
	free(text);
	return 0;
}
