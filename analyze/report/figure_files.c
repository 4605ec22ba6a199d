// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/figure_files.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "report/figure_tsv.h"
#include "report/gnuplot_run.h"
#include "report/gnuplot_script.h"
#include "report/text.h"
#include "trace/outfile.h"

#define NAME_BYTES 64

static void set_name(char name[NAME_BYTES], unsigned figure, size_t panel)
{
	(void)snprintf(name, NAME_BYTES, "figure-%02u-%zu", figure, panel + 1);
}

// Where figures go.
struct place {
	const char *folder;
	const struct tr_files *files;
};

static enum tr_status open_file(struct tr_outfile **file, FILE **out, const struct place *place, const char *name,
				const char *ending, struct tr_error *err)
{
	const struct tr_outfile_options options = {.files = place->files};
	char path[PATH_MAX];

	if ((size_t)snprintf(path, sizeof path, "%s/%s.%s", place->folder, name, ending) >= sizeof path)
		return tr_fail(err, "%s/%s.%s: %s", place->folder, name, ending, strerror(ENAMETOOLONG));
	if (tr_outfile_open(file, path, &options, err) != TR_OK)
		return TR_ERROR;
	*out = tr_outfile_stream(*file);
	if (*out)
		return TR_OK;
	(void)tr_outfile_close(*file, false, NULL);
	return tr_fail(err, "%s: out of memory", path);
}

static enum tr_status write_panel(const struct figure *figure, const struct panel *panel, const struct place *place,
				  const char *name, struct tr_error *err)
{
	const struct gnuplot_target target = {.form = GNUPLOT_FILES, .name = name};
	struct tr_outfile *file;
	FILE *out;

	if (open_file(&file, &out, place, name, "tsv", err) != TR_OK)
		return TR_ERROR;
	figure_tsv_write(out, panel);
	if (tr_outfile_close(file, true, err) != TR_OK || open_file(&file, &out, place, name, "gp", err) != TR_OK)
		return TR_ERROR;
	(void)fputs("# ", out);
	text_write_plain(out, panel->title ? panel->title : figure->title);
	(void)fprintf(out, "\n# gnuplot -c %s.gp svg (or pdf) draws it again\n", name);
	gnuplot_write_panel(out, figure, panel, &target);
	return tr_outfile_close(file, true, err);
}

// What gnuplot is told: to draw each panel twice.
static void write_calls(FILE *out, const struct page *page, const void *folder)
{
	char name[NAME_BYTES];

	(void)fputs("cd ", out);
	text_write_gnuplot(out, folder);
	(void)putc('\n', out);
	for (size_t i = 0; i < page->count; i++)
		for (size_t p = 0; page->blocks[i].figure && p < page->blocks[i].figure->panel_count; p++) {
			set_name(name, page->blocks[i].number, p);
			(void)fprintf(out, "call '%s.gp' 'svg'\ncall '%s.gp' 'pdf'\n", name, name);
		}
}

enum tr_status figure_files_write(const struct page *page, const char *folder, const struct tr_files *files,
				  struct tr_error *err)
{
	const struct place place = {folder, files};
	enum tr_status status = TR_OK;
	char name[NAME_BYTES], *nothing;

	if (mkdir(folder, 0777) != 0 && errno != EEXIST)
		return tr_fail(err, "%s: %s", folder, strerror(errno));
	for (size_t i = 0; i < page->count; i++) {
		const struct figure *figure = page->blocks[i].figure;

		for (size_t p = 0; figure && p < figure->panel_count && status == TR_OK; p++) {
			set_name(name, page->blocks[i].number, p);
			status = write_panel(figure, &figure->panels[p], &place, name, err);
		}
	}
	if (status == TR_OK && page->figures > 0) {
		status = gnuplot_run(page, write_calls, folder, &nothing, err);
		free(nothing);
	}
	return status;
}
