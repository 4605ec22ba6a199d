// SPDX-License-Identifier: GPL-3.0-or-later
// The fit of a bursty pulse train: one pass over the trace, no packet kept.
#include "flitfit.h"

#include <stdlib.h>

#include "stream/provenance.h"

// ---- The controller: as named by the trace, or the node that scatters and gathers.

// Whether a node of the trace has a role: then roles are not guessed.
static bool fit_roles_told(const struct tr_names *names)
{
	for (uint32_t i = 0; i < names->node_count; i++)
		if (tr_names_role(names, i) != TR_ROLE_UNKNOWN)
			return true;
	return false;
}

enum tr_status fit_note_role(struct role_finder *finder, const struct tr_packet *packet,
			     const struct tr_names *names, struct tr_error *err)
{
	if (packet->class == TR_CLASS_OVERHEAD)
		return TR_OK;
	if (packet->src >= names->node_count || packet->dst >= names->node_count)
		return TR_OK;
	if (role_reserve(finder, packet->src, err) != TR_OK ||
	    role_reserve(finder, packet->dst, err) != TR_OK)
		return TR_ERROR;
	role_add(finder, packet->time_ticks, packet->src, packet->dst, packet->payload_bytes);
	return TR_OK;
}

// Of two nodes the one that sends over twice of what it gets, UINT32_MAX if there is none. As
// workers both would send as much.
static uint32_t source_of_two(const struct role_finder *finder, const struct role_finding *finding)
{
	for (int i = 0; finding->nodes == 2 && i < 2; i++) {
		const uint32_t node = i == 0 ? finding->node : finding->next;
		const struct role_balance *whole = &role_node(finder, node)->whole;

		if (whole->sent_bytes / 2 > whole->received_bytes)
			return node;
	}
	return UINT32_MAX;
}

// If no node has a role, makes the node that scatters and gathers the controller, or the one of two
// that sends most, if there is one.
static void guess_roles(struct tool *tool, const struct role_finder *finder,
			const struct tr_names *names, enum tr_role *roles)
{
	const struct role_finding finding = role_find(finder);
	const uint32_t source = source_of_two(finder, &finding);

	if (source < names->node_count) {
		roles[source] = TR_ROLE_CONTROLLER;
		tool_warn(tool,
			  "no node has a role, and of two nodes %s sends most bytes: assuming that "
			  "it is the controller",
			  tr_names_node(names, source));
		return;
	}
	if (finding.basis == ROLE_NOT_FOUND || finding.node >= names->node_count) {
		tool_warn(tool, "no node has a role, and none scatters and gathers: assuming that "
				"all nodes are workers");
		return;
	}
	roles[finding.node] = TR_ROLE_CONTROLLER;
	tool_warn(tool,
		  "no node has a role: assuming that %s is the controller, by %s (p-value %.2g if "
		  "all nodes were alike)",
		  tr_names_node(names, finding.node),
		  finding.basis == ROLE_BY_SHARE ? "its share of the bytes"
						 : "the order of sending and receiving",
		  finding.chance);
}

void fit_warn_lone(struct tool *tool)
{
	tool_warn(tool,
		  "only one node sends: it becomes the controller, with a second, silent node");
}

enum tr_role *fit_roles(struct tool *tool, const struct role_finder *finder,
			const struct tr_names *names, uint64_t packets)
{
	enum tr_role *roles = calloc((size_t)names->node_count + 1, sizeof(*roles));
	unsigned controllers = 0, known = 0;

	for (uint32_t i = 0; roles && i < names->node_count; i++) {
		roles[i] = tr_names_role(names, i);
		known += roles[i] != TR_ROLE_UNKNOWN;
		controllers += roles[i] == TR_ROLE_CONTROLLER;
	}
	if (!roles)
		tool_no_memory(tool, "the roles of %u nodes", names->node_count);
	else if (known == 0 && packets > 0)
		guess_roles(tool, finder, names, roles);
	else if (controllers > 1)
		tool_warn(tool, "%u controllers: the model has one with their average behaviour",
			  controllers);
	return roles;
}

void fit_describe_source(struct tool *tool, const struct tr_reader *in, struct model *text)
{
	model_comment(text, "%s", tool_provenance(tool));
	model_comment(text, "  digest %s %016llx", tr_provenance_base(tr_reader_name(in)),
		      (unsigned long long)tr_reader_digest(in));
}

struct pulse_reading {
	const struct fit_request *request;
	struct role_finder finder;
	struct pulse_fit *fit;
	struct discovery discovery;
	uint64_t packets; // fitted
	int64_t first_ticks, last_ticks;
};

static enum tr_status fit_pulse_add_packets(struct pulse_reading *reading,
					    const struct tr_reader *in, const uint8_t *record,
					    size_t count, struct tr_error *err)
{
	const size_t stride = tr_reader_stride(in);
	const struct tr_names *names = tr_reader_names(in);
	const bool told = fit_roles_told(names);

	for (size_t i = 0; i < count; i++, record += stride) {
		const struct tr_packet *packet = (const struct tr_packet *)(const void *)record;

		bool aside;

		if (fit_set_aside(reading->request, &reading->discovery, in, packet, &aside, err) !=
		    TR_OK)
			return TR_ERROR;
		if (aside)
			continue;
		if (reading->packets++ == 0)
			reading->first_ticks = packet->time_ticks;
		reading->last_ticks = packet->time_ticks;
		if ((!told && fit_note_role(&reading->finder, packet, names, err) != TR_OK) ||
		    pulse_fit_add(reading->fit, packet, err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

static enum tr_status fit_pulse_read_packets(struct tool *tool, struct tr_reader *in,
					     struct pulse_reading *reading)
{
	enum tr_status status;
	const void *records;
	struct tr_error err;
	size_t count;

	while ((status = tr_next_block(in, &records, &count)) == TR_OK)
		if (fit_pulse_add_packets(reading, in, records, count, &err) != TR_OK) {
			tool_error(tool, "%s: %s", tr_reader_name(in), err.text);
			return TR_ERROR;
		}
	return status == TR_END || tool_keep_going(tool) ? TR_OK : TR_ERROR;
}

static void fit_pulse_describe(struct tool *tool, const struct fit_request *request,
			       const struct tr_reader *in, const struct pulse_fitted *fitted,
			       struct model *text)
{
	const uint64_t ticks_per_s = request->fit.pulse.ticks_per_s;
	char gap[BURST_GAP_TEXT];

	model_comment(text, "A bursty pulse train fitted to %llu packets of %llu nodes.",
		      (unsigned long long)fitted->packets, (unsigned long long)fitted->model.nodes);
	if (request->fit.pulse.method == PULSE_MIXTURE)
		model_comment(text,
			      "Times by maximum likelihood of the gaps between a node's packets; "
			      "intervals from the observed information.");
	else
		model_comment(
			text,
			"Times by the bursts of each node and class, %s; intervals are Student's.",
			burst_gap_say(&fitted->node_gap, ticks_per_s, gap));
	model_comment(text, "In all packets together: %s.",
		      burst_gap_say(&fitted->gap, ticks_per_s, gap));
	fit_describe_source(tool, in, text);
	pulse_model_put(text, &fitted->model, fitted->notes);
}

static void warn(struct tool *tool, const struct pulse_fitted *fitted)
{
	if (fitted->lone && fitted->receivers == 0)
		fit_warn_lone(tool);
	else if (fitted->receivers > 0)
		tool_warn(tool,
			  "%llu nodes send less than 1 %% of the data of the busiest one: they do "
			  "not become senders, "
			  "and %llu packets of data are left out",
			  (unsigned long long)fitted->receivers,
			  (unsigned long long)fitted->answers);
	if (fitted->unclassed)
		tool_warn(tool,
			  "%llu packets have no class: those up to 86 bytes count as overhead",
			  (unsigned long long)fitted->unclassed);
}

static enum tr_status finish_fit(struct tool *tool, struct tr_reader *in,
				 const struct role_finder *finder, struct pulse_fit *fit,
				 uint64_t packets, struct pulse_fitted *out)
{
	const struct tr_names *names = tr_reader_names(in);
	enum tr_role *roles = fit_roles(tool, finder, names, packets);
	enum tr_status status = TR_ERROR;
	struct tr_error err;

	if (!roles)
		return TR_ERROR;
	status = pulse_fit_finish(fit, roles, names->node_count, out, &err);
	if (status != TR_OK)
		tool_error(tool, "%s: %s", tr_reader_name(in), err.text);
	else
		warn(tool, out);
	free(roles);
	return status;
}

enum tr_status fit_pulse_read(struct tool *tool, const struct fit_request *request,
			      struct tr_reader *in, struct pulse_fitted *out)
{
	// An episode of the search for the controller ends with a silence of 1/20 s.
	struct pulse_reading reading = {
		.request = request,
		.finder.silence_ticks = (int64_t)(tr_reader_header(in)->ticks_per_s / 20)};
	enum tr_status status = TR_ERROR;
	struct tr_error err;

	if (pulse_fit_open(&reading.fit, &request->fit.pulse, &err) != TR_OK)
		tool_error(tool, "%s", err.text);
	else if (fit_pulse_read_packets(tool, in, &reading) == TR_OK &&
		 fit_tell_aside(tool, tr_reader_name(in), &reading.discovery) == TR_OK &&
		 fit_check_times(tool, request, tr_reader_name(in), reading.packets,
				 reading.first_ticks, reading.last_ticks) == TR_OK)
		status = finish_fit(tool, in, &reading.finder, reading.fit, reading.packets, out);
	pulse_fit_close(reading.fit);
	role_clear(&reading.finder);
	discovery_clear(&reading.discovery);
	return status;
}

// A trace of zero length has no rate to compare.
static enum tr_status trust(const struct fit_request *request, const struct tr_reader *in,
			    const struct pulse_fitted *fitted, struct model *text,
			    struct tr_error *err)
{
	const struct fit_source source = {.request = request, .in = in};
	const uint64_t ticks_per_s = tr_reader_header(in)->ticks_per_s;
	const struct fit_doubt doubt = {
		.text = text,
		.bound = "",
		.packets = fitted->packets,
		.length_ticks = (int64_t)(fitted->model.duration_s * (double)ticks_per_s),
		.ticks_per_s = ticks_per_s};

	return doubt.length_ticks > 0 ? fit_trust(&source, &doubt, text, err) : TR_OK;
}

void fit_pulse_train(struct tool *tool, const struct fit_request *request, struct tr_reader *in)
{
	struct model text = {.name = NULL};
	struct pulse_fitted fitted;
	enum tr_status status;
	struct tr_error err;
	char *advice;

	if (fit_pulse_read(tool, request, in, &fitted) != TR_OK)
		return;
	fit_pulse_describe(tool, request, in, &fitted, &text);
	status = trust(request, in, &fitted, &text, &err);
	if (status == TR_OK)
		fit_write_model(tool, request->output, &text);
	else if (status == TR_END) {
		advice = fit_advice_other(request, tr_reader_name(in), fitted.packets, NULL);
		tool_verdict(tool, "%s: the model is not written: %s; %s; --force writes it anyway",
			     tr_reader_name(in), err.text, advice ? advice : "");
		free(advice);
	} else
		tool_error(tool, "%s: %s", tr_reader_name(in), err.text);
	model_clear(&text);
	pulse_model_clear(&fitted.model);
}
