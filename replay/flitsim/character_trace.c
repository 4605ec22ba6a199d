// SPDX-License-Identifier: GPL-3.0-or-later
#include "flitsim.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "trace/ticks.h"

static enum tr_status see(void *context, const struct net_character *character, struct tr_error *err)
{
	struct character_trace *trace = context;
	char link[NET_LINK_NAME_MAX];
	char time[48];

	net_link_name(trace->topology, character->link, link, sizeof(link));
	tr_ticks_format(character->time_ticks, trace->ticks_per_s, time, sizeof(time));
	fprintf(trace->file, "%s\t%s\t%s\t", time, link, character->kind);
	if (character->of_packet)
		fprintf(trace->file, "%" PRIu64, character->packet);
	fputc('\t', trace->file);
	if (character->has_value)
		fprintf(trace->file, "%" PRIu32, character->value);
	fputc('\t', trace->file);
	if (character->has_byte)
		fprintf(trace->file, "%02x", character->byte);
	fputc('\n', trace->file);
	return ferror(trace->file) ? tr_fail(err, "cannot write the characters") : TR_OK;
}

static enum tr_status set_window(struct character_trace *trace, const char *text, struct tr_error *err)
{
	struct tr_error why;

	if (fault_window(text, trace->ticks_per_s, &trace->watch.from_ticks, &trace->watch.to_ticks, &why) == TR_OK)
		return TR_OK;
	return tr_fail(err, "--only: %s", why.text);
}

static enum tr_status mark_link(struct character_trace *trace, const char *name, struct tr_error *err)
{
	char text[NET_LINK_NAME_MAX];

	for (uint32_t i = 0; i < 2 * trace->topology->cable_count; i++) {
		if (strcmp(net_link_name(trace->topology, i, text, sizeof(text)), name) != 0)
			continue;
		trace->links[i] = true;
		return TR_OK;
	}
	return tr_fail(err, "--only: the network has no link \"%s\"", name);
}

// If links are named, the others are left out.
static enum tr_status choose(struct character_trace *trace, const struct opt_list *only, struct tr_error *err)
{
	trace->watch.from_ticks = INT64_MIN;
	trace->watch.to_ticks = INT64_MAX;
	for (size_t i = 0; i < only->count; i++) {
		if (strstr(only->words[i], "..")) {
			if (set_window(trace, only->words[i], err) != TR_OK)
				return TR_ERROR;
			continue;
		}
		if (!trace->links)
			trace->links = calloc(2 * trace->topology->cable_count, sizeof(*trace->links));
		if (!trace->links)
			return tr_no_memory(err, "the links of the trace");
		if (mark_link(trace, only->words[i], err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

enum tr_status character_trace_open(struct character_trace *trace, const struct character_trace_options *options,
				    const struct net_topology *topology, uint64_t ticks_per_s, const struct tr_files *files,
				    struct tr_error *err)
{
	const struct tr_outfile_options whole = {.files = files};

	*trace = (struct character_trace){.topology = topology, .ticks_per_s = ticks_per_s};
	if (choose(trace, &options->only, err) != TR_OK)
		return TR_ERROR;
	trace->file = stdout;
	if (strcmp(options->path, "-") != 0) {
		trace->file = NULL;
		if (tr_outfile_open(&trace->out, options->path, &whole, err) != TR_OK)
			return TR_ERROR;
		trace->file = tr_outfile_stream(trace->out);
	}
	if (!trace->file)
		return tr_no_memory(err, "%s", options->path);
	trace->watch.see = see;
	trace->watch.context = trace;
	trace->watch.links = trace->links;
	fputs("time_s\tlink\tkind\tpacket\tvalue\tbyte\n", trace->file);
	return TR_OK;
}

enum tr_status character_trace_close(struct character_trace *trace, bool whole, struct tr_error *err)
{
	enum tr_status status = tr_outfile_close(trace->out, whole, err);

	if (trace->file == stdout && (fflush(stdout) != 0 || ferror(stdout)))
		status = tr_fail(err, "cannot write the characters");
	free(trace->links);
	*trace = (struct character_trace){0};
	return status;
}
