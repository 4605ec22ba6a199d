// SPDX-License-Identifier: GPL-3.0-or-later
#include "flitcalc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "input/node_map.h"
#include "stat/intervals/batches.h"
#include "table/table_rows.h"

#define EMPTY_B 40u // what a packet without payload travels as: headers of IP and TCP
#define DIGITS 8

// The deliveries of one stream.
struct formula_runs_run {
	struct tr_reader *in; // lent while it is read
	char *name;
	struct node_map map;
	struct batches latency_ticks;
	int64_t first_ticks;
	int64_t last_ticks;
	uint64_t packets;
	uint64_t size_bytes;
	uint64_t first_bytes; // of the first
	double s_per_tick;
};

struct formula_runs {
	const struct loaded_network *loaded;
	struct runs_traffic traffic;
	double *matrix; // bytes of the run
	struct table *table;
	struct formula_runs_run run;
};

TABLE_ROW(compared_run, (text, run), (count, packets), (real, mean_size_B, DIGITS),
	  (real, load, DIGITS), (real, carried_MBps, DIGITS), (real, fullest_utilisation, DIGITS),
	  (real, mean_utilisation, DIGITS), (real, latency_us, DIGITS),
	  (real, latency_lo_us, DIGITS), (real, latency_hi_us, DIGITS), (real, saf_3_6_us, DIGITS),
	  (real, saf_3_10_us, DIGITS), (real, vct_3_11_us, DIGITS), (real, vct_3_12_us, DIGITS),
	  (real, first_link_us, DIGITS), (real, difference_percent, DIGITS), (text, state));

static struct table *formula_runs_new_table(const struct loaded_network *loaded,
					    const struct runs_traffic *traffic)
{
	struct table *table = table_of("runs",
				       "Mean latency of packets in simulation and by formula",
				       compared_run_fields);

	table_note(table,
		   "latency: from the creation of a packet to its delivery, mean with %d %% "
		   "interval for dependent packets",
		   loaded->network->level_percent);
	table_note(table, "difference: of the formula for the network's switching, with the first "
			  "link, from the simulation");
	table_note(table, "traffic of the formulas: %s",
		   traffic->own ? "what each run delivered from host to host"
				: "the matrix at the load of each run");
	return table;
}

enum tr_status formula_runs_open(struct formula_runs **runs, const struct loaded_network *loaded,
				 const struct runs_traffic *traffic, struct tr_error *err)
{
	const size_t hosts = loaded->graph.hosts;
	struct formula_runs *new = calloc(1, sizeof(*new));

	*runs = new;
	if (!new)
		return tr_no_memory(err, "the runs");
	*new = (struct formula_runs){.loaded = loaded,
				     .traffic = *traffic,
				     .table = formula_runs_new_table(loaded, traffic)};
	new->matrix = calloc(hosts * hosts + 1, sizeof(*new->matrix));
	return new->matrix ? TR_OK : tr_no_memory(err, "the traffic of %zu hosts", hosts);
}

static void close_run(struct formula_runs_run *run)
{
	node_map_close(&run->map);
	free(run->name);
	*run = (struct formula_runs_run){0};
}

enum tr_status formula_runs_begin(struct formula_runs *runs, struct tr_reader *in,
				  struct tr_error *err)
{
	const size_t hosts = runs->loaded->graph.hosts;
	struct formula_runs_run *run = &runs->run;

	close_run(run);
	memset(runs->matrix, 0, hosts * hosts * sizeof(*runs->matrix));
	run->in = in;
	run->s_per_tick = 1 / (double)tr_reader_header(in)->ticks_per_s;
	run->name = strdup(tr_reader_name(in));
	if (!run->name)
		return tr_no_memory(err, "the runs");
	return node_map_open(&run->map, runs->traffic.map, runs->loaded->network->setup.topology,
			     err);
}

// The host of a node; TR_END where it is none and this is ignored.
static enum tr_status formula_runs_find_host(struct formula_runs *runs, uint32_t node,
					     uint32_t *host, struct tr_error *err)
{
	const uint32_t hosts = runs->loaded->graph.hosts;
	const struct tr_names *names = tr_reader_names(runs->run.in);

	if (node_map_find(&runs->run.map, node, names, hosts, host, err) != TR_OK)
		return TR_ERROR;
	if (*host < hosts)
		return TR_OK;
	if (runs->traffic.ignore_unmapped || *host == NODE_LEFT_OUT)
		return TR_END;
	return tr_fail(err, "%s: no host of the network: \"%.100s\"", runs->run.name,
		       tr_names_node(names, node));
}

enum tr_status formula_runs_add(struct formula_runs *runs, const struct tr_delivery *delivery,
				struct tr_error *err)
{
	const struct tr_packet *packet = &delivery->packet;
	const uint32_t size_bytes = packet->payload_bytes > 0 ? packet->payload_bytes : EMPTY_B;
	struct formula_runs_run *run = &runs->run;
	enum tr_status status;
	uint32_t from, to;

	status = formula_runs_find_host(runs, packet->src, &from, err);
	if (status == TR_OK)
		status = formula_runs_find_host(runs, packet->dst, &to, err);
	if (status != TR_OK)
		return status == TR_END ? TR_OK : TR_ERROR;
	runs->matrix[(size_t)from * runs->loaded->graph.hosts + to] += size_bytes;
	if (run->packets++ == 0) {
		run->first_ticks = packet->time_ticks;
		run->first_bytes = size_bytes;
	}
	run->last_ticks = packet->time_ticks;
	run->size_bytes += size_bytes;
	batches_add(&run->latency_ticks, packet->time_ticks - delivery->created_ticks);
	return TR_OK;
}

// What the formula for the kind's switching gives, with the host's own link, which no formula has.
static double expected_s(const struct net_load_terms *terms, const struct load_point *point,
			 double *first_s)
{
	const struct net_delay *delay = &point->delay;

	*first_s = delay->first_s;
	if (terms->switching == NET_STORE_AND_FORWARD)
		return net_delay_saf_s(delay) + *first_s;
	*first_s *= point->load.header_B / point->load.mean_B;
	return terms->switching == NET_CUT_THROUGH ? net_delay_vct_s(delay) + *first_s : NAN;
}

static void formula_runs_put_row(struct formula_runs *runs, const struct load_point *point)
{
	const struct formula_runs_run *run = &runs->run;
	const struct interval interval = batches_known(&run->latency_ticks,
						       runs->loaded->network->level_percent / 100.)
						 .interval;
	const double us = 1e6 * run->s_per_tick;
	const double latency_us = batches_mean(&run->latency_ticks) * us;
	double first_s;
	const double expected_us = 1e6 * expected_s(&runs->loaded->terms, point, &first_s);

	TABLE_PUT(runs->table, compared_run, .run = run->name, .packets = run->packets,
		  .mean_size_B = point->load.mean_B, .load = point->share,
		  .carried_MBps = (double)point->load.flows->offered * point->load.unit_Bps / 1e6,
		  .fullest_utilisation = point->delay.fullest,
		  .mean_utilisation = point->delay.mean_utilisation, .latency_us = latency_us,
		  .latency_lo_us = interval.lo * us, .latency_hi_us = interval.hi * us,
		  .saf_3_6_us = 1e6 * net_delay_saf_s(&point->delay),
		  .saf_3_10_us = 1e6 * point->even_saf_s,
		  .vct_3_11_us = 1e6 * net_delay_vct_s(&point->delay),
		  .vct_3_12_us = 1e6 * point->even_vct_s, .first_link_us = 1e6 * first_s,
		  .difference_percent = 100 * (expected_us - latency_us) / latency_us,
		  .state = point->delay.full > 0 ? "overload" : "ok");
}

enum tr_status formula_runs_end(struct formula_runs *runs, struct tr_error *err)
{
	const struct runs_traffic *traffic = &runs->traffic;
	const double *weights = traffic->own ? runs->matrix : traffic->weights;
	const struct formula_runs_run *run = &runs->run;
	const double width_s = (double)(run->last_ticks - run->first_ticks) * run->s_per_tick;
	struct load_point point;
	struct net_flows flows;
	enum tr_status status;

	if (run->packets < 2 || run->last_ticks == run->first_ticks)
		return tr_fail(err, "%s: expected deliveries at two times or more", run->name);
	status = loaded_flows(runs->loaded, weights, &flows, err);
	if (status == TR_OK) {
		const double carried_Bps = (double)(run->size_bytes - run->first_bytes) / width_s;

		load_point_find(runs->loaded, &flows, carried_Bps / (double)flows.offered,
				(double)run->size_bytes / (double)run->packets, !weights, &point);
		formula_runs_put_row(runs, &point);
	}
	net_flows_clear(&flows);
	return status;
}

struct table *formula_runs_table(struct formula_runs *runs)
{
	struct table *table = runs->table;

	runs->table = NULL;
	return table;
}

void formula_runs_close(struct formula_runs *runs)
{
	if (!runs)
		return;
	close_run(&runs->run);
	table_free(runs->table);
	free(runs->matrix);
	free(runs);
}
