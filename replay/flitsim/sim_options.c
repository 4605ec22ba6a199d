// SPDX-License-Identifier: GPL-3.0-or-later
#include "flitsim.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "input/map_input.h"
#include "input/network_input.h"
#include "measurement.h"
#include "net/fabric.h"
#include "stream/words.h"
#include "value/ticks.h"

static const struct opt_choice mtu_words[] = {{"none", 0, "packets are not cut"}, {NULL, 0}};
static const struct opt_choice warmup_words[] = {
	{"auto", 0, "once the mean latency is steady"},
	{"worms", 0, "worms N: after this many"},
	{NULL, 0},
};

static const struct opt_choice repeat_words[] = {
	{"no", 0, "simulate all iterations"},
	{"exact", 1, "leave out those that follow from others"},
	{NULL, 0},
};

static enum tr_status list_mapper(struct table_style style, FILE *out, struct tr_error *err)
{
	return keys_input_list(&mapper_keys, style, out, err);
}

static enum tr_status list_mpi(struct table_style style, FILE *out, struct tr_error *err)
{
	return keys_input_list(&mpi_keys, style, out, err);
}

static enum tr_status list_loggops(struct table_style style, FILE *out, struct tr_error *err)
{
	return keys_input_list(&loggops_keys, style, out, err);
}

// The engines of all kinds.
static enum tr_status list_engines(struct table_style style, FILE *out, struct tr_error *err)
{
	struct table *table = table_new("engines", "Engines: auto, or one of the kind");

	table_columns(table, "kind engine meaning");
	table_words_are(table, "{engine}");
	table_none(table);
	table_text(table, "auto");
	table_text(table, "the first of the kind that supports the other options");
	for (size_t i = 0; net_fabrics[i]; i++)
		for (size_t k = 0; net_fabrics[i]->engines[k]; k++) {
			table_text(table, net_fabrics[i]->name);
			table_text(table, net_fabrics[i]->engines[k]->name);
			table_text(table, net_fabrics[i]->engines[k]->summary);
		}
	return tables_finish(&table, 1, style, "flitsim", out, err);
}

static void set_defaults(struct sim_options *options)
{
	*options = (struct sim_options){
		.network = "switch:8",
		.routes = "shortest",
		.engine = "auto",
		.traffic = {.map = "ids", .empty_B = {40, 1}, .mtu_B = {8192, 1}},
		.run.memory_B = {(int64_t)1 << 32, 1},
		.output = {.interval_s = {1, 1000}, .level_percent = 95},
		.mpi.values = *(const struct mpi_options *)mpi_keys.usual,
		.mapper.values = *(const struct mapper_options *)mapper_keys.usual,
		.loggops.values = *(const struct loggops_options *)loggops_keys.usual,
	};
}

void sim_options_start(struct sim_options *options, struct opt *rows)
{
	struct sim_traffic_options *traffic = &options->traffic;
	struct sim_output_options *output = &options->output;
	const struct opt table[] = {
		OPT_GROUP("Network"),
		OPT_NETWORK('N', "net", &options->network),
		OPT_ROUTES(0, "routes", &options->routes),
		OPT_FABRIC(&options->fabric),
		OPT_PRINT_FABRIC(&options->print_fabric),
		OPT_STRING_LISTED(0, "engine", "NAME", &options->engine, list_engines,
				  "engine of the kind (list)"),
		OPT_LIST_OR_WORDS(0, "fault", "FAULT", &options->faults, fault_words,
				  "link:A-B@FROM..TO[,loss=RATE], host:..., switch:..."),
		OPT_ON_KEYS("mapper", &options->mapper.words, list_mapper,
			    "map the network from a host (--mapper=list)"),
		OPT_GROUP("Traffic and run"),
		OPT_FILES(0, "program", &options->program.files,
			  "run this GOAL program instead of a trace; repeat it for more jobs"),
		OPT_ON_KEYS("mpi", &options->mpi.words, list_mpi,
			    "send its messages by MPI over TCP (--mpi=list)"),
		OPT_KEYS("loggops", &options->loggops.words, list_loggops,
			 "costs of its messages at hosts (--loggops list)"),
		OPT_MAP(&traffic->map, map_input_words),
		OPT_IGNORE_UNMAPPED(&traffic->ignore_unmapped),
		OPT_PACKET_SIZE(&traffic->size),
		OPT_SIZE(0, "empty", &traffic->empty_B, "size of a packet without payload"),
		OPT_STRING_OR_WORD(0, "mtu", "SIZE|none", &traffic->mtu, mtu_words,
				   "largest worm; packets above it are cut into segments"),
		OPT_STRING_OR_WORD(0, "warmup", "TIME|auto", &options->run.warmup, warmup_words,
				   "ignore deliveries before this time"),
		OPT_STRING_OR_WORD(0, "stop", "RULE", &options->run.stop, stop_words,
				   "end early: 'time 1s', 'worms 31000 or latency 1%'"),
		OPT_CHOICE(0, "repeat", &options->program.repeats, repeat_words,
			   "leave out what iterations repeat"),
		OPT_MEMORY(&options->run.memory_B),
		OPT_SILENT_NUMBER(0, "threads", &options->run.threads, THREADS_MOST,
				  "threads that move the network" OPT_DEFAULT("all")),
		OPT_GROUP("Output"),
		OPT_ALSO_WRITE(&output->deliveries),
		OPT_SILENT_FILE(0, "links", &output->links,
				"write samples of the links as a stream"),
		OPT_TIME(0, "interval", &output->interval_s, "time from sample to sample"),
		OPT_MESSAGES(&options->program.messages),
		OPT_COMPRESS(&output->compress),
		OPT_SILENT_FLAG(0, "critical-path", &options->program.path,
				"show the critical path of a program"),
		OPT_SILENT_FLAG(0, "waits", &options->program.waits,
				"show for which messages ranks waited"),
		OPT_SILENT_FILE(0, "characters", &output->characters,
				"write the characters on links as text"),
		OPT_SILENT_FILE(0, "timeline", &output->timeline,
				"draw the run over time (.svg), or events (.json)"),
		OPT_SILENT_FLAG(0, "watch", &output->watch, "step through the run on the terminal"),
		OPT_LIST(0, "only", "LINK|FROM..TO", &output->only,
			 "limit these to a link (host0>switch0.0) or a time"),
		OPT_LEVEL(&output->level_percent),
		TABLE_OPTIONS(&output->style),
		OPT_ONLY_WITH("messages,critical-path,waits,repeat", "program"),
		OPT_NOT_WITH("write,links,messages,waits,characters,timeline,watch,warmup,stop",
			     "repeat=exact"),
		OPT_NOT_WITH("mapper", "program"),
		OPT_NOT_WITH("empty", "mpi"),
		OPT_ONLY_WITH("interval", "links,timeline,watch"),
		OPT_ONLY_WITH("compress", "write,links,messages"),
		OPT_ONLY_WITH("only", "characters,timeline,watch"),
		OPT_END,
	};

	_Static_assert(sizeof(table) / sizeof(*table) <= SIM_OPTION_ROWS, "rows");
	set_defaults(options);
	memcpy(rows, table, sizeof(table));
}

bool sim_options_read(struct sim_options *options, struct tool *tool)
{
	return keys_input_read(tool, &mpi_keys, &options->mpi.words, &options->mpi.values) &&
	       keys_input_read(tool, &mapper_keys, &options->mapper.words,
			       &options->mapper.values) &&
	       keys_input_read(tool, &loggops_keys, &options->loggops.words,
			       &options->loggops.values);
}

uint64_t sim_memory_part(const struct sim_options *options, enum sim_memory part)
{
	return (uint64_t)(options->run.memory_B.num / options->run.memory_B.den) /
	       SIM_MEMORY_PARTS * part;
}

static const char *hint_key(const struct key_kind *kind, const char *name, char *out,
			    size_t out_bytes)
{
	const size_t length = strlen(kind->name);
	const struct key *key;

	if (strncmp(name, kind->name, length) != 0 || name[length] != '-')
		return NULL;
	key = keys_find(kind->keys, name + length + 1, strlen(name + length + 1));
	if (!key)
		return NULL;
	snprintf(out, out_bytes, "--%s=%s=%s", kind->name, key->name, keys_takes(key));
	return out;
}

const char *sim_options_hint(const char *name, char *out, size_t out_bytes)
{
	const struct key_kind *const kinds[] = {&mpi_keys, &mapper_keys};
	const char *hint = NULL;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds) && !hint; i++)
		hint = hint_key(kinds[i], name, out, out_bytes);
	return hint ? hint : fabric_input_hint(name, out, out_bytes);
}

// A worm has 1 to 2^28 data characters.
#define WORM_MOST_B (1 << 28)
#define MEMORY_LEAST_B (1 << 20)
#define MEMORY_MOST_B ((int64_t)1 << 50)

static enum tr_status check_worm(const char *name, struct num_ratio size, struct tr_error *err)
{
	if (size.den != 1 || size.num < 1 || size.num > WORM_MOST_B)
		return tr_fail(err, "--%s: expected 1 B to 256 MiB, whole", name);
	return TR_OK;
}

static enum tr_status set_mtu(struct sim_traffic_options *traffic, const struct fabric *fabric,
			      struct tr_error *err)
{
	struct tr_error why;

	if (!traffic->mtu && fabric->kind->mtu_bytes)
		traffic->mtu_B = (struct num_ratio){
			(int64_t)fabric->kind->mtu_bytes(fabric->params), 1};
	else if (traffic->mtu && strcmp(traffic->mtu, "none") == 0)
		traffic->mtu_B = (struct num_ratio){WORM_MOST_B, 1};
	else if (traffic->mtu && num_parse(traffic->mtu, NUM_SIZE, &traffic->mtu_B, &why) != TR_OK)
		return tr_fail(err, "--mtu: %.400s; expected a size, or none", why.text);
	return check_worm("mtu", traffic->mtu_B, err);
}

static enum tr_status sim_check_memory(const struct sim_options *options, struct tr_error *err)
{
	const struct num_ratio memory_B = options->run.memory_B;

	if (memory_B.num / memory_B.den < MEMORY_LEAST_B ||
	    memory_B.num / memory_B.den > MEMORY_MOST_B)
		return tr_fail(err, "--memory: expected a size from 1 MiB to 1024 TiB");
	return TR_OK;
}

// Checks for options that need a network with links; a wired one has all but routes.
static enum tr_status check_linked(const struct tool *tool, const struct fabric *fabric,
				   struct tr_error *err)
{
	static const char *const words[] = {"routes", "mapper", "fault", "characters", "links"};
	const struct net_fabric *kind = fabric->kind;
	const size_t count = sizeof(words) / sizeof(*words) - (kind->wired ? 3 : 0);

	for (size_t i = 0; !kind->linked && i < count; i++)
		if (tool_option_given(tool, words[i]))
			return tr_fail(
				err,
				"--%s has no effect on a network of the kind %s, which has no %s",
				words[i], kind->name, kind->wired ? "routes" : "links");
	return TR_OK;
}

// Checks for what has no effect on a program, which waits for its own worms, and what goes with no
// trace beside one.
static enum tr_status check_program(const struct sim_options *options, const struct tool *tool,
				    const struct fabric *fabric, struct tr_error *err)
{
	const char *of_traces[] = {"size", "ignore-unmapped"};

	if (options->program.files.count == 0)
		return TR_OK;
	if (fabric_given(fabric, "when-full"))
		return tr_fail(err, "--fabric: when-full has no effect with --program");
	for (size_t i = 0; i < 2 && !options->program.beside; i++)
		if (tool_option_given(tool, of_traces[i]))
			return tr_fail(err, "--%s has no effect with --program and no trace",
				       of_traces[i]);
	if (options->program.beside && run_timeline_is_wanted(options))
		return tr_fail(err, "--timeline and --watch show programs or a trace, not both");
	return TR_OK;
}

enum tr_status sim_options_check(struct sim_options *options, const struct tool *tool,
				 const struct fabric *fabric, struct tr_error *err)
{
	options->program.beside = options->program.files.count > 0 && tool_operand_count(tool) > 0;
	if (options->program.files.count == 0 &&
	    (options->mpi.words.count > 0 || options->loggops.words.count > 0))
		return tr_fail(err, "--%s has no effect without --program",
			       options->mpi.words.count > 0 ? "mpi" : "loggops");
	if (strcmp(options->traffic.map, "roles") == 0 && options->program.files.count > 0)
		return tr_fail(err, "--map: the ranks of a program have no roles");
	if (options->output.interval_s.num <= 0)
		return tr_fail(err, "--interval: expected a time above zero");
	if (sim_check_memory(options, err) != TR_OK ||
	    check_worm("empty", options->traffic.empty_B, err) != TR_OK ||
	    set_mtu(&options->traffic, fabric, err) != TR_OK)
		return TR_ERROR;
	if (check_linked(tool, fabric, err) != TR_OK || run_timeline_check(options, err) != TR_OK)
		return TR_ERROR;
	return check_program(options, tool, fabric, err);
}
