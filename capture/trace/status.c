// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/status.h"

#include <stdarg.h>
#include <stdio.h>

enum tr_status tr_fail(struct tr_error *err, const char *format, ...)
{
	va_list args;

	if (!err)
		return TR_ERROR;
	va_start(args, format);
	(void)vsnprintf(err->text, sizeof err->text, format, args);
	va_end(args);
	return TR_ERROR;
}
