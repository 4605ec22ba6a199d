// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file/spawn.h"
#include "table/opt.h"

static const struct opt_choice sizes[] = {{"payload", 0}, {"wire", 1}, {NULL, 0}};

// The variables of a program and its rows.
struct program {
	struct num_ratio bin;
	uint64_t seed;
	double scale;
	const char *name;
	const char *nodes;
	int size;
	bool each;
	bool quiet;
	struct opt_list notes;
	struct opt own[10];
	struct opt common[2];
	struct opt_set set;
};

static void program_make(struct program *p)
{
	*p = (struct program){.bin = {1, 100}, .seed = 1, .scale = 0.1, .name = "fft"};
	struct opt own[] = {
		OPT_TIME('b', "bin", &p->bin, "width of one bin"),
		OPT_COUNT('s', "seed", &p->seed, "seed of the random streams"),
		OPT_REAL(0, "scale", &p->scale, "factor"),
		OPT_STRING(0, "name", "NAME", &p->name, "what to call it"),
		OPT_FILE(0, "nodes", &p->nodes, "names and roles of the nodes"),
		OPT_CHOICE(0, "size", &p->size, sizes, "the size that travels"),
		OPT_FLAG('U', NULL, &p->each, "write each record immediately"),
		OPT_LIST(0, "note", "TEXT", &p->notes, "add a line to the provenance"),
		OPT_END,
	};
	struct opt common[] = {OPT_SILENT_FLAG('q', "quiet", &p->quiet, "say less"), OPT_END};

	memcpy(p->own, own, sizeof(own));
	memcpy(p->common, common, sizeof(common));
	p->own[1].max = 99;
	opt_set_make(&p->set, p->own, p->common);
}

static enum tr_status parse(struct program *p, const char *const *words, int *operand,
			    struct tr_error *err)
{
	static char *argv[16];
	int argc = 0;

	argv[argc++] = (char *)"prog";
	for (; *words; words++)
		argv[argc++] = (char *)*words;
	argv[argc] = NULL;
	return opt_parse(&p->set, argc, argv, operand, err);
}

static void reads_every_type(void **state)
{
	const char *const words[] = {"one",	 "-b",	   "6.25ns",   "--seed=7",    "--scale",
				     "2e3",	 "two",	   "--name=x", "--size=wire", "-UqU",
				     "--note=a", "--note", "b",	       "--",	      NULL};
	struct program p;
	int operand = 0;

	(void)state;
	program_make(&p);
	assert_int_equal(parse(&p, words, &operand, NULL), TR_OK);
	assert_int_equal(operand, 13); // two operands at the end of 15 words
	assert_int_equal(p.bin.den, 160000000);
	assert_int_equal(p.seed, 7);
	assert_true(p.scale == 2000);
	assert_string_equal(p.name, "x");
	assert_int_equal(p.size, 1);
	assert_true(p.each && p.quiet);
	assert_int_equal(p.notes.count, 2);
	assert_string_equal(p.notes.words[1], "b");
	assert_true(opt_given(&p.set, "bin"));
	assert_false(opt_given(&p.set, "nodes"));
	opt_set_clear(&p.set);
	assert_null(p.notes.words);
}

static void misuse_is_named(void **state)
{
	static const struct {
		const char *words[3];
		const char *message;
	} cases[] = {
		{{"--nonsense", NULL}, "unknown or ambiguous option '--nonsense'"},
		{{"--n=1", NULL}, "unknown or ambiguous option '--n=1'"},
		{{"-x", NULL}, "unknown option '-x'"},
		{{"-Ux", NULL}, "unknown option '-x'"},
		{{"--seed", NULL}, "option '--seed' needs a value"},
		{{"-b", NULL}, "option '--bin' needs a value"},
		{{"--quiet=yes", NULL}, "option '--quiet' takes no value"},
		{{"-b1s", "--bin=2s", NULL},
		 "option '--bin' takes one value: it is given as '1s' and again as '2s'"},
		{{"-s1", "-s1", NULL},
		 "option '--seed' takes one value: it is given as '1' and again as '1'"},
		{{"--name=", "--name=x", NULL},
		 "option '--name' takes one value: it is given as '' and again as 'x'"},
		{{"--scale=1", "--scale=2", NULL},
		 "option '--scale' takes one value: it is given as '1' and again as '2'"},
		{{"--size=wire", "--size=payload", NULL},
		 "option '--size' takes one value: it is given as 'wire' and again as 'payload'"},
		{{"--seed=100", NULL}, "option '--seed': '100' is not a whole number from 0 to 99"},
		{{"-b", "-1s", NULL}, "option '--bin': '-1s' is negative"},
		{{"--size=big", NULL}, "option '--size': 'big' is not one of payload wire"},
		{{"--scale=2x", NULL}, "option '--scale': '2x' is not a real number"},
	};
	struct tr_error err;
	struct program p;
	int operand;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		program_make(&p);
		assert_int_equal(parse(&p, cases[i].words, &operand, &err), TR_ERROR);
		assert_string_equal(err.text, cases[i].message);
		opt_set_clear(&p.set);
	}
}

// What `write` puts out, as text; the caller frees it.
static char *written(struct program *p, void (*write)(struct program *p, FILE *out))
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	write(p, out);
	assert_int_equal(fclose(out), 0);
	return text;
}

static void write_record(struct program *p, FILE *out)
{
	opt_record(&p->set, out);
}

static void write_help(struct program *p, FILE *out)
{
	opt_help(&p->set, "prog", "[-U] [file ...]", "Does one thing.", out);
}

static void records_what_matters(void **state)
{
	const char *const words[] = {"--seed=1",    "-q",	"--nodes=/some/folder/nodes.txt",
				     "--note=a\nb", "-b",	"20/3ns",
				     "-U",	    "--note=c", NULL};
	struct program p;
	int operand;
	char *text;

	(void)state;
	program_make(&p);
	text = written(&p, write_record);
	assert_string_equal(text, "");
	free(text);
	assert_int_equal(parse(&p, words, &operand, NULL), TR_OK);
	p.scale = 1.0 / 3.0; // set by the program itself
	text = written(&p, write_record);
	assert_string_equal(text, "--bin=1/150000000\n--seed=1\n--scale=0.3333333333333333\n"
				  "--nodes=nodes.txt\n-U\n--note=a?b\n--note=c\n");
	free(text);
	opt_set_clear(&p.set);
}

static void help_shows_rows_and_defaults(void **state)
{
	const char *const words[] = {"--seed=5", NULL};
	struct program p;
	int operand;
	char *text;

	(void)state;
	program_make(&p);
	assert_int_equal(parse(&p, words, &operand, NULL),
			 TR_OK); // --help may follow other options
	text = written(&p, write_help);
	assert_string_equal(
		text, "usage: prog [-U] [file ...]\nDoes one thing.\n\n  -b, --bin=TIME           "
		      "width of one bin [default: 10ms]\n  -s, --seed=N             seed of the "
		      "random streams [default: 1]\n      --scale=X            factor [default: "
		      "0.1]\n      --name=NAME          what to call it [default: fft]\n      "
		      "--nodes=FILE         names and roles of the nodes\n      "
		      "--size=payload|wire  the size that travels [default: payload]\n  -U         "
		      "              write each record immediately\n      --note=TEXT          add "
		      "a line to the provenance\n  -q, --quiet              say less\n");
	free(text);
}

static void help_wraps(void **state)
{
	static const char words[] =
		"a help of many words that does not fit on one line of a terminal and goes on "
		"to a second and even to a third one, with its words whole";
	bool flag = false;
	struct opt rows[] = {OPT_FLAG(0, "an-option-whose-name-is-long", &flag, words), OPT_END};
	struct opt_set set;
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	size_t column = 0;

	(void)state;
	assert_non_null(out);
	opt_set_make(&set, rows, NULL);
	opt_help(&set, "prog", "[file]", "Short.", out);
	assert_int_equal(fclose(out), 0);
	for (size_t i = 0; i < size; i++) {
		column = text[i] == '\n' ? 0 : column + 1;
		assert_true(column <= 80);
	}
	assert_non_null(strstr(text, "whole\n"));
	free(text);
}

// Writes the shell's script to a file and has the shell check its syntax.
static void check_script(const char *shell, const char *dry_run)
{
	char path[] = "/tmp/opt-test-XXXXXX";
	const char *const argv[] = {shell, dry_run, path, NULL};
	struct tr_error err = {""};
	struct program p;
	int descriptor = mkstemp(path);
	FILE *out = fdopen(descriptor, "w");

	assert_non_null(out);
	program_make(&p);
	assert_int_equal(opt_completion(&p.set, "prog", shell, out, NULL), TR_OK);
	assert_int_equal(fclose(out), 0);
	if (tr_spawn(argv, NULL, NULL, &err) != TR_OK && !strstr(err.text, "cannot be run"))
		fail_msg("%s", err.text);
	(void)unlink(path);
}

static void completions_are_scripts(void **state)
{
	struct tr_error err = {""};
	struct program p;

	(void)state;
	check_script("bash", "-n");
	check_script("zsh", "-n");
	check_script("fish", "-n");
	program_make(&p);
	assert_int_equal(opt_completion(&p.set, "prog", "csh", stdout, &err), TR_ERROR);
	assert_string_equal(err.text, "no completion for the shell 'csh': bash, zsh or fish");
}

// Rules: what has no effect is misuse; a rule about an option that is not there is found by any
// command line.
static void rules(void **state)
{
	static const struct {
		const char *words[6];
		const char *why; // NULL: accepted
	} cases[] = {
		{{"--zip", NULL}, "--zip has no effect without --write or --links"},
		{{"--zip", "--links", "l", NULL}, NULL},
		{{"--dot", "--form", "gm", NULL}, "--dot cannot be combined with --form gm"},
		{{"--dot", NULL}, NULL},
		{{"--write", "-", "--dot", NULL}, "--dot cannot be combined with --write -"},
		{{"--write", "-x", "--dot", NULL}, NULL},
	};
	static const struct opt_choice forms[] = {{"text", 0}, {"gm", 1}, {NULL, 0}};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *write = NULL, *links = NULL;
		bool zip = false, dot = false;
		int form = 0;
		const struct opt own[] = {OPT_FLAG('z', "zip", &zip, ""),
					  OPT_FLAG(0, "dot", &dot, ""),
					  OPT_FILE('w', "write", &write, ""),
					  OPT_FILE(0, "links", &links, ""),
					  OPT_CHOICE(0, "form", &form, forms, ""),
					  OPT_ONLY_WITH("zip", "write,links"),
					  OPT_NOT_WITH("dot", "form=gm,write=-"),
					  OPT_END};
		struct opt_set set;
		struct tr_error err = {""};
		char *argv[8] = {(char *)"prog"};
		int argc = 1, operand;

		while (cases[i].words[argc - 1]) {
			argv[argc] = (char *)cases[i].words[argc - 1];
			argc++;
		}
		opt_set_make(&set, own, NULL);
		assert_int_equal(set.count, 5);
		assert_int_equal(opt_parse(&set, argc, argv, &operand, &err),
				 cases[i].why ? TR_ERROR : TR_OK);
		assert_string_equal(err.text, cases[i].why ? cases[i].why : "");
	}
}

static void rule_of_no_option(void **state)
{
	bool dot = false;
	const struct opt own[] = {OPT_FLAG(0, "dot", &dot, ""), OPT_NOT_WITH("dot", "svg"),
				  OPT_END};
	char *argv[] = {(char *)"prog", NULL};
	struct tr_error err = {""};
	struct opt_set set;
	int operand;

	(void)state;
	opt_set_make(&set, own, NULL);
	assert_int_equal(opt_parse(&set, 1, argv, &operand, &err), TR_ERROR);
	assert_string_equal(err.text,
			    "the rule \"svg\" of \"dot\" names an option that is not there");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_every_type),
		cmocka_unit_test(misuse_is_named),
		cmocka_unit_test(records_what_matters),
		cmocka_unit_test(help_shows_rows_and_defaults),
		cmocka_unit_test(help_wraps),
		cmocka_unit_test(completions_are_scripts),
		cmocka_unit_test(rules),
		cmocka_unit_test(rule_of_no_option),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
