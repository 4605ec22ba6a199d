// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/nodes/talker_changes.h"
#include "value/order.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CANDIDATES 32u // hosts, and pairs, whose intervals are made
#define WHOLE_BINS 3u  // at least, for an interval of a rate

// One of the two traces, with the numbers of the joint nodes.
struct renamed {
	const struct talkers *talkers;
	struct matrix pairs;
	double all;	// bytes
	double grains;	// a packet of each pair, in bytes
	double seconds; // from the first packet to the last
	double over_time[TIME_BINS];
};

struct candidates {
	struct talker_change list[CANDIDATES];
	size_t count;
	size_t rows; // that were looked at
};

static double mean_packet(const struct matrix_cell *cell)
{
	return (double)cell->size_bytes / (double)cell->packets;
}

// ---- the errors of a host or pair in one trace

static bool belongs_to_change(const struct matrix_cell *cell, const struct talker_change *change)
{
	if (change->dst == TALKER_HOST)
		return cell->src == change->src || cell->dst == change->src;
	return cell->src == change->src && cell->dst == change->dst;
}

// What a host or pair sends in one trace.
struct talker_changes_sent {
	double bytes[TIME_BINS];
	double grain; // a packet of each of its pairs, in bytes
	uint64_t packets;
	bool whole; // bytes has all of it
};

static void sum_sent(const struct renamed *side, const struct talker_change *change,
		     struct talker_changes_sent *out)
{
	*out = (struct talker_changes_sent){.whole = true};
	for (size_t i = 0; i < side->pairs.pairs; i++) {
		if (!belongs_to_change(&side->pairs.cells[i], change))
			continue;
		out->grain += mean_packet(&side->pairs.cells[i]);
		out->packets += side->pairs.cells[i].packets;
		if (side->pairs.pairs != side->talkers->pairs.pairs ||
		    !talkers_pair_over_time(side->talkers, i, out->bytes))
			out->whole = false;
	}
}

static double share_of_time(const struct renamed *side, const struct talker_changes_sent *sent)
{
	const size_t used = side->talkers->over_time.used;
	size_t first = 0, end = used;

	while (first < used && sent->bytes[first] == 0)
		first++;
	while (end > first && sent->bytes[end - 1] == 0)
		end--;
	return used > 0 ? (double)(end - first) / (double)used : 0;
}

// Of the rate, from the bins that the trace fills.
static struct mean_error rate_error(const struct renamed *side,
				    const struct talker_changes_sent *sent, double level)
{
	const struct talkers *talkers = side->talkers;
	struct mean_error error = {.known = false};

	if (talkers->over_time.used < WHOLE_BINS + 2)
		return error;
	error = mean_error_find(sent->bytes + 1, talkers->over_time.used - 2, level);
	error.se /= ldexp(1, (int)talkers->over_time.shift) / (double)talkers->ticks_per_s;
	return error;
}

// ---- differences

// Half of the interval at level: Welch's, which needs two samples; where an error has less than one
// degree of freedom, at least that of the trace alone.
static double half_of_difference(const double values[2], const struct mean_error errors[2],
				 double level)
{
	const struct sample before = mean_error_sample(values[0], &errors[0]),
			    after = mean_error_sample(values[1], &errors[1]);
	const struct interval welch = sample_compare(&after, &before, level).interval;
	double half = (welch.hi - welch.lo) / 2;

	for (size_t i = 0; i < 2; i++)
		if (errors[i].se > 0 && errors[i].freedom < 1)
			half = fmax(half, gsl_cdf_tdist_Pinv(.5 + .5 * level, errors[i].freedom) *
						  errors[i].se);
	return half;
}

// grain: what a packet more or less at the ends of both traces makes of the difference. rows: that
// are compared.
static void find_difference(struct talker_difference *out, const struct mean_error errors[2],
			    double grain, double level, size_t rows)
{
	const double difference = out->values[1] - out->values[0],
		     jointly = 1 - (1 - level) / (double)rows;
	double half;

	out->interval = (struct interval){NAN, NAN};
	if (!errors[0].known || !errors[1].known || !isfinite(difference) || !isfinite(grain))
		return;
	half = fmax(half_of_difference(out->values, errors, level), grain);
	out->interval = (struct interval){difference - half, difference + half};
	out->jointly = fabs(difference) >
		       fmax(half_of_difference(out->values, errors, jointly), grain);
}

// What a trace lacks is known exactly.
static void fill_absent(const double values[2], struct mean_error errors[2])
{
	for (size_t i = 0; i < 2; i++)
		if (values[i] == 0)
			errors[i] = (struct mean_error){.known = true,
							.freedom = errors[1 - i].freedom};
}

// Whether this many packets in one trace and none in the other are significant, had each been as
// likely at any time of the two.
static bool is_too_many(const struct renamed sides[2], const struct talker_changes_sent sent[2],
			double level, size_t rows)
{
	const double all = sides[0].seconds + sides[1].seconds;
	const size_t here = sent[1].packets > 0;
	const double share = all > 0 ? sides[here].seconds / all : .5;

	return pow(share, (double)sent[here].packets) < (1 - level) / (double)rows;
}

static void find_differences(const struct renamed sides[2], struct talker_change *change,
			     double level, size_t rows)
{
	struct mean_error rates[2] = {{.known = false}}, shares[2] = {{.known = false}};
	double rate_grain = 0, share_grain = 0;
	struct talker_changes_sent sent[2];

	for (size_t i = 0; i < 2; i++) {
		sum_sent(&sides[i], change, &sent[i]);
		change->present[i] = share_of_time(&sides[i], &sent[i]);
		if (!sent[i].whole || !(change->share.values[i] > 0))
			continue;
		rates[i] = rate_error(&sides[i], &sent[i], level);
		shares[i] = ratio_error_find(sent[i].bytes, sides[i].over_time,
					     sides[i].talkers->over_time.used,
					     change->share.values[i], level);
	}
	for (size_t i = 0; i < 2; i++) {
		const double share = change->share.values[i];
		const double grain = share > 0 ? sent[i].grain : sent[1 - i].grain;

		rate_grain += grain / sides[i].seconds;
		share_grain += ((1 - share) * grain + share * fmax(sides[i].grains - grain, 0)) /
			       sides[i].all;
	}
	fill_absent(change->rate.values, rates);
	fill_absent(change->share.values, shares);
	find_difference(&change->rate, rates, rate_grain, level, rows);
	find_difference(&change->share, shares, share_grain, level, rows);
	if (isnan(change->rate.interval.lo) && (sent[0].packets == 0 || sent[1].packets == 0))
		change->rate.jointly = is_too_many(sides, sent, level, rows);
}

// ---- which

static double moved_by(const struct talker_difference *difference)
{
	return fabs(difference->values[1] - difference->values[0]);
}

static bool beside_0(const struct talker_difference *difference)
{
	return difference->interval.lo > 0 || difference->interval.hi < 0;
}

// By rates, or, where a trace has no duration, by shares.
static int largest_change_first(const void *left, const void *right)
{
	const struct talker_change *a = left, *b = right;
	const bool rates = isfinite(moved_by(&a->rate)) && isfinite(moved_by(&b->rate));
	const double x = moved_by(rates ? &a->rate : &a->share),
		     y = moved_by(rates ? &b->rate : &b->share);

	ORDER_BY(y, x);
	ORDER_BY(a->src, b->src);
	return ORDER(a->dst, b->dst);
}

static int certain_first(const void *left, const void *right)
{
	const struct talker_change *a = left, *b = right;
	const bool x = talker_change_by(a), y = talker_change_by(b);

	return x != y ? y - x : largest_change_first(left, right);
}

static int change_rank(const struct talker_change *change)
{
	if (change->share.values[1] == 0)
		return 0;
	if (change->share.values[0] == 0)
		return 1;
	return talker_change_by(change) ? 2 : 3;
}

static int in_order_of_change(const void *left, const void *right)
{
	const int x = change_rank(left), y = change_rank(right);

	return x != y ? x - y : largest_change_first(left, right);
}

// Keeps a change among the largest.
static void keep_change(struct candidates *candidates, const struct talker_change *change)
{
	struct talker_change *list = candidates->list;
	size_t at;

	candidates->rows++;
	if (moved_by(&change->share) == 0 && !(moved_by(&change->rate) > 0))
		return;
	if (candidates->count == CANDIDATES &&
	    largest_change_first(change, &list[CANDIDATES - 1]) >= 0)
		return;
	candidates->count += candidates->count < CANDIDATES;
	for (at = candidates->count - 1; at > 0 && largest_change_first(change, &list[at - 1]) < 0;
	     at--)
		list[at] = list[at - 1];
	list[at] = *change;
}

static struct talker_change make_change(const struct renamed sides[2], uint32_t src, uint32_t dst,
					const double bytes[2])
{
	struct talker_change change = {.src = src, .dst = dst};

	for (size_t k = 0; k < 2; k++) {
		change.share.values[k] = sides[k].all > 0 ? bytes[k] / sides[k].all : 0;
		change.rate.values[k] = sides[k].seconds > 0 ? bytes[k] / sides[k].seconds : NAN;
	}
	return change;
}

// Whether what one of two ends has vanished or appeared with the pair.
static bool ends_change(const double (*hosts)[2], const struct matrix_cell *cell,
			const double bytes[2])
{
	for (size_t k = 0; k < 2; k++)
		if (bytes[k] == 0 && (hosts[cell->src][k] == 0 || hosts[cell->dst][k] == 0))
			return true;
	return false;
}

static double bytes_of_pair(const struct renamed *side, const struct matrix_cell *pair)
{
	const struct matrix_cell *cell = matrix_find(&side->pairs, pair->src, pair->dst);

	return cell ? (double)cell->size_bytes : 0;
}

// Calls take for each pair of the two traces with its bytes.
static void visit_pairs(const struct renamed sides[2],
			void (*take)(void *context, const struct matrix_cell *cell,
				     const double bytes[2]),
			void *context)
{
	for (size_t k = 0; k < 2; k++)
		for (size_t i = 0; i < sides[k].pairs.pairs; i++) {
			const struct matrix_cell *cell = &sides[k].pairs.cells[i];
			const double bytes[2] = {bytes_of_pair(&sides[0], cell),
						 bytes_of_pair(&sides[1], cell)};

			if (k == 0 || !matrix_find(&sides[0].pairs, cell->src, cell->dst))
				take(context, cell, bytes);
		}
}

struct talker_changes_search {
	const struct renamed *sides;
	struct candidates hosts, pairs;
	double (*host_bytes)[2];
};

static void sum_pair_at_hosts(void *context, const struct matrix_cell *cell, const double bytes[2])
{
	struct talker_changes_search *search = context;

	for (size_t k = 0; k < 2; k++) {
		search->host_bytes[cell->src][k] += bytes[k];
		if (cell->dst != cell->src)
			search->host_bytes[cell->dst][k] += bytes[k];
	}
}

static void keep_pair(void *context, const struct matrix_cell *cell, const double bytes[2])
{
	struct talker_changes_search *search = context;
	struct talker_change change = make_change(search->sides, cell->src, cell->dst, bytes);

	change.repeats = ends_change((const double(*)[2])search->host_bytes, cell, bytes);
	keep_change(&search->pairs, &change);
}

// A host that one pair moves by more than half says no more than the pair.
static void find_repeats(void *context, const struct matrix_cell *cell, const double bytes[2])
{
	struct talker_changes_search *search = context;
	const struct talker_change pair = make_change(search->sides, cell->src, cell->dst, bytes);

	for (size_t i = 0; i < search->hosts.count; i++) {
		struct talker_change *host = &search->hosts.list[i];
		const double of_host = host->rate.values[1] - host->rate.values[0];
		const double of_pair = pair.rate.values[1] - pair.rate.values[0];

		if (belongs_to_change(cell, host) && change_rank(host) > 1 &&
		    of_pair / of_host > .5)
			host->repeats = true;
	}
}

static enum tr_status find_changed(struct talker_changes_search *search, size_t nodes,
				   struct tr_error *err)
{
	search->host_bytes = calloc(nodes + 1, sizeof(*search->host_bytes));
	if (!search->host_bytes)
		return tr_no_memory(err, "%zu nodes", nodes);
	visit_pairs(search->sides, sum_pair_at_hosts, search);
	for (uint32_t i = 0; i < nodes; i++) {
		const struct talker_change change = make_change(search->sides, i, TALKER_HOST,
								search->host_bytes[i]);

		keep_change(&search->hosts, &change);
	}
	visit_pairs(search->sides, keep_pair, search);
	visit_pairs(search->sides, find_repeats, search);
	free(search->host_bytes);
	return TR_OK;
}

static size_t choose_changes(struct candidates *from, struct talker_change out[TALKERS_CHANGED])
{
	const size_t count = from->count < TALKERS_CHANGED ? from->count : TALKERS_CHANGED;

	qsort(from->list, from->count, sizeof(*from->list), certain_first);
	memcpy(out, from->list, count * sizeof(*out));
	qsort(out, count, sizeof(*out), in_order_of_change);
	return count;
}

// ---- two traces

static enum tr_status rename_side(const struct talkers *talkers, struct talker_changes *out,
				  struct renamed *side, struct tr_error *err)
{
	const struct node_side nodes = {&talkers->pairs,
					talkers->names.node_count ? &talkers->names : NULL,
					talkers->roles, talkers->role_count};

	*side = (struct renamed){.talkers = talkers,
				 .all = (double)talkers->pairs.rest.size_bytes,
				 .seconds = talkers_seconds(talkers)};
	for (size_t row = 0; row < talkers->over_time.row_count; row++)
		for (size_t bin = 0;
		     talkers->over_time.rows[row].count > 0 && bin < talkers->over_time.used; bin++)
			side->over_time[bin] += (double)time_rows_sum(&talkers->over_time, row,
								      bin);
	for (size_t i = 0; i < talkers->pairs.pairs; i++) {
		side->all += (double)talkers->pairs.cells[i].size_bytes;
		side->grains += mean_packet(&talkers->pairs.cells[i]);
	}
	return joint_nodes_add(&out->nodes, &nodes, &side->pairs, &out->basis, err);
}

enum tr_status talkers_compare(const struct talkers *before, const struct talkers *after,
			       double level, struct talker_changes *out, struct tr_error *err)
{
	struct renamed sides[2] = {{.talkers = NULL}, {.talkers = NULL}};
	struct talker_changes_search search = {.sides = sides};
	enum tr_status status = TR_ERROR;
	size_t rows;

	*out = (struct talker_changes){.host_count = 0};
	if (rename_side(before, out, &sides[0], err) == TR_OK &&
	    rename_side(after, out, &sides[1], err) == TR_OK)
		status = find_changed(&search, out->nodes.count, err);
	rows = 2 * (search.hosts.rows + search.pairs.rows);
	for (size_t i = 0; i < search.hosts.count; i++)
		find_differences(sides, &search.hosts.list[i], level, rows);
	for (size_t i = 0; i < search.pairs.count; i++)
		find_differences(sides, &search.pairs.list[i], level, rows);
	out->host_count = choose_changes(&search.hosts, out->hosts);
	out->pair_count = choose_changes(&search.pairs, out->pairs);
	matrix_clear(&sides[0].pairs);
	matrix_clear(&sides[1].pairs);
	if (status != TR_OK)
		talker_changes_clear(out);
	return status;
}

const char *talker_change_word(const struct talker_change *change)
{
	static const char *const words[] = {"vanished", "appeared", "moved", "same"};
	const int rank = change_rank(change);

	return rank == 3 && isnan(change->rate.interval.lo) && isnan(change->share.interval.lo)
		       ? NULL
		       : words[rank];
}

const char *talker_change_by(const struct talker_change *change)
{
	const bool rate = beside_0(&change->rate), share = beside_0(&change->share);

	return rate && share ? "rate, share" : rate ? "rate" : share ? "share" : NULL;
}

// ---- facts

// A share that moved while the rate is known not to have is another's change.
static bool is_fact(const struct talker_change *change)
{
	return !change->repeats &&
	       (change->rate.jointly || (isnan(change->rate.interval.lo) && change->share.jointly));
}

size_t talker_facts(const struct talker_changes *changes,
		    const struct talker_change *facts[TALKER_FACTS], size_t *more)
{
	size_t found = 0, count = 0;

	for (size_t i = 0; i < changes->host_count + changes->pair_count; i++) {
		const struct talker_change *change =
			i < changes->host_count ? &changes->hosts[i]
						: &changes->pairs[i - changes->host_count];
		size_t at;

		if (!is_fact(change))
			continue;
		found++;
		if (count == TALKER_FACTS && largest_change_first(change, facts[count - 1]) >= 0)
			continue;
		count += count < TALKER_FACTS;
		for (at = count - 1; at > 0 && largest_change_first(change, facts[at - 1]) < 0;
		     at--)
			facts[at] = facts[at - 1];
		facts[at] = change;
	}
	*more = found - count;
	return count;
}

void talker_changes_clear(struct talker_changes *changes)
{
	joint_nodes_clear(&changes->nodes);
	*changes = (struct talker_changes){.host_count = 0};
}
