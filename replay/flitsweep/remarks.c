// SPDX-License-Identifier: GPL-3.0-or-later
#include "flitsweep.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINE_BYTES 8192u // longer ones come in parts

struct sweep_said {
	size_t used;
	char text[LINE_BYTES];
};

static struct sweep_remark *remarks_find(const struct sweep_remarks *remarks, const char *line)
{
	for (size_t i = 0; i < remarks->count; i++)
		if (strcmp(remarks->each[i].line, line) == 0)
			return &remarks->each[i];
	return NULL;
}

// Keeps the line, to know it again, as long as there is room.
static void remarks_keep(struct sweep_remarks *remarks, const char *line)
{
	char *own;

	if (!remarks->each)
		remarks->each = calloc(SWEEP_REMARKS_MAX, sizeof(*remarks->each));
	own = remarks->each && remarks->count < SWEEP_REMARKS_MAX ? strdup(line) : NULL;
	if (own)
		remarks->each[remarks->count++] = (struct sweep_remark){.line = own};
}

static void put_line(struct sweep_remarks *remarks, size_t run, char *line)
{
	size_t bytes = strlen(line);
	struct sweep_remark *known;
	const char *last;
	char name[200];

	if (bytes > 0 && line[bytes - 1] == '\r')
		line[--bytes] = '\0';
	last = strrchr(line, '\r'); // what was written over before is progress
	last = last ? last + 1 : line;
	if (*last == '\0')
		return;
	known = remarks_find(remarks, last);
	if (known) {
		known->again++;
		return;
	}
	remarks_keep(remarks, last);
	sweep_grid_name(remarks->grid, run, name, sizeof(name));
	tool_relay(remarks->tool, "run%s%s: %s", *name != '\0' ? " " : "", name, last);
}

// Prints the whole lines, and keeps the rest; where that fills the room, prints it as well.
static void take_lines(struct sweep_remarks *remarks, size_t run, struct sweep_said *said)
{
	char *at = said->text, *end;

	said->text[said->used] = '\0';
	for (char *nul = said->text;
	     (nul = memchr(nul, '\0', (size_t)(said->text + said->used - nul))) != NULL;)
		*nul = ' ';
	while ((end = strchr(at, '\n')) != NULL) {
		*end = '\0';
		put_line(remarks, run, at);
		at = end + 1;
	}
	said->used -= (size_t)(at - said->text);
	memmove(said->text, at, said->used + 1);
	if (said->used + 1 < LINE_BYTES)
		return;
	put_line(remarks, run, said->text);
	said->used = 0;
}

struct sweep_said *sweep_said_new(void)
{
	return calloc(1, sizeof(struct sweep_said));
}

bool sweep_said_take(struct sweep_remarks *remarks, size_t run, struct sweep_said *said, int fd)
{
	ssize_t got;

	while ((got = read(fd, said->text + said->used, LINE_BYTES - 1 - said->used)) > 0) {
		said->used += (size_t)got;
		take_lines(remarks, run, said);
	}
	return got < 0;
}

void sweep_said_end(struct sweep_remarks *remarks, size_t run, struct sweep_said *said)
{
	if (said && said->used > 0)
		put_line(remarks, run, said->text);
	free(said);
}

void sweep_remarks_end(struct sweep_remarks *remarks)
{
	for (size_t i = 0; i < remarks->count; i++) {
		const struct sweep_remark *remark = &remarks->each[i];

		if (remark->again > 0)
			tool_relay(remarks->tool, "repeated %llu more time%s: %s",
				   (unsigned long long)remark->again, remark->again > 1 ? "s" : "",
				   remark->line);
		free(remark->line);
	}
	free(remarks->each);
	remarks->each = NULL;
	remarks->count = 0;
}
