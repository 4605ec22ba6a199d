// SPDX-License-Identifier: GPL-3.0-or-later
// The readers of base blocks and of files of blocks on any bytes. The first byte chooses: b a base
// block for as many switches as the second byte says, f a file. What is refused is refused with
// words, and leaves nothing; what is taken comes back the same from what is written of it, and its
// trail and the routes inside its blocks are sound.
#include <stdlib.h>
#include <string.h>

#include "net/studies/designs/blocks.h"

#define SWITCHES_MAX 64u // of blocks that are routed

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes);

static void promise(bool kept)
{
	if (!kept)
		abort();
}

static enum tr_status read_bytes(struct net_blocks *blocks, const void *data, size_t size_bytes,
				 struct tr_error *err)
{
	struct tr_source *source;
	enum tr_status status;

	promise(tr_source_open_memory(&source, data, size_bytes, "fuzz", err) == TR_OK);
	status = net_blocks_read(blocks, source, err);
	tr_source_close(source);
	return status;
}

// The text of blocks, to be freed.
static char *write_text(const struct net_blocks *blocks, size_t *size_bytes)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, size_bytes);

	promise(out);
	net_blocks_write(blocks, NULL, out);
	promise(fclose(out) == 0);
	return text;
}

static void follow(const struct net_blocks *blocks)
{
	struct tr_error err = {""};
	uint32_t *trail = net_blocks_trail(blocks, &err);
	struct net_legs legs;

	promise(trail || *err.text != '\0');
	for (uint32_t i = 0; trail && i < net_blocks_cables(blocks); i++)
		promise(trail[i] + 1 < blocks->first[blocks->count]);
	free(trail);
	if (blocks->switches > SWITCHES_MAX)
		return;
	promise(net_legs_open(&legs, blocks, &err) == TR_OK);
	for (uint32_t from = 0; from < blocks->switches; from++)
		for (uint32_t to = 0; to < blocks->switches; to++) {
			const struct net_leg *leg = net_legs_at(&legs, from, to);

			promise(leg->from == leg->to || blocks->objects[leg->from] == from);
		}
	net_legs_close(&legs);
}

static void try_file(const uint8_t *data, size_t size_bytes)
{
	struct net_blocks blocks, again;
	struct tr_error err = {""};
	size_t one_bytes, other_bytes;
	char *one, *other;

	if (read_bytes(&blocks, data, size_bytes, &err) != TR_OK) {
		promise(*err.text != '\0' && !blocks.objects && !blocks.first);
		return;
	}
	one = write_text(&blocks, &one_bytes);
	// A block of many switches may have become a line that is too long.
	if (read_bytes(&again, one, one_bytes, &err) == TR_OK) {
		other = write_text(&again, &other_bytes);
		promise(one_bytes == other_bytes && memcmp(one, other, one_bytes) == 0);
		free(other);
	}
	follow(&blocks);
	free(one);
	net_blocks_close(&blocks);
	net_blocks_close(&again);
}

static void try_base(uint32_t switches, const uint8_t *data, size_t size_bytes)
{
	char *text = strndup((const char *)data, size_bytes);
	char written[NET_BASE_TEXT_BYTES];
	struct net_base base, again;
	struct net_blocks blocks;
	struct tr_error err = {""};

	promise(text);
	if (net_base_parse(&base, switches, text, &err) == TR_OK) {
		net_base_format(&base, written, sizeof(written));
		promise(net_base_parse(&again, switches, written, &err) == TR_OK &&
			again.parts == base.parts);
		promise(net_base_differences(&base) < switches);
		promise(net_blocks_develop(&blocks, &base, &err) == TR_OK);
		follow(&blocks);
		net_blocks_close(&blocks);
	} else {
		promise(*err.text != '\0');
	}
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
	if (size_bytes > 1 && data[0] == 'f')
		try_file(data + 1, size_bytes - 1);
	else if (size_bytes > 2 && data[0] == 'b')
		try_base(2 + data[1], data + 2, size_bytes - 2);
	return 0;
}
