// SPDX-License-Identifier: GPL-3.0-or-later
// Equations in plain text, as manual pages print them, as LaTeX's math.
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "page/latex_text.h"

#define GROUPS_MAX 8 // one in another
#define ANY_LENGTH 1000

struct equation {
	FILE *out;
	bool math;    // between two "$"
	bool operand; // after something that a factor may follow
	char base;    // last letter, for its superscript
	unsigned depth;
};

// Operators; one that is a word of the language too is math only before a letter or a sign.
static const struct {
	const char *word, *latex;
	bool also_word;
} operators[] = {{"Var", "\\mathrm{Var}", false},
		 {"exp", "\\exp", false},
		 {"ln", "\\ln", false},
		 {"log2", "\\log_2", false},
		 {"log10", "\\log_{10}", false},
		 {"sin", "\\sin", false},
		 {"cos", "\\cos", false},
		 {"sd", "\\mathrm{sd}", false},
		 {"pi", "\\pi", false},
		 {"km", "km", false},
		 {"qf", "qf", false},
		 {"dx", "\\,dx", false},
		 {"sup", "\\sup", false},
		 {"max", "\\max", true},
		 {"min", "\\min", true},
		 {"sum", "\\sum", true},
		 {"mean", "\\mathrm{mean}", true},
		 {"integral of", "\\int", false}};

// Signs, longer ones first. What parts sentences stays text.
static const struct {
	const char *sign, *latex;
	bool operand;
} signs[] = {{"...", "\\ldots", true}, {"<=", "\\leq ", false}, {">=", "\\geq ", false},
	     {"+-", "\\pm ", false},   {"~", "\\sim ", false},	{"<", "<", false},
	     {">", ">", false},	       {"=", "=", false},	{"+", "+", false},
	     {"-", "-", false},	       {"/", "/", false},	{"|", "|", true},
	     {"(", "(", false},	       {")", ")", true},	{"[", "[", false},
	     {"]", "]", true}};

static void set_math(struct equation *equation, bool math)
{
	if (equation->math != math && equation->depth == 0) {
		(void)fputs(math ? "$" : equation->operand ? "$" : "{}$", equation->out);
		equation->math = math;
		equation->operand = false;
	}
}

// Between a factor and an operator a line may break.
static void put_operand(struct equation *equation, const char *text, size_t bytes, bool parted)
{
	if (parted && !equation->math && equation->depth == 0)
		(void)fputc(' ', equation->out);
	set_math(equation, true);
	if (parted && equation->operand)
		(void)fputs(equation->depth == 0 && *text == '\\' && bytes > strlen("\\pi")
				    ? "\\,\\allowbreak"
				    : "\\,",
			    equation->out);
	(void)fprintf(equation->out, "%.*s", (int)bytes, text);
	equation->operand = true;
}

// A word with its hyphens and apostrophes, a digit at the end of a logarithm.
static size_t term_bytes(const char *text)
{
	size_t at = 0;

	while (isalpha((unsigned char)text[at]) || (at > 1 && strchr("-'", text[at]) && text[at] &&
						    isalpha((unsigned char)text[at + 1])))
		at++;
	if (at == 3 && strncmp(text, "log", 3) == 0)
		at += strspn(text + 3, "0123456789");
	if (at == 8 && strncmp(text, "integral of", 11) == 0)
		at = 11;
	return at;
}

// Whether what follows is math rather than a word.
static bool takes_operand(const char *rest)
{
	rest += strspn(rest, " ");
	return term_bytes(rest) == 1 || *rest == '|' || *rest == '(' || *rest == '_' ||
	       strncmp(rest, "ln", 2) == 0;
}

static const char *operator_of(const char *text, size_t bytes)
{
	for (size_t i = 0; i < sizeof(operators) / sizeof(*operators); i++)
		if (strlen(operators[i].word) == bytes &&
		    strncmp(text, operators[i].word, bytes) == 0)
			return !operators[i].also_word || takes_operand(text + bytes)
				       ? operators[i].latex
				       : NULL;
	return NULL;
}

static void put_term(struct equation *equation, const char *text, size_t bytes, bool parted)
{
	const char *operator= operator_of(text, bytes);
	const bool article = bytes == 1 && *text == 'a' && text[1] == ' ' &&
			     term_bytes(text + 2) > 1;

	equation->base = bytes == 1 ? *text : '\0';
	if (operator) {
		put_operand(equation, operator, strlen(operator), parted);
		if (isalpha((unsigned char)operator[strlen(operator) - 1]))
			(void)fputc(' ', equation->out);
	} else if (bytes == 1 && !article) {
		put_operand(equation, text, 1, parted);
	} else {
		char word[64];

		set_math(equation, false);
		(void)snprintf(word, sizeof(word), "%s%.*s", parted ? " " : "", (int)bytes, text);
		latex_write_words(equation->out, word, ANY_LENGTH);
	}
}

static size_t group_bytes(const char *text)
{
	size_t at = 0, open = 0;

	if (*text != '(')
		return isdigit((unsigned char)*text) ? strspn(text, "0123456789") : *text != '\0';
	do {
		open += text[at] == '(';
		open -= text[at] == ')';
		at++;
	} while (open > 0 && text[at] != '\0');
	return at;
}

static void put_equation_part(struct equation *equation, const char *text, size_t bytes);

// A root of what is in parentheses.
static size_t put_root(struct equation *equation, const char *text, bool parted)
{
	const size_t word = strlen("sqrt"), bytes = group_bytes(text + word);

	put_operand(equation, "\\sqrt{", strlen("\\sqrt{"), parted);
	equation->depth++;
	equation->operand = false;
	put_equation_part(equation, text + word + 1, bytes - 2);
	equation->depth--;
	equation->operand = true;
	(void)fputc('}', equation->out);
	return word + bytes;
}

// A superscript or subscript. That of a mean over blocks, X^(m), keeps its parentheses.
static size_t put_script(struct equation *equation, const char *text)
{
	const size_t bytes = group_bytes(text + 1);
	const bool bare = text[1] == '(' && bytes > 2 &&
			  !(equation->base == 'X' && text[bytes - 1] == 'm');

	if (bytes == 0 || equation->depth == GROUPS_MAX)
		return 0;
	set_math(equation, true);
	(void)fprintf(equation->out, "%c{", *text);
	equation->depth++;
	equation->operand = false;
	put_equation_part(equation, text + 1 + bare, bytes - 2 * (size_t)bare);
	equation->depth--;
	equation->operand = true;
	(void)fputc('}', equation->out);
	return bytes + 1;
}

static size_t put_sign(struct equation *equation, const char *text)
{
	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++)
		if (strncmp(text, signs[i].sign, strlen(signs[i].sign)) == 0) {
			set_math(equation, true);
			(void)fputs(signs[i].latex, equation->out);
			equation->operand = signs[i].operand;
			return strlen(signs[i].sign);
		}
	return 0;
}

// One token; returns its bytes. parted: a blank is before it.
static size_t put_token(struct equation *equation, const char *text, bool parted)
{
	size_t bytes = term_bytes(text);
	char other[2] = {*text, '\0'};

	if (strncmp(text, "sqrt(", 5) == 0 && equation->depth < GROUPS_MAX &&
	    group_bytes(text + 4) > 2)
		return put_root(equation, text, parted);
	if (bytes > 0) {
		put_term(equation, text, bytes, parted);
		return bytes;
	}
	bytes = strspn(text, "0123456789");
	if (text[bytes] == '.' && isdigit((unsigned char)text[bytes + 1]))
		bytes += 1 + strspn(text + bytes + 1, "0123456789");
	if (bytes > 0) {
		put_operand(equation, text, bytes, parted);
		return bytes;
	}
	if (!equation->math && equation->depth == 0 && parted)
		(void)fputc(' ', equation->out);
	bytes = *text == '^' || *text == '_' ? put_script(equation, text)
					     : put_sign(equation, text);
	if (bytes > 0)
		return bytes;
	if (*text == ',' && equation->math && text[1] != ' ') {
		(void)fputc(',', equation->out);
		equation->operand = false;
		return 1;
	}
	set_math(equation, false);
	latex_write_words(equation->out, other, ANY_LENGTH);
	return 1;
}

static void put_equation_part(struct equation *equation, const char *text, size_t bytes)
{
	const char *end = text + bytes;

	while (text < end) {
		const size_t blanks = strspn(text, " ");

		text += blanks;
		if (text < end)
			text += put_token(equation, text, blanks > 0);
	}
}

void latex_write_equation(FILE *out, const char *text)
{
	struct equation equation = {.out = out};

	put_equation_part(&equation, text, strlen(text));
	set_math(&equation, false);
}
