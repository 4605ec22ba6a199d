// SPDX-License-Identifier: GPL-3.0-or-later
// Plain tables from any bytes: the first line is the description, the rest the table. Names come
// once, before the packets that use them, and packets are numbered.
#include <stdlib.h>
#include <string.h>

#include "stream/columns.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes);

static void promise(bool kept)
{
	if (!kept)
		abort();
}

static void read_table(struct tr_columns *columns)
{
	struct tr_text_item item;
	struct tr_error err = {""};
	enum tr_status status;
	uint32_t nodes = 0;
	uint64_t packets = 0;

	while ((status = tr_columns_next(columns, &item, &err)) == TR_OK) {
		promise((!item.name) != (!item.record));
		if (item.name) {
			promise(item.name->id == nodes++ &&
				item.name->text_bytes <= TR_NAME_TEXT_MAX);
			continue;
		}
		promise(item.record->packet.id == packets++);
		promise(item.record->packet.src < nodes ||
			item.record->packet.src == TR_NODE_OTHER);
		promise(item.record->packet.dst < nodes ||
			item.record->packet.dst == TR_NODE_OTHER);
	}
	promise((status == TR_ERROR) == (err.text[0] != '\0'));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
	const uint8_t *end = memchr(data, '\n', size_bytes);
	const size_t head = end ? (size_t)(end - data) : size_bytes, table = end ? head + 1 : head;
	struct tr_columns *columns;
	struct tr_source *source;
	struct tr_error err = {""};
	char *description = strndup((const char *)data, head);

	promise(description);
	promise(tr_source_open_memory(&source, data + table, size_bytes - table, "fuzz", NULL) ==
		TR_OK);
	if (tr_columns_open(&columns, source, description, head % 2, &err) == TR_OK)
		read_table(columns);
	else
		promise(err.text[0] != '\0' && !columns);
	tr_columns_close(columns);
	tr_source_close(source);
	free(description);
	return 0;
}
