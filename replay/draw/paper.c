// SPDX-License-Identifier: GPL-3.0-or-later
#include "draw/paper.h"

#include <stdlib.h>
#include <string.h>

#include "file/spawn.h"

#define ENDING ".pdf"
#define COPIED 65536u

bool draw_is_pdf(const char *path)
{
	const size_t bytes = path ? strlen(path) : 0;

	return bytes > strlen(ENDING) && strcmp(path + bytes - strlen(ENDING), ENDING) == 0;
}

enum tr_status draw_paper_open(struct draw_paper *paper, const char *path, FILE *out,
			       struct tr_error *err)
{
	*paper = (struct draw_paper){.svg = out, .out = out};
	if (!draw_is_pdf(path))
		return TR_OK;
	if (tr_scratch_open(&paper->scratch, "a drawing", err) != TR_OK)
		return TR_ERROR;
	paper->svg = paper->scratch.file;
	return TR_OK;
}

static enum tr_status copy_drawing(FILE *from, FILE *to, struct tr_error *err)
{
	char bytes[COPIED];
	size_t got;
	bool any = false;

	for (bool read = fseek(from, 0, SEEK_SET) == 0;
	     read && (got = fread(bytes, 1, sizeof(bytes), from)) > 0; any = true)
		(void)fwrite(bytes, 1, got, to);
	return any && !ferror(from) ? TR_OK : tr_fail(err, "rsvg-convert made no PDF");
}

static enum tr_status paper_convert(struct draw_paper *paper, struct tr_error *err)
{
	static const char *const argv[] = {"rsvg-convert", "--format=pdf", NULL};
	struct tr_scratch pdf = {.file = NULL};
	struct tr_error why;
	enum tr_status status = tr_scratch_flush(&paper->scratch, "a drawing", err);

	if (status == TR_OK)
		status = tr_scratch_open(&pdf, "a drawing", err);
	if (status == TR_OK && setenv("SOURCE_DATE_EPOCH", "0", 0) != 0)
		status = tr_no_memory(err, "the environment");
	if (status == TR_OK && tr_spawn(argv, paper->scratch.path, pdf.path, &why) != TR_OK)
		status = tr_fail(err,
				 "a PDF needs rsvg-convert (Debian package librsvg2-bin): %.300s",
				 why.text);
	if (status == TR_OK)
		status = copy_drawing(pdf.file, paper->out, err);
	tr_scratch_close(&pdf);
	return status;
}

enum tr_status draw_paper_close(struct draw_paper *paper, bool good, struct tr_error *err)
{
	const enum tr_status status = good && paper->scratch.file ? paper_convert(paper, err)
				      : good			  ? TR_OK
								  : TR_ERROR;

	tr_scratch_close(&paper->scratch);
	return status;
}
