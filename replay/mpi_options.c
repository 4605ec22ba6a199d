// SPDX-License-Identifier: GPL-3.0-or-later
#include "mpi_options.h"

#include <stddef.h>

#include "net/fabric.h"
#include "trace/ticks.h"

#define KEY(name, type, member, words, needs, meaning) \
	{ \
		name, type, offsetof(struct mpi_options, member), words, needs, meaning \
	}

static const struct key keys[] = {
	KEY("connect", KEY_FLAG, connects_first, "use|first", NULL,
	    "two ranks connect at their first message, or all before the program begins"),
	KEY("ask", KEY_FLAG, asks, "off|on", NULL, "each packet is followed by a request to acknowledge it"),
	KEY("acks", KEY_COUNT, acks, NULL, "ask=off", "packets for one acknowledgement"),
	KEY("ack-delay", KEY_TIME, ack_delay_s, NULL, "ask=off", "time after which fewer are acknowledged"),
	KEY("envelope-in", KEY_FLAG, envelope_apart, "data|own", NULL,
	    "the envelope travels with the data, or in a packet of its own"),
	KEY("envelope", KEY_BYTES, envelope_bytes, NULL, NULL, "size of a message's envelope"),
	KEY("header", KEY_BYTES, header_bytes, NULL, NULL, "headers of IP and TCP in each packet"),
	KEY("window", KEY_BYTES, window_bytes, NULL, NULL, "most unacknowledged data from one rank to another"),
	{.type = KEY_END},
};

// The preset yates.
static const struct mpi_options usual = {.connects_first = true,
					 .asks = true,
					 .envelope_apart = true,
					 .acks = 1,
					 .ack_delay_s = {1, 20},
					 .header_bytes = 40,
					 .envelope_bytes = 46,
					 .window_bytes = 65536};

const struct key_kind mpi_keys = {"mpi", "--mpi=list", keys, net_presets, &usual};

static enum tr_status check(const char *key, uint64_t size_bytes, uint64_t most, struct tr_error *err)
{
	if (size_bytes < 1 || size_bytes > most)
		return tr_fail(err, "--mpi: %s: expected 1 B to %llu B", key, (unsigned long long)most);
	return TR_OK;
}

enum tr_status mpi_options_settle(const struct mpi_options *options, uint64_t ticks_per_s, uint32_t mtu_bytes,
				  struct program_mpi *params, struct tr_error *err)
{
	struct tr_error why;
	uint64_t packets;

	if (mtu_bytes < 2)
		return tr_fail(err, "--mtu: no room for a header and a byte");
	if (check("header", options->header_bytes, mtu_bytes - 1, err) != TR_OK ||
	    check("envelope", options->envelope_bytes, mtu_bytes - options->header_bytes, err) != TR_OK ||
	    check("window", options->window_bytes, UINT64_C(1) << 40, err) != TR_OK)
		return TR_ERROR;
	if (options->acks < 1 || options->acks > PROGRAM_ACKS_MAX)
		return tr_fail(err, "--mpi: acks: expected 1 to %u", PROGRAM_ACKS_MAX);
	packets = options->window_bytes / (mtu_bytes - options->header_bytes);
	*params = (struct program_mpi){.on = true,
				       .connects_first = options->connects_first,
				       .asks = options->asks,
				       .envelope_apart = options->envelope_apart,
				       .header_bytes = (uint32_t)options->header_bytes,
				       .envelope_bytes = (uint32_t)options->envelope_bytes,
				       .ack_every = (uint32_t)options->acks,
				       .window_packets = packets < 1	       ? 1
							 : packets > INT32_MAX ? INT32_MAX
									       : (uint32_t)packets};
	if (tr_ticks_exact(options->ack_delay_s, ticks_per_s, &params->ack_delay_ticks, &why) != TR_OK)
		return tr_fail(err, "--mpi: ack-delay: expected a whole number of the clock's ticks");
	return TR_OK;
}
