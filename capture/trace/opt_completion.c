// SPDX-License-Identifier: GPL-3.0-or-later
// Completion scripts for bash, zsh and fish, from the option table.
#include "trace/opt.h"

#include <string.h>

static void write_choices(const struct opt *row, FILE *out)
{
	for (const struct opt_choice *choice = row->choices; choice->word; choice++)
		(void)fprintf(out, "%s%s", choice == row->choices ? "" : " ", choice->word);
}

// "-b|--bin", the patterns of a case.
static void write_patterns(const struct opt *row, FILE *out)
{
	if (row->letter)
		(void)fprintf(out, "-%c%s", row->letter, row->name ? "|" : "");
	if (row->name)
		(void)fprintf(out, "--%s", row->name);
}

static void write_bash(const struct opt_set *set, const char *name, FILE *out)
{
	(void)fprintf(out,
		      "# bash completion for %s\n_%s()\n{\n"
		      "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
		      "\tif [[ $cur == = ]]; then\n\t\tcur=\n"
		      "\telif [[ $prev == = ]]; then\n\t\tprev=${COMP_WORDS[COMP_CWORD-2]}\n\tfi\n"
		      "\tcase $prev in\n",
		      name, name);
	for (size_t i = 0; i < set->count; i++) {
		const struct opt *row = set->rows[i];

		if (row->type == OPT_TYPE_FLAG || row->flags & OPT_PATH)
			continue;
		(void)fputs("\t", out);
		write_patterns(row, out);
		(void)fputs(")", out);
		if (row->type == OPT_TYPE_CHOICE) {
			(void)fputs(" COMPREPLY=($(compgen -W '", out);
			write_choices(row, out);
			(void)fputs("' -- \"$cur\"));", out);
		}
		(void)fputs(" return ;;\n", out);
	}
	(void)fputs("\tesac\n\tif [[ $cur == -* ]]; then\n\t\tCOMPREPLY=($(compgen -W '", out);
	for (size_t i = 0; i < set->count; i++)
		if (set->rows[i]->name)
			(void)fprintf(out, "%s--%s", i ? " " : "", set->rows[i]->name);
	(void)fprintf(out,
		      "' -- \"$cur\"))\n\t\treturn\n\tfi\n"
		      "\tCOMPREPLY=($(compgen -f -- \"$cur\"))\n}\n"
		      "complete -o filenames -F _%s %s\n",
		      name, name);
}

// Help text inside single quotes of an _arguments specification.
static void write_zsh_text(const char *text, FILE *out)
{
	for (; *text; text++) {
		if (*text == '\'') {
			(void)fputs("'\\''", out);
			continue;
		}
		if (strchr("[]:\\", *text))
			(void)putc('\\', out);
		(void)putc(*text, out);
	}
}

// One specification, '--bin=[help]:TIME:action', for the option written as dashes and word.
static void write_zsh_row(const struct opt *row, const char *option, FILE *out)
{
	bool has_value = row->type != OPT_TYPE_FLAG;

	(void)fprintf(out, " \\\n\t'%s%s%s[", row->type == OPT_TYPE_LIST ? "*" : "", option,
		      !has_value	 ? ""
		      : option[1] == '-' ? "="
					 : "+");
	write_zsh_text(row->help, out);
	(void)putc(']', out);
	if (has_value) {
		(void)putc(':', out);
		write_zsh_text(row->metavar ? row->metavar : "WORD", out);
		(void)putc(':', out);
	}
	if (row->type == OPT_TYPE_CHOICE) {
		(void)putc('(', out);
		write_choices(row, out);
		(void)putc(')', out);
	} else if (row->flags & OPT_PATH) {
		(void)fputs("_files", out);
	} else if (has_value) {
		(void)putc(' ', out);
	}
	(void)putc('\'', out);
}

static void write_zsh(const struct opt_set *set, const char *name, FILE *out)
{
	char option[80];

	(void)fprintf(out, "#compdef %s\n_arguments -s -S", name);
	for (size_t i = 0; i < set->count; i++) {
		const struct opt *row = set->rows[i];

		if (row->letter) {
			(void)snprintf(option, sizeof(option), "-%c", row->letter);
			write_zsh_row(row, option, out);
		}
		if (row->name) {
			(void)snprintf(option, sizeof(option), "--%s", row->name);
			write_zsh_row(row, option, out);
		}
	}
	(void)fputs(" \\\n\t'*:file:_files'\n", out);
}

// Text inside single quotes.
static void write_fish_text(const char *text, FILE *out)
{
	for (; *text; text++) {
		if (strchr("'\\", *text))
			(void)putc('\\', out);
		(void)putc(*text, out);
	}
}

static void write_fish(const struct opt_set *set, const char *name, FILE *out)
{
	(void)fprintf(out, "# fish completion for %s\n", name);
	for (size_t i = 0; i < set->count; i++) {
		const struct opt *row = set->rows[i];

		(void)fprintf(out, "complete -c %s", name);
		if (row->letter)
			(void)fprintf(out, " -s %c", row->letter);
		if (row->name)
			(void)fprintf(out, " -l %s", row->name);
		if (row->type != OPT_TYPE_FLAG)
			(void)fputs(row->flags & OPT_PATH ? " -r -F" : " -x", out);
		if (row->type == OPT_TYPE_CHOICE) {
			(void)fputs(" -a '", out);
			write_choices(row, out);
			(void)putc('\'', out);
		}
		(void)fputs(" -d '", out);
		write_fish_text(row->help, out);
		(void)fputs("'\n", out);
	}
}

enum tr_status opt_completion(const struct opt_set *set, const char *name, const char *shell, FILE *out, struct tr_error *err)
{
	if (!strcmp(shell, "bash"))
		write_bash(set, name, out);
	else if (!strcmp(shell, "zsh"))
		write_zsh(set, name, out);
	else if (!strcmp(shell, "fish"))
		write_fish(set, name, out);
	else
		return tr_fail(err, "no completion for the shell '%.40s': bash, zsh or fish", shell);
	return TR_OK;
}
