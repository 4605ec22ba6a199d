// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measurement.h"
#include "table/table_rows.h"
#include "value/ticks.h"

#define UNFAIR 2.0 // Qiao 1997, section 2.6
#define CHANCE .05 // of a star where all hosts send alike, at random times

enum tr_status shares_open(struct shares *shares, uint32_t hosts, struct num_ratio rate_bps,
			   struct tr_error *err)
{
	shares->rate_bps = rate_bps;
	shares->hosts = hosts;
	if (rate_bps.den == 0)
		return TR_OK;
	shares->of = calloc(hosts + (size_t)1, sizeof(*shares->of));
	return shares->of ? TR_OK : tr_no_memory(err, "the shares of hosts");
}

void shares_add(struct shares *shares, const struct outcome *outcome, uint64_t times)
{
	if (!shares->of)
		return;
	shares->of[outcome->source].worms += times;
	shares->of[outcome->source].bytes += times * outcome->size_bytes;
}

void shares_name(struct shares *shares, struct node_map *map, const struct tr_names *names)
{
	struct tr_error err;

	for (uint32_t i = 0; shares->of && i < shares->hosts; i++)
		shares->of[i].group = node_map_group(map, i);
	for (uint32_t node = 0; shares->of && node < names->node_count; node++) {
		const enum tr_role role = tr_names_role(names, node);
		uint32_t host;

		if (role != TR_ROLE_UNKNOWN &&
		    node_map_find(map, node, names, shares->hosts, &host, &err) == TR_OK &&
		    host < shares->hosts)
			shares->of[host].role = tr_role_name(role);
	}
}

static bool is_in(const struct share *share, const char *group, const char *role)
{
	if (group)
		return share->group && strcmp(share->group, group) == 0;
	return !role || (share->role && strcmp(share->role, role) == 0);
}

static double square(double x)
{
	return x * x;
}

// Variance of the bytes that a host sent, if it sends at random times: its worms are a Poisson
// count.
static double shares_variance(const struct share *share)
{
	return share->worms > 0 ? square((double)share->bytes) / (double)share->worms : 0;
}

// Whether the ratio is unfair, and the difference significant between any two of this many hosts:
// of a normal variable P(X > z) <= exp(-z^2 / 2) / 2, and there are fewer than hosts^2 ordered
// pairs.
static bool is_unfair(const struct share *most, const struct share *least, uint32_t hosts)
{
	const double z2 = 2 * log(square(hosts) / (2 * CHANCE));
	const double difference = (double)most->bytes - (double)least->bytes;

	return (double)most->bytes > UNFAIR * (double)least->bytes &&
	       square(difference) > z2 * (shares_variance(most) + shares_variance(least));
}

TABLE_ROW(host_shares, (text, hosts_of), (count, hosts), (count, worms), (count, bytes),
	  (real, carried_percent, 6), (count, least_B), (count, most_B), (real, ratio, 6),
	  (text, unfair));

// A row of the hosts of a group or of a role, or of all; there is one.
static void shares_put_row(struct table *table, const struct shares *shares, const char *group,
			   const char *role, double span_s)
{
	const double byte_s = 8 / num_value(shares->rate_bps);
	const struct share *least = NULL, *most = NULL;
	uint64_t worms = 0, bytes = 0;
	uint32_t hosts = 0;
	double ratio;

	for (uint32_t i = 0; i < shares->hosts; i++) {
		const struct share *share = &shares->of[i];

		if (!is_in(share, group, role))
			continue;
		hosts++;
		worms += share->worms;
		bytes += share->bytes;
		least = !least || share->bytes < least->bytes ? share : least;
		most = !most || share->bytes > most->bytes ? share : most;
	}
	ratio = most->bytes > 0 ? (double)most->bytes / (double)least->bytes : NAN;
	TABLE_PUT(table, host_shares,
		  .hosts_of = group  ? group
			      : role ? role
				     : "all",
		  .hosts = hosts, .worms = worms, .bytes = bytes,
		  .carried_percent = span_s > 0 ? 100 * (double)bytes * byte_s / (span_s * hosts)
						: NAN,
		  .least_B = least->bytes, .most_B = most->bytes, .ratio = ratio,
		  .unfair = is_unfair(most, least, hosts) ? "*" : "-");
}

// Whether an earlier host has the same label.
static bool shares_is_known(const struct shares *shares, uint32_t host, const char *label,
			    bool group)
{
	for (uint32_t i = 0; i < host; i++) {
		const char *other = group ? shares->of[i].group : shares->of[i].role;

		if (other && strcmp(other, label) == 0)
			return true;
	}
	return false;
}

// Whether all hosts have one role, or none: a row of it would say what that of all says.
static bool one_role(const struct shares *shares)
{
	const char *role = shares->of[0].role;

	for (uint32_t i = 1; i < shares->hosts; i++) {
		const char *other = shares->of[i].role;

		if (!role != !other || (role && strcmp(role, other) != 0))
			return false;
	}
	return true;
}

struct table *shares_table(const struct shares *shares, double span_s, bool all_traffic)
{
	struct table *table;
	bool roles;

	if (!shares->of || shares->hosts == 0)
		return NULL;
	roles = !one_role(shares);
	table = table_of("shares", "Measured worms by sending host", host_shares_fields);
	shares_put_row(table, shares, NULL, NULL, span_s);
	for (uint32_t i = 0; roles && i < shares->hosts; i++)
		if (shares->of[i].role && !shares_is_known(shares, i, shares->of[i].role, false))
			shares_put_row(table, shares, NULL, shares->of[i].role, span_s);
	for (uint32_t i = 0; i < shares->hosts; i++)
		if (shares->of[i].group && !shares_is_known(shares, i, shares->of[i].group, true))
			shares_put_row(table, shares, shares->of[i].group, NULL, span_s);
	table_note(table,
		   "carried: bytes per host and time of a byte at %g Mb/s; ratio: most / least, "
		   "unfair above %g if not by chance",
		   num_value(shares->rate_bps) / 1e6, UNFAIR);
	if (all_traffic)
		table_note(table, "the traffic ended: the ratio is that of the traffic; --stop "
				  "shows what the network allows");
	return table;
}

void shares_close(struct shares *shares)
{
	free(shares->of);
	*shares = (struct shares){0};
}
