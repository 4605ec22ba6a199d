// SPDX-License-Identifier: GPL-3.0-or-later
#include "page/page.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "file/foreign_folder.h"
#include "file/outfile.h"
#include "page/gnuplot.h"
#include "value/escape.h"

// ---- data

static const char *const headings[] = {
	[CURVE_LINE] = "x\ty",
	[CURVE_DASHED] = "x\ty",
	[CURVE_STEPS] = "x\ty",
	[CURVE_MARKS] = "x\ty",
	[CURVE_OPEN] = "x\ty",
	[CURVE_CROSSES] = "x\ty",
	[CURVE_BAND] = "x\tx_end\tlo\thi",
	[CURVE_BARS] = "x\twidth\ty",
	[CURVE_INTERVAL] = "x\ty\tlo\thi",
	[CURVE_ARROWS] = "x\ty\tx_end\ty_end",
	[CURVE_RANGES] = "x\ty\tx_end",
	[CURVE_CELLS] = "x\ty\tvalue",
};

static void write_title(FILE *out, const struct plot *plot, const struct curve *curve)
{
	(void)fputs("# ", out);
	text_write_plain(out, curve->title ? curve->title : "");
	(void)fputs(curve->title ? ": " : "", out);
	text_write_plain(out, plot->y.label ? plot->y.label : "y");
	(void)fputs(" over ", out);
	text_write_plain(out, plot->x.label ? plot->x.label : "x");
	(void)fprintf(out, "\n# %s\n", headings[curve->style]);
}

static void figure_files_write_rows(FILE *out, const struct curve *curve)
{
	size_t columns = curve_columns(curve->style);

	for (size_t i = 0; i < curve->count; i++) {
		const double *row = &curve->values[i * columns];

		if (curve->style == CURVE_BAND)
			(void)fprintf(out, "%.9g\t%.9g\t%.9g\t%.9g\n", row[0], curve_end(curve, i),
				      row[1], row[2]);
		for (size_t c = 0; c < columns && curve->style != CURVE_BAND; c++)
			(void)fprintf(out, "%.9g%c", row[c], c + 1 < columns ? '\t' : '\n');
	}
}

void figure_tsv_write(FILE *out, const struct panel *panel)
{
	const char *between = "";

	for (size_t i = 0; i < panel->plot_count; i++)
		for (size_t c = 0; c < panel->plots[i].curve_count; c++) {
			const struct curve *curve = &panel->plots[i].curves[c];

			if (curve->count == 0)
				continue;
			(void)fputs(between, out);
			write_title(out, &panel->plots[i], curve);
			figure_files_write_rows(out, curve);
			between = "\n\n";
		}
}

#define ENDINGS 2u
#define PDF 1u
#define DRAWN_AT_ONCE 100u // two descriptors each

// ---- files

// Where figures go.
struct figure_files_place {
	const char *folder;
	const struct tr_files *files;
};

// ending is "" or begins with its point.
static enum tr_status open_file(struct tr_outfile **file, const struct figure_files_place *place,
				const char *name, const char *ending, struct tr_error *err)
{
	const struct tr_outfile_options options = {.files = place->files, .another = true};
	char path[PATH_MAX];

	if ((size_t)snprintf(path, sizeof(path), "%s/%s%s", place->folder, name, ending) >=
	    sizeof(path))
		return tr_fail(err, "%s/%s%s: %s", place->folder, name, ending,
			       strerror(ENAMETOOLONG));
	return tr_outfile_open(file, path, &options, err);
}

static enum tr_status open_text(struct tr_outfile **file, FILE **out,
				const struct figure_files_place *place, const char *name,
				const char *ending, struct tr_error *err)
{
	if (open_file(file, place, name, ending, err) != TR_OK)
		return TR_ERROR;
	*out = tr_outfile_stream(*file);
	if (*out)
		return TR_OK;
	(void)tr_outfile_close(*file, false, NULL);
	return tr_no_memory(err, "%s/%s%s", place->folder, name, ending);
}

static enum tr_status figure_files_write_panel(const struct figure *figure,
					       const struct panel *panel,
					       const struct figure_files_place *place,
					       const char *name, struct tr_error *err)
{
	const struct gnuplot_target target = {.form = GNUPLOT_FILES, .name = name};
	struct tr_outfile *file;
	FILE *out;

	if (open_text(&file, &out, place, name, ".tsv", err) != TR_OK)
		return TR_ERROR;
	figure_tsv_write(out, panel);
	if (tr_outfile_close(file, true, err) != TR_OK ||
	    open_text(&file, &out, place, name, ".gp", err) != TR_OK)
		return TR_ERROR;
	(void)fputs("# ", out);
	text_write_plain(out, panel->title ? panel->title : figure->title);
	(void)fprintf(out, "\n# gnuplot -c %s.gp svg (or pdf) draws it again\n", name);
	gnuplot_write_panel(out, figure, panel, &target);
	return tr_outfile_close(file, true, err);
}

// Pictures that one gnuplot draws, each into a temporary file that is renamed when all are drawn.
struct drawing {
	struct picture {
		const struct figure *figure;
		const struct panel *panel;
	} pictures[DRAWN_AT_ONCE];
	struct tr_outfile *files[DRAWN_AT_ONCE][ENDINGS];
	size_t count;
	time_t date_s;
};

static const char *const endings[ENDINGS] = {".svg", [PDF] = ".pdf"};

// What the scripts in the folder do, with the data: gnuplot reads nothing from the folder, where
// others may have exchanged it.
static void write_pictures(FILE *out, const struct page *page, const void *context)
{
	const struct gnuplot_target target = {.form = GNUPLOT_FILES, .name = "", .has_rows = true};
	const struct drawing *drawing = context;

	(void)page;
	for (size_t i = 0; i < drawing->count; i++) {
		const struct picture *picture = &drawing->pictures[i];

		(void)fputs(GNUPLOT_ROWS " << END_OF_ROWS\n", out);
		figure_tsv_write(out, picture->panel);
		(void)fputs("END_OF_ROWS\n", out);
		for (size_t e = 0; e < ENDINGS; e++) {
			(void)fprintf(out, "ARG1 = '%s'\nARG2 = '/proc/%ld/fd/%d'\n",
				      endings[e] + 1, (long)getpid(),
				      tr_outfile_descriptor(drawing->files[i][e]));
			gnuplot_write_panel(out, picture->figure, picture->panel, &target);
		}
	}
}

#define DATE_MARK "/CreationDate (D:"
#define DATE_DIGITS 14u // YYYYMMDDhhmmss

// Cairo dates a PDF by the clock, in plain text and, as TZ is UTC0, always of one length (PDF 1.5,
// section 3.8.3).
static enum tr_status pdf_set_date(int fd, time_t date_s, struct tr_error *err)
{
	char path[40], date[DATE_DIGITS + 1], *bytes = NULL;
	struct stat stat;
	struct tm tm;

	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (!gmtime_r(&date_s, &tm) ||
	    strftime(date, sizeof(date), "%Y%m%d%H%M%S", &tm) != DATE_DIGITS)
		return tr_fail(err, "%lld s since 1970 is not a date for a PDF", (long long)date_s);
	FILE *in = fopen(path, "rb");
	bool done = in && fstat(fd, &stat) == 0 &&
		    (bytes = malloc((size_t)stat.st_size + 1)) != NULL &&
		    fread(bytes, 1, (size_t)stat.st_size, in) == (size_t)stat.st_size;
	if (done) {
		const char *mark = memmem(bytes, (size_t)stat.st_size, DATE_MARK,
					  strlen(DATE_MARK));

		done = !mark ||
		       pwrite(fd, date, DATE_DIGITS, mark - bytes + (off_t)strlen(DATE_MARK)) ==
			       (ssize_t)DATE_DIGITS;
	}
	if (!done)
		(void)tr_fail(err, "cannot set the date of a figure's PDF: %s", strerror(errno));
	free(bytes);
	if (in)
		(void)fclose(in);
	return done ? TR_OK : TR_ERROR;
}

// Draws and empties the drawing.
static enum tr_status figure_files_draw(struct drawing *drawing, enum tr_status status,
					struct tr_error *err)
{
	char *nothing = NULL;

	if (status == TR_OK && drawing->count > 0)
		status = gnuplot_run(NULL, write_pictures, drawing, &nothing, err);
	free(nothing);
	for (size_t i = 0; i < drawing->count && status == TR_OK; i++)
		status = pdf_set_date(tr_outfile_descriptor(drawing->files[i][PDF]),
				      drawing->date_s, err);
	for (size_t i = 0; i < drawing->count; i++)
		for (size_t e = 0; e < ENDINGS; e++)
			if (tr_outfile_close(drawing->files[i][e], status == TR_OK,
					     status == TR_OK ? err : NULL) != TR_OK)
				status = TR_ERROR;
	drawing->count = 0;
	return status;
}

static enum tr_status figure_files_add_picture(struct drawing *drawing, const struct figure *figure,
					       const struct panel *panel,
					       const struct figure_files_place *place,
					       const char *name, struct tr_error *err)
{
	struct tr_outfile **files = drawing->files[drawing->count];
	enum tr_status status = drawing->count == DRAWN_AT_ONCE - 1 ? TR_END : TR_OK;

	files[0] = files[1] = NULL;
	drawing->pictures[drawing->count] = (struct picture){figure, panel};
	drawing->count++;
	for (size_t e = 0; e < ENDINGS && status != TR_ERROR; e++)
		if (open_file(&files[e], place, name, endings[e], err) != TR_OK)
			status = TR_ERROR;
	return status == TR_END ? figure_files_draw(drawing, TR_OK, err) : status;
}

// What the folder holds, a line for each panel.
static enum tr_status write_index(const struct page *page, const struct figure_files_place *place,
				  struct tr_error *err)
{
	const char *section = PAGE_SUMMARY;
	struct tr_outfile *file;
	FILE *out;

	if (open_text(&file, &out, place, "INDEX", "", err) != TR_OK)
		return TR_ERROR;
	(void)fputs("# name\tfigure\tsection\ttitle\tpanel\n", out);
	for (size_t i = 0; i < page->count; i++) {
		const struct block *block = &page->blocks[i];

		section = block->type == BLOCK_SECTION ? block->text : section;
		for (size_t p = 0; block->figure && p < block->figure->panel_count; p++) {
			const struct panel *panel = &block->figure->panels[p];
			const char *const words[] = {section, block->figure->title,
						     panel->title ? panel->title : "-"};

			(void)fprintf(out, "%s\t%u", panel->name, block->number);
			for (size_t w = 0; w < sizeof(words) / sizeof(*words); w++) {
				(void)putc('\t', out);
				text_write_plain(out, words[w]);
			}
			(void)putc('\n', out);
		}
	}
	return tr_outfile_close(file, true, err);
}

enum tr_status figure_files_write(const struct page *page, const struct tr_files *files,
				  time_t date_s, struct tr_error *err)
{
	const struct figure_files_place place = {page->folder, files};
	struct drawing drawing = {.date_s = date_s};
	enum tr_status status = TR_OK;

	if (tr_folder_make(page->folder, NULL, err) == TR_ERROR)
		return TR_ERROR;
	for (size_t i = 0; i < page->count; i++) {
		const struct figure *figure = page->blocks[i].figure;

		for (size_t p = 0; figure && p < figure->panel_count && status == TR_OK; p++) {
			const struct panel *panel = &figure->panels[p];

			status = figure_files_write_panel(figure, panel, &place, panel->name, err);
			if (status == TR_OK)
				status = figure_files_add_picture(&drawing, figure, panel, &place,
								  panel->name, err);
		}
	}
	status = figure_files_draw(&drawing, status, err);
	return status == TR_OK ? write_index(page, &place, err) : status;
}
