// SPDX-License-Identifier: GPL-3.0-or-later
#include <inttypes.h>
#include <string.h>

#include "foreign/foreign.h"
#include "stream/recognise.h"
#include "table/table.h"

#define ADDRESS(format) &foreign_##format,
const struct foreign_format *const foreign_formats[] = {FOREIGN_FORMATS(ADDRESS) NULL};

const struct foreign_format *foreign_find(const char *name, struct tr_error *err)
{
	char names[128];
	size_t used = 0;

	for (const struct foreign_format *const *format = foreign_formats; *format; format++)
		if (strcmp((*format)->name, name) == 0)
			return *format;
	for (const struct foreign_format *const *format = foreign_formats;
	     *format && used < sizeof(names); format++)
		used += (size_t)snprintf(names + used, sizeof(names) - used, " %s",
					 (*format)->name);
	(void)tr_fail(err, "'%s': expected one of%s", name, names);
	return NULL;
}

const struct foreign_format *foreign_recognise(struct tr_source *source, struct tr_error *err)
{
	const char *name = tr_source_name(source);
	char hint[TR_RECOGNISE_HINT_BYTES];
	const uint8_t *data;
	size_t got;

	for (const struct foreign_format *const *format = foreign_formats; *format; format++)
		if ((*format)->claims && (*format)->claims(source))
			return *format;
	if (tr_source_peek(source, 6, &data, &got, NULL) == TR_OK &&
	    memcmp(data + 2, "OTF2", 4) == 0)
		(void)tr_fail(err, "%s: an archive of OTF2, and flitread was built without libotf2",
			      name);
	else if (tr_source_peek(source, 1, &data, &got, err) == TR_END)
		(void)tr_fail(err, "%s: expected a trace, found an empty file", name);
	else if (got > 0)
		(void)tr_fail(err,
			      "%s: expected a trace as flitread --from list has them, found none%s",
			      name, tr_recognise_source(source, hint, sizeof(hint)));
	return NULL;
}

enum tr_status foreign_list(struct table_style style, FILE *out, struct tr_error *err)
{
	struct table *table = table_new("formats", "formats");

	table_columns(table, "name given");
	for (const struct foreign_format *const *format = foreign_formats; *format; format++) {
		table_text(table, (*format)->name);
		table_text(table, (*format)->summary);
	}
	return tables_finish(&table, 1, style, "flitread", out, err);
}

enum tr_status foreign_read_json(const struct foreign_input *input, const char *path,
				 enum json_extent extent, json_take *take, void *context,
				 struct tr_error *err)
{
	struct tr_source *source = NULL;
	enum tr_status status = input->open(input->context, NULL, path, &source, err);

	if (status == TR_OK)
		status = json_read(source, extent, take, context, err);
	tr_source_close(source);
	return status;
}

void foreign_tell(const struct foreign_input *input, uint64_t count, const char *text)
{
	char line[500];

	if (count == 0)
		return;
	(void)snprintf(line, sizeof(line), "%" PRIu64 " %s", count, text);
	input->tell(input->context, input->paths[0], line);
}
