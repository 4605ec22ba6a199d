// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan_rates.h"

#include <stdio.h>
#include <string.h>

#include "value/num.h"
#include "value/ticks.h"

bool plan_counter_is_time(const char *line, int64_t *ns, const char **name)
{
	const size_t length = strcspn(line, " \t");
	struct num_ratio seconds;
	char word[32];

	if (length == 0 || length >= sizeof(word) || strspn(line, "0123456789.") != length)
		return false;
	memcpy(word, line, length);
	word[length] = '\0';
	*name = line + length + strspn(line + length, " \t");
	return num_parse(word, NUM_PLAIN, &seconds, NULL) == TR_OK &&
	       tr_ticks_round(seconds, TR_NS_PER_S, ns, NULL) == TR_OK;
}

bool plan_counters_begin(const char *text)
{
	const size_t blank = strspn(text, "\r\n"), length = strcspn(text + blank, "\r\n");
	const char *name;
	char line[256];
	int64_t ns;

	(void)snprintf(line, sizeof(line), "%.*s", length < 255 ? (int)length : 255, text + blank);
	return plan_counter_is_time(line, &ns, &name);
}

// The objects of the interfaces' tables (RFC 2863), by their names, or by their numbers.
static const struct plan_object plan_objects[] = {
	{"ifHCInOctets.", "1.3.6.1.2.1.31.1.1.1.6.", COUNTER_SENT, true},
	{"ifHCOutOctets.", "1.3.6.1.2.1.31.1.1.1.10.", COUNTER_RECEIVED, true},
	{"ifInOctets.", "1.3.6.1.2.1.2.2.1.10.", COUNTER_SENT, false},
	{"ifOutOctets.", "1.3.6.1.2.1.2.2.1.16.", COUNTER_RECEIVED, false},
	{"ifName.", "1.3.6.1.2.1.31.1.1.1.1.", COUNTERS, false},
};

const struct plan_object *plan_counter_object(const char *name, const char **index)
{
	const char *colons = strstr(name, "::"), *last = strrchr(name, '.');
	char number[128];

	(void)snprintf(number, sizeof(number), "%s%s", strncmp(name, "iso.", 4) == 0 ? "1." : "",
		       strncmp(name, "iso.", 4) == 0 ? name + 4 : name + (*name == '.'));
	name = colons ? colons + 2 : name;
	for (size_t i = 0; i < sizeof(plan_objects) / sizeof(*plan_objects); i++) {
		const struct plan_object *object = &plan_objects[i];
		const bool named = strncmp(name, object->name, strlen(object->name)) == 0;

		if (!named && strncmp(number, object->number, strlen(object->number)) != 0)
			continue;
		*index = named ? name + strlen(object->name) : last + 1;
		return object;
	}
	return NULL;
}
