// SPDX-License-Identifier: GPL-3.0-or-later
// verdict_table SERIESxPOINTS ...: prints tests/golden/verdict-table.tsv, the verdict on SERIES
// series of POINTS points of each kind.
// verdict_table --mdoc FILE: prints it as rows of a manual page, those of the kinds by which no
// constant was chosen at the end.
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "verdict_rows.h"

#define LENGTHS_MAX 8
#define COLUMNS 13

static const char heading[] = "kind\tH\tmean\tpoints\tseries\tyes\tno\tnot_decided\tyes_at_most\tH_"
			      "mean\tH_sd\theld\theld_back\n";

// A number without the 0 before its point, as a page has it.
static const char *brief(const char *number)
{
	return strncmp(number, "0.", 2) == 0 ? number + 1
	       : strcmp(number, "nan") == 0  ? "-"
					     : number;
}

// The rows of a page, from the table that was printed: of the kinds that were held back, or of the
// others.
static int print_page(const char *path, bool held_back)
{
	FILE *in = fopen(path, "r");
	char line[512], last[64] = "";

	if (!in || !fgets(line, sizeof(line), in) || strcmp(line, heading) != 0)
		return 2;
	if (held_back)
		puts(".Pp\nThese kinds were written when the constants of the rule stood:");
	puts(".Bl -column \"states 3 12 50 200\" \"262144\" \"series\" \"1.000\" \"at most\" "
	     "\"1.000\" \"undecided\" \".823\" "
	     "\"held\"\n"
	     ".It Em kind Ta Em points Ta Em series Ta Em yes Ta Em at most Ta Em no Ta Em "
	     "undecided Ta Em H Ta Em held");
	while (fgets(line, sizeof(line), in)) {
		const char *cells[COLUMNS];
		char *rest = line;

		for (int i = 0; i < COLUMNS; i++) {
			cells[i] = strsep(&rest, "\t\n");
			if (!cells[i])
				return 2;
		}
		if ((cells[COLUMNS - 1][0] == 'y') != held_back)
			continue;
		printf(".It %s Ta %s Ta %s Ta %s Ta %s Ta %s Ta %s Ta %s Ta %s\n",
		       strcmp(cells[0], last) == 0 ? "" : cells[0], cells[3], cells[4],
		       brief(cells[5]), brief(cells[8]), brief(cells[6]), brief(cells[7]),
		       brief(cells[9]), brief(cells[11]));
		(void)snprintf(last, sizeof(last), "%s", cells[0]);
	}
	puts(".El");
	return fclose(in) == 0 ? 0 : 2;
}

static void print_row(size_t kind, size_t points, int series)
{
	const struct verdict_row row = verdict_row_make(kind, points, series, 1);

	printf("%s\t%g\t%g\t%zu\t%d\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%s\n",
	       traffic_kinds[kind].name, traffic_kinds[kind].h, traffic_kinds[kind].mean, points,
	       row.series, row.yes, row.no, row.not_decided, row.yes_at_most, row.h_mean, row.h_sd,
	       row.held, traffic_kinds[kind].held_back ? "yes" : "no");
	(void)fflush(stdout);
}

int main(int argc, char **argv)
{
	int series[LENGTHS_MAX];
	size_t points[LENGTHS_MAX];

	if (argc == 3 && strcmp(argv[1], "--mdoc") == 0)
		return print_page(argv[2], false) + print_page(argv[2], true);
	if (argc < 2 || argc > 1 + LENGTHS_MAX)
		return 2;
	for (int i = 1; i < argc; i++)
		if (sscanf(argv[i], "%dx%zu", &series[i - 1], &points[i - 1]) != 2 ||
		    series[i - 1] < 1 || points[i - 1] < 1)
			return 2;
	fputs(heading, stdout);
	for (size_t kind = 0; traffic_kinds[kind].name; kind++)
		for (int i = 0; i + 1 < argc; i++)
			print_row(kind, points[i], series[i]);
	return 0;
}
