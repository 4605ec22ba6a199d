// SPDX-License-Identifier: GPL-3.0-or-later
// Whether --table names tables that the other options give, before a run that may take long.
#include <string.h>

#include "flitsim.h"
#include "input/node_map.h"
#include "value/escape.h"

// Tables with commas between them, and the option that gives them; NULL: any run does.
struct table_group {
	const char *names, *option;
	bool given;
};

#define GROUPS 10u

static void table_groups(const struct sim_options *options, bool ports,
			 struct table_group groups[GROUPS])
{
	const bool program = options->program.files.count > 0;
	const bool jobs = options->program.files.count + options->program.beside > 1;
	const char *map = options->traffic.map;
	const struct table_group all[GROUPS] = {
		{"classes, latency, books, lost, shares, order, drops, marks, pauses, run", NULL,
		 true},
		{"program, ranks, program_messages, processors, processes", "--program", program},
		{"jobs", "several --program, or one beside a trace,", jobs},
		{"job_waits", "--waits with several --program, or one beside a trace,",
		 jobs && options->program.waits},
		{"mpi", "--mpi", options->mpi.words.count > 0},
		{"rank_shares, waits", "--waits", options->program.waits},
		{"path_sum, path", "--critical-path", options->program.path},
		{"mapper", "--mapper", options->mapper.words.count > 0},
		{"host_ports", "--net with hosts of several ports", ports},
		{"map", "--map least", map && node_map_is_word(map, "least")},
	};

	memcpy(groups, all, sizeof(all));
}

static bool has_word(const char *words, const char *word)
{
	const size_t bytes = strlen(word);

	for (const char *at = words; (at = strstr(at, word)) != NULL; at += bytes)
		if ((at == words || at[-1] == ' ') && (at[bytes] == ',' || at[bytes] == '\0'))
			return true;
	return false;
}

static enum tr_status refuse_table(const char *word, const struct table_group groups[GROUPS],
				   struct tr_error *err)
{
	char names[400] = "";

	for (size_t i = 0; i < GROUPS; i++) {
		const struct table_group *group = &groups[i];

		if (!group->given && has_word(group->names, word))
			return tr_fail(err, "--table %s: only %s gives it", word, group->option);
		if (group->option && strcmp(group->option + strlen("--"), word) == 0)
			return tr_fail(err,
				       "--table %s: this is the option %s, whose tables are %s",
				       word, group->option, group->names);
		if (group->given)
			text_append(names, sizeof(names), "%s%s", *names ? ", " : "", group->names);
	}
	return tr_fail(err, "--table %s: expected %s, or list", word, names);
}

enum tr_status table_names_check(const struct sim_options *options, bool ports,
				 struct tr_error *err)
{
	const struct opt_list *only = &options->output.style.only;
	struct table_group groups[GROUPS];

	table_groups(options, ports, groups);
	for (size_t i = 0; i < only->count; i++) {
		bool known = *only->words[i] != '\0' && strcmp(only->words[i], "list") == 0;

		for (size_t k = 0; k < GROUPS && !known; k++)
			known = groups[k].given && *only->words[i] != '\0' &&
				has_word(groups[k].names, only->words[i]);
		if (!known)
			return refuse_table(only->words[i], groups, err);
	}
	return TR_OK;
}
