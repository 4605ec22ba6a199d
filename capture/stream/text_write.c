// SPDX-License-Identifier: GPL-3.0-or-later
#include "stream/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "stream/words.h"

struct tr_text_writer {
	FILE *out;
	struct tr_field_context context;
	const struct tr_field *fields[TR_TEXT_FIELDS_MAX];
	size_t field_count;
	bool all;  // the user chose no fields
	bool rare; // the rare fields have become columns
	uint64_t records;
};

// Writes each line of text after a word.
static void write_lines(FILE *out, const char *word, const char *text, size_t text_bytes)
{
	while (text_bytes) {
		const char *end = memchr(text, '\n', text_bytes);
		size_t line_bytes = end ? (size_t)(end - text) : text_bytes;

		(void)fprintf(out, "!%s\t%.*s\n", word, (int)line_bytes, text);
		line_bytes += end != NULL;
		text += line_bytes;
		text_bytes -= line_bytes;
	}
}

static void write_headings(const struct tr_text_writer *writer)
{
	char heading[32];

	(void)fputs("!fields", writer->out);
	for (size_t i = 0; i < writer->field_count; i++)
		(void)fprintf(writer->out, "\t%s",
			      tr_field_heading(&writer->context, writer->fields[i], heading,
					       sizeof(heading)));
	(void)putc('\n', writer->out);
}

// Makes all fields columns, the rare ones if rare.
static void choose_all(struct tr_text_writer *writer, bool rare)
{
	const struct tr_kind_info *kind = writer->context.kind;

	writer->field_count = 0;
	writer->rare = rare;
	for (unsigned i = 0; i < kind->field_count && writer->field_count < TR_TEXT_FIELDS_MAX; i++)
		if (rare || !tr_field_is_rare(&kind->fields[i]))
			writer->fields[writer->field_count++] = &kind->fields[i];
}

enum tr_status tr_text_writer_open(struct tr_text_writer **out, FILE *file,
				   const struct tr_header *header, const char *provenance,
				   const struct tr_field *const *fields, size_t count,
				   const struct tr_name_index *index, struct tr_error *err)
{
	struct tr_text_writer *writer = calloc(1, sizeof(*writer));

	*out = writer;
	if (!writer)
		return tr_no_memory(err, "the writer");
	writer->out = file;
	writer->context = (struct tr_field_context){
		.kind = tr_kind_find(header->kind),
		.ticks_per_s = header->ticks_per_s,
		.index = index,
	};
	writer->all = !count;
	choose_all(writer, false);
	if (count)
		memcpy(writer->fields, fields, count * sizeof(fields[0]));
	if (count)
		writer->field_count = count;
	(void)fprintf(file,
		      TR_TEXT_MAGIC "\t" TR_TEXT_VERSION "\n!kind\t%s\n!ticks_per_s\t%" PRIu64 "\n",
		      writer->context.kind->name, header->ticks_per_s);
	(void)fprintf(file, "!origin\t%" PRId64 "\t%" PRIu32 "\n", header->origin_s,
		      header->origin_ns);
	if (header->unsorted)
		(void)fputs("!unsorted\n", file);
	if (provenance)
		write_lines(file, "made", provenance, strlen(provenance));
	write_headings(writer);
	return TR_OK;
}

static void put_flow(struct tr_text_writer *writer, const struct tr_name *name)
{
	char src[TR_FIELD_TEXT_BYTES];
	char dst[TR_FIELD_TEXT_BYTES];
	char protocol[8];

	(void)fprintf(writer->out, "!flow\t%" PRIu32 "\t%s\t%s\t%s\t%u\t%u\n", name->id,
		      tr_node_format(writer->context.index, name->src, src, sizeof(src)),
		      tr_node_format(writer->context.index, name->dst, dst, sizeof(dst)),
		      tr_protocol_format(name->protocol, protocol, sizeof(protocol)),
		      name->src_port, name->dst_port);
}

// Writes the role's word, or its number if it has none.
static void put_node(struct tr_text_writer *writer, const struct tr_name *name)
{
	(void)fprintf(writer->out, "!node\t%" PRIu32 "\t", name->id);
	if (name->role <= TR_ROLE_WORKER)
		(void)fputs(tr_role_name((enum tr_role)name->role), writer->out);
	else
		(void)fprintf(writer->out, "%u", name->role);
	(void)fprintf(writer->out, "\t%.*s\n", (int)name->text_bytes, name->text);
}

void tr_text_put_name(struct tr_text_writer *writer, const struct tr_name *name)
{
	switch (name->kind) {
	case TR_NAME_NODE: put_node(writer, name); break;
	case TR_NAME_FLOW: put_flow(writer, name); break;
	case TR_NAME_LINK:
		(void)fprintf(writer->out, "!link\t%" PRIu32 "\t%.*s\n", name->id,
			      (int)name->text_bytes, name->text);
		break;
	case TR_NAME_COUNTER:
		(void)fprintf(writer->out, "!counter\t%" PRIu64 "\t%.*s\n", name->value,
			      (int)name->text_bytes, name->text);
		break;
	case TR_NAME_NOTE: write_lines(writer->out, "note", name->text, name->text_bytes); break;
	}
}

static bool uses_rare(const struct tr_kind_info *kind, const void *record)
{
	for (unsigned i = 0; i < kind->field_count; i++)
		if (tr_field_is_rare(&kind->fields[i]) && tr_field_get(record, &kind->fields[i]))
			return true;
	return false;
}

void tr_text_put(struct tr_text_writer *writer, const void *record)
{
	char text[TR_FIELD_TEXT_BYTES];

	if (writer->all && !writer->rare && uses_rare(writer->context.kind, record)) {
		choose_all(writer, true);
		write_headings(writer);
	}
	for (size_t i = 0; i < writer->field_count; i++) {
		if (i)
			(void)putc('\t', writer->out);
		(void)fputs(tr_field_format(&writer->context, writer->fields[i], record, text,
					    sizeof(text)),
			    writer->out);
	}
	(void)putc('\n', writer->out);
	writer->records++;
}

void tr_text_writer_close(struct tr_text_writer *writer, const struct tr_trailer *trailer)
{
	if (writer && trailer) {
		if (trailer->lost_known)
			(void)fprintf(writer->out, "!lost\t%" PRIu64 "\n", trailer->lost);
		if (trailer->damaged)
			(void)fputs("!damaged\n", writer->out);
		(void)fprintf(writer->out, "!end\t%" PRIu64 "\n", writer->records);
	}
	free(writer);
}
