// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/fabric.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/ideal.h"
#include "net/myrinet/kind.h"
#include "trace/memstream.h"

#define PRESET_DEPTH 4u

const struct net_fabric *const net_fabrics[] = {&net_fabric_myrinet, &net_fabric_ideal, NULL};

static size_t name_bytes(const char *text)
{
	return strcspn(text, ": \t\r\n,#");
}

const struct net_fabric *fabric_find(const char *text)
{
	const size_t length = name_bytes(text);

	for (size_t i = 0; net_fabrics[i] != NULL; i++)
		if (strlen(net_fabrics[i]->name) == length && memcmp(net_fabrics[i]->name, text, length) == 0)
			return net_fabrics[i];
	return NULL;
}

static const char *skip_comments(const char *text)
{
	for (;;) {
		text += strspn(text, " \t\r\n");
		if (*text != '#')
			return text;
		text += strcspn(text, "\n");
	}
}

const char *fabric_keys(const char *text)
{
	text = skip_comments(text);
	text += name_bytes(text);
	text += strspn(text, " \t\r");
	return text + (*text == ':');
}

static enum tr_status no_kind(const char *text, struct tr_error *err)
{
	return tr_fail(err, "\"%.*s\" is no kind of network (--fabric list)",
		       (int)(name_bytes(text) < 60 ? name_bytes(text) : 60), text);
}

static enum tr_status no_key(const struct key_item *item, struct tr_error *err)
{
	return tr_fail(err, "no key \"%.*s\" (--fabric list)",
		       (int)(item->name_bytes < 60 ? item->name_bytes : 60), item->name);
}

static enum tr_status read_keys(struct fabric *fabric, const char *text, unsigned depth, uint64_t *given,
				struct tr_error *err);

// Sets what the preset says. A preset may begin with another.
static enum tr_status read_preset(struct fabric *fabric, const char *name, unsigned depth, struct tr_error *err)
{
	const struct net_preset *preset = net_presets;
	struct tr_error why;
	uint64_t given = 0;

	while (preset->kind != NULL &&
	       (strcmp(preset->kind, fabric->kind->name) != 0 || strcmp(preset->name, name) != 0))
		preset++;
	if (preset->kind == NULL || depth == 0)
		return tr_fail(err, "no preset \"%.60s\" (--fabric list)", name);
	if (read_keys(fabric, fabric_keys(preset->text), depth - 1, &given, &why) == TR_OK)
		return TR_OK;
	return tr_fail(err, "preset %s: %s", name, why.text);
}

static enum tr_status read_key(struct fabric *fabric, const struct key_item *item, uint64_t *given,
			       struct tr_error *err)
{
	const struct key *key = keys_find(fabric->kind->keys, item->name, item->name_bytes);
	uint64_t bit;

	if (key == NULL)
		return no_key(item, err);
	bit = UINT64_C(1) << (key - fabric->kind->keys);
	if ((*given & bit) != 0)
		return tr_fail(err, "the key %s stands twice", key->name);
	*given |= bit;
	return keys_set(key, fabric->params, item->value, err);
}

// Reads the items of text, which has no kind before them.
static enum tr_status read_keys(struct fabric *fabric, const char *text, unsigned depth, uint64_t *given,
				struct tr_error *err)
{
	static const char word[] = "preset";
	struct key_item item;
	enum tr_status status;

	while ((status = keys_next(&text, &item, err)) == TR_OK) {
		bool preset = item.name_bytes == sizeof(word) - 1 && memcmp(item.name, word, sizeof(word) - 1) == 0;

		if (preset && *given != 0)
			return tr_fail(err, "preset=%s comes before the keys that differ from it", item.value);
		if ((preset ? read_preset(fabric, item.value, depth, err) : read_key(fabric, &item, given, err)) !=
		    TR_OK)
			return TR_ERROR;
	}
	return status == TR_END ? TR_OK : TR_ERROR;
}

// What was given and has no effect is an error: whoever wrote it expects one.
static enum tr_status check_effect(const struct fabric *fabric, struct tr_error *err)
{
	const struct key *keys = fabric->kind->keys;

	for (size_t i = 0; keys[i].type != KEY_END; i++)
		if ((fabric->given >> i & 1) != 0 && !keys_need_holds(keys, &keys[i], fabric->params))
			return tr_fail(err, "%s has no effect without %s", keys[i].name, keys[i].needs);
	return TR_OK;
}

// Appends "key=value" of what differs from the usual.
static void describe(const struct fabric *fabric, FILE *out)
{
	const struct net_fabric *kind = fabric->kind;
	char value[KEY_TEXT_BYTES];
	char usual[KEY_TEXT_BYTES];
	char sign = ':';

	fputs(kind->name, out);
	for (const struct key *key = kind->keys; key->type != KEY_END; key++) {
		keys_value(key, fabric->params, value, sizeof(value));
		if (strcmp(value, keys_value(key, kind->usual, usual, sizeof(usual))) == 0)
			continue;
		fprintf(out, "%c%s=%s", sign, key->name, value);
		sign = ',';
	}
}

enum tr_status fabric_settle(struct fabric *fabric, struct tr_error *err)
{
	struct tr_error why;
	size_t bytes;
	FILE *out;

	if (check_effect(fabric, &why) != TR_OK)
		return tr_fail(err, "%s: %s", fabric->kind->name, why.text);
	out = tr_memstream_open(&fabric->text, &bytes);
	if (out != NULL)
		describe(fabric, out);
	return out != NULL && tr_memstream_close(out) ? TR_OK : tr_fail(err, "out of memory");
}

// Gives a fabric that has none yet its kind, with the usual values.
static enum tr_status start(struct fabric *fabric, const char *text, struct tr_error *err)
{
	const struct net_fabric *kind = fabric_find(text);

	if (kind == NULL)
		return no_kind(text, err);
	if (fabric->kind != NULL && kind != fabric->kind)
		return tr_fail(err, "%s after %s: one kind of network at a time", kind->name, fabric->kind->name);
	if (fabric->kind != NULL)
		return TR_OK;
	fabric->params = malloc(kind->params_bytes);
	if (fabric->params == NULL)
		return tr_fail(err, "out of memory");
	memcpy(fabric->params, kind->usual, kind->params_bytes);
	fabric->kind = kind;
	return TR_OK;
}

enum tr_status fabric_read(struct fabric *fabric, const char *text, struct tr_error *err)
{
	struct tr_error why;
	uint64_t given = 0;

	text = skip_comments(text);
	if (start(fabric, text, err) != TR_OK)
		return TR_ERROR;
	text = fabric_keys(text);
	if (*text != '\0' && strchr(":\n#", text[-1]) == NULL && strchr("\n#", *text) == NULL)
		return tr_fail(err, "%s: expected a colon before the keys", fabric->kind->name);
	if (read_keys(fabric, text, PRESET_DEPTH, &given, &why) != TR_OK)
		return tr_fail(err, "%s: %s", fabric->kind->name, why.text);
	fabric->given |= given;
	return TR_OK;
}

bool fabric_given(const struct fabric *fabric, const char *name)
{
	const struct key *key = keys_find(fabric->kind->keys, name, strlen(name));

	return key != NULL && (fabric->given >> (key - fabric->kind->keys) & 1) != 0;
}

enum tr_status fabric_set(struct fabric *fabric, const char *name, const char *value, struct tr_error *err)
{
	const struct key *key = keys_find(fabric->kind->keys, name, strlen(name));

	if (key == NULL)
		return tr_fail(err, "a network of the kind %s has no %s", fabric->kind->name, name);
	return keys_set(key, fabric->params, value, err);
}

const struct net_engine *fabric_engine(const struct fabric *fabric, const char *name, struct tr_error *err)
{
	const struct net_engine *const *engines = fabric->kind->engines;
	char names[128] = "";
	size_t used = 0;

	for (size_t i = 0; engines[i] != NULL; i++) {
		if (name != NULL ? strcmp(engines[i]->name, name) == 0 : engines[i + 1] == NULL)
			return engines[i];
		if (used < sizeof(names))
			used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s", i > 0 ? ", " : "",
						 engines[i]->name);
	}
	(void)tr_fail(err, "%s has no engine \"%.60s\": there are %s", fabric->kind->name, name, names);
	return NULL;
}

void fabric_close(struct fabric *fabric)
{
	free(fabric->params);
	free(fabric->text);
	*fabric = (struct fabric){0};
}
