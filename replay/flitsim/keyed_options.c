// SPDX-License-Identifier: GPL-3.0-or-later
// The options of flitsim whose values are keys: --loggops, --mpi and --mapper.
#include "flitsim.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "net/fabric.h"
#include "value/ticks.h"

#define BURST_MAX 1000u
#define INITIAL_MAX 1000000u
#define AT(option, member) offsetof(struct option##_options, member)

static const struct key loggops_rows[] = {
	{"o", KEY_TIME, AT(loggops, overhead_s), NULL, NULL,
	 "overhead: processor time for each message sent or received"},
	{"O", KEY_TIME, AT(loggops, byte_overhead_s), NULL, NULL,
	 "and for each of its bytes after the first"},
	{"g", KEY_TIME, AT(loggops, gap_s), NULL, NULL,
	 "gap: minimum time between messages of an interface"},
	{"G", KEY_TIME, AT(loggops, byte_gap_s), NULL, NULL, "and for each byte after the first"},
	{"S", KEY_BYTES, AT(loggops, eager_bytes), NULL, NULL,
	 "largest message that is sent without asking (eager)"},
	{.type = KEY_END},
};

static const struct loggops_options loggops_usual = {.overhead_s = {0, 1},
						     .byte_overhead_s = {0, 1},
						     .gap_s = {0, 1},
						     .byte_gap_s = {0, 1},
						     .eager_bytes = 65535};

const struct key_kind loggops_keys = {"loggops", "--loggops list", loggops_rows, net_presets,
				      &loggops_usual};

static const struct key mpi_rows[] = {
	{"connect", KEY_FLAG, AT(mpi, connects_first), "use|first", NULL,
	 "two ranks connect at their first message, or all before the program begins"},
	{"ask", KEY_FLAG, AT(mpi, asks), "no|yes", NULL,
	 "each packet is followed by a request to acknowledge it"},
	{"acks", KEY_COUNT, AT(mpi, acks), NULL, "ask=no", "packets for one acknowledgement"},
	{"ack-delay", KEY_TIME, AT(mpi, ack_delay_s), NULL, "ask=no",
	 "time after which fewer are acknowledged"},
	{"envelope-in", KEY_FLAG, AT(mpi, envelope_apart), "data|own", NULL,
	 "the envelope travels with the data, or in a packet of its own"},
	{"envelope", KEY_BYTES, AT(mpi, envelope_bytes), NULL, NULL,
	 "size of a message's envelope"},
	{"header", KEY_BYTES, AT(mpi, header_bytes), NULL, NULL,
	 "headers of IP and TCP in each packet"},
	{"window", KEY_BYTES, AT(mpi, window_bytes), NULL, NULL,
	 "most unacknowledged data from one rank to another"},
	{"pace", KEY_TIME, AT(mpi, pace_s), NULL, NULL,
	 "minimum mean time between full segments of a host; 0: none"},
	{"burst", KEY_COUNT, AT(mpi, burst), NULL, NULL,
	 "full segments that leave at once after a pause"},
	{"late", KEY_TEXT, AT(mpi, late), NULL, NULL,
	 "delay of a segment that waited for its pace: 5us:100us, each equally likely"},
	{"ack-time", KEY_TEXT, AT(mpi, ack), NULL, "ask=no",
	 "times that a host takes to acknowledge, likewise"},
	{"answer", KEY_TEXT, AT(mpi, answer), NULL, NULL,
	 "times that a host takes to answer a request or a reply, likewise"},
	{"receive", KEY_TEXT, AT(mpi, receive), NULL, NULL,
	 "times from a message's arrival until the program has it, likewise"},
	{"seed", KEY_COUNT, AT(mpi, seed), NULL, NULL, "seed of these times"},
	{"resend", KEY_WORD, AT(mpi, resend), "fabric|no|yes", NULL,
	 "TCP resends lost packets and has a congestion window: where switches drop frames, never, "
	 "or always"},
	{"sack", KEY_FLAG, AT(mpi, sacks), "no|yes", "resend=fabric|yes",
	 "selective acknowledgements, and recovery from losses as in Linux: RACK, TLP, PRR"},
	{"initial-window", KEY_COUNT, AT(mpi, initial_window), NULL, "resend=fabric|yes",
	 "initial congestion window, in packets"},
	{"rto-min", KEY_TIME, AT(mpi, rto_least_s), NULL, "resend=fabric|yes",
	 "minimum time of the timeout beyond a round trip"},
	{.type = KEY_END},
};

// The preset yates.
static const struct mpi_options mpi_usual = {.connects_first = true,
					     .asks = true,
					     .envelope_apart = true,
					     .acks = 1,
					     .ack_delay_s = {1, 20},
					     .header_bytes = 40,
					     .envelope_bytes = 46,
					     .window_bytes = 65536,
					     .pace_s = {0, 1},
					     .burst = 1,
					     .seed = 1,
					     .initial_window = 10,
					     .rto_least_s = {1, 5}};

const struct key_kind mpi_keys = {"mpi", "--mpi=list", mpi_rows, net_presets, &mpi_usual};

static enum tr_status keyed_options_check(const char *key, uint64_t size_bytes, uint64_t most,
					  struct tr_error *err)
{
	if (size_bytes < 1 || size_bytes > most)
		return tr_fail(err, "--mpi: %s: expected 1 B to %llu B", key,
			       (unsigned long long)most);
	return TR_OK;
}

// What the hosts take: pace, burst, and the laws.
static enum tr_status settle_host(const struct mpi_options *options, uint64_t ticks_per_s,
				  struct program_mpi *params, struct tr_error *err)
{
	struct tr_error why;

	params->seed = options->seed;
	params->burst_packets = (uint32_t)options->burst;
	if (options->burst < 1 || options->burst > BURST_MAX)
		return tr_fail(err, "--mpi: burst: expected 1 to %u", BURST_MAX);
	if (tr_ticks_round(options->pace_s, ticks_per_s, &params->pace_ticks, &why) != TR_OK)
		return tr_fail(err, "--mpi: pace: %s", why.text);
	if (params->pace_ticks > INT64_MAX / 8 / BURST_MAX)
		return tr_fail(err, "--mpi: pace: out of range");
	if (net_law_read(&params->late, "--mpi: late", options->late, ticks_per_s, err) != TR_OK ||
	    net_law_read(&params->ack, "--mpi: ack-time", options->ack, ticks_per_s, err) !=
		    TR_OK ||
	    net_law_read(&params->answer, "--mpi: answer", options->answer, ticks_per_s, err) !=
		    TR_OK)
		return TR_ERROR;
	return net_law_read(&params->receive, "--mpi: receive", options->receive, ticks_per_s, err);
}

enum tr_status mpi_options_settle(const struct mpi_options *options, uint64_t ticks_per_s,
				  uint32_t mtu_bytes, bool drops, struct program_mpi *params,
				  struct tr_error *err)
{
	struct tr_error why;
	uint64_t packets;

	if (mtu_bytes < 2)
		return tr_fail(err, "--mtu: no room for a header and a byte");
	if (keyed_options_check("header", options->header_bytes, mtu_bytes - 1, err) != TR_OK ||
	    keyed_options_check("envelope", options->envelope_bytes,
				mtu_bytes - options->header_bytes, err) != TR_OK ||
	    keyed_options_check("window", options->window_bytes, UINT64_C(1) << 40, err) != TR_OK)
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
	if (tr_ticks_exact(options->ack_delay_s, ticks_per_s, &params->ack_delay_ticks, &why) !=
	    TR_OK)
		return tr_fail(err,
			       "--mpi: ack-delay: expected a whole number of the clock's ticks");
	params->resends = options->resend == MPI_RESEND_YES ||
			  (options->resend == MPI_RESEND_BY_FABRIC && drops);
	params->sacks = options->sacks;
	params->initial_packets = (uint32_t)options->initial_window;
	if (options->initial_window < 1 || options->initial_window > INITIAL_MAX)
		return tr_fail(err, "--mpi: initial-window: expected 1 to %u", INITIAL_MAX);
	if (tr_ticks_round(options->rto_least_s, ticks_per_s, &params->rto_least_ticks, &why) !=
		    TR_OK ||
	    params->rto_least_ticks > INT64_MAX / 1024)
		return tr_fail(err, "--mpi: rto-min: out of range");
	return settle_host(options, ticks_per_s, params, err);
}

static const struct key mapper_rows[] = {
	{"period", KEY_TIME, AT(mapper, period_s), NULL, NULL,
	 "time from one map of the network to the next"},
	{"timeout", KEY_TIME, AT(mapper, timeout_s), NULL, NULL,
	 "time after which a scout has no answer"},
	{"tries", KEY_COUNT, AT(mapper, tries), NULL, NULL,
	 "maximum number of scouts for one question"},
	{"scout", KEY_BYTES, AT(mapper, scout_bytes), NULL, NULL,
	 "data of a scout, and of an answer"},
	{.type = KEY_END},
};

static const struct mapper_options mapper_usual = {.period_s = {1, 1},
						   .timeout_s = {1, 2000},
						   .tries = 3,
						   .scout_bytes = 64};

const struct key_kind mapper_keys = {"mapper", "--mapper=list", mapper_rows, net_presets,
				     &mapper_usual};
