// SPDX-License-Identifier: GPL-3.0-or-later
#include "mapper/explore.h"

#include <stdlib.h>
#include <string.h>

#include "mapper/explored.h"
#include "value/grow.h"

// ---- state

struct known_port *explored_port(const struct explore *explore, uint32_t at, int delta)
{
	int reach = (int)explore->ports - 1;

	if (delta < -reach || delta > reach)
		return NULL;
	return &explore->switches[at].ports[delta + reach];
}

// Marks a port of the switch as used: ports farther from it than a switch is wide cannot exist.
static void use_port(struct known_switch *at, int delta)
{
	if (delta < at->lowest)
		at->lowest = delta;
	if (delta > at->highest)
		at->highest = delta;
}

static void explore_join(struct explore *explore, uint32_t a, int a_delta, uint32_t b, int b_delta)
{
	struct known_port *one = explored_port(explore, a, a_delta);
	struct known_port *other = explored_port(explore, b, b_delta);

	if (!one || !other)
		return;
	*one = (struct known_port){PORT_SWITCH, b, b_delta};
	*other = (struct known_port){PORT_SWITCH, a, a_delta};
	use_port(&explore->switches[a], a_delta);
	use_port(&explore->switches[b], b_delta);
}

static void put_host(struct explore *explore, uint32_t at, int delta, uint32_t host)
{
	*explored_port(explore, at, delta) = (struct known_port){PORT_HOST, host, 0};
	use_port(&explore->switches[at], delta);
	explore->switches[at].hosts++;
	explore->host_at[host] = (struct host_place){at, delta};
}

// ---- doors: ports behind which a switch was detected

static void add_door(struct explore *explore, uint32_t from, int delta)
{
	if (!GROW(explore->doors, explore->door_room, explore->door_count)) {
		explore->failed = true;
		return;
	}
	explore->doors[explore->door_count++] = (struct door){from, delta};
}

// A new entry after the known switches, not counted yet; false where memory runs out.
static bool start_work(struct explore *explore, const struct door *door)
{
	struct known_switch *switches, *work;
	uint32_t length = door->from == EXPLORE_NOBODY ? 0
						       : explore->switches[door->from].length + 1;

	if (!GROW(explore->switches, explore->room, explore->count))
		return false;
	switches = explore->switches;
	work = &switches[explore->count];
	*work = (struct known_switch){.length = length};
	work->path = calloc((size_t)length + 1, sizeof(*work->path));
	work->ports = calloc(2 * (size_t)explore->ports, sizeof(*work->ports));
	if (!work->path || !work->ports)
		return false;
	if (length > 0) {
		memcpy(work->path, switches[door->from].path, (length - 1) * sizeof(*work->path));
		work->path[length - 1] = (int16_t)door->delta;
	}
	return true;
}

static void drop_work(struct explore *explore)
{
	free(explore->switches[explore->count].path);
	free(explore->switches[explore->count].ports);
}

// Opens the next unexplored door; its switch becomes the current one.
static void open_door(struct explore *explore)
{
	explore->stage = STAGE_DONE;
	while (explore->next_door < explore->door_count && explore->stage == STAGE_DONE) {
		const struct door door = explore->doors[explore->next_door++];
		bool first = door.from == EXPLORE_NOBODY;

		if (!first && explored_port(explore, door.from, door.delta)->kind == PORT_SWITCH)
			continue;
		explore->door = door;
		explore->stage = STAGE_HOSTS;
		explore->delta = 1 - (int)explore->ports;
		if (!start_work(explore, &door)) {
			explore->failed = true;
			explore->stage = STAGE_DONE;
			return;
		}
		if (first)
			put_host(explore, explore->count, 0, explore->mapper);
	}
}

// The current switch is the known one, and its port 0 is that one's port delta.
static void explore_merge(struct explore *explore, uint32_t known, int delta)
{
	drop_work(explore);
	explore_join(explore, explore->door.from, explore->door.delta, known, delta);
	open_door(explore);
}

static void keep_work(struct explore *explore)
{
	uint32_t at = explore->count++;

	if (explore->door.from != EXPLORE_NOBODY)
		explore_join(explore, explore->door.from, explore->door.delta, at, 0);
	explore->stage = STAGE_SWITCHES;
	explore->at = at;
	explore->delta = 1 - (int)explore->ports;
}

// ---- questions

static void go(struct explore_scout *scout, int delta)
{
	if (scout->count < EXPLORE_ROUTE_MAX)
		scout->deltas[scout->count] = (int16_t)delta;
	scout->count++;
}

static void explore_go_to(struct explore_scout *scout, const struct known_switch *at)
{
	for (uint32_t i = 0; i < at->length; i++)
		go(scout, at->path[i]);
}

static void come_back(struct explore_scout *scout, const struct known_switch *at)
{
	for (uint32_t i = at->length; i > 0; i--)
		go(scout, -at->path[i - 1]);
}

// Advances explore->delta to the next port of a switch that may exist and is unknown; false if
// there is none.
static bool find_port(struct explore *explore, uint32_t at)
{
	const struct known_switch *of = &explore->switches[at];
	int reach = (int)explore->ports - 1;

	for (; explore->delta <= reach; explore->delta++)
		if (explore->delta != 0 && explore->delta >= of->highest - reach &&
		    explore->delta <= of->lowest + reach &&
		    explored_port(explore, at, explore->delta)->kind == PORT_UNKNOWN)
			return true;
	return false;
}

// Advances to the next known switch without hosts, and the next offset, that the current one may be
// identical with.
static bool find_twin(struct explore *explore)
{
	int reach = (int)explore->ports - 1;

	for (; explore->at < explore->count; explore->at++, explore->delta = -reach)
		if (explore->switches[explore->at].hosts == 0 && explore->delta <= reach)
			return true;
	return false;
}

// The next question of a stage; false if it has no more.
static bool ask(struct explore *explore, struct explore_scout *scout)
{
	const struct known_switch *work = &explore->switches[explore->count];

	switch (explore->stage) {
	case STAGE_CABLE_HOST: return true;
	case STAGE_CABLE_SWITCH:
		scout->ask = EXPLORE_RETURN;
		go(scout, 0);
		return true;
	case STAGE_HOSTS:
		if (!find_port(explore, explore->count))
			return false;
		explore_go_to(scout, work);
		go(scout, explore->delta);
		return true;
	case STAGE_TWINS:
		if (!find_twin(explore))
			return false;
		scout->ask = EXPLORE_RETURN;
		explore_go_to(scout, work);
		go(scout, explore->delta);
		come_back(scout, &explore->switches[explore->at]);
		return true;
	case STAGE_SWITCHES:
		if (!find_port(explore, explore->at))
			return false;
		scout->ask = EXPLORE_RETURN;
		explore_go_to(scout, &explore->switches[explore->at]);
		go(scout, explore->delta);
		go(scout, 0);
		go(scout, -explore->delta);
		come_back(scout, &explore->switches[explore->at]);
		return true;
	case STAGE_DONE: break;
	}
	return false;
}

// Ends a stage without further questions.
static void explore_end_stage(struct explore *explore)
{
	switch (explore->stage) {
	case STAGE_HOSTS:
		explore->stage = STAGE_TWINS;
		explore->at = explore->switches[explore->count].hosts > 0 ? explore->count : 0;
		explore->delta = 1 - (int)explore->ports;
		break;
	case STAGE_TWINS: keep_work(explore); break;
	default: open_door(explore); break;
	}
}

bool explore_next(struct explore *explore, struct explore_scout *scout)
{
	while (explore->stage != STAGE_DONE && !explore->failed) {
		*scout = (struct explore_scout){.ask = EXPLORE_HOST};
		if (!ask(explore, scout))
			explore_end_stage(explore);
		else if (scout->count <= EXPLORE_ROUTE_MAX)
			return true;
		else
			explore_answer(explore, false, 0); // too far away for a scout
	}
	return false;
}

// ---- answers

static void answer_host(struct explore *explore, uint32_t host)
{
	const struct host_place place = explore->host_at[host];

	if (place.at != EXPLORE_NOBODY) {
		explore_merge(explore, place.at, place.delta - explore->delta);
		return;
	}
	put_host(explore, explore->count, explore->delta++, host);
}

static void answer_switch(struct explore *explore, bool answered)
{
	struct known_port *port = explored_port(explore, explore->at, explore->delta);

	port->kind = answered ? PORT_DOOR : PORT_EMPTY;
	if (answered) {
		use_port(&explore->switches[explore->at], explore->delta);
		add_door(explore, explore->at, explore->delta);
	}
	explore->delta++;
}

// The answer for the mapper's own cable.
static void answer_cable(struct explore *explore, bool answered, uint32_t host)
{
	if (explore->stage == STAGE_CABLE_HOST && !answered) {
		explore->stage = STAGE_CABLE_SWITCH;
		return;
	}
	if (explore->stage == STAGE_CABLE_HOST)
		explore->neighbour = host;
	else if (answered)
		add_door(explore, EXPLORE_NOBODY, 0);
	open_door(explore);
}

void explore_answer(struct explore *explore, bool answered, uint32_t host)
{
	if (answered && host >= explore->hosts)
		answered = false;
	switch (explore->stage) {
	case STAGE_CABLE_HOST:
	case STAGE_CABLE_SWITCH: answer_cable(explore, answered, host); break;
	case STAGE_HOSTS:
		if (answered && explore->host_at[host].at != explore->count)
			answer_host(explore, host);
		else
			explore->delta++;
		break;
	case STAGE_TWINS:
		if (answered)
			explore_merge(explore, explore->at, -explore->delta);
		else
			explore->delta++;
		break;
	case STAGE_SWITCHES: answer_switch(explore, answered); break;
	case STAGE_DONE: break;
	}
}

// ---- interface

struct explore *explore_open(uint32_t mapper, uint32_t hosts, uint32_t ports)
{
	struct explore *explore = calloc(1, sizeof(*explore));

	if (!explore)
		return NULL;
	*explore = (struct explore){.mapper = mapper,
				    .hosts = hosts,
				    .ports = ports,
				    .neighbour = EXPLORE_NOBODY,
				    .stage = STAGE_CABLE_HOST};
	explore->host_at = malloc(((size_t)hosts + 1) * sizeof(*explore->host_at));
	if (!explore->host_at) {
		free(explore);
		return NULL;
	}
	for (uint32_t i = 0; i < hosts; i++)
		explore->host_at[i] = (struct host_place){EXPLORE_NOBODY, 0};
	return explore;
}

void explore_close(struct explore *explore)
{
	if (!explore)
		return;
	if (explore->stage == STAGE_HOSTS || explore->stage == STAGE_TWINS)
		drop_work(explore);
	for (uint32_t i = 0; i < explore->count; i++) {
		free(explore->switches[i].path);
		free(explore->switches[i].ports);
	}
	free(explore->switches);
	free(explore->doors);
	free(explore->host_at);
	free(explore);
}
