// SPDX-License-Identifier: GPL-3.0-or-later
// The state of an exploration, shared by the files that explore and that draw the map.
#ifndef MAPPER_EXPLORED_H
#define MAPPER_EXPLORED_H

#include <stddef.h>

#include "mapper/explore.h"

enum known_kind {
	PORT_UNKNOWN,
	PORT_EMPTY, // nothing answered
	PORT_HOST,
	PORT_DOOR, // a switch, not yet identified
	PORT_SWITCH,
};

struct known_port {
	enum known_kind kind;
	uint32_t far;  // the host's id, or the switch's number
	int far_delta; // the switch's port
};

// Ports are counted relative to the one by which the first scout came.
struct known_switch {
	int16_t *path; // route to it
	uint32_t length;
	int lowest; // range of ports in use
	int highest;
	uint32_t hosts;
	struct known_port *ports; // from 1 - most to most - 1
};

struct host_place {
	uint32_t at; // EXPLORE_NOBODY: not found
	int delta;
};

struct door {
	uint32_t from; // EXPLORE_NOBODY: the mapper's cable
	int delta;
};

enum explore_stage {
	STAGE_CABLE_HOST,   // the mapper's cable: has it a host?
	STAGE_CABLE_SWITCH, // or a switch?
	STAGE_HOSTS,	    // current switch: which ports have hosts?
	STAGE_TWINS,	    // if it has no hosts: is it a known one?
	STAGE_SWITCHES,	    // new: which ports have switches?
	STAGE_DONE,
};

struct explore {
	uint32_t mapper;
	uint32_t hosts;
	uint32_t ports;
	uint32_t neighbour; // host at the mapper's own cable
	enum explore_stage stage;
	uint32_t at;		       // a known switch
	int delta;		       // of its port, or the current switch's
	struct door door;	       // led to the current switch
	struct known_switch *switches; // count known ones, and the current one
	uint32_t count, room;
	struct door *doors;
	size_t door_count, door_room, next_door;
	struct host_place *host_at;
	bool failed; // memory ran out
};

// NULL for a difference that is impossible for a switch.
struct known_port *explored_port(const struct explore *explore, uint32_t at, int delta);

#endif
