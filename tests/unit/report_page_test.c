// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "page/page.h"

static const char nasty[] = "<b>'x' & \"y\"\n`date` 100%d";

static void fill(struct page *page)
{
	page_title(page, "Title %s", nasty);
	page_paragraph(page, "Words %s", nasty);
	struct table *facts = page_facts(page);

	table_numbers(facts, "packets");
	table_count(facts, 1234);
	page_section(page, "First");
	struct table *table = page_table(page, "Caption %s", nasty);

	table_words(table, "who");
	table_numbers(table, "mean (B)");
	table_text(table, nasty);
	table_real(table, 12345.6, 3);
	table_text(table, "short row");
	table_note(table, "Note %d", 1);
	page_quote(page, "one\n  two");
}

static void fill_figure(struct page *page)
{
	struct figure *figure = page_figure(page, 2, "Figure");

	figure_panel(figure, nasty, 300);
	figure_about(figure, "About %s", nasty);
	struct plot *plot = figure_plot(figure, nasty, nasty);

	figure_tic(figure, &plot->x, 1, nasty);
	figure_tic(figure, &plot->x, 2, "b");
	figure_inside(figure, "%s", nasty);
	for (int style = CURVE_LINE; style <= CURVE_ARROWS; style++) {
		figure_curve(figure, (enum curve_style)style, (unsigned)style, nasty);
		for (int i = 0; i < 5; i++)
			figure_row(figure, i, i, i + 1, i + 2);
		figure_row(figure, NAN, 1, 1, 1);
	}
	figure_panel(figure, NULL, 200);
	figure_plot(figure, "x", "y")->x.log = true;
	figure_panel(figure, "stack", 200);
	for (int i = 0; i < 2; i++) {
		figure_plot(figure, "x", "y");
		figure_heat(figure, nasty, true, 1, 100);
		figure_curve(figure, CURVE_CELLS, 0, NULL);
		figure_row(figure, 0, 0, 10, 0);
		figure_row(figure, 1, 1, INFINITY, 0);
	}
	page_caption(page, figure, "Caption %s", nasty);
}

typedef enum tr_status page_writer(const struct page *page, const char *footer, FILE *out,
				   struct tr_error *err);

static char *written(page_writer *write, const struct page *page)
{
	char *made = NULL;
	size_t bytes;
	FILE *out = open_memstream(&made, &bytes);
	struct tr_error err = {""};
	enum tr_status status = write(page, "the end", out, &err);

	assert_int_equal(fclose(out), 0);
	if (status != TR_OK)
		print_message("%s\n", err.text);
	assert_int_equal(status, TR_OK);
	return made;
}

static void writes_text(void **state)
{
	struct page page = {NULL};
	char *made;

	(void)state;
	fill(&page);
	made = written(page_text_write, &page);
	assert_string_equal(made, "Title <b>'x' & \"y\" `date` 100%d\n"
				  "===============================\n\n"
				  "Words <b>'x' & \"y\" `date` 100%d\n\n"
				  "packets  1,234\n\n"
				  "First\n-----\n\n"
				  "Table 1. Caption <b>'x' & \"y\" `date` 100%d\n\n"
				  "who                           mean (B)\n"
				  "<b>'x' & \"y\"\\x0a`date` 100%d    12,346\n"
				  "short row\n\n"
				  "Note 1\n\n"
				  "one\n  two\n"
				  "the end\n");
	free(made);
	page_clear(&page);
}

static void writes_html_with_nothing_of_the_input_s(void **state)
{
	struct page page = {NULL};
	char *made;

	(void)state;
	fill(&page);
	page_set_names(&page);
	made = written(page_html_write, &page);
	assert_null(strstr(made, "<b>'x'"));
	assert_non_null(strstr(
		made, "<h1>Title &lt;b&gt;&#39;x&#39; &amp; &quot;y&quot; `date` 100%d</h1>"));
	assert_non_null(strstr(made, "<dt>packets</dt><dd>1,234</dd>"));
	assert_non_null(
		strstr(made, "<td>12,346</td></tr>\n<tr><td class=\"w\">short row</td><td></td>"));
	assert_non_null(strstr(made, "<pre tabindex=\"0\">one\n  two</pre>"));
	// What comes before the first section is in sight, the rest is folded.
	assert_non_null(strstr(
		made,
		"</header>\n<main>\n<details><summary><h2 id=\"s1\">First</h2></summary><div>\n"));
	assert_null(strstr(made, "<details open"));
	assert_non_null(strstr(made, "</div></details>\n</main>\n<footer>"));
	// The table's data stands in the page, with all digits.
	assert_non_null(strstr(made, "<a class=\"data\" download=\"caption-b-x-y-date-100-d.tsv\" "
				     "href=\"data:text/tab-separated-values;charset=utf-8,"
				     "%23%20Caption%20%3Cb%3E%27x%27"));
	assert_non_null(strstr(made, "who%09mean%20%28B%29%0A%3Cb%3E%27x%27%20%26%20%22y%22%20%"
				     "60date%60%20100%25d%0912345.6%0A"
				     "short%20row%09%0A%23%20Note%201%0A\">data</a>"));
	free(made);
	page_clear(&page);
}

static bool have_gnuplot(void)
{
	const char *path = getenv("PATH");
	char *copy = strdup(path ? path : ""), *rest, name[4096];
	bool found = false;

	for (char *folder = strtok_r(copy, ":", &rest); folder && !found;
	     folder = strtok_r(NULL, ":", &rest)) {
		(void)snprintf(name, sizeof(name), "%s/gnuplot", folder);
		found = access(name, X_OK) == 0;
	}
	free(copy);
	return found;
}

static size_t occurrences(const char *text, const char *word)
{
	size_t count = 0;

	for (const char *at = text; (at = strstr(at, word)); at += strlen(word))
		count++;
	return count;
}

static void draws_every_panel_the_same_way_twice(void **state)
{
	struct page page = {NULL};
	char *made, *again;

	(void)state;
	if (!have_gnuplot()) {
		print_message("skipped: gnuplot is not installed\n");
		skip();
	}
	fill(&page);
	fill_figure(&page);
	made = written(page_html_write, &page);
	again = written(page_html_write, &page);
	assert_string_equal(made, again);
	assert_int_equal(occurrences(made, "<svg class=\"plot\""), 3);
	assert_int_equal(occurrences(made, "<svg class=\"marks\""), 1);
	assert_int_equal(occurrences(made, "</svg>"), 3 + 1);
	assert_null(strstr(made, "<b>'x'"));
	assert_null(strstr(made, "nuplot"));
	assert_null(strstr(made, "://"));
	free(made);
	free(again);
	page_clear(&page);
}

static void says_what_is_missing_without_gnuplot(void **state)
{
	struct page page = {NULL};
	struct tr_error err = {""};
	char *path = strdup(getenv("PATH"));
	FILE *out = fopen("/dev/null", "w");

	(void)state;
	assert_non_null(out);
	fill_figure(&page);
	setenv("PATH", "/nowhere", 1);
	assert_int_equal(page_html_write(&page, "", out, &err), TR_ERROR);
	setenv("PATH", path, 1);
	assert_non_null(strstr(err.text, "gnuplot-nox"));
	assert_non_null(strstr(err.text, "--format text"));
	free(path);
	(void)fclose(out);
	page_clear(&page);
}

// Three panels, one of them without a row.
static void leaves_empty_panels_out_of_papers(void **state)
{
	struct page page = {.folder = "figures"};
	size_t pictures = 0;
	char *made;

	(void)state;
	fill_figure(&page);
	page_set_names(&page);
	made = written(page_latex_write, &page);
	for (const char *at = made; (at = strstr(at, "\\includegraphics")) != NULL; at++)
		pictures++;
	assert_int_equal(pictures, 2);
	free(made);
	page_clear(&page);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(writes_text),
		cmocka_unit_test(writes_html_with_nothing_of_the_input_s),
		cmocka_unit_test(draws_every_panel_the_same_way_twice),
		cmocka_unit_test(leaves_empty_panels_out_of_papers),
		cmocka_unit_test(says_what_is_missing_without_gnuplot),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
