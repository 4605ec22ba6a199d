// SPDX-License-Identifier: GPL-3.0-or-later
#include "page/svg_scan.h"

#include <string.h>

#define BLANKS " \t\r\n"

bool svg_piece_is(struct svg_piece piece, const char *word)
{
	return strlen(word) == piece.bytes && memcmp(piece.at, word, piece.bytes) == 0;
}

struct svg_piece svg_attribute(const struct svg_token *token, const char *name)
{
	for (size_t i = 0; i < token->attribute_count; i++)
		if (svg_piece_is(token->attributes[i].name, name))
			return token->attributes[i].value;
	return (struct svg_piece){"", 0};
}

static struct svg_piece take_name(const char **at)
{
	struct svg_piece name = {*at, strcspn(*at, BLANKS "=/<>'\"")};

	*at += name.bytes;
	return name;
}

static enum tr_status take_attribute(const char **at, struct svg_token *token, struct tr_error *err)
{
	struct svg_attribute attribute = {.name = take_name(at)};
	char quote;

	*at += strspn(*at, BLANKS);
	if (attribute.name.bytes == 0 || **at != '=' || token->attribute_count == SVG_ATTRIBUTES_MAX)
		return tr_fail(err, "expected an attribute at \"%.20s\"", attribute.name.at);
	(*at)++;
	*at += strspn(*at, BLANKS);
	quote = **at;
	if (quote != '\'' && quote != '"')
		return tr_fail(err, "expected a quote at \"%.20s\"", *at);
	(*at)++;
	attribute.value.at = *at;
	attribute.value.bytes = strcspn(*at, quote == '"' ? "\"<" : "'<\"");
	*at += attribute.value.bytes;
	if (**at != quote)
		return tr_fail(err, "expected the end of \"%.20s\"", attribute.value.at);
	(*at)++;
	token->attributes[token->attribute_count++] = attribute;
	return TR_OK;
}

// From behind the "<" to behind the ">".
static enum tr_status take_tag(const char **at, struct svg_token *token, struct tr_error *err)
{
	token->type = **at == '/' ? SVG_CLOSE : SVG_OPEN;
	*at += token->type == SVG_CLOSE;
	token->name = take_name(at);
	for (;;) {
		*at += strspn(*at, BLANKS);
		if (**at == '>' || (**at == '/' && (*at)[1] == '>'))
			break;
		if (take_attribute(at, token, err) != TR_OK)
			return TR_ERROR;
	}
	token->empty = **at == '/';
	*at += token->empty ? 2 : 1;
	return token->name.bytes ? TR_OK : tr_fail(err, "a tag without a name");
}

// Steps over what begins with "<?" or "<!"; false where it does not end.
static bool skip_declaration(const char **at)
{
	const char *end = strncmp(*at, "<!--", 4) == 0 ? strstr(*at, "-->") : strchr(*at, '>');

	if (end)
		*at = strchr(end, '>') + 1;
	return end;
}

enum tr_status svg_scan(const char **text, struct svg_token *token, struct tr_error *err)
{
	token->attribute_count = 0;
	token->empty = false;
	while ((*text)[0] == '<' && ((*text)[1] == '?' || (*text)[1] == '!'))
		if (!skip_declaration(text))
			return tr_fail(err, "a comment without an end");
	if (**text == '\0')
		return TR_END;
	if (**text == '<') {
		(*text)++;
		return take_tag(text, token, err);
	}
	token->type = SVG_TEXT;
	token->name = (struct svg_piece){*text, strcspn(*text, "<")};
	*text += token->name.bytes;
	return TR_OK;
}
