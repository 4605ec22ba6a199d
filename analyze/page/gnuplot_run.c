// SPDX-License-Identifier: GPL-3.0-or-later
#include "page/gnuplot.h"

#include "file/spawn.h"

static void write_panels(FILE *out, const struct page *page, const struct gnuplot_target *target)
{
	for (size_t i = 0; i < page->count; i++) {
		const struct figure *figure = page->blocks[i].figure;

		for (size_t p = 0; figure && p < figure->panel_count; p++)
			if (target->form != GNUPLOT_CHARACTERS ||
			    gnuplot_has_characters(&figure->panels[p]))
				gnuplot_write_panel(out, figure, &figure->panels[p], target);
	}
}

void gnuplot_page(FILE *out, const struct page *page, const void *context)
{
	const struct gnuplot_target target = {.form = GNUPLOT_PAGE};

	(void)context;
	write_panels(out, page, &target);
}

void gnuplot_characters(FILE *out, const struct page *page, const void *context)
{
	const struct gnuplot_target target = {.form = GNUPLOT_CHARACTERS};

	(void)context;
	write_panels(out, page, &target);
}

static enum tr_status gnuplot_run_draw(struct tr_scratch *script, struct tr_scratch *output,
				       char **drawn, struct tr_error *err)
{
	static const char *const command[] = {"gnuplot", "-d", NULL};
	struct tr_error why;

	if (tr_scratch_flush(script, "the figures", err) != TR_OK)
		return TR_ERROR;
	if (tr_spawn(command, script->path, output->path, &why) != TR_OK)
		return tr_fail(err,
			       "the figures need gnuplot (Debian package gnuplot-nox), which "
			       "failed: %s; use --format text for a report without figures",
			       why.text);
	return tr_scratch_take(output, "gnuplot's pictures", drawn, err);
}

enum tr_status gnuplot_run(const struct page *page, gnuplot_commands *write, const void *context,
			   char **drawn, struct tr_error *err)
{
	struct tr_scratch script = {.file = NULL}, output = {.file = NULL};
	enum tr_status status = TR_ERROR;

	*drawn = NULL;
	if (tr_scratch_open(&script, "the figures", err) == TR_OK &&
	    tr_scratch_open(&output, "the figures", err) == TR_OK) {
		write(script.file, page, context);
		status = gnuplot_run_draw(&script, &output, drawn, err);
	}
	tr_scratch_close(&script);
	tr_scratch_close(&output);
	return status;
}
