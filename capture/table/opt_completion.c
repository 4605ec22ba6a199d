// SPDX-License-Identifier: GPL-3.0-or-later
// Completion scripts for bash, zsh and fish, from the option table. The scripts hold the options;
// they ask the program for the words of a value (--completion=OPTION), so that these are those of
// the value list, and those of this machine.
#include "table/opt.h"

#include <string.h>

// ---- bash

// "-b|--bin", the patterns of a case.
static void write_patterns(const struct opt *row, FILE *out)
{
	if (row->letter)
		(void)fprintf(out, "-%c%s", row->letter, row->name ? "|" : "");
	if (row->name)
		(void)fprintf(out, "--%s", row->name);
}

// bash cuts words at = and : too, and puts what is completed in the place of the last piece: so the
// option and its value are taken from the line, and of the words that fit only what comes after the
// pieces before is given back.
static const char bash_begin[] =
	"# bash completion for %s\n"
	"_%s_words()\n{\n"
	"\tlocal IFS=$'\\n'\n"
	"\tCOMPREPLY+=($(compgen -W \"$(\"$1\" --completion=\"$2\" 2>/dev/null | cut -f 1 | sort "
	"-u)\" -- \"$cur\"))\n"
	"\tCOMPREPLY=(\"${COMPREPLY[@]#\"$before\"}\") COMPREPLY=(\"${COMPREPLY[@]/#/$lead}\")\n"
	"\tCOMPREPLY=(\"${COMPREPLY[@]// /\\\\ }\")\n"
	"\tcompopt +o filenames 2>/dev/null\n"
	"\t[[ ${#COMPREPLY[@]} -ne 1 || $COMPREPLY != *[:=] ]] || compopt -o nospace 2>/dev/null\n"
	"}\n"
	"_%s()\n{\n"
	"\tlocal line=${COMP_LINE:0:COMP_POINT} piece=${COMP_WORDS[COMP_CWORD]} option cur before "
	"lead\n"
	"\tcur=${line##*[[:space:]]} option=${line%%\"$cur\"} "
	"option=${option%%\"${option##*[^[:space:]]}\"} option=${option##*[[:space:]]}\n"
	"\t[[ $cur != --*=* ]] || { option=${cur%%%%=*} cur=${cur#*=}; }\n"
	"\t[[ $cur != *,* ]] || cur=${cur##*,}\n"
	"\t[[ $piece != [:=] ]] || piece=\n"
	"\tbefore=${cur%%\"${piece##*,}\"} lead=${piece%%\"${piece##*,}\"}\n"
	"\tCOMPREPLY=()\n"
	"\tcase $option in\n";

static void write_bash(const struct opt_set *set, const char *name, FILE *out)
{
	(void)fprintf(out, bash_begin, name, name, name);
	for (size_t i = 0; i < set->count; i++) {
		const struct opt *row = set->rows[i];
		const bool words = opt_has_words(row), file = row->flags & OPT_PATH;

		if (row->type == OPT_TYPE_FLAG || (file && !words))
			continue;
		(void)fputs("\t", out);
		write_patterns(row, out);
		(void)fputs(")", out);
		if (words)
			(void)fprintf(out, " _%s_words \"$1\" %s;", name, row->name);
		if (file)
			(void)fputs(" COMPREPLY+=($(compgen -f -- \"$cur\"));", out);
		(void)fputs(" return ;;\n", out);
	}
	(void)fputs("\tesac\n\tif [[ $cur == -* ]]; then\n\t\tCOMPREPLY=($(compgen -W '", out);
	for (size_t i = 0; i < set->count; i++)
		if (set->rows[i]->name)
			(void)fprintf(out, "%s--%s", i ? " " : "", set->rows[i]->name);
	(void)fputs("' -- \"$cur\"))\n\t\treturn\n\tfi\n", out);
	if (set->operands)
		(void)fprintf(out, "\t_%s_words \"$1\" operands\n", name);
	if (set->command)
		(void)fputs("\tCOMPREPLY+=($(compgen -c -- \"$cur\"))\n", out);
	(void)fprintf(
		out,
		"\tCOMPREPLY+=($(compgen -f -- \"$cur\"))\n}\ncomplete -o filenames -F _%s %s\n",
		name, name);
}

// ---- zsh

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

// What completes a value: files, words or both.
static void write_zsh_action(const char *name, const char *words, bool file, FILE *out)
{
	if (words && file)
		(void)fprintf(out, "{ _%s_words %s; _files }", name, words);
	else if (words)
		(void)fprintf(out, "{ _%s_words %s }", name, words);
	else
		(void)fputs(file ? "_files" : " ", out);
}

// One specification, '--bin=[help]:TIME:action', for the option written as dashes and word.
static void write_zsh_row(const struct opt *row, const char *name, const char *option, FILE *out)
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
		write_zsh_action(name, opt_has_words(row) ? row->name : NULL, row->flags & OPT_PATH,
				 out);
	}
	(void)putc('\'', out);
}

// Words that end in : or = are followed by more.
static const char zsh_begin[] =
	"#compdef %s\n"
	"_%s_words()\n{\n"
	"\tlocal line word\n\tlocal -a open closed\n"
	"\tfor line in ${(f)\"$(${(Q)words[1]} --completion=$1 2>/dev/null)\"}; do\n"
	"\t\tword=${line%%%%$'\\t'*}\n"
	"\t\tline=\"${word//:/\\\\:}:${line#*$'\\t'}\"\n"
	"\t\t[[ $word == *[:=] ]] && open+=($line) || closed+=($line)\n"
	"\tdone\n"
	"\tcompset -P '*,'\n"
	"\t_describe -t words word open -S ''\n"
	"\t_describe -t words word closed\n"
	"}\n"
	"_arguments -s -S";

static void write_zsh(const struct opt_set *set, const char *name, FILE *out)
{
	char option[80];

	(void)fprintf(out, zsh_begin, name, name);
	for (size_t i = 0; i < set->count; i++) {
		const struct opt *row = set->rows[i];

		if (row->letter) {
			(void)snprintf(option, sizeof(option), "-%c", row->letter);
			write_zsh_row(row, name, option, out);
		}
		if (row->name) {
			(void)snprintf(option, sizeof(option), "--%s", row->name);
			write_zsh_row(row, name, option, out);
		}
	}
	(void)fputs(" \\\n\t'*:file:", out);
	if (set->command)
		(void)fputs("_normal", out);
	else
		write_zsh_action(name, set->operands ? "operands" : NULL, true, out);
	(void)fputs("'\n", out);
}

// ---- fish

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
		if (opt_has_words(row))
			(void)fprintf(out, " -a '(%s --completion=%s 2>/dev/null)'", name,
				      row->name);
		(void)fputs(" -d '", out);
		write_fish_text(row->help, out);
		(void)fputs("'\n", out);
	}
	if (set->operands)
		(void)fprintf(out, "complete -c %s -a '(%s --completion=operands 2>/dev/null)'\n",
			      name, name);
	if (set->command)
		(void)fprintf(out, "complete -c %s -a '(__fish_complete_subcommand)'\n", name);
}

enum tr_status opt_completion(const struct opt_set *set, const char *name, const char *shell,
			      FILE *out, struct tr_error *err)
{
	if (!strcmp(shell, "bash"))
		write_bash(set, name, out);
	else if (!strcmp(shell, "zsh"))
		write_zsh(set, name, out);
	else if (!strcmp(shell, "fish"))
		write_fish(set, name, out);
	else
		return tr_fail(err, "no completion for the shell '%.40s': bash, zsh or fish",
			       shell);
	return TR_OK;
}
