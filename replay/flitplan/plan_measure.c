// SPDX-License-Identifier: GPL-3.0-or-later
// Measures a plan by simulation: flitsim carries a trace over it, and its samples of links are read
// back.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file/spawn.h"
#include "flitplan.h"
#include "net/fabric.h"
#include "net/routes/routes_forms.h"
#include "net/topology/topology_text.h"
#include "stream/reader.h"
#include "value/ticks.h"

#define FABRIC_WORDS 16u
#define RATE_TOLERANCE 0.2 // a trace of a model is as long as chance has it

struct plan_measure_files {
	struct tr_scratch network, routes, links, tables;
};

static void close_files(struct plan_measure_files *files)
{
	tr_scratch_close(&files->network);
	tr_scratch_close(&files->routes);
	tr_scratch_close(&files->links);
	tr_scratch_close(&files->tables);
}

static enum tr_status write_files(const struct plan *plan, struct plan_measure_files *files,
				  struct net_topology *topology, struct tr_error *err)
{
	struct net_routes routes = {0};
	enum tr_status status = plan_topology(plan, topology, err);

	if (status == TR_OK)
		status = plan_net_routes(plan, topology, &routes, err);
	if (status == TR_OK)
		status = tr_scratch_open(&files->network, "the network", err);
	if (status == TR_OK)
		status = tr_scratch_open(&files->routes, "the routes", err);
	if (status == TR_OK)
		status = tr_scratch_open(&files->links, "the samples of links", err);
	if (status == TR_OK)
		status = tr_scratch_open(&files->tables, "the measures", err);
	if (status == TR_OK)
		status = net_topology_write(topology, NULL, files->network.file, err);
	if (status == TR_OK)
		status = net_routes_write(&routes, topology, NET_ROUTES_TEXT, NULL,
					  files->routes.file, err);
	if (status == TR_OK)
		status = tr_scratch_flush(&files->network, "the network", err);
	if (status == TR_OK)
		status = tr_scratch_flush(&files->routes, "the routes", err);
	net_routes_clear(&routes);
	return status;
}

// A scratch file as another process can name it.
static const char *outside(const struct tr_scratch *scratch, char out[64])
{
	(void)snprintf(out, 64, "/proc/%ld/fd/%d", (long)getpid(), fileno(scratch->file));
	return out;
}

static enum tr_status plan_measure_run(const struct plan_measure *measure,
				       const struct plan_measure_files *files, struct tr_error *err)
{
	char place[PATH_MAX], network[64], routes[64], links[64];
	const char *argv[20 + 2 * FABRIC_WORDS];
	size_t n = 0;
	struct tr_error why = {""};

	argv[n++] = tr_spawn_beside("flitsim", place);
	argv[n++] = "-q";
	argv[n++] = "-N";
	argv[n++] = outside(&files->network, network);
	argv[n++] = "--routes";
	argv[n++] = outside(&files->routes, routes);
	argv[n++] = "--links";
	argv[n++] = outside(&files->links, links);
	argv[n++] = "--map";
	argv[n++] = measure->map;
	for (size_t i = 0; i < measure->fabric->count && i < FABRIC_WORDS; i++) {
		argv[n++] = "--fabric";
		argv[n++] = measure->fabric->words[i];
	}
	argv[n++] = measure->trace;
	argv[n] = NULL;
	if (tr_spawn(argv, NULL, files->tables.path, &why) == TR_OK)
		return TR_OK;
	return tr_fail_for(err, &why, "%s", why.text);
}

// Busy ticks of each channel, and all that were seen.
struct plan_measure_seen {
	double *busy;
	int64_t first, last;
	bool any;
};

static enum tr_status read_links(const struct plan *plan, struct tr_reader *in,
				 struct plan_measure_seen *seen, struct tr_error *err)
{
	const uint32_t hosts = 2 * plan->nodes; // links of hosts come first
	const union tr_record *record;
	enum tr_status status;

	while ((status = tr_next(in, &record)) == TR_OK) {
		const struct tr_link *link = &record->link;

		if (!seen->any || link->start_ticks < seen->first)
			seen->first = link->start_ticks;
		if (!seen->any || link->start_ticks + link->width_ticks > seen->last)
			seen->last = link->start_ticks + link->width_ticks;
		seen->any = true;
		if (link->link >= hosts && link->link - hosts < plan_channels(plan))
			seen->busy[link->link - hosts] += (double)link->busy_ticks;
	}
	if (status != TR_END)
		return tr_fail(err, "%s", tr_reader_error(in));
	return seen->any && seen->last > seen->first
		       ? TR_OK
		       : tr_fail(err, "the simulation has no samples of links");
}

static enum tr_status take_links(struct plan_measure *measure,
				 const struct plan_measure_files *files, struct plan *plan,
				 double *highest, struct tr_error *err)
{
	const uint32_t channels = plan_channels(plan);
	struct plan_measure_seen seen = {.busy = calloc((size_t)channels + 1, sizeof(double))};
	struct tr_source *source;
	struct tr_reader *in = NULL;
	enum tr_status status = seen.busy ? tr_source_open(&source, files->links.path, err)
					  : tr_no_memory(err, "samples of links");

	if (status == TR_OK)
		status = tr_reader_open(&in, source, NULL, NULL, err);
	if (status == TR_OK)
		status = read_links(plan, in, &seen, err);
	if (status == TR_OK && measure->ticks == 0)
		measure->ticks = (double)seen.last - (double)seen.first;
	*highest = 0;
	for (uint32_t k = 0; status == TR_OK && k < channels; k++) {
		const double share = seen.busy[k] / measure->ticks;

		plan->measured[k] = measure->unlike
					    ? 0
					    : share - (double)plan->flow[k] * plan->weight[k];
		*highest = share > *highest ? share : *highest;
	}
	tr_reader_close(in);
	free(seen.busy);
	return status;
}

// Payload that nodes send one another, over the time from the first packet to the last.
static enum tr_status rate_of(struct tr_reader *in, const char *trace, double *rate_Bps,
			      struct tr_error *err)
{
	const struct tr_header *header = tr_reader_header(in);
	const union tr_record *record;
	int64_t first = 0, last = 0;
	double bytes = 0;
	bool any = false;
	enum tr_status status;

	if (header->kind != TR_PACKET)
		return tr_fail(err, "%s: expected a stream of packets", trace);
	while ((status = tr_next(in, &record)) == TR_OK) {
		const struct tr_packet *packet = &record->packet;

		if (!any || packet->time_ticks < first)
			first = packet->time_ticks;
		if (!any || packet->time_ticks > last)
			last = packet->time_ticks;
		any = true;
		bytes += packet->src != packet->dst ? (double)packet->payload_bytes : 0;
	}
	if (status != TR_END)
		return tr_fail(err, "%s", tr_reader_error(in));
	if (last <= first || bytes == 0)
		return tr_fail(err, "%s: expected packets with a payload, at more than one time",
			       trace);
	*rate_Bps = bytes / tr_ticks_seconds(last - first, header->ticks_per_s);
	return TR_OK;
}

static enum tr_status trace_rate(const char *trace, double *rate_Bps, struct tr_error *err)
{
	struct tr_source *source;
	struct tr_reader *in = NULL;
	enum tr_status status = tr_source_open(&source, trace, err);

	if (status == TR_OK)
		status = tr_reader_open(&in, source, NULL, NULL, err);
	if (status == TR_OK)
		status = rate_of(in, trace, rate_Bps, err);
	tr_reader_close(in);
	return status;
}

enum tr_status plan_measure_check(const struct opt_list *fabric, struct tr_error *err)
{
	for (size_t i = 0; i < fabric->count; i++) {
		const struct net_fabric *kind = fabric_find(fabric->words[i]);

		if (kind && kind != &net_fabric_myrinet && kind != &net_fabric_switched)
			return tr_fail(err,
				       "--fabric %s: --measure takes the kinds %s and %s, whose "
				       "channels can be measured",
				       kind->name, net_fabric_myrinet.name,
				       net_fabric_switched.name);
	}
	return TR_OK;
}

bool plan_measure_compare(struct plan_measure *measure, const struct plan *plan, double full_Bps)
{
	const double planned_Bps = (double)plan->offered * plan->unit_Bps;
	struct tr_error err;
	double rate_Bps = 0;

	if (!measure->trace)
		return true;
	if (trace_rate(measure->trace, &rate_Bps, &err) != TR_OK) {
		tool_error(measure->tool, "%s", err.text);
		return false;
	}
	measure->unlike = fabs(rate_Bps / planned_Bps - 1) > RATE_TOLERANCE;
	if (measure->unlike)
		tool_warn(measure->tool,
			  "--measure %s: its packets offer %.4g MB/s, the planned traffic %.4g "
			  "MB/s: measurements do not correct the utilisations; --load %.4g%% plans "
			  "for the rate of the trace",
			  measure->trace, rate_Bps / 1e6, planned_Bps / 1e6,
			  100 * rate_Bps / full_Bps);
	return true;
}

bool plan_measure(struct plan_measure *measure, struct plan *plan, double *highest)
{
	struct plan_measure_files files = {.network = {NULL}};
	struct net_topology topology = {0};
	struct tr_error err = {""};
	enum tr_status status;

	tool_stage_part(measure->tool, (double)measure->runs / measure->runs_most,
			"simulation %u of at most %u", measure->runs + 1, measure->runs_most);
	measure->runs++;
	status = write_files(plan, &files, &topology, &err);
	if (status == TR_OK)
		status = plan_measure_run(measure, &files, &err);
	if (status == TR_OK)
		status = take_links(measure, &files, plan, highest, &err);
	if (status != TR_OK)
		tool_error(measure->tool, "%s", err.text);
	close_files(&files);
	net_topology_clear(&topology);
	return status == TR_OK;
}
