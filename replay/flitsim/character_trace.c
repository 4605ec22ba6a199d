// SPDX-License-Identifier: GPL-3.0-or-later
#include "flitsim.h"

#include <inttypes.h>
#include <string.h>

#include "value/ticks.h"

static enum tr_status character_trace_see(void *context, const struct net_character *character,
					  struct tr_error *err)
{
	struct character_trace *trace = context;
	char link[NET_LINK_NAME_MAX];
	char time[48];

	if (trace->failed)
		return TR_OK;
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
	if (!ferror(trace->file))
		return TR_OK;
	trace->failed = true;
	return sim_outputs_lost(trace->outputs, err);
}

enum tr_status character_trace_open(struct character_trace *trace, const char *path,
				    const struct opt_list *only, const struct net_setup *setup,
				    const struct tr_files *files, struct sim_outputs *outputs,
				    struct tr_error *err)
{
	const struct tr_outfile_options whole = {.files = files};

	*trace = (struct character_trace){
		.topology = setup->topology, .ticks_per_s = setup->ticks_per_s, .outputs = outputs};
	if (sim_window_open(&trace->window, only, setup->topology, setup->ticks_per_s, err) !=
	    TR_OK)
		return TR_ERROR;
	trace->file = stdout;
	if (strcmp(path, "-") != 0) {
		trace->file = NULL;
		if (tr_outfile_open(&trace->out, path, &whole, err) != TR_OK)
			return TR_ERROR;
		trace->file = tr_outfile_stream(trace->out);
	}
	if (!trace->file)
		return tr_no_memory(err, "%s", path);
	trace->watch = (struct net_watch){.see = character_trace_see,
					  .context = trace,
					  .links = trace->window.links,
					  .from_ticks = trace->window.from_ticks,
					  .to_ticks = trace->window.to_ticks};
	fputs("time_s\tlink\tkind\tpacket\tvalue\tbyte\n", trace->file);
	return TR_OK;
}

enum tr_status character_trace_close(struct character_trace *trace, bool whole,
				     struct tr_error *err)
{
	const enum tr_status status = tr_outfile_close(trace->out, whole, err);

	sim_window_close(&trace->window);
	*trace = (struct character_trace){0};
	return status;
}
