// SPDX-License-Identifier: GPL-3.0-or-later
// Records as a NumPy array: a .npy file (version 1.0, numpy.lib.format) of a structured type with
// the fields of flit-trace(5), which are whole ticks, ids and codes. A second array in the same
// file, which numpy.load reads next from an open file, is a JSON text: the clock, the names and the
// history.
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "flitcut.h"
#include "stream/stream_tables.h"
#include "table/table.h"
#include "value/escape.h"
#include "value/little_endian.h"
#include "value/memstream.h"

#define NPY_ALIGNMENT 64u // of what follows a header
#define NPY_HEADER_MAX 2048u
#define NPY_BEGIN 10u // bytes before the header's text: magic, version, length
#define NPY_GATHERED_BYTES ((size_t)256 << 10)
#define NPY_SHAPE_DIGITS 20 // room for any count, so that the header has one size

struct cut_npy {
	uint64_t records; // so far
	off_t begin;	  // of the array in the file
	size_t used;	  // bytes gathered
	uint8_t gathered[NPY_GATHERED_BYTES];
};

// A header whose text is the dictionary that the caller has put at out + NPY_BEGIN. Returns its
// size.
static size_t npy_finish_header(uint8_t out[NPY_HEADER_MAX])
{
	static const uint8_t begin[] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
	const size_t text_bytes = strlen((char *)out + NPY_BEGIN);
	const size_t bytes = (NPY_BEGIN + text_bytes + NPY_ALIGNMENT) / NPY_ALIGNMENT *
			     NPY_ALIGNMENT;

	memcpy(out, begin, sizeof(begin));
	tr_set_u16(out + sizeof(begin), (uint16_t)(bytes - NPY_BEGIN));
	memset(out + NPY_BEGIN + text_bytes, ' ', bytes - NPY_BEGIN - text_bytes - 1);
	out[bytes - 1] = '\n';
	return bytes;
}

// The header of the records: count of them, a tuple of one number.
static size_t npy_header(const struct cut_output *output, uint8_t out[NPY_HEADER_MAX])
{
	static const char *const types[] = {
		[TR_I64] = "<i8", [TR_U64] = "<u8", [TR_U32] = "<u4",
		[TR_I32] = "<i4", [TR_U16] = "<u2", [TR_U8] = "|u1",
	};
	char *text = (char *)out + NPY_BEGIN, number[NPY_SHAPE_DIGITS + 1];
	const size_t room = NPY_HEADER_MAX - NPY_BEGIN - NPY_ALIGNMENT;

	*text = '\0';
	text_append(text, room, "{'descr': [");
	for (size_t i = 0; i < output->field_count; i++) {
		const struct tr_field *field = output->fields[i];

		if (tr_field_is_reserved(field)) // NumPy's way of writing bytes without a name
			text_append(text, room, "('', '|V%u'), ",
				    tr_field_size((enum tr_field_type)field->type));
		else
			text_append(text, room, "('%s', '%s'), ", field->name, types[field->type]);
	}
	(void)snprintf(number, sizeof(number), "%" PRIu64, output->npy->records);
	text_append(text, room, "], 'fortran_order': False, 'shape': (%s,), }%*s", number,
		    (int)(NPY_SHAPE_DIGITS - strlen(number)), "");
	return npy_finish_header(out);
}

// Without a list, the whole record, so that it is copied as it is.
static bool npy_choose_fields(struct cut_output *output)
{
	const struct tr_kind_info *kind = output->context.kind;

	if (output->field_list && !cut_choose_fields(output, true))
		return false;
	for (unsigned i = 0; !output->field_list && i < kind->field_count; i++)
		output->fields[output->field_count++] = &kind->fields[i];
	for (size_t i = 0; output->field_list && i < output->field_count; i++)
		for (size_t before = 0; before < i; before++)
			if (output->fields[before] == output->fields[i]) {
				tool_error(output->tool,
					   "--fields names %s twice, but an array can have it only "
					   "once",
					   output->fields[i]->name);
				return false;
			}
	return true;
}

// Where the array will begin in the file; -1, reported, where the header cannot be written when the
// number of records is known.
static off_t npy_begin(struct cut_output *output)
{
	const int fd = fileno(output->file), flags = fcntl(fd, F_GETFL);
	const off_t begin = lseek(fd, 0, SEEK_CUR);

	if (begin >= 0 && flags >= 0 && !(flags & O_APPEND))
		return begin;
	tool_error(output->tool,
		   "a .npy file begins with its number of records, which is known only at the end, "
		   "so it cannot be %s; use -w FILE.npy",
		   begin < 0 ? "written to a pipe or a terminal" : "appended to a file (>>)");
	return -1;
}

// A header of zeros holds the place of the true one, so that a truncated file is not an array.
static bool npy_open(struct cut_output *output)
{
	uint8_t header[NPY_HEADER_MAX];
	size_t bytes;
	off_t begin;

	if (output->writing.flush_each) {
		tool_error(output->tool, "--unbuffered has no effect on npy");
		return false;
	}
	if (!npy_choose_fields(output))
		return false;
	output->file = tool_text_output(output->tool, output->path);
	begin = output->file ? npy_begin(output) : -1;
	if (begin < 0)
		return false;
	output->npy = calloc(1, sizeof(*output->npy));
	if (!output->npy) {
		tool_no_memory(output->tool, "records to write");
		return false;
	}
	output->npy->begin = begin;
	bytes = npy_header(output, header);
	memset(header, 0, bytes);
	(void)fwrite(header, bytes, 1, output->file);
	return true;
}

static bool npy_write_gathered(struct cut_output *output)
{
	struct cut_npy *npy = output->npy;
	const size_t bytes = npy->used;

	npy->used = 0;
	return fwrite(npy->gathered, 1, bytes, output->file) == bytes;
}

// In little-endian order; only the fields asked for.
static bool npy_record(struct cut_output *output, const union tr_record *record)
{
	const struct tr_kind_info *kind = output->context.kind;
	struct cut_npy *npy = output->npy;
	uint8_t *at = npy->gathered + npy->used;
	union tr_record stored;

	npy->records++;
	if (output->field_list) {
		memcpy(&stored, record, kind->size_bytes);
		tr_records_swap(kind, &stored, kind->size_bytes, 1);
		for (size_t i = 0; i < output->field_count; i++) {
			const struct tr_field *field = output->fields[i];
			const unsigned size = tr_field_size((enum tr_field_type)field->type);

			memcpy(at, (const uint8_t *)&stored + field->offset_bytes, size);
			at += size;
		}
	} else {
		memcpy(at, record, kind->size_bytes);
		tr_records_swap(kind, at, kind->size_bytes, 1);
		at += kind->size_bytes;
	}
	npy->used = (size_t)(at - npy->gathered);
	return npy->used + sizeof(stored) <= sizeof(npy->gathered) || npy_write_gathered(output);
}

// One row: what the array's numbers mean.
static struct table *npy_stream_table(const struct cut_output *output,
				      const struct tr_trailer *trailer)
{
	struct table *table = table_new("stream", NULL);

	table_columns(table, "kind records sorted origin_s ticks_per_s lost end");
	table_text(table, output->context.kind->name);
	table_count(table, output->npy->records);
	table_text(table, output->header.unsorted ? "no" : "yes");
	tr_stream_tables_origin(table, &output->header);
	table_count(table, output->header.ticks_per_s);
	if (trailer->lost_known)
		table_count(table, trailer->lost);
	else
		table_none(table);
	table_text(table, trailer->damaged ? "clean, of a damaged input" : "clean");
	return table;
}

static enum tr_status npy_print_tables(struct cut_output *output, const struct tr_trailer *trailer,
				       FILE *out, struct tr_error *err)
{
	struct table *tables[1 + TR_STREAM_TABLES];

	tables[0] = npy_stream_table(output, trailer);
	tr_stream_tables_make(tables + 1, false);
	tr_stream_tables_add(tables + 1, NULL, output->context.index->names,
			     tool_provenance(output->tool), true);
	return tables_finish(tables, 1 + TR_STREAM_TABLES, (struct table_style){.json = true},
			     "flitcut", out, err);
}

// The second array: a text of one element.
static bool npy_put_tables(struct cut_output *output, const struct tr_trailer *trailer)
{
	uint8_t header[NPY_HEADER_MAX] = {0};
	struct tr_error err;
	char *text;
	size_t bytes;
	FILE *memory = tr_memstream_open(&text, &bytes);
	bool made = memory && npy_print_tables(output, trailer, memory, &err) == TR_OK;

	if (memory && !tr_memstream_close(memory))
		made = false;
	if (made) {
		(void)snprintf((char *)header + NPY_BEGIN, NPY_HEADER_MAX - NPY_BEGIN,
			       "{'descr': '|S%zu', 'fortran_order': False, 'shape': (), }", bytes);
		(void)fwrite(header, npy_finish_header(header), 1, output->file);
		(void)fwrite(text, 1, bytes, output->file);
	} else {
		tool_no_memory(output->tool, "the names");
	}
	free(text);
	return made;
}

// The true header comes last.
static void npy_close(struct cut_output *output, const struct tr_trailer *trailer)
{
	uint8_t header[NPY_HEADER_MAX];
	size_t bytes;

	// A failed write shows when the tool closes the file.
	if (!trailer || !npy_write_gathered(output) || !npy_put_tables(output, trailer) ||
	    fflush(output->file) != 0)
		return;
	bytes = npy_header(output, header);
	if (fseeko(output->file, output->npy->begin, SEEK_SET) != 0 ||
	    fwrite(header, bytes, 1, output->file) != 1 || fflush(output->file) != 0 ||
	    fseeko(output->file, 0, SEEK_END) != 0)
		tool_error(output->tool, "%s: %s", output->path ? output->path : "standard output",
			   strerror(errno));
}

static void npy_free(struct cut_output *output, const struct tr_trailer *trailer)
{
	npy_close(output, trailer);
	free(output->npy);
	output->npy = NULL;
}

const struct cut_form cut_form_npy = {"npy", true, npy_open, NULL, npy_record, npy_free};
