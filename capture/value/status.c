// SPDX-License-Identifier: GPL-3.0-or-later
#include "value/status.h"

#include <stdio.h>
#include <string.h>

static __attribute__((format(printf, 3, 0))) enum tr_status fail(struct tr_error *err,
								 bool breakdown, const char *format,
								 va_list args)
{
	if (err) {
		(void)vsnprintf(err->text, sizeof(err->text), format, args);
		err->breakdown = breakdown;
	}
	return TR_ERROR;
}

enum tr_status tr_fail(struct tr_error *err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	(void)fail(err, false, format, args);
	va_end(args);
	return TR_ERROR;
}

enum tr_status tr_fail_with(struct tr_error *err, const char *format, va_list args)
{
	return fail(err, false, format, args);
}

enum tr_status tr_fail_for(struct tr_error *err, const struct tr_error *why, const char *format,
			   ...)
{
	va_list args;

	va_start(args, format);
	(void)fail(err, why->breakdown, format, args);
	va_end(args);
	return TR_ERROR;
}

enum tr_status tr_fail_in(struct tr_error *err, const char *where, ...)
{
	struct tr_error why;
	va_list args;
	size_t length;

	if (!err)
		return TR_ERROR;
	why = *err;
	va_start(args, where);
	(void)fail(err, why.breakdown, where, args);
	va_end(args);
	length = strlen(err->text);
	(void)snprintf(err->text + length, sizeof(err->text) - length, ": %s", why.text);
	return TR_ERROR;
}

enum tr_status tr_no_memory(struct tr_error *err, const char *what, ...)
{
	static const char begin[] = TR_OUT_OF_MEMORY " for ";
	const size_t bytes = sizeof(begin) - 1;
	va_list args;

	if (!err)
		return TR_ERROR;
	memcpy(err->text, begin, bytes);
	va_start(args, what);
	(void)vsnprintf(err->text + bytes, sizeof(err->text) - bytes, what, args);
	va_end(args);
	err->breakdown = true;
	return TR_ERROR;
}
