// SPDX-License-Identifier: GPL-3.0-or-later
// Engines and presets by their names, for tests.
#ifndef TESTS_FABRIC_BED_H
#define TESTS_FABRIC_BED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/fabric.h"
#include "net/myrinet/params.h"

// The engine called name, of any kind, or NULL.
static inline const struct net_engine *engine_called(const char *name)
{
	for (size_t i = 0; net_fabrics[i]; i++)
		for (size_t k = 0; net_fabrics[i]->engines[k]; k++)
			if (strcmp(net_fabrics[i]->engines[k]->name, name) == 0)
				return net_fabrics[i]->engines[k];
	return NULL;
}

// Sets the keys of a Myrinet preset; the rest is unchanged.
static inline void set_preset(struct myr_params *params, const char *name)
{
	struct fabric fabric = {.kind = &net_fabric_myrinet, .params = params};
	struct tr_error err;
	char text[64];

	snprintf(text, sizeof(text), "myrinet:preset=%s", name);
	if (fabric_read(&fabric, text, &err) != TR_OK) {
		fprintf(stderr, "%s\n", err.text);
		abort();
	}
}

// A preset on top of the defaults.
static inline struct myr_params preset_called(const char *name)
{
	struct myr_params params = myr_params_yates;

	set_preset(&params, name);
	return params;
}

#endif
