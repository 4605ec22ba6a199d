// SPDX-License-Identifier: GPL-3.0-or-later
// flitfit: a model from a trace; or one for more nodes from the models of two and four.
#include <stdlib.h>

#include "flitfit.h"
#include "stat/role.h"
#include "trace/provenance.h"
#include "trace/ticks.h"

static const struct opt_choice method_words[] = {
	{"mixture", PULSE_MIXTURE}, {"window", PULSE_WINDOW}, {NULL, 0}};
static const struct opt_choice size_words[] = {{"auto", PULSE_SIZES_AUTO},
					       {"normal", PULSE_SIZES_NORMAL},
					       {"empirical", PULSE_SIZES_EMPIRICAL},
					       {NULL, 0}};
static const struct opt_choice destination_words[] = {
	{"uniform", PULSE_UNIFORM}, {"by-role", PULSE_BY_ROLE}, {NULL, 0}};

// Where no node has a role: the node that scatters and gathers, if there is one, becomes the
// controller.
static void guess_roles(struct tool *tool, const struct role_finder *finder,
			const struct tr_names *names, enum tr_role *roles)
{
	struct role_finding finding = role_find(finder);

	if (finding.basis == ROLE_NOT_FOUND || finding.node >= names->node_count) {
		tool_warn(tool, "no node has a role, and none scatters and gathers: all are taken "
			  "for workers");
		return;
	}
	roles[finding.node] = TR_ROLE_CONTROLLER;
	tool_warn(tool, "no node has a role: %s is taken for the controller, by %s (a node among "
		  "equals would look so with probability %.2g)",
		  tr_names_node(names, finding.node),
		  finding.basis == ROLE_BY_SHARE ? "its share of the bytes"
						 : "the order of giving and taking",
		  finding.chance);
}

// The roles by node id, to be freed; NULL with a message where memory ends.
static enum tr_role *find_roles(struct tool *tool, const struct role_finder *finder,
				const struct tr_names *names)
{
	enum tr_role *roles = calloc((size_t)names->node_count + 1, sizeof *roles);
	unsigned controllers = 0, known = 0;

	for (uint32_t i = 0; roles && i < names->node_count; i++) {
		roles[i] = tr_names_role(names, i);
		known += roles[i] != TR_ROLE_UNKNOWN;
		controllers += roles[i] == TR_ROLE_CONTROLLER;
	}
	if (!roles)
		tool_error(tool, "no memory for the roles of %u nodes", names->node_count);
	else if (known == 0)
		guess_roles(tool, finder, names, roles);
	else if (controllers > 1)
		tool_warn(tool, "%u controllers: generated traffic will have one, as they are on "
			  "average", controllers);
	return roles;
}

static enum tr_status add_packet(const struct tr_packet *packet, const struct tr_names *names,
				 struct role_finder *finder, struct pulse_fit *fit,
				 struct tr_error *err)
{
	if (packet->class != TR_CLASS_OVERHEAD) {
		if (role_reserve(finder, names->node_count, err) != TR_OK)
			return TR_ERROR;
		role_add(finder, packet->time_ticks, packet->src, packet->dst, packet->payload_bytes);
	}
	return pulse_fit_add(fit, packet, err);
}

static enum tr_status read_packets(struct tool *tool, struct tr_reader *in,
				   struct role_finder *finder, struct pulse_fit *fit)
{
	const struct tr_names *names = tr_reader_names(in);
	const union tr_record *record;
	enum tr_status status = TR_OK;
	struct tr_error err;

	while ((status = tr_next(in, &record)) == TR_OK)
		if (add_packet(&record->packet, names, finder, fit, &err) != TR_OK) {
			tool_error(tool, "%s: %s", tr_reader_name(in), err.text);
			return TR_ERROR;
		}
	return status == TR_END || tool_keep_going(tool) ? TR_OK : TR_ERROR;
}

static void describe(struct tool *tool, const struct fit_request *request, const struct tr_reader *in,
		     const struct pulse_fitted *fitted, struct model *text)
{
	model_comment(text, "A bursty pulse train fitted to %llu packets of %llu nodes.",
		      (unsigned long long)fitted->packets,
		      (unsigned long long)fitted->model.nodes);
	if (request->fit.method == PULSE_MIXTURE)
		model_comment(text, "Times by maximum likelihood of the gaps between a node's packets; "
			      "intervals from the observed information.");
	else
		model_comment(text, "Times by bursts that gaps above %g s end%s; intervals are "
			      "Student's.", fitted->window_s,
			      request->fit.window_ticks ? ""
			      : fitted->no_plateau      ? " (no window stands out)"
							: " (found by the search)");
	model_comment(text, "%s", tool_provenance(tool));
	model_comment(text, "  digest %s %016llx", tr_provenance_base(tr_reader_name(in)),
		      (unsigned long long)tr_reader_digest(in));
	pulse_model_put(text, &fitted->model, fitted->notes);
}

static void warn(struct tool *tool, const struct pulse_fitted *fitted)
{
	if (fitted->unclassed)
		tool_warn(tool, "%llu packets have no class: those up to 86 bytes are taken for "
			  "overhead", (unsigned long long)fitted->unclassed);
	if (fitted->no_plateau)
		tool_warn(tool, "the search found no plateau: a window of %g s is taken",
			  fitted->window_s);
}

static void finish_fit(struct tool *tool, const struct fit_request *request, struct tr_reader *in,
		       const struct role_finder *finder, struct pulse_fit *fit)
{
	const struct tr_names *names = tr_reader_names(in);
	enum tr_role *roles = find_roles(tool, finder, names);
	struct model text = {.name = NULL};
	struct pulse_fitted fitted;
	struct tr_error err;

	if (!roles)
		return;
	if (pulse_fit_finish(fit, roles, names->node_count, &fitted, &err) != TR_OK) {
		tool_error(tool, "%s: %s", tr_reader_name(in), err.text);
	} else {
		warn(tool, &fitted);
		describe(tool, request, in, &fitted, &text);
		fit_write_model(tool, request->output, &text);
		model_clear(&text);
		pulse_model_clear(&fitted.model);
	}
	free(roles);
}

static void fit_trace(struct tool *tool, const struct fit_request *request, struct tr_reader *in,
		      struct pulse_fit *fit)
{
	// Episodes may end where a burst by the shortest window of the search does.
	struct role_finder finder = {
		.silence_ticks = (int64_t)(tr_reader_header(in)->ticks_per_s / 20)};

	if (read_packets(tool, in, &finder, fit) == TR_OK)
		finish_fit(tool, request, in, &finder, fit);
	role_clear(&finder);
}

static enum tr_status settle(const struct tr_reader *in, struct fit_request *request,
			     struct tr_error *err)
{
	const struct tr_header *header = tr_reader_header(in);

	request->fit.ticks_per_s = header->ticks_per_s;
	if (!tr_kind_has_packet(header->kind))
		return tr_fail(err, "%s: holds no packets", tr_reader_name(in));
	if (!request->window.den)
		return TR_OK;
	if (tr_ticks_round(request->window, header->ticks_per_s, &request->fit.window_ticks, err) !=
	    TR_OK)
		return TR_ERROR;
	return request->fit.window_ticks > 0
		       ? TR_OK
		       : tr_fail(err, "the window must be a tick of the trace or more");
}

static void fit(struct tool *tool, struct fit_request *request)
{
	struct pulse_fit *fit = NULL;
	struct tr_reader *in;
	struct tr_error err;

	if (tool_operand_count(tool) > 1) {
		tool_error(tool, "one trace at a time (flitcat merges several)");
		return;
	}
	if (tool_next_input(tool, &in) != TR_OK)
		return;
	if (settle(in, request, &err) != TR_OK ||
	    pulse_fit_open(&fit, &request->fit, &err) != TR_OK)
		tool_error(tool, "%s", err.text);
	else
		fit_trace(tool, request, in, fit);
	pulse_fit_close(fit);
}

int main(int argc, char **argv)
{
	struct fit_request request = {.level = {99, 100}};
	const struct opt opts[] = {
		OPT_SILENT_FILE('o', "output", &request.output, "write here, not to stdout"),
		OPT_CHOICE('m', "method", &request.fit.method, method_words,
			   "how bursts are told from silences"),
		OPT_TIME(0, "window", &request.window,
			 "a longer gap ends a burst; implies --method window"),
		OPT_CHOICE(0, "sizes", &request.fit.sizes, size_words, "distribution of the sizes"),
		OPT_CHOICE(0, "destinations", &request.fit.destinations, destination_words,
			   "whom the generated packets go to"),
		OPT_QUANTITY('l', "level", "X", NUM_PLAIN, &request.level, "level of the intervals"),
		OPT_COUNT(0, "scale", &request.scale,
			  "scale two models, of 2 and 4 nodes, to this many"),
		OPT_END,
	};
	const struct tool_spec spec = {"flitfit", "[options] [trace] | --scale N model2 model4",
				       "Fit a model of traffic to a trace, or scale models.", opts};
	struct tool *tool = tool_start(argc, argv, &spec);

	request.fit.level = num_value(request.level);
	if (tool_option_given(tool, "window"))
		request.fit.method = PULSE_WINDOW;
	if (!(request.fit.level > 0 && request.fit.level < 1))
		tool_error(tool, "the level must lie between 0 and 1");
	else if (tool_option_given(tool, "scale"))
		fit_scale(tool, &request);
	else
		fit(tool, &request);
	return tool_finish(tool, TOOL_OK);
}
