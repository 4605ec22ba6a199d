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
	{"transport", KEY_WORD, AT(mpi, transport), "tcp|rdma", NULL,
	 "what carries messages: TCP, or over ethernet the queue pairs of RDMA"},
	{"connect", KEY_WORD, AT(mpi, connect), "use|first|never", NULL,
	 "two ranks connect at their first message, or all before the program begins, or they are "
	 "connected"},
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
	 "headers in each packet, of IP and TCP, or of RDMA"},
	{"window", KEY_BYTES, AT(mpi, window_bytes), NULL, NULL,
	 "most unacknowledged data from one rank to another"},
	{"pace", KEY_TIME, AT(mpi, pace_s), NULL, "transport=tcp",
	 "minimum mean time between full segments of a host; 0: none"},
	{"burst", KEY_COUNT, AT(mpi, burst), NULL, "transport=tcp",
	 "full segments that leave at once after a pause"},
	{"late", KEY_TEXT, AT(mpi, late), NULL, "transport=tcp",
	 "delay of a segment that waited for its pace: 5us:100us, each equally likely"},
	{"ack-time", KEY_TEXT, AT(mpi, ack), NULL, "ask=no",
	 "times that a host takes to acknowledge, likewise"},
	{"answer", KEY_TEXT, AT(mpi, answer), NULL, NULL,
	 "times that a host takes to answer a request or a reply, likewise"},
	{"receive", KEY_TEXT, AT(mpi, receive), NULL, NULL,
	 "times from a message's arrival until the program has it, likewise"},
	{"seed", KEY_COUNT, AT(mpi, seed), NULL, NULL, "seed of these times"},
	{"resend", KEY_WORD, AT(mpi, resend), "fabric|no|yes", "transport=tcp",
	 "TCP resends lost packets and has a congestion window: where switches drop frames, never, "
	 "or always"},
	{"sack", KEY_FLAG, AT(mpi, sacks), "no|yes", "resend=fabric|yes",
	 "selective acknowledgements, and recovery from losses as in Linux: RACK, TLP, PRR"},
	{"initial-window", KEY_COUNT, AT(mpi, initial_window), NULL, "resend=fabric|yes",
	 "initial congestion window, in packets"},
	{"rto-min", KEY_TIME, AT(mpi, rto_least_s), NULL, "resend=fabric|yes",
	 "minimum time of the timeout beyond a round trip"},
	{"timeout", KEY_TIME, AT(mpi, timeout_s), NULL, "transport=rdma",
	 "time without an acknowledgement after which all is sent again"},
	{"dcqcn", KEY_FLAG, AT(mpi, dcqcn.on), "no|yes", "transport=rdma",
	 "each queue pair has a rate, which marks of congested switches lower"},
	{"gain", KEY_NUMBER, AT(mpi, dcqcn.gain), NULL, "dcqcn=yes",
	 "g: how much a notice of congestion counts"},
	{"alpha-time", KEY_TIME, AT(mpi, dcqcn.alpha_s), NULL, "dcqcn=yes",
	 "time without a notice after which it counts less"},
	{"increase-time", KEY_TIME, AT(mpi, dcqcn.increase_s), NULL, "dcqcn=yes",
	 "time after which the rate increases"},
	{"increase-bytes", KEY_BYTES, AT(mpi, dcqcn.increase_bytes), NULL, "dcqcn=yes",
	 "bytes after which it does"},
	{"step", KEY_RATE, AT(mpi, dcqcn.step_bps), NULL, "dcqcn=yes",
	 "by how much its target does, after five increases"},
	{"fast-step", KEY_RATE, AT(mpi, dcqcn.fast_step_bps), NULL, "dcqcn=yes",
	 "the same, after five by the time and five by the bytes"},
	{"least-rate", KEY_RATE, AT(mpi, dcqcn.least_bps), NULL, "dcqcn=yes",
	 "below which no notice lowers it"},
	{"notice-time", KEY_TIME, AT(mpi, dcqcn.notice_s), NULL, "dcqcn=yes",
	 "least time from a notice of a receiver to its next one"},
	{.type = KEY_END},
};

// The preset yates. The timeout is 4.096 us * 2^14; DCQCN's values are those that others give
// for Zhu and others (2015), but for the steps and the least rate, which are ours.
static const struct mpi_options mpi_usual = {.connect = MPI_CONNECT_FIRST,
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
					     .rto_least_s = {1, 5},
					     .timeout_s = {67108864, 1000000000},
					     .dcqcn = {.gain = {1, 256},
						       .alpha_s = {55, 1000000},
						       .increase_s = {55, 1000000},
						       .increase_bytes = 10000000,
						       .step_bps = {40000000, 1},
						       .fast_step_bps = {400000000, 1},
						       .least_bps = {10000000, 1},
						       .notice_s = {50, 1000000}}};

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
	params->seed = options->seed;
	params->burst_packets = (uint32_t)options->burst;
	if (options->burst < 1 || options->burst > BURST_MAX)
		return tr_fail(err, "--mpi: burst: expected 1 to %u", BURST_MAX);
	if (tr_ticks_round(options->pace_s, ticks_per_s, &params->pace_ticks, err) != TR_OK)
		return tr_fail_in(err, "--mpi: pace");
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

// A time of RDMA's in ticks, above 0.
static enum tr_status settle_time(const char *key, struct num_ratio time_s, uint64_t ticks_per_s,
				  int64_t *ticks, struct tr_error *err)
{
	struct tr_error why;

	if (tr_ticks_round(time_s, ticks_per_s, ticks, &why) != TR_OK || *ticks <= 0 ||
	    *ticks > INT64_MAX / 1024)
		return tr_fail(err, "--mpi: %s: expected a time above 0", key);
	return TR_OK;
}

// A rate of DCQCN's in whole b/s.
static enum tr_status settle_rate(const char *key, struct num_ratio rate_bps, uint64_t *bps,
				  struct tr_error *err)
{
	if (rate_bps.num < 0 || rate_bps.den != 1 || rate_bps.num > INT64_MAX / 1024)
		return tr_fail(err, "--mpi: %s: expected whole b/s", key);
	*bps = (uint64_t)rate_bps.num;
	return TR_OK;
}

static enum tr_status rdma_options_settle(const struct mpi_options *options, uint64_t ticks_per_s,
					  struct program_rdma *rdma, struct tr_error *err)
{
	const struct dcqcn_options *of = &options->dcqcn;
	struct dcqcn_params *dcqcn = &rdma->dcqcn;

	rdma->on = true;
	rdma->ticks_per_s = ticks_per_s;
	dcqcn->on = of->on;
	dcqcn->increase_bytes = of->increase_bytes;
	if (of->gain.num < 0 || of->gain.num > of->gain.den || of->gain.den > INT32_MAX)
		return tr_fail(err, "--mpi: gain: expected 0 to 1");
	dcqcn->gain = DCQCN_ONE * (uint64_t)of->gain.num / (uint64_t)of->gain.den;
	if (of->increase_bytes == 0)
		return tr_fail(err, "--mpi: increase-bytes: expected 1 B or more");
	if (of->least_bps.num == 0)
		return tr_fail(err, "--mpi: least-rate: expected a rate above zero");
	if (settle_time("timeout", options->timeout_s, ticks_per_s, &rdma->timeout_ticks, err) !=
		    TR_OK ||
	    settle_time("alpha-time", of->alpha_s, ticks_per_s, &dcqcn->alpha_ticks, err) !=
		    TR_OK ||
	    settle_time("increase-time", of->increase_s, ticks_per_s, &dcqcn->increase_ticks,
			err) != TR_OK ||
	    settle_time("notice-time", of->notice_s, ticks_per_s, &dcqcn->notice_ticks, err) !=
		    TR_OK ||
	    settle_rate("step", of->step_bps, &dcqcn->step_bps, err) != TR_OK ||
	    settle_rate("fast-step", of->fast_step_bps, &dcqcn->fast_step_bps, err) != TR_OK)
		return TR_ERROR;
	return settle_rate("least-rate", of->least_bps, &dcqcn->least_bps, err);
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
				       .connects_first = options->connect == MPI_CONNECT_FIRST,
				       .connected = options->connect == MPI_CONNECT_NEVER,
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
	params->resends = options->transport == MPI_RDMA || options->resend == MPI_RESEND_YES ||
			  (options->resend == MPI_RESEND_BY_FABRIC && drops);
	params->sacks = options->sacks && options->transport == MPI_TCP;
	if (options->transport == MPI_RDMA && options->asks)
		return tr_fail(err, "--mpi: ask: transport=rdma acknowledges without; type ask=no");
	if (options->transport == MPI_RDMA &&
	    rdma_options_settle(options, ticks_per_s, &params->rdma, err) != TR_OK)
		return TR_ERROR;
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
