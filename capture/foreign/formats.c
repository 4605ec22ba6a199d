// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>

#include "foreign/foreign.h"
#include "stream/recognise.h"

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
