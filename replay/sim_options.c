// SPDX-License-Identifier: GPL-3.0-or-later
#include "sim_options.h"

#include <string.h>

#include "routes_input.h"
#include "topology_input.h"

static const struct opt_choice size_words[] = {
	{"payload", SIM_SIZE_PAYLOAD}, {"wire", SIM_SIZE_WIRE}, {NULL, 0}};
static const struct opt_choice level_words[] = {{"90", 90}, {"95", 95}, {"99", 99}, {NULL, 0}};

static void set_defaults(struct sim_options *options)
{
	*options = (struct sim_options){
		.network = "switch:8",
		.routes = "shortest",
		.engine = "auto",
		.traffic = {.map = "ids", .empty_B = {40, 1}, .mtu_B = {8192, 1}},
		.run = {.time_s = {0, 0}, .bytes_B = {0, 1}}, // time_s.den 0: not given
		.output = {.interval_s = {1, 1000}, .explain_B = {0, 1}, .level_percent = 95},
	};
}

void sim_options_start(struct sim_options *options, struct opt *rows)
{
	struct sim_traffic_options *traffic = &options->traffic;
	struct sim_run_options *run = &options->run;
	struct sim_output_options *output = &options->output;
	const struct opt table[] = {
		OPT_NETWORK('n', "net", &options->network),
		OPT_ROUTES(0, "routes", &options->routes),
		OPT_FABRIC(&options->fabric),
		OPT_STRING(0, "engine", "NAME", &options->engine,
			   "one of the kind's engines, which give the same bytes; auto: the first that can"),
		OPT_FILE_OR_WORD(0, "map", &traffic->map, "which node is which host"),
		OPT_FLAG(0, "ignore-unmapped", &traffic->ignore_unmapped,
			 "drop and count the traffic of nodes that are not in the network"),
		OPT_FLAG(0, "only-roles", &traffic->only_roles,
			 "leave out nodes without a role, such as a launcher"),
		OPT_CHOICE(0, "size", &traffic->size, size_words, "bytes of a packet that travel"),
		OPT_SIZE(0, "empty", &traffic->empty_B, "what a packet without payload travels as"),
		OPT_SIZE(0, "mtu", &traffic->mtu_B, "largest worm; a larger packet is an error"),
		OPT_STRING(0, "warmup", "TIME|auto", &run->warmup,
			   "what is delivered before it is not measured"),
		OPT_TIME('t', "time", &run->time_s, "the run ends at this simulated time"),
		OPT_COUNT('c', "worms", &run->worms, "or when so many are delivered"),
		OPT_SIZE(0, "bytes", &run->bytes_B, "or so much data"),
		OPT_STRING(0, "workload", "FFT", &run->workload,
			   "or the data of an FFT: rc:256 or vr:256"),
		OPT_STRING(0, "until", "MEAN", &run->until,
			   "or when a mean is known so well: 'latency 1%'"),
		OPT_SILENT_FILE('w', "write", &output->deliveries,
				"write the deliveries as a stream"),
		OPT_SILENT_FILE(0, "links", &output->links,
				"write samples of the links as a stream"),
		OPT_TIME(0, "interval", &output->interval_s, "of these samples"),
		OPT_FLAG('z', "zstd", &output->compress, "compress the streams"),
		OPT_CHOICE(0, "level", &output->level_percent, level_words,
			   "of the intervals, in percent"),
		OPT_LIST(0, "fault", "FAULT", &options->faults,
			 "link:A-B@FROM..TO, host:A@... or switch:A@... is dead; may be given again"),
		OPT_SILENT_FILE(0, "trace-characters", &output->characters.path,
				"write the characters on links as text"),
		OPT_LIST(0, "trace-link", "LINK", &output->characters.links,
			 "of this link, as host0>switch0.0; may be given again"),
		OPT_STRING(0, "trace-window", "FROM..TO", &output->characters.window,
			   "of these times"),
		OPT_SIZE(0, "explain", &output->explain_B,
			 "the time of one worm of this size, term by term"),
		TABLE_OPTIONS(&output->style),
		OPT_ONLY_WITH("overhead,byte-overhead,message-gap,byte-gap,eager,messages,critical-path,waits,mpi",
			      "program"),
		OPT_ONLY_WITH("mpi-like,mpi-connect,mpi-ask,mpi-envelope-in,mpi-envelope,mpi-header,mpi-acks,mpi-ack-delay,"
			      "mpi-window",
			      "mpi"),
		OPT_ONLY_WITH("mapper-timeout,mapper-tries,scout", "mapper"),
		OPT_NOT_WITH("size,ignore-unmapped,mapper", "program"),
		OPT_NOT_WITH("empty", "mpi"),
		OPT_NOT_WITH("engine,map,ignore-unmapped,only-roles,size,empty,mtu,warmup,time,worms,bytes,workload,until,write,"
			     "links,level,fault,program,mapper", "explain"),
		OPT_ONLY_WITH("interval", "links"),
		OPT_ONLY_WITH("zstd", "write,links,messages"),
		OPT_ONLY_WITH("trace-link,trace-window", "trace-characters"),
	};
	const struct opt end = OPT_END;
	size_t count = sizeof(table) / sizeof(*table);

	_Static_assert(sizeof(table) / sizeof(*table) + PROGRAM_OPTION_ROWS + MPI_OPTION_ROWS +
				       MAPPER_OPTION_ROWS <= SIM_OPTION_ROWS,
		       "rows");
	set_defaults(options);
	memcpy(rows, table, sizeof(table));
	count += program_options_start(&options->program, rows + count);
	count += mpi_options_start(&options->mpi, rows + count);
	count += mapper_options_start(&options->mapper, rows + count);
	rows[count] = end;
}

// A worm has 1 to 2^28 data characters.
static enum tr_status check_worm(const char *name, struct num_ratio size, struct tr_error *err)
{
	if (size.den != 1 || size.num < 1 || size.num > 1 << 28)
		return tr_fail(err, "--%s: expected 1 B to 256 MiB, whole", name);
	return TR_OK;
}

// What an option does only on a network with links.
static enum tr_status check_linked(const struct tool *tool, const struct fabric *fabric, struct tr_error *err)
{
	static const char *const words[] = {"routes", "links", "fault", "mapper", "trace-characters"};

	for (size_t i = 0; !fabric->kind->linked && i < sizeof(words) / sizeof(*words); i++)
		if (tool_option_given(tool, words[i]))
			return tr_fail(err, "--%s has no effect on a network of the kind %s, which has no links", words[i],
				       fabric->kind->name);
	return TR_OK;
}

// Keys that mean nothing to a program, which waits for its own worms, or to one worm alone.
static enum tr_status check_keys(const struct sim_options *options, const struct fabric *fabric, struct tr_error *err)
{
	static const char *const crowd[] = {"when-full", "bit-errors", "misrouted"};

	if (options->program.file != NULL && fabric_given(fabric, "when-full"))
		return tr_fail(err, "--fabric: when-full has no effect with --program");
	if (options->output.explain_B.num == 0)
		return TR_OK;
	if (fabric->kind->formula == NULL)
		return tr_fail(err, "--explain: a network of the kind %s has no formula", fabric->kind->name);
	for (size_t i = 0; i < sizeof(crowd) / sizeof(*crowd); i++)
		if (fabric_given(fabric, crowd[i]))
			return tr_fail(err, "--fabric: %s has no effect with --explain", crowd[i]);
	return TR_OK;
}

enum tr_status sim_options_check(const struct sim_options *options, const struct tool *tool,
				 const struct fabric *fabric, struct tr_error *err)
{
	if (tool_option_given(tool, "explain") && tool_operand_count(tool) > 0)
		return tr_fail(err, "--explain sends a worm of its own and reads no trace");
	if (options->traffic.only_roles && strcmp(options->traffic.map, "ids") != 0)
		return tr_fail(err, "--only-roles and --map: only one of them");
	if (options->traffic.only_roles && options->program.file != NULL)
		return tr_fail(err, "--only-roles and --program: only one of them");
	if (options->output.interval_s.num <= 0)
		return tr_fail(err, "--interval: expected a time above zero");
	if (check_worm("empty", options->traffic.empty_B, err) != TR_OK ||
	    check_worm("mtu", options->traffic.mtu_B, err) != TR_OK)
		return TR_ERROR;
	if (options->output.explain_B.num != 0 &&
	    check_worm("explain", options->output.explain_B, err) != TR_OK)
		return TR_ERROR;
	return check_linked(tool, fabric, err) == TR_OK ? check_keys(options, fabric, err) : TR_ERROR;
}
