// SPDX-License-Identifier: GPL-3.0-or-later
#include "mpi_options.h"

#include <string.h>

#include "trace/ticks.h"

static const struct opt_choice like_words[] = {{"yates", 0}, {"openmpi", 1}, {NULL, 0}};
static const struct opt_choice connect_words[] = {{"use", 0}, {"first", 1}, {NULL, 0}};
static const struct opt_choice switch_words[] = {{"off", 0}, {"on", 1}, {NULL, 0}};
static const struct opt_choice envelope_words[] = {{"data", 0}, {"own", 1}, {NULL, 0}};

// Yates (1997): MPI over the TCP of 1997 asks; its packets of overhead have at most 86 B.
// Open MPI over the TCP of today, as recorded: a connection at first use, an acknowledgement for two segments or after
// 40 ms, headers of 32 to 64 B.
static const struct mpi_options like[] = {
	{.choices = {[MPI_CONNECT] = 1, [MPI_ASK] = 1, [MPI_ENVELOPE_IN] = 1}, .acks = 1,
	 .ack_delay_s = {1, 20}, .header_B = {40, 1}, .envelope_B = {46, 1}, .window_B = {65536, 1}},
	{.choices = {0}, .acks = 2, .ack_delay_s = {1, 25}, .header_B = {40, 1},
	 .envelope_B = {48, 1}, .window_B = {65536, 1}},
};

size_t mpi_options_start(struct mpi_options *options, struct opt *rows)
{
	const struct opt table[] = {
		OPT_FLAG(0, "mpi", &options->on, "program: its messages go by MPI over TCP"),
		OPT_CHOICE(0, "mpi-like", &options->like, like_words,
			   "mpi: whose values those below have where they are not given"),
		OPT_CHOICE(0, "mpi-connect", &options->choices[MPI_CONNECT], connect_words,
			   "mpi: all ranks connect first, or two at their first message"),
		OPT_CHOICE(0, "mpi-ask", &options->choices[MPI_ASK], switch_words,
			   "mpi: each packet is followed by a request to acknowledge it"),
		OPT_CHOICE(0, "mpi-envelope-in", &options->choices[MPI_ENVELOPE_IN], envelope_words,
			   "mpi: the envelope goes with the data, or in a packet of its own"),
		OPT_SIZE(0, "mpi-envelope", &options->envelope_B, "mpi: size of the envelope"),
		OPT_SIZE(0, "mpi-header", &options->header_B,
			 "mpi: of IP and TCP, in each packet"),
		OPT_COUNT(0, "mpi-acks", &options->acks,
			  "mpi: packets for one acknowledgement, where it is not asked for"),
		OPT_TIME(0, "mpi-ack-delay", &options->ack_delay_s,
			 "mpi: then fewer are acknowledged"),
		OPT_SIZE(0, "mpi-window", &options->window_B,
			 "mpi: the most that is not yet acknowledged, from a rank to another"),
	};

	_Static_assert(sizeof(table) / sizeof(*table) == MPI_OPTION_ROWS, "rows");
	*options = like[0];
	memcpy(rows, table, sizeof(table));
	return MPI_OPTION_ROWS;
}

static void take_defaults(struct mpi_options *options, const struct tool *tool)
{
	static const char *const names[MPI_CHOICES] = {"mpi-connect", "mpi-ask", "mpi-envelope-in"};
	const struct mpi_options *values = &like[options->like];

	for (int i = 0; i < MPI_CHOICES; i++)
		if (!tool_option_given(tool, names[i]))
			options->choices[i] = values->choices[i];
	if (!tool_option_given(tool, "mpi-acks"))
		options->acks = values->acks;
	if (!tool_option_given(tool, "mpi-ack-delay"))
		options->ack_delay_s = values->ack_delay_s;
	if (!tool_option_given(tool, "mpi-header"))
		options->header_B = values->header_B;
	if (!tool_option_given(tool, "mpi-envelope"))
		options->envelope_B = values->envelope_B;
	if (!tool_option_given(tool, "mpi-window"))
		options->window_B = values->window_B;
}

static enum tr_status whole(const char *name, struct num_ratio size_B, int64_t most, struct tr_error *err)
{
	if (size_B.den != 1 || size_B.num < 1 || size_B.num > most)
		return tr_fail(err, "--%s: expected 1 B to %lld B, whole", name, (long long)most);
	return TR_OK;
}

enum tr_status mpi_options_settle(struct mpi_options *options, const struct tool *tool,
				  uint64_t ticks_per_s, uint32_t mtu_bytes,
				  struct program_mpi *params, struct tr_error *err)
{
	struct tr_error why;
	int64_t packets;

	take_defaults(options, tool);
	if (mtu_bytes < 2)
		return tr_fail(err, "--mtu: no room for a header and a byte");
	if (whole("mpi-header", options->header_B, mtu_bytes - 1, err) != TR_OK ||
	    whole("mpi-envelope", options->envelope_B, mtu_bytes - options->header_B.num, err) !=
		    TR_OK ||
	    whole("mpi-window", options->window_B, INT64_C(1) << 40, err) != TR_OK)
		return TR_ERROR;
	if (options->acks < 1 || options->acks > PROGRAM_ACKS_MAX)
		return tr_fail(err, "--mpi-acks: expected 1 to %u", PROGRAM_ACKS_MAX);
	packets = options->window_B.num / (mtu_bytes - options->header_B.num);
	*params = (struct program_mpi){
		.on = options->on, .connects_first = options->choices[MPI_CONNECT] == 1,
		.asks = options->choices[MPI_ASK] == 1,
		.envelope_apart = options->choices[MPI_ENVELOPE_IN] == 1,
		.header_bytes = (uint32_t)options->header_B.num,
		.envelope_bytes = (uint32_t)options->envelope_B.num,
		.ack_every = (uint32_t)options->acks,
		.window_packets = packets < 1 ? 1 : packets > INT32_MAX ? INT32_MAX : (uint32_t)packets};
	if (options->ack_delay_s.num < 0 || tr_ticks_exact(options->ack_delay_s, ticks_per_s,
							  &params->ack_delay_ticks, &why) != TR_OK)
		return tr_fail(err, "--mpi-ack-delay: expected a whole number of the clock's ticks");
	return TR_OK;
}
