// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>

#include "run_engine.h"

const struct net_engine *engine_choose(struct tool *tool, const char *name,
				       const struct fabric *fabric, const struct net_setup *setup)
{
	const struct net_engine *const *engines = fabric->kind->engines;
	const struct net_engine *engine = fabric_engine(fabric, NULL, NULL);
	struct tr_error err;

	if (strcmp(name, "auto") != 0) {
		engine = fabric_engine(fabric, name, &err);
		if (!engine)
			tool_error(tool, "--engine: %s", err.text);
		return engine;
	}
	if (engine->supports && engine->supports(setup, &err) != TR_OK)
		return engine;
	for (; engines[1] && engines[0]->supports; engines++) {
		if (engines[0]->supports(setup, &err) == TR_OK)
			break;
		tool_warn(tool, "%.*s; the engine is %s", (int)strcspn(err.text, ";"), err.text,
			  engines[1]->name);
	}
	return engines[0];
}
