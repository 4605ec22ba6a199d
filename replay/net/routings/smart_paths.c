// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/routings/smart.h"

#include <stdlib.h>
#include <string.h>

#define DISTANCES_MAX ((uint64_t)1 << 31)

// The least hops from a switch to an end.
static uint16_t smart_paths_least(const struct net_smart *smart, uint32_t at, uint32_t end)
{
	const struct net_channels *channels = smart->channels;
	const uint16_t *distance = smart->distance + (size_t)end * channels->count;
	uint16_t best = NET_CHANNELS_FAR;

	for (uint32_t c = channels->first[at]; c < channels->first[at + 1]; c++)
		best = distance[c] < best ? distance[c] : best;
	return best;
}

// Hops from each channel to each end.
static void smart_paths_measure(struct net_smart *smart)
{
	net_turn_search_allow(&smart->search, smart->allowed);
	for (uint32_t end = 0; end < smart->ends; end++)
		net_turn_search_run(&smart->search, smart->end[end],
				    smart->distance + (size_t)end * smart->channels->count);
}

uint64_t net_smart_measure(struct net_smart *smart)
{
	const uint32_t *hosts_at = smart->channels->hosts_at;
	uint64_t total = 0;

	smart_paths_measure(smart);
	for (uint32_t end = 0; end < smart->ends; end++)
		for (uint32_t source = 0; source < smart->ends; source++) {
			const uint16_t hops = source == end
						      ? 0
						      : smart_paths_least(smart, smart->end[source],
									  end);

			if (hops == NET_CHANNELS_FAR)
				return UINT64_MAX;
			total += (uint64_t)hops * hosts_at[smart->end[source]] *
				 hosts_at[smart->end[end]];
		}
	return total;
}

static enum tr_status smart_paths_lay_out(struct net_smart *smart, struct tr_error *err)
{
	size_t next = 0;

	for (uint32_t source = 0; source < smart->ends; source++)
		for (uint32_t end = 0; end < smart->ends; end++) {
			const uint16_t hops = source == end
						      ? 0
						      : smart_paths_least(smart, smart->end[source],
									  end);

			if (hops == NET_CHANNELS_FAR)
				return tr_fail(err, "no route from switch %u to switch %u",
					       smart->end[source], smart->end[end]);
			smart->first[(size_t)source * smart->ends + end] = next;
			next += hops;
		}
	smart->first[(size_t)smart->ends * smart->ends] = next;
	smart->paths = calloc(next + 1, sizeof(*smart->paths));
	return smart->paths ? TR_OK : tr_no_memory(err, "the paths of all pairs");
}

enum tr_status net_smart_open(struct net_smart *smart, const struct net_channels *channels,
			      const uint8_t *allowed, struct tr_error *err)
{
	*smart = (struct net_smart){.channels = channels, .allowed = allowed};
	smart->end = calloc((size_t)channels->switches + 1, sizeof(*smart->end));
	for (uint32_t at = 0; smart->end && at < channels->switches; at++)
		if (channels->hosts_at[at] > 0)
			smart->end[smart->ends++] = at;
	if ((uint64_t)smart->ends * channels->count > DISTANCES_MAX)
		return tr_fail(err, "the distances to %u switches are too many for a table",
			       smart->ends);
	smart->distance = malloc(((size_t)smart->ends * channels->count + 1) *
				 sizeof(*smart->distance));
	smart->first = calloc((size_t)smart->ends * smart->ends + 1, sizeof(*smart->first));
	smart->loads = calloc((size_t)channels->count + 1, sizeof(*smart->loads));
	if (!smart->end || !smart->distance || !smart->first || !smart->loads)
		return tr_no_memory(err, "the paths of all pairs");
	if (net_turn_search_open(&smart->search, channels, err) != TR_OK)
		return TR_ERROR;
	smart_paths_measure(smart);
	return smart_paths_lay_out(smart, err);
}

void net_smart_close(struct net_smart *smart)
{
	net_turn_search_close(&smart->search);
	free(smart->end);
	free(smart->distance);
	free(smart->first);
	free(smart->paths);
	free(smart->loads);
	*smart = (struct net_smart){0};
}

bool net_smart_goes_on(const struct net_smart *smart, uint32_t end, uint32_t held, uint32_t next)
{
	const struct net_channels *channels = smart->channels;
	const uint16_t *distance = smart->distance + (size_t)end * channels->count;

	if (held == NET_NOBODY)
		return distance[next] == smart_paths_least(smart, channels->all[next].from, end);
	return distance[next] + 1 == distance[held] &&
	       smart->allowed[net_channels_turn(channels, held, next)] != 0;
}

void net_smart_take(struct net_smart *smart, uint32_t source, uint32_t end, bool has,
		    const uint32_t *path)
{
	const uint32_t *hosts_at = smart->channels->hosts_at;
	const uint64_t weight = (uint64_t)hosts_at[smart->end[source]] * hosts_at[smart->end[end]];
	uint32_t *own = smart->paths + smart->first[(size_t)source * smart->ends + end];
	const uint32_t length = net_smart_length(smart, source, end);

	for (uint32_t i = 0; has && i < length; i++)
		smart->loads[own[i]] -= weight;
	memcpy(own, path, length * sizeof(*own));
	for (uint32_t i = 0; i < length; i++)
		smart->loads[own[i]] += weight;
}

// The best way on from a channel, for the pair at work.
struct smart_paths_outlook {
	uint64_t search; // whose it is
	uint64_t fullest;
	uint64_t sum;
	uint32_t next;
};

struct smart_paths_balance {
	struct net_smart *smart;
	struct smart_paths_outlook *outlooks; // of a channel
	uint32_t *met;	  // channels on shortest ways, nearest to the source first
	size_t *first_on; // of these: the first channel in on; one more than are met
	uint32_t *on;	  // channels with which shortest ways go on
	uint32_t *path;
	uint64_t search;
};

// Meets all channels on the pair's shortest ways; returns how many.
static uint32_t smart_paths_meet(struct smart_paths_balance *balance, uint32_t source, uint32_t end)
{
	const struct net_smart *smart = balance->smart;
	const struct net_channels *channels = smart->channels;
	const uint32_t length = net_smart_length(smart, source, end);
	const uint16_t *distance = smart->distance + (size_t)end * channels->count;
	uint32_t count = 0;
	size_t ways = 0;

	balance->search++;
	for (uint32_t c = channels->first[smart->end[source]];
	     c < channels->first[smart->end[source] + 1]; c++)
		if (distance[c] == length) {
			balance->outlooks[c].search = balance->search;
			balance->met[count++] = c;
		}
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t held = balance->met[i];
		const uint32_t first = channels->first[channels->all[held].to];
		const uint32_t slots = distance[held] > 1
					       ? channels->first[channels->all[held].to + 1] - first
					       : 0;
		const uint8_t *allowed = smart->allowed + channels->turn[held];
		const uint16_t nearer = (uint16_t)(distance[held] - 1);

		balance->first_on[i] = ways;
		for (uint32_t slot = 0; slot < slots; slot++) {
			if (distance[first + slot] != nearer || allowed[slot] == 0)
				continue;
			balance->on[ways++] = first + slot;
			if (balance->outlooks[first + slot].search == balance->search)
				continue;
			balance->outlooks[first + slot].search = balance->search;
			balance->met[count++] = first + slot;
		}
	}
	balance->first_on[count] = ways;
	return count;
}

static bool smart_paths_is_better(const struct smart_paths_outlook *a,
				  const struct smart_paths_outlook *b)
{
	return a->fullest < b->fullest || (a->fullest == b->fullest && a->sum < b->sum);
}

// Chooses the best way on from a channel that is met, all nearer ones being done.
static void smart_paths_look_out(struct smart_paths_balance *balance, uint32_t i)
{
	const struct net_smart *smart = balance->smart;
	const uint32_t c = balance->met[i];
	struct smart_paths_outlook best = {balance->search, 0, 0, NET_NOBODY};

	for (size_t way = balance->first_on[i]; way < balance->first_on[i + 1]; way++) {
		const struct smart_paths_outlook *on = &balance->outlooks[balance->on[way]];

		if (best.next == NET_NOBODY || smart_paths_is_better(on, &best))
			best = (struct smart_paths_outlook){balance->search, on->fullest, on->sum,
							    balance->on[way]};
	}
	best.fullest = smart->loads[c] > best.fullest ? smart->loads[c] : best.fullest;
	best.sum += smart->loads[c];
	balance->outlooks[c] = best;
}

// Gives a pair its best path; returns whether that is another one.
static bool reroute(struct smart_paths_balance *balance, uint32_t source, uint32_t end, bool has)
{
	struct net_smart *smart = balance->smart;
	const uint32_t *hosts_at = smart->channels->hosts_at;
	const uint64_t weight = (uint64_t)hosts_at[smart->end[source]] * hosts_at[smart->end[end]];
	const uint32_t length = net_smart_length(smart, source, end);
	const uint32_t *own = smart->paths + smart->first[(size_t)source * smart->ends + end];
	const uint32_t count = smart_paths_meet(balance, source, end);
	uint32_t c = balance->met[0];
	bool other;

	for (uint32_t i = 0; has && i < length; i++)
		smart->loads[own[i]] -= weight;
	for (uint32_t i = count; i > 0; i--)
		smart_paths_look_out(balance, i - 1);
	for (uint32_t i = 1;
	     i < count && balance->met[i] < smart->channels->first[smart->end[source] + 1] &&
	     smart->channels->all[balance->met[i]].from == smart->end[source];
	     i++)
		if (smart_paths_is_better(&balance->outlooks[balance->met[i]],
					  &balance->outlooks[c]))
			c = balance->met[i];
	for (uint32_t i = 0; i < length; i++, c = balance->outlooks[c].next)
		balance->path[i] = c;
	other = !has || memcmp(own, balance->path, length * sizeof(*own)) != 0;
	net_smart_take(smart, source, end, false, balance->path);
	return other;
}

enum tr_status net_smart_balance(struct net_smart *smart, bool has, uint32_t rounds,
				 struct tr_error *err)
{
	struct smart_paths_balance balance = {.smart = smart};
	enum tr_status status = TR_OK;
	bool changed = true;

	balance.outlooks = calloc((size_t)smart->channels->count + 1, sizeof(*balance.outlooks));
	balance.met = calloc((size_t)smart->channels->count + 1, sizeof(*balance.met));
	balance.first_on = calloc((size_t)smart->channels->count + 2, sizeof(*balance.first_on));
	balance.on = calloc(net_channels_turns(smart->channels) + 1, sizeof(*balance.on));
	balance.path = calloc((size_t)smart->channels->count + 1, sizeof(*balance.path));
	if (!balance.outlooks || !balance.met || !balance.first_on || !balance.on || !balance.path)
		status = tr_no_memory(err, "the paths of all pairs");
	for (uint32_t round = 0; changed && round < rounds && status == TR_OK; round++) {
		changed = false;
		for (uint32_t offset = 1; offset < smart->ends; offset++)
			for (uint32_t source = 0; source < smart->ends; source++)
				changed |= reroute(&balance, source,
						   (source + offset) % smart->ends,
						   has || round > 0);
	}
	free(balance.outlooks);
	free(balance.met);
	free(balance.first_on);
	free(balance.on);
	free(balance.path);
	return status;
}
