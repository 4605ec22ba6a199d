// SPDX-License-Identifier: GPL-3.0-or-later
#include "table/keys.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "value/num.h"

#define PRESET_DEPTH 4u
#define NEEDS_MOST 8u // keys that one needs, one behind the other

// By enum key_type.
static const struct {
	const char *takes;
	bool is_ratio;
	enum num_dimension dimension;
} types[] = {
	[KEY_TIME] = {"TIME", true, NUM_TIME},	     [KEY_RATE] = {"RATE", true, NUM_RATE},
	[KEY_LENGTH] = {"LENGTH", true, NUM_LENGTH}, [KEY_SPEED] = {"SPEED", true, NUM_SPEED},
	[KEY_NUMBER] = {"NUMBER", true, NUM_PLAIN},  [KEY_BYTES] = {"SIZE", false, NUM_SIZE},
	[KEY_COUNT] = {"N", false, NUM_PLAIN},	     [KEY_TEXT] = {"TEXT", false, NUM_PLAIN},
};

const struct key *keys_find(const struct key *keys, const char *name, size_t length)
{
	for (; keys->type != KEY_END; keys++)
		if (strlen(keys->name) == length && memcmp(keys->name, name, length) == 0)
			return keys;
	return NULL;
}

const char *keys_takes(const struct key *key)
{
	return key->words ? key->words : types[key->type].takes;
}

static enum tr_status read_ratio(const struct key *key, const char *value, struct num_ratio *out,
				 struct tr_error *err)
{
	if (num_parse(value, types[key->type].dimension, out, err) != TR_OK)
		return TR_ERROR;
	return out->num < 0 ? tr_fail(err, "'%.100s' is negative", value) : TR_OK;
}

static enum tr_status read_bytes(const struct key *key, const char *value, uint64_t *out,
				 struct tr_error *err)
{
	struct num_ratio size;

	if (read_ratio(key, value, &size, err) != TR_OK)
		return TR_ERROR;
	if (size.den != 1)
		return tr_fail(err, "'%.100s' is not a whole number of bytes", value);
	*out = (uint64_t)size.num;
	return TR_OK;
}

// Where the words are no and yes, in this order or the other, some write off and on.
static const char *meant(const struct key *key, const char *value)
{
	const bool off = strcmp(value, "off") == 0;

	if ((!off && strcmp(value, "on") != 0) ||
	    !(strcmp(key->words, "no|yes") == 0 || strcmp(key->words, "yes|no") == 0))
		return "";
	return off ? ": write no" : ": write yes";
}

static enum tr_status keys_read_word(const struct key *key, const char *value, unsigned *place,
				     struct tr_error *err)
{
	size_t length = strlen(value);

	*place = 0;
	for (const char *word = key->words;; word++, (*place)++) {
		size_t bytes = strcspn(word, "|");

		if (bytes == length && memcmp(word, value, length) == 0)
			return TR_OK;
		word += bytes;
		if (*word == '\0')
			return tr_fail(err, "'%.100s' is not one of %s%s", value, key->words,
				       meant(key, value));
	}
}

static enum tr_status read_text(const char *value, char *out, struct tr_error *err)
{
	if (strlen(value) >= KEY_TEXT_BYTES)
		return tr_fail(err, "longer than %u characters", KEY_TEXT_BYTES - 1);
	memcpy(out, value, strlen(value) + 1);
	return TR_OK;
}

enum tr_status keys_set(const struct key *key, void *params, const char *value,
			struct tr_error *err)
{
	void *member = (char *)params + key->offset_bytes;
	enum tr_status status = TR_OK;
	struct num_ratio ratio = {0, 1};
	unsigned place = 0;
	uint64_t count = 0;

	switch (key->type) {
	case KEY_BYTES: status = read_bytes(key, value, &count, err); break;
	case KEY_COUNT: status = num_parse_count(value, 0, UINT64_MAX, &count, err); break;
	case KEY_WORD:
	case KEY_FLAG: status = keys_read_word(key, value, &place, err); break;
	case KEY_TEXT: status = read_text(value, member, err); break;
	default: status = read_ratio(key, value, &ratio, err); break;
	}
	if (status != TR_OK)
		return tr_fail_in(err, "%s", key->name);
	if (types[key->type].is_ratio)
		*(struct num_ratio *)member = ratio;
	else if (key->type == KEY_BYTES || key->type == KEY_COUNT)
		*(uint64_t *)member = count;
	else if (key->type == KEY_WORD)
		*(unsigned *)member = place;
	else if (key->type == KEY_FLAG)
		*(bool *)member = place != 0;
	return TR_OK;
}

static const char *word_at(const struct key *key, unsigned place, char *out, size_t out_bytes)
{
	const char *word = key->words;

	while (place-- > 0)
		word += strcspn(word, "|") + 1;
	(void)snprintf(out, out_bytes, "%.*s", (int)strcspn(word, "|"), word);
	return out;
}

const char *keys_value(const struct key *key, const void *params, char *out, size_t out_bytes)
{
	const void *member = (const char *)params + key->offset_bytes;

	switch (key->type) {
	case KEY_BYTES:
		return num_format_exact((struct num_ratio){(int64_t) * (const uint64_t *)member, 1},
					NUM_SIZE, out, out_bytes);
	case KEY_COUNT:
		(void)snprintf(out, out_bytes, "%" PRIu64, *(const uint64_t *)member);
		return out;
	case KEY_WORD: return word_at(key, *(const unsigned *)member, out, out_bytes);
	case KEY_FLAG: return word_at(key, *(const bool *)member, out, out_bytes);
	case KEY_TEXT: (void)snprintf(out, out_bytes, "%s", (const char *)member); return out;
	default:
		return num_format_exact(*(const struct num_ratio *)member,
					types[key->type].dimension, out, out_bytes);
	}
}

static const char *keys_skip_blanks(const char *text)
{
	while (*text == ' ' || *text == '\t' || *text == '\r')
		text++;
	return text;
}

// Skips separators between items.
static const char *skip_separators(const char *text)
{
	for (;;) {
		text = keys_skip_blanks(text);
		if (*text == '#')
			text += strcspn(text, "\n");
		else if (*text == ',' || *text == '\n')
			text++;
		else
			return text;
	}
}

static size_t without_blanks(const char *text, size_t length)
{
	while (length > 0 && strchr(" \t\r", text[length - 1]))
		length--;
	return length;
}

enum tr_status keys_next(const char **text, struct key_item *item, struct tr_error *err)
{
	const char *start = skip_separators(*text);
	size_t length = strcspn(start, ",\n#");
	const char *sign = memchr(start, '=', length);
	const char *value;
	size_t bytes;

	if (*start == '\0')
		return TR_END;
	if (!sign || sign == start)
		return tr_fail(err, "\"%.*s\" is not KEY=VALUE", (int)(length < 60 ? length : 60),
			       start);
	value = keys_skip_blanks(sign + 1);
	bytes = value < start + length ? without_blanks(value, (size_t)(start + length - value))
				       : 0;
	if (bytes >= sizeof(item->value))
		return tr_fail(err, "%.40s... is longer than %u characters", start,
			       KEY_TEXT_BYTES - 1);
	item->name = start;
	item->name_bytes = without_blanks(start, (size_t)(sign - start));
	memcpy(item->value, value, bytes);
	item->value[bytes] = '\0';
	*text = start + length;
	return TR_OK;
}

static bool is_zero(const struct key *key, const void *params)
{
	const void *member = (const char *)params + key->offset_bytes;

	if (types[key->type].is_ratio)
		return ((const struct num_ratio *)member)->num == 0;
	if (key->type == KEY_TEXT)
		return *(const char *)member == '\0';
	return *(const uint64_t *)member == 0;
}

// Whether value is one of the words.
static bool keys_is_word(const char *words, const char *value)
{
	const size_t length = strlen(value);

	for (;; words++) {
		const size_t bytes = strcspn(words, "|");

		if (bytes == length && memcmp(words, value, length) == 0)
			return true;
		words += bytes;
		if (*words == '\0')
			return false;
	}
}

// What the key needs, or what that needs, and is not so; NULL: nothing. Two keys may need each
// other.
static const char *keys_unmet(const struct key *keys, const struct key *key, const void *params)
{
	char value[KEY_TEXT_BYTES];

	for (size_t i = 0; key->needs && i < NEEDS_MOST; i++) {
		const char *needs = key->needs;
		const size_t length = strcspn(needs, "=");

		key = keys_find(keys, needs, length);
		if (!key)
			return NULL;
		if (needs[length] == '\0'
			    ? is_zero(key, params)
			    : !keys_is_word(needs + length + 1,
					    keys_value(key, params, value, sizeof(value))))
			return needs;
	}
	return NULL;
}

size_t keys_name_bytes(const char *text)
{
	return strcspn(text, ": \t\r\n,#");
}

const char *keys_skip_comments(const char *text)
{
	for (;;) {
		text += strspn(text, " \t\r\n");
		if (*text != '#')
			return text;
		text += strcspn(text, "\n");
	}
}

const char *keys_behind_name(const char *text)
{
	text = keys_skip_comments(text);
	text += keys_name_bytes(text);
	text += strspn(text, " \t\r");
	return text + (*text == ':');
}

#define NAMED_MAX 6u // keys that an error names; of more it says only where they are listed

// "; expected tie, seed or root", "; dimension takes none", or nothing where they are many.
static const char *name_keys(const struct key_kind *kind, char *out, size_t out_bytes)
{
	size_t count = 0;
	size_t used = 0;

	while (kind->keys[count].type != KEY_END)
		count++;
	if (count == 0)
		(void)snprintf(out, out_bytes, "; %s takes none", kind->name);
	if (count == 0 || count > NAMED_MAX)
		return out;
	for (size_t i = 0; i < count && used < out_bytes; i++)
		used += (size_t)snprintf(out + used, out_bytes - used, "%s%s",
					 i == 0		  ? "; expected "
					 : i + 1 == count ? " or "
							  : ", ",
					 kind->keys[i].name);
	return out;
}

static enum tr_status no_key(const struct key_kind *kind, const struct key_item *item,
			     struct tr_error *err)
{
	char names[200] = "";

	return tr_fail(err, "no key \"%.*s\"%s (%s)",
		       (int)(item->name_bytes < 60 ? item->name_bytes : 60), item->name,
		       name_keys(kind, names, sizeof(names)), kind->list);
}

static enum tr_status no_preset(const struct key_kind *kind, const char *name, struct tr_error *err)
{
	char names[300] = "";
	size_t used = 0;

	for (const struct key_preset *preset = kind->presets; preset->kind && used < sizeof(names);
	     preset++)
		if (strcmp(preset->kind, kind->name) == 0)
			used += (size_t)snprintf(names + used, sizeof(names) - used, "%s %s",
						 used > 0 ? "" : ", but", preset->name);
	return tr_fail(err, "no preset \"%.60s\"%s (%s)", name, names, kind->list);
}

static enum tr_status read_items(const struct key_kind *kind, const char *text, unsigned depth,
				 void *params, struct keys_given *given, struct tr_error *err);

// Applies a preset, which may begin with another one.
static enum tr_status read_preset(const struct key_kind *kind, const char *name, unsigned depth,
				  void *params, struct keys_given *given, struct tr_error *err)
{
	const struct key_preset *preset = kind->presets;
	struct keys_given own = {0};

	while (preset->kind &&
	       (strcmp(preset->kind, kind->name) != 0 || strcmp(preset->name, name) != 0))
		preset++;
	if (!preset->kind || depth == 0)
		return no_preset(kind, name, err);
	if (read_items(kind, keys_behind_name(preset->text), depth - 1, params, &own, err) != TR_OK)
		return tr_fail_in(err, "preset %s", name);
	given->presets |= own.text | own.presets;
	return TR_OK;
}

static enum tr_status read_item(const struct key_kind *kind, const struct key_item *item,
				void *params, uint64_t *given, struct tr_error *err)
{
	const struct key *key = keys_find(kind->keys, item->name, item->name_bytes);
	uint64_t bit;

	if (!key)
		return no_key(kind, item, err);
	bit = UINT64_C(1) << (key - kind->keys);
	if ((*given & bit) != 0)
		return tr_fail(err, "the key %s is given twice", key->name);
	*given |= bit;
	return keys_set(key, params, item->value, err);
}

static enum tr_status read_items(const struct key_kind *kind, const char *text, unsigned depth,
				 void *params, struct keys_given *given, struct tr_error *err)
{
	static const char word[] = "preset";
	struct key_item item;
	enum tr_status status;

	while ((status = keys_next(&text, &item, err)) == TR_OK) {
		bool preset = item.name_bytes == sizeof(word) - 1 &&
			      memcmp(item.name, word, sizeof(word) - 1) == 0;

		if (preset && given->text != 0)
			return tr_fail(err, "preset=%s must come before the keys that override it",
				       item.value);
		if ((preset ? read_preset(kind, item.value, depth, params, given, err)
			    : read_item(kind, &item, params, &given->text, err)) != TR_OK)
			return TR_ERROR;
	}
	return status == TR_END ? TR_OK : TR_ERROR;
}

enum tr_status keys_read(const struct key_kind *kind, const char *text, void *params,
			 struct keys_given *given, struct tr_error *err)
{
	struct keys_given here = {0};
	enum tr_status status = read_items(kind, text, PRESET_DEPTH, params, &here, err);
	const uint64_t again = given->typing ? given->typed & (here.text | here.presets) : 0;

	for (size_t i = 0; status == TR_OK && again != 0 && kind->keys[i].type != KEY_END; i++)
		if ((again >> i & 1) != 0)
			status = tr_fail(err, "the key %s is given twice%s", kind->keys[i].name,
					 (here.text >> i & 1) != 0
						 ? ""
						 : ", then by a preset, which must come before it");
	given->text = (given->text & ~here.presets) | here.text;
	given->presets = (given->presets | here.presets) & ~here.text;
	if (given->typing)
		given->typed |= here.text;
	return status;
}

void keys_print(const struct key_kind *kind, const void *params, const struct keys_given *given,
		FILE *out)
{
	char value[KEY_TEXT_BYTES];

	fprintf(out, "%s:\n", kind->name);
	for (size_t i = 0; kind->keys[i].type != KEY_END; i++) {
		const struct key *key = &kind->keys[i];
		const char *unmet = keys_unmet(kind->keys, key, params);

		fprintf(out, "%s%s=%s # %s", unmet ? "# " : "", key->name,
			keys_value(key, params, value, sizeof(value)),
			given->text >> i & 1	  ? "given"
			: given->presets >> i & 1 ? "preset"
						  : "default");
		fprintf(out, unmet ? ", no effect unless %s\n" : "\n", unmet);
	}
}

enum tr_status keys_check_effect(const struct key *keys, const void *params, uint64_t given,
				 struct tr_error *err)
{
	for (size_t i = 0; keys[i].type != KEY_END; i++) {
		const char *unmet = (given >> i & 1) != 0 ? keys_unmet(keys, &keys[i], params)
							  : NULL;

		if (unmet)
			return tr_fail(err, "%s has no effect without %s", keys[i].name, unmet);
	}
	return TR_OK;
}

void keys_describe(const struct key_kind *kind, const void *params, char begin, FILE *out)
{
	char value[KEY_TEXT_BYTES];
	char usual[KEY_TEXT_BYTES];

	for (const struct key *key = kind->keys; key->type != KEY_END; key++) {
		keys_value(key, params, value, sizeof(value));
		if (strcmp(value, keys_value(key, kind->usual, usual, sizeof(usual))) == 0)
			continue;
		if (begin != '\0')
			fputc(begin, out);
		fprintf(out, "%s=%s", key->name, value);
		begin = ',';
	}
}
