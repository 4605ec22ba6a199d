// SPDX-License-Identifier: GPL-3.0-or-later
// The latency of traffic over a network: flitsim carries the trace, and runs of each model fitted
// to the whole of it, and says how long packets take.
//
// Why the whole trace, while the distances compare halves: one number cannot be fitted too closely,
// except by a copy of the trace, which the rule does not prefer; and halves of one capture differ.
// Of 72 recordings of parallel programs the mean latency of the first half was off the second's by
// more than 10 % in 27.
//
// Why more loads than the trace's own: where hardly a packet waits, any traffic of the same sizes
// has the same latency.
#include "fit_carry.h"

#include <math.h>
#include <stdlib.h>

#include "stat/intervals/compare.h"
#include "table/table_rows.h"

#define WITHIN 10.0	 // percent
#define WITHIN_MOST 30.0 // at loads above the trace's own
#define SPREAD 2.0	 // standard deviations of the runs
#define PACKETS_LEAST \
	2.0 // latencies that all packets at once take where the network is a bottleneck

// ---- Places: the model's numbers of the nodes (controllers first). A bootstrap has the trace's
// ids, a program ranks.

static enum tr_status fit_net_place(const struct fit_source *source, const struct family *family,
				    struct fit_places *out, struct tr_error *err)
{
	const struct packet_people *people = &source->sample->people;
	const uint32_t *ranks = family == &program_family ? source->request->fit.ranks : NULL;
	const bool own = family && family != &bootstrap_family &&
			 !ranks; // a model's node is its own place
	uint32_t next = people->senders;

	*out = (struct fit_places){.of = calloc((size_t)people->count + 1, sizeof(*out->of)),
				   .count = own ? 0 : people->count,
				   .id = calloc((size_t)people->count + 1, sizeof(*out->id)),
				   .nodes = people->count,
				   .names = tr_reader_names(source->in)};
	if (!out->of || !out->id) {
		fit_places_clear(out);
		return tr_no_memory(err, "%u hosts", people->count);
	}
	for (uint32_t id = 0; id < people->count; id++) {
		const uint32_t at = people->number[id] != UINT32_MAX ? people->number[id] : next++;
		const uint32_t as = ranks ? ranks[id] : id;

		out->id[at] = id;
		if (as < people->count)
			out->of[as] = at;
	}
	return TR_OK;
}

// Carries packets of the trace (family NULL), or of a model of this family, speed times as fast as
// they were.
static enum tr_status carry(const struct fit_source *source, const struct family *family,
			    const struct packet_sample *packets, double speed,
			    struct fit_carried *out, struct tr_error *err)
{
	struct fit_places places;
	enum tr_status status = fit_net_place(source, family, &places, err);

	if (status == TR_OK)
		status = fit_carry(source->request, packets, &places, speed, out, err);
	fit_places_clear(&places);
	return status;
}

// ---- One family

static double fit_net_mean_of(const double *values, size_t runs, double level,
			      struct interval *interval)
{
	struct sample sample = {.n = (double)runs};
	double squares = 0;

	for (size_t r = 0; r < runs; r++)
		sample.mean += (values[r] - values[0]) / sample.n;
	sample.mean += values[0]; // exact where all are equal
	for (size_t r = 0; r < runs; r++)
		squares += (values[r] - sample.mean) * (values[r] - sample.mean);
	sample.sd = sqrt(squares / (sample.n - 1));
	*interval = interval_above(sample_interval(&sample, level), 0);
	return sample.mean;
}

static double percent_off(double value, double from)
{
	return 100 * (value / from - 1);
}

static bool is_within(double off, double limit)
{
	return off >= -limit && off <= limit;
}

// Whether a limit is inside the interval.
static bool is_unsure(double value, struct interval interval, double from, double limit)
{
	const bool within = is_within(percent_off(value, from), limit);

	return is_within(percent_off(interval.lo, from), limit) != within ||
	       is_within(percent_off(interval.hi, from), limit) != within;
}

// The limit at a load above the trace's own: as far as two runs of one model differ.
static double limit_above(const double *values, size_t runs, double mean, double from)
{
	double squares = 0;

	for (size_t r = 0; r < runs; r++)
		squares += (values[r] - mean) * (values[r] - mean);
	return fmin(fmax(SPREAD * 100 * sqrt(squares / ((double)runs - 1)) / from, WITHIN),
		    WITHIN_MOST);
}

// values: of the runs, the means and then the 99th percentiles.
static void fit_net_compare(const struct fit_request *request, const struct fit_load *trace,
			    const double *values, bool own, struct fit_load *out)
{
	const double level = request->fit.pulse.level, *p99s_us = values + request->replicates;
	const size_t runs = request->replicates;

	out->mean_us = fit_net_mean_of(values, runs, level, &out->mean);
	out->p99_us = fit_net_mean_of(p99s_us, runs, level, &out->p99);
	out->off = percent_off(out->mean_us, trace->mean_us);
	out->p99_off = percent_off(out->p99_us, trace->p99_us);
	out->limit = own ? WITHIN : limit_above(values, runs, out->mean_us, trace->mean_us);
	out->p99_limit = own ? WITHIN : limit_above(p99s_us, runs, out->p99_us, trace->p99_us);
}

static bool load_carries(const struct fit_load *load)
{
	return is_within(load->off, load->limit) && is_within(load->p99_off, load->p99_limit);
}

static void compare_loads(const struct fit_request *request, const struct fit_net *net,
			  const double *values, struct fit_latency *out)
{
	const struct fit_load *own = &out->at[0];
	bool all = true;

	for (unsigned l = 0; l < FIT_LOADS; l++) {
		const struct fit_load *trace = &net->trace.at[l];

		if (net->speed[l] == 0)
			continue;
		fit_net_compare(request, trace, values + 2 * l * request->replicates, l == 0,
				&out->at[l]);
		all = all && load_carries(&out->at[l]);
		out->unsure = out->unsure ||
			      is_unsure(out->at[l].mean_us, out->at[l].mean, trace->mean_us,
					out->at[l].limit) ||
			      is_unsure(out->at[l].p99_us, out->at[l].p99, trace->p99_us,
					out->at[l].p99_limit);
	}
	out->carried = true;
	out->carries = !load_carries(own) ? FIT_CARRIES_NOT
		       : all		  ? FIT_CARRIES_ALL
					  : FIT_CARRIES_OWN;
}

// One run at each load; its values go to their places.
static enum tr_status carry_run(const struct fit_source *source, const struct family *family,
				const struct fit_net *net, const struct packet_sample *packets,
				double *values, struct tr_error *err)
{
	const uint64_t runs = source->request->replicates;
	enum tr_status status = packets->count > 0 ? TR_OK : tr_fail(err, "a run has no packets");
	struct fit_carried carried;

	for (unsigned l = 0; l < FIT_LOADS && status == TR_OK; l++) {
		if (net->speed[l] == 0)
			continue;
		status = carry(source, family, packets, net->speed[l], &carried, err);
		if (status == TR_OK) {
			values[2 * l * runs] = carried.mean_us;
			values[(2 * l + 1) * runs] = carried.p99_us;
		}
	}
	return status;
}

// before: runs of other families, of all.
static enum tr_status carry_runs(const struct fit_source *source, const struct family *family,
				 const struct fit_net *net, const struct model *text,
				 uint64_t before, uint64_t all, double *values,
				 struct tr_error *err)
{
	const struct fit_request *request = source->request;
	enum tr_status status = TR_OK;

	for (unsigned r = 0; r < request->replicates && status == TR_OK; r++) {
		struct packet_sample packets;

		tool_progress_part(source->tool, (double)(before + r) / (double)all,
				   "%s: carried over %s: replicate %u of %u", family->name,
				   request->network, r + 1, (unsigned)request->replicates);
		status = judge_replicate(text, source->sample, request->seed + r, &packets, err);
		if (status == TR_OK)
			status = carry_run(source, family, net, &packets, values + r, err);
		packet_sample_clear(&packets);
	}
	return status;
}

static struct fit_latency no_latency(void)
{
	struct fit_latency out = {.carried = false};

	for (unsigned l = 0; l < FIT_LOADS; l++)
		out.at[l] = (struct fit_load){NAN, NAN, {NAN, NAN}, {NAN, NAN}, NAN, NAN, NAN, NAN};
	return out;
}

// before: families, of count. TR_ERROR: memory ends. A model that cannot be fitted or carried has a
// reason.
static enum tr_status carry_family(const struct fit_source *source, const struct fit_net *net,
				   const struct judged *judged, size_t before, size_t count,
				   struct fit_latency *out, struct tr_error *err)
{
	const uint64_t runs = source->request->replicates;
	double *values = calloc(2 * FIT_LOADS * runs, sizeof(*values));
	struct fit_notes notes = {.freedom = 0};
	struct model text = {.name = NULL};
	struct tr_error why = {.text = ""};
	enum tr_status status;

	*out = no_latency();
	if (!values)
		return tr_no_memory(err, "%llu runs", (unsigned long long)runs);
	status = fit_family_text(source, judged->family, judged->by, NULL, &text, &notes, &why);
	if (status == TR_OK)
		status = carry_runs(source, judged->family, net, &text, before * runs, count * runs,
				    values, &why);
	if (status == TR_OK) {
		out->freedom = notes.freedom;
		out->scales = judged_scales(&(struct judged){
			.family = judged->family, .by = judged->by, .notes = notes});
		compare_loads(source->request, net, values, out);
	} else {
		(void)snprintf(out->reason, sizeof(out->reason), "%s%.400s",
			       status == TR_END ? "cannot be trusted: " : "", why.text);
	}
	model_clear(&text);
	free(values);
	if (!why.breakdown)
		return TR_OK;
	*err = why;
	return TR_ERROR;
}

// ---- The choice

// How far it is off at the trace's own load.
static double fit_net_distance(const struct fit_latency *latency)
{
	return fmax(fabs(latency->at[0].off), fabs(latency->at[0].p99_off));
}

// The same at the loads above, as the largest ratio: a twentieth is further than twice.
static double ratio_above(const struct fit_latency *latency)
{
	double most = 0;

	for (unsigned l = 1; l < FIT_LOADS; l++)
		most = fmax(most, fmax(fabs(log1p(latency->at[l].off / 100)),
				       fabs(log1p(latency->at[l].p99_off / 100))));
	return most;
}

// Those that carry the latency at all loads first, then those that do at the trace's own: the
// smallest of them; where a Poisson process is among them the closest, by the distances, whose
// order the list has, or at the loads that they do not carry. A bootstrap, which is the trace
// again, comes behind all others. Then the nearest.
static bool carries_better(const struct fit_net *net, const struct judged *x,
			   const struct judged *y)
{
	const struct fit_latency *a = &net->each[x->place], *b = &net->each[y->place];

	if (a->carries != b->carries || a->carried != b->carried)
		return a->carries > b->carries || (a->carries == b->carries && a->carried);
	if (!a->carried)
		return false;
	if (!a->carries)
		return fit_net_distance(a) < fit_net_distance(b);
	if ((x->family == &bootstrap_family) != (y->family == &bootstrap_family))
		return y->family == &bootstrap_family;
	if (net->poisson != a->carries)
		return a->freedom < b->freedom;
	return a->carries == FIT_CARRIES_OWN && ratio_above(a) < ratio_above(b);
}

// How many times the limit it is off at a load.
static double beyond(const struct fit_load *load)
{
	return fmax(fabs(load->off) / load->limit, fabs(load->p99_off) / load->p99_limit);
}

// Where it is off most above the trace's own load.
static unsigned worst_load(const struct fit_latency *of)
{
	unsigned worst = 1;

	for (unsigned l = 2; l < FIT_LOADS; l++)
		if (!(beyond(&of->at[l]) <= beyond(&of->at[worst])))
			worst = l;
	return worst;
}

static void say_own(struct fit_latency *of, const char *unsure)
{
	const unsigned worst = worst_load(of);

	(void)snprintf(of->reason, sizeof(of->reason),
		       "carries the latency only at the trace's load: at %g mean off by %.3g %%, "
		       "99th percentile by %.3g %%%s",
		       fit_loads[worst], of->at[worst].off, of->at[worst].p99_off, unsure);
}

static void say_place(const struct fit_net *net, const struct judged *list, size_t at,
		      size_t carrying)
{
	struct fit_latency *of = &net->each[list[at].place];
	const char *unsure = of->unsure ? "; more replicates may decide otherwise" : "";
	const bool by_distance = net->poisson == of->carries;

	if (!of->carried)
		return;
	if (!of->carries)
		(void)snprintf(of->reason, sizeof(of->reason),
			       "%smean off by %.3g %%, 99th percentile by %.3g %%%s",
			       at == 0 ? "the nearest, but " : "", of->at[0].off, of->at[0].p99_off,
			       unsure);
	else if (of->carries == FIT_CARRIES_OWN)
		say_own(of, unsure);
	else if (at == 0)
		(void)snprintf(
			of->reason, sizeof(of->reason), "%s%s",
			carrying == 1 ? "the only one that carries the latency"
			: by_distance
				? "the closest by distances of those that carry the latency"
				: "the fewest free parameters of those that carry the latency",
			unsure);
	else if (list[at].family == &bootstrap_family)
		(void)snprintf(of->reason, sizeof(of->reason),
			       "carries the latency too, but only replays the trace%s", unsure);
	else if (by_distance)
		(void)snprintf(of->reason, sizeof(of->reason),
			       "carries the latency too; the distances put it behind%s", unsure);
	else
		(void)snprintf(of->reason, sizeof(of->reason),
			       "carries the latency too, with %u free parameters against %u%s",
			       of->freedom, net->each[list[0].place].freedom, unsure);
}

static void fit_net_order(struct fit_net *net, struct judged *list, size_t count)
{
	size_t carrying = 0;

	for (size_t i = 0; i < count; i++) {
		const enum fit_carries carries = net->each[list[i].place].carries;

		carrying += carries == FIT_CARRIES_ALL;
		if (list[i].family == &poisson_process_family && carries > net->poisson)
			net->poisson = carries;
	}
	for (size_t i = 1; i < count; i++) {
		const struct judged one = list[i];
		size_t at = i;

		for (; at > 0 && carries_better(net, &one, &list[at - 1]); at--)
			list[at] = list[at - 1];
		list[at] = one;
	}
	for (size_t i = 0; i < count; i++)
		say_place(net, list, i, carrying);
}

// ---- The loads

const double fit_loads[FIT_LOADS] = {0, 0.5, 0.8};

// The trace at one load.
static enum tr_status carry_trace(const struct fit_source *source, struct fit_net *net,
				  unsigned load, double speed, struct tr_error *err)
{
	struct fit_load *at = &net->trace.at[load];
	struct fit_carried carried;

	if (carry(source, NULL, source->sample, speed, &carried, err) != TR_OK)
		return TR_ERROR;
	net->speed[load] = speed;
	at->mean_us = carried.mean_us;
	at->mean = (struct interval){carried.low_us, carried.high_us};
	at->p99_us = carried.p99_us;
	return TR_OK;
}

// How long the network is busy with all packets, offered at once, says what it carries of such
// traffic. No load above the trace's own if that is not more than a packet takes, as where nothing
// queues, or if they cannot be carried.
static enum tr_status carry_loads(const struct fit_source *source, struct fit_net *net,
				  struct tr_error *err)
{
	const double seconds = packet_sample_seconds(source->sample);
	struct fit_carried at_once;
	struct tr_error why = {.text = ""};
	enum tr_status status;

	net->trace = no_latency();
	if (carry_trace(source, net, 0, 1, err) != TR_OK)
		return TR_ERROR;
	status = carry(source, NULL, source->sample, INFINITY, &at_once, &why);
	for (unsigned l = 1; l < FIT_LOADS && status == TR_OK; l++) {
		const double speed = seconds / at_once.whole_s * fit_loads[l];

		if (at_once.whole_s > PACKETS_LEAST * net->trace.at[0].mean_us / 1e6 && speed > 1)
			status = carry_trace(source, net, l, speed, &why);
	}
	if (!why.breakdown)
		return TR_OK;
	*err = why;
	return TR_ERROR;
}

bool fit_net_carry(const struct fit_source *source, struct judged *list, size_t count,
		   struct fit_net *net)
{
	struct tr_error err;
	enum tr_status status;

	net->each = calloc(count, sizeof(*net->each));
	status = net->each ? carry_loads(source, net, &err)
			   : tr_no_memory(&err, "%zu latencies", count);
	for (size_t i = 0; i < count && status == TR_OK; i++)
		status = carry_family(source, net, &list[i], i, count, &net->each[list[i].place],
				      &err);
	if (status == TR_OK)
		fit_net_order(net, list, count);
	else
		tool_error(source->tool, "%s: --net %s: %s", tr_reader_name(source->in),
			   source->request->network, err.text);
	return status == TR_OK;
}

// ---- The table

TABLE_VIEW(fit_latency, struct fit_latency, (real, at[0].mean_us, 5, "latency_us"),
	   (real, at[0].mean.lo, 5, "latency_lo_us"), (real, at[0].mean.hi, 5, "latency_hi_us"),
	   (real, at[0].off, 3, "off_%"), (real, at[0].p99_us, 5, "p99_us"),
	   (real, at[0].p99.lo, 5, "p99_lo_us"), (real, at[0].p99.hi, 5, "p99_hi_us"),
	   (real, at[0].p99_off, 3, "p99_off_%"), (real, at[1].off, 3, "off50_%"),
	   (real, at[1].p99_off, 3, "p99_off50_%"), (real, at[2].off, 3, "off80_%"),
	   (real, at[2].p99_off, 3, "p99_off80_%"));

void fit_net_columns(struct table *table)
{
	table_column(table, "carries");
	table_heads(table, fit_latency_fields);
}

void fit_net_cells(struct table *table, const struct fit_latency *latency)
{
	static const char *const carries[] = {
		[FIT_CARRIES_NOT] = "no", [FIT_CARRIES_OWN] = "own", [FIT_CARRIES_ALL] = "yes"};

	table_text(table, latency->carried ? carries[latency->carries] : NULL);
	table_row(table, fit_latency_fields, latency);
}

void fit_net_notes(struct table *table, const struct fit_request *request,
		   const struct fit_net *net, bool poisson_carries)
{
	table_note(
		table,
		"carries: mean and 99th percentile of the latency over %s within 10 %% of the "
		"trace's (yes: at all loads, own: at the trace's alone); %llu runs of each family",
		request->network, (unsigned long long)request->replicates);
	for (unsigned l = 1; l < FIT_LOADS; l++)
		if (net->speed[l] > 0)
			table_note(table,
				   "at %g of what the network carries, %.3g times as fast: the "
				   "trace has mean %.5g us, 99th percentile %.5g us; within two "
				   "standard deviations of the runs, 10 to 30 %%",
				   fit_loads[l], net->speed[l], net->trace.at[l].mean_us,
				   net->trace.at[l].p99_us);
	if (poisson_carries)
		table_note(table,
			   "a Poisson process carries the latency too, so the distances order the "
			   "families that do; a higher load would distinguish more");
}
