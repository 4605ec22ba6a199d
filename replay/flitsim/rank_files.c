// SPDX-License-Identifier: GPL-3.0-or-later
// Whether ranks have read the same files: on another machine the same name may be another one.
#include <stdio.h>
#include <sys/stat.h>

#include "run_engine.h"
#include "value/xxh3.h"

// A name that no regular file has is that of a generator, a rule or a kind.
static void rank_files_add(XXH3_state_t *state, const char *path)
{
	char bytes[65536];
	struct stat what;
	size_t count;
	FILE *in;

	if (!path || stat(path, &what) != 0 || !S_ISREG(what.st_mode))
		return;
	in = fopen(path, "rb");
	if (!in)
		return;
	while ((count = fread(bytes, 1, sizeof(bytes), in)) > 0)
		(void)XXH3_64bits_update(state, bytes, count);
	fclose(in);
}

uint64_t rank_files_digest(const struct sim_options *options)
{
	XXH3_state_t *state = XXH3_createState();
	uint64_t digest;

	if (!state || XXH3_64bits_reset(state) != XXH_OK)
		return 0;
	rank_files_add(state, options->network);
	rank_files_add(state, options->routes);
	for (size_t i = 0; i < options->fabric.count; i++)
		rank_files_add(state, options->fabric.words[i]);
	digest = XXH3_64bits_digest(state);
	(void)XXH3_freeState(state);
	return digest;
}
