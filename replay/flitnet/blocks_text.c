// SPDX-License-Identifier: GPL-3.0-or-later
#include <stdlib.h>

#include "flitnet.h"
#include "net/studies/designs/design.h"
#include "value/memstream.h"

#define LINE_CHARACTERS 110

#ifdef FLIT_STUDIES
// The trail as lines of switches, each after "  ".
static void write_trail(const struct net_blocks *blocks, const uint32_t *trail, FILE *out)
{
	int used = fprintf(out, "closed trail");

	for (uint32_t i = 0; i < net_blocks_cables(blocks); i++) {
		if (used > LINE_CHARACTERS)
			used = fprintf(out, "\n ") - 1;
		used += fprintf(out, " %u", blocks->objects[trail[i]]);
	}
	fprintf(out, " %u\n", blocks->objects[trail[0]]);
}

// What the design yields, as lines.
static enum tr_status write_facts(const struct net_design *design, FILE *out, struct tr_error *err)
{
	const struct net_base_order order = net_base_order_of(&design->base);
	char text[NET_BASE_TEXT_BYTES];
	uint32_t *trail = net_blocks_trail(&design->blocks, err);

	if (!trail)
		return TR_ERROR;
	fprintf(out, "base=%s\n", net_base_format(&design->base, text, sizeof(text)));
	fprintf(out, "%u of %u differences\n", net_base_differences(&design->base),
		design->base.switches - 1);
	fprintf(out, "%u cables on the longest way inside a block\n", order.longest);
	fprintf(out, "%u steps that double the cables of another\n", order.doubled);
	write_trail(&design->blocks, trail, out);
	free(trail);
	return TR_OK;
}

static bool blocks_text_write_blocks(struct tool *tool, const struct net_design *design,
				     const char *text, const char *path, struct tr_error *err)
{
	char *comments = NULL;
	size_t bytes;
	FILE *lines = tr_memstream_open(&comments, &bytes);
	FILE *out = NULL;
	enum tr_status status;

	if (!lines) {
		(void)tr_no_memory(err, "the blocks");
		return false;
	}
	fprintf(lines, "%s", tool_provenance(tool));
	fprintf(lines, "%s\n", text);
	status = write_facts(design, lines, err);
	if (!tr_memstream_close(lines) && status == TR_OK)
		status = tr_no_memory(err, "the blocks");
	if (status == TR_OK && (out = tool_printable_output(tool, path)) != NULL)
		net_blocks_write(&design->blocks, comments, out);
	free(comments);
	return out;
}

bool design_blocks_write(struct tool *tool, const char *text, const char *path)
{
	struct net_design design;
	struct tr_error err = {""};
	bool done = false;

	if (net_design_open(&design, text, &err) == TR_OK)
		done = blocks_text_write_blocks(tool, &design, text, path, &err);
	if (*err.text != '\0')
		tool_error(tool, "%s", err.text);
	net_design_close(&design);
	return done;
}

#else
bool design_blocks_write(struct tool *tool, const char *text, const char *path)
{
	(void)text;
	(void)path;
	tool_error(tool,
		   "--blocks: this flitline was built without block designs (-DFLIT_STUDIES=OFF)");
	return false;
}
#endif
