// SPDX-License-Identifier: GPL-3.0-or-later
// bursts_table TRAINS: prints tests/golden/bursts-table.tsv, the errors of each rule for the end of
// a burst on TRAINS trains of each kind. bursts_table --mdoc FILE: prints it as rows of a manual
// page: each rule over the kinds, and the program's rule by kind.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "burst_rules.h"
#include "value/num.h"

static const char heading[] =
	"kind\theld_back\tnone\trule\ttrains\tfound\tmissed\tfalse\tcount_factor\tlength_factor\n";

static void print_kind(const struct burst_kind *kind, unsigned trains)
{
	for (size_t r = 0; r < train_rule_count; r++) {
		const struct train_errors errors = train_rule_errors(&train_rules[r], kind, trains);

		printf("%s\t%s\t%s\t%s\t%u\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\n", kind->name,
		       kind->held_back ? "yes" : "no", kind->none ? "yes" : "no",
		       train_rules[r].name, trains, errors.found, errors.missed, errors.false_ends,
		       errors.count_factor, errors.length_factor);
		(void)fflush(stdout);
	}
}

// ---- the page

struct table_row {
	char kind[64], rule[32];
	bool held_back, none;
	double found, missed, false_ends, count_factor, length_factor;
};

#define ROWS_MOST 512

static size_t read_rows(const char *path, struct table_row *rows)
{
	FILE *in = fopen(path, "r");
	char line[512];
	size_t count = 0;

	if (!in || !fgets(line, sizeof(line), in) || strcmp(line, heading) != 0)
		return 0;
	while (count < ROWS_MOST && fgets(line, sizeof(line), in)) {
		struct table_row *row = &rows[count++];
		const char *cells[10];
		char *rest = line;

		for (int i = 0; i < 10; i++) {
			cells[i] = strsep(&rest, "\t\n");
			if (!cells[i])
				return 0;
		}
		(void)snprintf(row->kind, sizeof(row->kind), "%s", cells[0]);
		(void)snprintf(row->rule, sizeof(row->rule), "%s", cells[3]);
		row->held_back = cells[1][0] == 'y';
		row->none = cells[2][0] == 'y';
		if (num_parse_real(cells[5], &row->found, NULL) != TR_OK ||
		    num_parse_real(cells[6], &row->missed, NULL) != TR_OK ||
		    num_parse_real(cells[7], &row->false_ends, NULL) != TR_OK ||
		    num_parse_real(cells[8], &row->count_factor, NULL) != TR_OK ||
		    num_parse_real(cells[9], &row->length_factor, NULL) != TR_OK)
			return 0;
	}
	(void)fclose(in);
	return count;
}

// One rule over the kinds of one half.
static void print_rule(const struct table_row *rows, size_t count, const char *rule, bool held_back)
{
	double missed = 0, false_ends = 0, factor = 0, length = 0, found = 0, found_none = 0,
	       kinds = 0, none = 0;

	for (size_t i = 0; i < count; i++) {
		if (strcmp(rows[i].rule, rule) != 0 || rows[i].held_back != held_back)
			continue;
		if (rows[i].none) {
			none++;
			found_none += rows[i].found;
			continue;
		}
		kinds++;
		found += rows[i].found;
		missed += rows[i].missed;
		false_ends += rows[i].false_ends;
		factor += log(rows[i].count_factor);
		length += log(rows[i].length_factor);
	}
	printf(".It %s Ta %.0f Ta %.1f Ta %.1f Ta %.2f Ta %.2f Ta %.0f\n", rule,
	       100 * found / kinds, 100 * missed / kinds, 100 * false_ends / kinds,
	       exp(factor / kinds), exp(length / kinds), 100 * found_none / none);
}

static void print_half(const struct table_row *rows, size_t count, bool held_back)
{
	printf("%s:\n.Bl -column \"deepest valley, or the mean\" \"found\" \"missed\" \"false\" "
	       "\"count\" \"length\" \"none\"\n"
	       ".It Em rule Ta Em found Ta Em missed Ta Em false Ta Em count Ta Em length Ta Em "
	       "none\n",
	       held_back ? ".Pp\nOver the kinds that were held back"
			 : "Over the kinds by which its constants were chosen");
	for (size_t r = 0; r < train_rule_count; r++)
		print_rule(rows, count, train_rules[r].name, held_back);
	puts(".El");
}

static int print_page(const char *path)
{
	static struct table_row rows[ROWS_MOST];
	const size_t count = read_rows(path, rows);

	if (count == 0)
		return 2;
	print_half(rows, count, false);
	print_half(rows, count, true);
	puts(".Pp\nThe rule of the programs by kind, those held back last:\n"
	     ".Bl -column \"Poisson bursts, silences 10 to 30 gaps\" \"found\" \"missed\" "
	     "\"false\" \"count\" \"length\"\n"
	     ".It Em kind Ta Em found Ta Em missed Ta Em false Ta Em count Ta Em length");
	for (size_t i = 0; i < count; i++)
		if (strcmp(rows[i].rule, train_rules[0].name) == 0 && rows[i].none)
			printf(".It %s Ta %.0f Ta - Ta - Ta - Ta -\n", rows[i].kind,
			       100 * rows[i].found);
		else if (strcmp(rows[i].rule, train_rules[0].name) == 0)
			printf(".It %s Ta %.0f Ta %.1f Ta %.1f Ta %.2f Ta %.2f\n", rows[i].kind,
			       100 * rows[i].found, 100 * rows[i].missed, 100 * rows[i].false_ends,
			       rows[i].count_factor, rows[i].length_factor);
	puts(".El");
	return 0;
}

int main(int argc, char **argv)
{
	uint64_t trains;

	if (argc == 3 && strcmp(argv[1], "--mdoc") == 0)
		return print_page(argv[2]);
	if (argc != 2 || num_parse_count(argv[1], 1, 10000, &trains, NULL) != TR_OK)
		return 2;
	(void)fputs(heading, stdout);
	for (size_t k = 0; k < burst_kind_count; k++)
		print_kind(&burst_kinds[k], (unsigned)trains);
	return 0;
}
