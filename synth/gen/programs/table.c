// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>

#include "gen/programs/kind.h"

const struct program_kind *const program_kinds[] = {
	&program_fft_rc,
	&program_fft_vr,
	&program_matmul,
	&program_multicast,
	NULL,
};

enum tr_status program_write(const char *text, FILE *out, struct tr_error *err)
{
	const struct program_kind *const *kind = program_kinds;
	struct program_args args;
	char known[200] = "";

	if (program_args_parse(&args, text, err) != TR_OK)
		return TR_ERROR;
	for (; *kind && strcmp((*kind)->name, args.name) != 0; kind++) {
		strncat(known, " ", sizeof known - strlen(known) - 1);
		strncat(known, (*kind)->name, sizeof known - strlen(known) - 1);
	}
	if (!*kind)
		return tr_fail(err, "unknown program \"%.40s\"; known:%s", args.name, known);
	return (*kind)->write(&args, out, err);
}
