// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/gnuplot_run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "report/gnuplot_script.h"
#include "trace/spawn.h"

// A file in memory that another program can be given by name.
struct scratch {
	FILE *file;
	char path[32];
};

static enum tr_status scratch_open(struct scratch *scratch, const char *name, struct tr_error *err)
{
	int fd = memfd_create(name, MFD_CLOEXEC);

	scratch->file = fd < 0 ? NULL : fdopen(fd, "w+");
	if (!scratch->file) {
		if (fd >= 0)
			(void)close(fd);
		return tr_no_memory(err, "the figures: %s", strerror(errno));
	}
	(void)snprintf(scratch->path, sizeof scratch->path, "/proc/self/fd/%d", fd);
	return TR_OK;
}

static void scratch_close(struct scratch *scratch)
{
	if (scratch->file)
		(void)fclose(scratch->file);
}

static void write_panels(FILE *out, const struct page *page, const struct gnuplot_target *target)
{
	for (size_t i = 0; i < page->count; i++) {
		const struct figure *figure = page->blocks[i].figure;

		for (size_t p = 0; figure && p < figure->panel_count; p++)
			if (target->form != GNUPLOT_CHARACTERS || gnuplot_has_characters(&figure->panels[p]))
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

static enum tr_status take_all(FILE *file, char **text, struct tr_error *err)
{
	long bytes;

	if (fseek(file, 0, SEEK_END) != 0 || (bytes = ftell(file)) < 0 || fseek(file, 0, SEEK_SET) != 0)
		return tr_fail(err, "cannot read gnuplot's pictures: %s", strerror(errno));
	*text = malloc((size_t)bytes + 1);
	if (!*text)
		return tr_no_memory(err, "%ld bytes of pictures", bytes);
	(*text)[fread(*text, 1, (size_t)bytes, file)] = '\0';
	return TR_OK;
}

static enum tr_status draw(const struct scratch *script, const struct scratch *output, char **drawn,
			   struct tr_error *err)
{
	static const char *const command[] = {"gnuplot", "-d", NULL};
	struct tr_error why;

	if (fflush(script->file) != 0 || ferror(script->file))
		return tr_no_memory(err, "the figures: %s", strerror(errno));
	if (tr_spawn(command, script->path, output->path, &why) != TR_OK)
		return tr_fail(err, "the figures need gnuplot (Debian package gnuplot-nox), and it failed: "
			       "%s; --text makes a report without figures", why.text);
	return take_all(output->file, drawn, err);
}

enum tr_status gnuplot_run(const struct page *page, gnuplot_commands *write, const void *context,
			   char **drawn, struct tr_error *err)
{
	struct scratch script = {NULL, ""}, output = {NULL, ""};
	enum tr_status status = TR_ERROR;

	*drawn = NULL;
	if (scratch_open(&script, "figures.gp", err) == TR_OK &&
	    scratch_open(&output, "figures", err) == TR_OK) {
		write(script.file, page, context);
		status = draw(&script, &output, drawn, err);
	}
	scratch_close(&script);
	scratch_close(&output);
	return status;
}
