// SPDX-License-Identifier: GPL-3.0-or-later
// The reader of the text form on any bytes. What it reads completely and in order must be written
// as an equivalent text.
#include <stdlib.h>
#include <string.h>

#include "stream/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes);

static void promise(bool kept)
{
	if (!kept)
		abort();
}

// A text being written from what another says.
struct copy {
	struct tr_names names;
	struct tr_name_index index;
	struct tr_text_writer *writer;
	uint64_t records;
	uint64_t sum; // over the records' bytes
};

static void add_record(struct copy *copy, const union tr_record *record, size_t size_bytes)
{
	const uint8_t *bytes = (const uint8_t *)record;

	for (size_t i = 0; i < size_bytes; i++)
		copy->sum = copy->sum * 31 + bytes[i];
	copy->records++;
	if (copy->writer)
		tr_text_put(copy->writer, record);
}

static void add_name(struct copy *copy, const struct tr_name *name)
{
	promise(tr_names_set(&copy->names, name, NULL) == TR_OK);
	if (name->kind <= TR_NAME_LINK)
		promise(tr_name_index_add(&copy->index, name, NULL) == TR_OK);
	if (copy->writer)
		tr_text_put_name(copy->writer, name);
}

// Reads a text into *copy, writing it to out unless NULL.
static enum tr_status read_text(const void *data, size_t size_bytes, struct copy *copy, FILE *out)
{
	struct tr_text_reader *reader;
	struct tr_source *source;
	struct tr_text_item item;
	struct tr_error err = {""};
	enum tr_status status;

	*copy = (struct copy){.index = {.names = &copy->names}};
	promise(tr_source_open_memory(&source, data, size_bytes, "fuzz", NULL) == TR_OK);
	status = tr_text_reader_open(&reader, source, &err);
	if (status == TR_OK && out)
		promise(tr_text_writer_open(&copy->writer, out, tr_text_header(reader),
					    tr_text_provenance(reader), NULL, 0, &copy->index,
					    NULL) == TR_OK);
	while (status == TR_OK && (status = tr_text_next(reader, &item, &err)) == TR_OK) {
		promise((!item.name) != (!item.record));
		if (item.name)
			add_name(copy, item.name);
		else
			add_record(copy, item.record,
				   tr_kind_find(tr_text_header(reader)->kind)->size_bytes);
	}
	promise((status == TR_ERROR) == (err.text[0] != '\0'));
	if (copy->writer)
		tr_text_writer_close(copy->writer,
				     status == TR_END ? tr_text_trailer(reader) : NULL);
	tr_text_reader_close(reader);
	tr_source_close(source);
	tr_name_index_clear(&copy->index);
	tr_names_clear(&copy->names);
	return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
	struct copy first, second;
	char *text = NULL;
	size_t text_bytes = 0;
	FILE *out = open_memstream(&text, &text_bytes);
	enum tr_status status;

	promise(out);
	status = read_text(data, size_bytes, &first, out);
	promise(fclose(out) == 0);
	if (status == TR_END) {
		promise(read_text(text, text_bytes, &second, NULL) == TR_END);
		promise(first.records == second.records && first.sum == second.sum);
	}
	free(text);
	return 0;
}
