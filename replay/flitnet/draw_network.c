// SPDX-License-Identifier: GPL-3.0-or-later
#include "flitnet.h"

#include <stdlib.h>
#include <string.h>

#include "draw/paper.h"
#include "draw/picture.h"
#include "net/engine.h"
#include "net/topology/topology.h"
#include "stream/reader.h"

// Utilisation of a network's links, from the samples of a run. Zero is a valid empty one.
struct link_load {
	double *busy; // of each link (2c and 2c + 1 for cable c), fraction of the time, 0 .. 1
	size_t links;
};

struct draw_network_reading {
	int64_t *busy_ticks; // by link
	size_t links;
	int64_t start_ticks;
	int64_t end_ticks;
	bool any;
};

static enum tr_status add_sample(struct draw_network_reading *reading, const struct tr_link *sample,
				 const struct tr_reader *in, struct tr_error *err)
{
	int64_t end_ticks;

	if (sample->link >= reading->links)
		return tr_fail(err, "%s: has link %u, the network has %zu", tr_reader_name(in),
			       sample->link, reading->links);
	if (__builtin_add_overflow(sample->start_ticks, sample->width_ticks, &end_ticks) ||
	    __builtin_add_overflow(reading->busy_ticks[sample->link], sample->busy_ticks,
				   &reading->busy_ticks[sample->link]))
		return tr_fail(err, "%s: times beyond the range of ticks", tr_reader_name(in));
	if (!reading->any || sample->start_ticks < reading->start_ticks)
		reading->start_ticks = sample->start_ticks;
	if (!reading->any || end_ticks > reading->end_ticks)
		reading->end_ticks = end_ticks;
	reading->any = true;
	return TR_OK;
}

// Checks that the links named by the stream are the topology's.
static enum tr_status draw_network_check_names(const struct net_topology *topology,
					       const struct tr_reader *in, struct tr_error *err)
{
	const struct tr_names *names = tr_reader_names(in);
	char name[NET_LINK_NAME_MAX];

	if (names->link_count > 2 * topology->cable_count)
		return tr_fail(err, "%s: has %u links, the network has %zu", tr_reader_name(in),
			       names->link_count, 2 * topology->cable_count);
	for (uint32_t i = 0; i < names->link_count; i++) {
		const char *link = tr_names_link(names, i);

		net_link_name(topology, i, name, sizeof(name));
		if (link && strcmp(link, name) != 0)
			return tr_fail(err, "%s: link %u is %.200s, in the network it is %.200s",
				       tr_reader_name(in), i, link, name);
	}
	return TR_OK;
}

static enum tr_status read_samples(struct draw_network_reading *reading, struct tr_reader *in,
				   struct tr_error *err)
{
	const union tr_record *record;
	enum tr_status status;

	if (tr_reader_header(in)->kind != TR_LINK)
		return tr_fail(err, "%s: contains %s records, expected link samples",
			       tr_reader_name(in), tr_kind_find(tr_reader_header(in)->kind)->name);
	while ((status = tr_next(in, &record)) == TR_OK)
		if (add_sample(reading, &record->link, in, err) != TR_OK)
			return TR_ERROR;
	if (status == TR_END && (!reading->any || reading->end_ticks <= reading->start_ticks))
		return tr_fail(err, "%s: has no samples", tr_reader_name(in));
	return status == TR_END ? TR_OK : TR_ERROR;
}

// Frees what it holds; it is empty afterwards.
static void link_load_clear(struct link_load *load)
{
	free(load->busy);
	*load = (struct link_load){.busy = NULL};
}

// Reads the samples to their end. The time runs from the first sample's start to the last one's
// end. The caller clears it. TR_ERROR, and an empty one, where the stream holds something else, its
// links differ from the topology's by number or name, it has no samples or memory runs out; a
// failure of the reader is in tr_reader_error, and err is empty.
static enum tr_status link_load_read(struct link_load *load, const struct net_topology *topology,
				     struct tr_reader *in, struct tr_error *err)
{
	struct draw_network_reading reading = {.links = 2 * topology->cable_count};
	enum tr_status status;

	*err = (struct tr_error){""};
	*load = (struct link_load){.links = reading.links};
	reading.busy_ticks = calloc(reading.links + 1, sizeof(*reading.busy_ticks));
	load->busy = calloc(reading.links + 1, sizeof(*load->busy));
	status = reading.busy_ticks && load->busy
			 ? read_samples(&reading, in, err)
			 : tr_no_memory(err, "the load of %zu links", reading.links);
	if (status == TR_OK)
		status = draw_network_check_names(topology, in, err);
	for (size_t i = 0; status == TR_OK && i < reading.links; i++)
		load->busy[i] = (double)reading.busy_ticks[i] /
				((double)reading.end_ticks - (double)reading.start_ticks);
	free(reading.busy_ticks);
	if (status != TR_OK)
		link_load_clear(load);
	return status;
}

// The load of the links, empty if not requested.
static bool read_load(struct tool *tool, const char *path, const struct net_topology *topology,
		      struct link_load *load)
{
	struct tr_reader *in;
	struct tr_error err;

	*load = (struct link_load){.busy = NULL};
	if (!path)
		return true;
	in = tool_open_input(tool, path);
	if (!in)
		return false;
	if (link_load_read(load, topology, in, &err) != TR_OK && *err.text != '\0')
		tool_error(tool, "%s", err.text);
	tool_close_input(tool, in);
	return load->busy;
}

bool network_drawing_write(struct tool *tool, const struct net_topology *topology,
			   const struct network_drawing *drawing, const char *path)
{
	struct draw_picture picture = {.topology = NULL};
	struct draw_paper paper = {.svg = NULL};
	struct link_load load;
	struct tr_error err;
	FILE *out = NULL;

	if (!read_load(tool, drawing->links, topology, &load))
		return false;
	if (draw_picture_open(&picture, topology, &err) != TR_OK ||
	    draw_layout(&picture, &err) != TR_OK)
		tool_error(tool, "%s: %s", drawing->title, err.text);
	else
		out = draw_is_pdf(path) ? tool_text_output(tool, path)
					: tool_printable_output(tool, path);
	if (out) {
		const bool ready = draw_paper_open(&paper, path, out, &err) == TR_OK;

		if (ready)
			draw_svg(&picture, load.busy, drawing->title, tool_provenance(tool),
				 paper.svg);
		if (draw_paper_close(&paper, ready, &err) != TR_OK)
			tool_error(tool, "%s: %s", path, err.text);
	}
	draw_picture_close(&picture);
	link_load_clear(&load);
	return out;
}
