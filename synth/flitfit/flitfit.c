// SPDX-License-Identifier: GPL-3.0-or-later
// flitfit: a model from a trace; or one for more nodes from the models of two and four.
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "file/spawn.h"
#include "flitfit.h"
#include "gen/scale_rules.h"
#include "stat/intervals/numeric_errors.h"

#define REPLICATES_MAX 10000u
#define BY_EVERY 100

static const struct opt_choice method_words[] = {
	{"mixture", PULSE_MIXTURE, "by a mixture of two distributions of gaps"},
	{"bursts", PULSE_BURSTS, "by the burst gap, found or given with --burst-gap"},
	{NULL, 0},
};
static const struct opt_choice size_words[] = {
	{"auto", PULSE_SIZES_AUTO, "the one of the two that suits the sizes"},
	{"normal", PULSE_SIZES_NORMAL, "a normal distribution"},
	{"empirical", PULSE_SIZES_EMPIRICAL, "the observed sizes, with their shares"},
	{NULL, 0},
};
static const struct opt_choice destination_words[] = {
	{"uniform", PULSE_UNIFORM, "any other node with equal probability"},
	{"by-role", PULSE_BY_ROLE,
	 "the controller with the fitted probability, else any other worker"},
	{NULL, 0},
};

static const struct opt_choice by_words[] = {
	{"role", FIT_BY_ROLE, "a process for controllers and one for workers"},
	{"all", FIT_BY_ALL, "one for all nodes"},
	{"class", FIT_BY_CLASS, "one for data and one for overhead"},
	{"node", FIT_BY_NODE, "one for each node"},
	{"pair", FIT_BY_PAIR, "one for each pair of nodes"},
	{"network", FIT_BY_NETWORK, "the packets of the whole network as one process"},
	{"every", BY_EVERY, "with --rank: each of these"},
	{NULL, 0},
};

bool fit_counts(const struct tr_reader *in)
{
	return tr_reader_header(in)->kind == TR_SERIES;
}

enum tr_status fit_settle(const struct tr_reader *in, struct fit_request *request,
			  struct tr_error *err)
{
	const struct tr_header *header = tr_reader_header(in);

	request->fit.pulse.ticks_per_s = header->ticks_per_s;
	if (!tr_kind_has_packet(header->kind))
		return tr_fail(err,
			       "%s: contains %s records, expected packets, deliveries or counts%s",
			       tr_reader_name(in), tr_kind_find(header->kind)->name,
			       header->kind == TR_MESSAGE ? "; -f program reads messages" : "");
	return TR_OK;
}

enum tr_status fit_set_aside(const struct fit_request *request, struct discovery *discovery,
			     const struct tr_reader *in, const struct tr_packet *packet,
			     bool *aside, struct tr_error *err)
{
	*aside = false;
	return request->all_nodes
		       ? TR_OK
		       : discovery_add(discovery, packet, tr_reader_names(in), aside, err);
}

enum tr_status fit_tell_aside(struct tool *tool, const char *trace, struct discovery *discovery)
{
	const unsigned long long packets = discovery->packets;
	const double share = 100.0 * (double)packets / (double)(packets + discovery->kept);
	const uint32_t nodes = discovery_nodes(discovery);
	const bool none = packets > 0 && discovery->kept == 0;

	discovery_clear(discovery);
	if (none)
		tool_error(
			tool,
			"%s: all %llu packets are of multicast or discovery; --all-nodes fits them",
			trace, packets);
	else if (packets > 0)
		tool_warn(tool,
			  "%s: %llu packets of multicast and discovery (%.2g %%), with %u nodes "
			  "that are in no others, are left out; --all-nodes keeps them",
			  trace, packets, share, nodes);
	return none ? TR_ERROR : TR_OK;
}

enum tr_status fit_check_times(struct tool *tool, const struct fit_request *request,
			       const char *trace, uint64_t packets, int64_t first_ticks,
			       int64_t last_ticks)
{
	if (packets < 2 || first_ticks != last_ticks || request->force)
		return TR_OK;
	tool_error(tool, "%s: all %llu packets have the same time, so no gap or rate can be fitted",
		   trace, (unsigned long long)packets);
	return TR_ERROR;
}

// The discovery and the finder are the caller's to clear.
static enum tr_status flitfit_read_packets(struct tool *tool, const struct fit_request *request,
					   struct tr_reader *in, struct role_finder *finder,
					   struct discovery *discovery,
					   struct packet_sample *sample)
{
	const struct tr_names *names = tr_reader_names(in);
	const union tr_record *record;
	enum tr_status status;
	struct tr_error err;

	while ((status = tr_next(in, &record)) == TR_OK) {
		bool aside;

		status = fit_set_aside(request, discovery, in, &record->packet, &aside, &err);
		if (status == TR_OK && aside)
			continue;
		if (status != TR_OK ||
		    fit_note_role(finder, &record->packet, names, &err) != TR_OK ||
		    packet_sample_add(sample, &record->packet, &err) != TR_OK) {
			tool_error(tool, "%s: %s", tr_reader_name(in), err.text);
			return TR_ERROR;
		}
	}
	return status == TR_END || tool_keep_going(tool) ? TR_OK : TR_ERROR;
}

enum tr_role *fit_read_packets(struct tool *tool, const struct fit_request *request,
			       struct tr_reader *in, struct packet_sample *sample, bool *aside)
{
	struct role_finder finder = {
		.silence_ticks = (int64_t)(tr_reader_header(in)->ticks_per_s / 20)};
	struct discovery discovery = {.packets = 0};
	const char *trace = tr_reader_name(in);
	enum tr_role *roles = NULL;
	enum tr_status status = flitfit_read_packets(tool, request, in, &finder, &discovery,
						     sample);

	*aside = discovery.packets > 0;
	if (status == TR_OK)
		status = fit_tell_aside(tool, trace, &discovery);
	if (status == TR_OK && sample->count > 0)
		status = fit_check_times(tool, request, trace, sample->count, sample->ticks[0],
					 sample->ticks[sample->count - 1]);
	if (status == TR_OK)
		roles = fit_roles(tool, &finder, tr_reader_names(in), sample->count);
	discovery_clear(&discovery);
	role_clear(&finder);
	return roles;
}

// Counts do not say who sent the packets or of which class they are.
static enum tr_status settle_counts(struct tool *tool, const struct tr_reader *in,
				    struct fit_request *request, bool families,
				    struct tr_error *err)
{
	if (!families)
		return tr_fail(err,
			       "%s: contains counts; name the families to fit with -f or --rank",
			       tr_reader_name(in));
	if (request->every || (tool_option_given(tool, "by") && request->fit.by != FIT_BY_NETWORK))
		return tr_fail(
			err,
			"%s: contains counts of the whole network, which allow --by network only",
			tr_reader_name(in));
	if (request->network)
		return tr_fail(err,
			       "%s: contains counts, which do not say who sends to whom: --net "
			       "cannot carry them",
			       tr_reader_name(in));
	request->fit.by = FIT_BY_NETWORK;
	request->fit.trace = NULL;
	request->fit.pulse.ticks_per_s = tr_reader_header(in)->ticks_per_s;
	return TR_OK;
}

static void flitfit_fit(struct tool *tool, struct fit_request *request)
{
	const bool families = request->families.count > 0 || request->rank || request->write_all;
	enum tr_status status;
	struct tr_reader *in;
	struct tr_error err;

	if (tool_operand_count(tool) > 1) {
		tool_error(tool, "expected one trace (flitcat merges several)");
		return;
	}
	if ((request->every || request->fit.by != FIT_BY_ROLE) && !families) {
		tool_error(tool, "--by needs -f: the pulse train can only be fitted by role");
		return;
	}
	if (tool_next_input(tool, &in) != TR_OK)
		return;
	if (strcmp(tr_reader_name(in), "-") != 0)
		request->fit.trace = tr_reader_name(in);
	status = fit_counts(in) ? settle_counts(tool, in, request, families, &err)
				: fit_settle(in, request, &err);
	if (status != TR_OK)
		tool_error(tool, "%s", err.text);
	else if (families)
		fit_families_run(tool, request, in);
	else
		fit_pulse_train(tool, request, in);
}

static void flitfit_run(struct tool *tool, struct fit_request *request)
{
	struct tr_error err;

	request->fit.pulse.level = request->level_percent / 100.0;
	request->fit.pulse.every_node = request->all_nodes;
	request->every = request->fit.by == BY_EVERY;
	request->fit.by = request->every ? FIT_BY_ROLE : request->fit.by;
	if (tool_option_given(tool, "burst-gap") && !tool_option_given(tool, "method"))
		request->fit.pulse.method = PULSE_BURSTS;
	if (burst_gap_parse(request->burst_gap, &request->fit.pulse.burst_rule, &err) != TR_OK)
		tool_error(tool, "%s", err.text);
	else if (tool_option_given(tool, "burst-gap") && request->fit.pulse.method != PULSE_BURSTS)
		tool_error(tool,
			   "--burst-gap has no effect with --method mixture (try flitfit --help)");
	else if (request->replicates < 2 || request->replicates > REPLICATES_MAX)
		tool_error(tool, "expected 2 to %u replicates", REPLICATES_MAX);
	else if (!tool_memory_holds(tool, request->memory_B, PACKET_SAMPLE_BYTES, 2, "packet",
				    &request->max_packets))
		return;
	else if (tool_option_given(tool, "scale"))
		fit_scale(tool, request);
	else if (request->families.count == 1 &&
		 strcmp(request->families.words[0], "program") == 0 && !request->write_all &&
		 (!request->rank || (tool_operand_count(tool) > 1 && !request->network)))
		fit_program(tool, request);
	else if (request->problem)
		tool_error(tool, "--problem needs -f program alone");
	else
		flitfit_fit(tool, request);
}

// What flitsim lists for this option.
static enum tr_status list_of_flitsim(const char *option, struct table_style style, FILE *out,
				      struct tr_error *err)
{
	const bool words = style.format == TABLE_WORDS;
	const char *const format = style.json ? "json"
				   : words    ? ""
					      : table_format_words[style.format].word;
	char path[PATH_MAX], completion[40];
	const char *const whole[] = {
		tr_spawn_beside("flitsim", path), option, "list", "--format", format, NULL};
	const char *const brief[] = {whole[0], completion, NULL}, *const *const argv =
									  words ? brief : whole;
	struct tr_child child;
	int exit_status;

	(void)snprintf(completion, sizeof(completion), "--completion=%s", option + strlen("--"));
	if (tr_spawn_start(&child, argv, STDIN_FILENO, fileno(out), STDERR_FILENO, err) != TR_OK ||
	    tr_spawn_wait(&child, &exit_status, err) != TR_OK)
		return TR_ERROR;
	return exit_status == TOOL_OK
		       ? TR_OK
		       : tr_fail(err, "flitsim %s list ended with status %d", option, exit_status);
}

static enum tr_status list_networks(struct table_style style, FILE *out, struct tr_error *err)
{
	return list_of_flitsim("--net", style, out, err);
}

static enum tr_status list_fabrics(struct table_style style, FILE *out, struct tr_error *err)
{
	return list_of_flitsim("--fabric", style, out, err);
}

static void name_families(struct opt_choice *words)
{
	const struct family *known[FAMILIES_MAX];
	const size_t count = families_fitted(known);

	for (size_t i = 0; i < count; i++)
		words[i] = (struct opt_choice){known[i]->name, 0, known[i]->summary};
	words[count] = (struct opt_choice){"all", 0, "all of these; the best is written"};
}

#define RULES_MAX 15u

static void name_rules(struct opt_choice *words)
{
	for (size_t i = 0; i < RULES_MAX && scale_rules[i].name; i++)
		words[i] = (struct opt_choice){scale_rules[i].name, 0, scale_rules[i].assumes};
}

// Which options cannot be combined, and which have no effect alone.
#define RELATIONS \
	OPT_ONLY_WITH("rule", "scale"), \
		OPT_NOT_WITH("family,net,by,write-all,force,all-nodes,replicates,seed,memory," \
			     "method,burst-gap,sizes,destinations", \
			     "scale"), \
		OPT_ONLY_WITH("replicates,memory", "family,rank,write-all"), \
		OPT_ONLY_WITH("method,burst-gap", "family=pulse-train,family=all"), \
		OPT_ONLY_WITH("json,format,net", "rank"), OPT_ONLY_WITH("fabric", "net")

static const struct fit_request defaults = {
	.level_percent = 95,
	.replicates = JUDGE_REPLICATES,
	.seed = 1,
	.memory_B = {(int64_t)PACKET_SAMPLE_MAX * PACKET_SAMPLE_BYTES, 1}};

int main(int argc, char **argv)
{
	struct opt_choice families[FAMILIES_MAX + 2] = {{NULL, 0}},
						  rules[RULES_MAX + 1] = {{NULL, 0}};
	struct fit_request request = defaults;
	const struct opt opts[] = {
		OPT_OUTPUT(&request.output),
		OPT_LIST_OR_WORDS('f', "family", "FAMILY", &request.families, families,
				  "fit this family instead of the pulse train; write the best of "
				  "several, or of all"),
		OPT_BY(&request.fit.by, by_words),
		OPT_FLAG(0, "rank", &request.rank,
			 "print a ranking of the families (with --scale: of the rules)"),
		OPT_STRING_LISTED('N', "net", "NETWORK", &request.network, list_networks,
				  OPT_NETWORK_HELP),
		OPT_LIST_LISTED(0, "fabric", "KIND[:KEYS]", &request.fabric, list_fabrics,
				OPT_FABRIC_HELP),
		OPT_ALL_NODES(&request.all_nodes),
		OPT_FLAG(0, "force", &request.force,
			 "write the model even if it cannot be trusted"),
		OPT_SILENT_STRING(0, "write-all", "FOLDER", &request.write_all,
				  "write the model of each family to FOLDER"),
		OPT_NUMBER(0, "replicates", &request.replicates, REPLICATES_MAX,
			   "runs of each model to compare with the trace"),
		OPT_SEED(&request.seed),
		OPT_MEMORY(&request.memory_B),
		TABLE_OPTIONS(&request.style),
		OPT_CHOICE('m', "method", &request.fit.pulse.method, method_words,
			   "how to separate silences from gaps in bursts"),
		OPT_BURST_GAP(&request.burst_gap),
		OPT_CHOICE(0, "sizes", &request.fit.pulse.sizes, size_words,
			   "distribution of packet sizes"),
		OPT_CHOICE(0, "destinations", &request.fit.pulse.destinations, destination_words,
			   "destinations of the generated packets"),
		OPT_LEVEL(&request.level_percent),
		OPT_STRING(0, "problem", "SIZES", &request.problem,
			   "-f program: size of the problem, or of each trace's: 256,512"),
		OPT_NUMBER(0, "scale", &request.scale, 0, "scale models to N nodes"),
		OPT_LIST_OR_WORDS(0, "rule", "RULE", &request.rules, rules,
				  "scaling rule: published, regression, constant, or the formulas "
				  "of an FFT: rc:256, vr:256"),
		RELATIONS,
		OPT_END,
	};
	const struct tool_spec spec = {
		"flitfit", "[options] [trace] | --scale N [--rule RULE] model ...",
		"Fit a model of traffic to a trace, or scale models to more nodes.", opts};
	struct tool *tool;

	name_families(families);
	name_rules(rules);
	tool = tool_start(argc, argv, &spec);
	tool_watch_times(tool, &request.style);
	numeric_errors_give_nan();
	flitfit_run(tool, &request);
	return tool_finish(tool, TOOL_OK);
}
