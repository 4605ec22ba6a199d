// SPDX-License-Identifier: GPL-3.0-or-later
// Lines of counters of ports: times, and the names of objects that snmpget and snmpwalk print.
#ifndef REPLAY_FLITPLAN_PLAN_COUNTER_LINES_H
#define REPLAY_FLITPLAN_PLAN_COUNTER_LINES_H

#include <stdbool.h>
#include <stdint.h>

#define PLAN_NS_PER_S 1000000000u

enum plan_counter { COUNTER_SENT, COUNTER_RECEIVED, COUNTERS };

// An object of the interfaces' tables; COUNTERS: the name of a port.
struct plan_object {
	const char *name, *number;
	enum plan_counter counter; // a switch receives what the port's host sends
	bool wide;		   // of 64 bits
};

// Whether a line begins with a time in seconds since the Unix epoch; and that, and what follows,
// the name of what is read then, or "".
bool plan_counter_is_time(const char *line, int64_t *ns, const char **name);

// The object of a name such as IF-MIB::ifName.3, iso.3.6.1... or .1.3.6.1..., and its index in the
// name; NULL: another one.
const struct plan_object *plan_counter_object(const char *name, const char **index);

#endif
