// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/fabric.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "value/memstream.h"
#include "value/ticks.h"

#define ROW(name) &net_fabric_##name,

const struct net_fabric *const net_fabrics[] = {NET_FABRICS(ROW) NULL};

const struct net_fabric *fabric_find(const char *text)
{
	const size_t length = keys_name_bytes(text);

	for (size_t i = 0; net_fabrics[i]; i++)
		if (strlen(net_fabrics[i]->name) == length &&
		    memcmp(net_fabrics[i]->name, text, length) == 0)
			return net_fabrics[i];
	return NULL;
}

static enum tr_status no_kind(const char *text, struct tr_error *err)
{
	char names[160] = "";
	size_t used = 0;

	for (size_t i = 0; net_fabrics[i] && used < sizeof(names); i++)
		used += (size_t)snprintf(names + used, sizeof(names) - used, " %s",
					 net_fabrics[i]->name);
	return tr_fail(err, "unknown kind of network \"%.*s\", none of%s",
		       (int)(keys_name_bytes(text) < 60 ? keys_name_bytes(text) : 60), text, names);
}

struct key_kind fabric_key_kind(const struct net_fabric *kind)
{
	return (struct key_kind){kind->name, "--fabric list", kind->keys, net_presets, kind->usual};
}

enum tr_status fabric_settle(struct fabric *fabric, struct tr_error *err)
{
	const struct key_kind kind = fabric_key_kind(fabric->kind);
	struct tr_error why;
	size_t bytes;
	FILE *out;

	if (keys_check_effect(kind.keys, fabric->params, fabric->given.text, &why) != TR_OK)
		return tr_fail(err, "%s: %s", kind.name, why.text);
	out = tr_memstream_open(&fabric->text, &bytes);
	if (out) {
		fputs(kind.name, out);
		keys_describe(&kind, fabric->params, ':', out);
	}
	return out && tr_memstream_close(out) ? TR_OK : tr_no_memory(err, "the fabric");
}

// Sets the kind of a fabric without one, with default values.
static enum tr_status fabric_start(struct fabric *fabric, const char *text, struct tr_error *err)
{
	const struct net_fabric *kind = fabric_find(text);

	if (!kind)
		return no_kind(text, err);
	if (fabric->kind && kind != fabric->kind)
		return tr_fail(err, "%s after %s: expected one kind of network", kind->name,
			       fabric->kind->name);
	if (fabric->kind)
		return TR_OK;
	fabric->params = malloc(kind->params_bytes);
	if (!fabric->params)
		return tr_no_memory(err, "the fabric");
	memcpy(fabric->params, kind->usual, kind->params_bytes);
	fabric->kind = kind;
	return TR_OK;
}

// TR_ERROR where the kind has no such key, but others have: "no key "window"; switched has it".
static enum tr_status key_of_others(const struct net_fabric *kind, const struct key_item *item,
				    struct tr_error *err)
{
	char names[160] = "";
	size_t used = 0;
	size_t count = 0;

	if (keys_find(kind->keys, item->name, item->name_bytes))
		return TR_OK;
	for (size_t i = 0; net_fabrics[i] && used < sizeof(names); i++)
		if (keys_find(net_fabrics[i]->keys, item->name, item->name_bytes))
			used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s",
						 count++ > 0 ? ", " : "", net_fabrics[i]->name);
	if (count == 0)
		return TR_OK;
	return tr_fail(err, "%s: no key \"%.*s\"; %s %s it (--fabric list)", kind->name,
		       (int)item->name_bytes, item->name, names, count > 1 ? "have" : "has");
}

enum tr_status fabric_read(struct fabric *fabric, const char *text, struct tr_error *err)
{
	struct key_kind kind;
	struct key_item item;
	struct tr_error why;

	text = keys_skip_comments(text);
	if (fabric_start(fabric, text, err) != TR_OK)
		return TR_ERROR;
	kind = fabric_key_kind(fabric->kind);
	text = keys_behind_name(text);
	if (*text != '\0' && !strchr(":\n#", text[-1]) && !strchr("\n#", *text))
		return tr_fail(err, "%s: expected a colon before the keys", kind.name);
	for (const char *rest = text; keys_next(&rest, &item, &why) == TR_OK;)
		if (key_of_others(fabric->kind, &item, err) != TR_OK)
			return TR_ERROR;
	if (keys_read(&kind, text, fabric->params, &fabric->given, &why) != TR_OK)
		return tr_fail(err, "%s: %s", kind.name, why.text);
	return TR_OK;
}

bool fabric_given(const struct fabric *fabric, const char *name)
{
	const struct key *key = keys_find(fabric->kind->keys, name, strlen(name));

	return key && (fabric->given.text >> (key - fabric->kind->keys) & 1) != 0;
}

// The value of a common key; NULL: the kind has none.
static const void *fabric_common(const struct fabric *fabric, const char *name)
{
	const struct key *key = keys_find(fabric->kind->keys, name, strlen(name));

	return key ? (const char *)fabric->params + key->offset_bytes : NULL;
}

bool fabric_has_finite_sources(const struct fabric *fabric)
{
	const bool *finite = fabric_common(fabric, "source");

	return finite && *finite;
}

const struct net_port_rule *fabric_port_rule(const struct fabric *fabric)
{
	return fabric_common(fabric, "ports");
}

enum tr_status fabric_clock(const struct fabric *fabric, const struct net_topology *topology,
			    uint64_t base_ticks_per_s, uint64_t *ticks_per_s, struct tr_error *err)
{
	const struct num_ratio *timeout_s = fabric_common(fabric, "timeout");

	if (fabric->kind->clock(fabric->params, topology, base_ticks_per_s, ticks_per_s, err) !=
	    TR_OK)
		return TR_ERROR;
	if (timeout_s && !tr_ticks_lcm(*ticks_per_s, (uint64_t)timeout_s->den, ticks_per_s))
		return tr_fail(err, "%s: timeout: no clock has whole ticks for it",
			       fabric->kind->name);
	return TR_OK;
}

enum tr_status fabric_setup(const struct fabric *fabric, struct net_setup *setup,
			    struct tr_error *err)
{
	const struct num_ratio *timeout_s = fabric_common(fabric, "timeout");
	struct tr_error why;

	setup->finite_sources = fabric_has_finite_sources(fabric);
	setup->hold = fabric_common(fabric, "window");
	if (timeout_s &&
	    tr_ticks_exact(*timeout_s, setup->ticks_per_s, &setup->timeout_ticks, &why) != TR_OK)
		return tr_fail(err, "%s: timeout: %s", fabric->kind->name, why.text);
	return TR_OK;
}

enum tr_status fabric_set(struct fabric *fabric, const char *name, const char *value,
			  struct tr_error *err)
{
	const struct key *key = keys_find(fabric->kind->keys, name, strlen(name));

	if (!key)
		return tr_fail(err, "the kind %s has no key %s", fabric->kind->name, name);
	return keys_set(key, fabric->params, value, err);
}

const struct net_engine *fabric_engine(const struct fabric *fabric, const char *name,
				       struct tr_error *err)
{
	const struct net_engine *const *engines = fabric->kind->engines;
	char names[128] = "";
	size_t used = 0;

	for (size_t i = 0; engines[i]; i++) {
		if (name ? strcmp(engines[i]->name, name) == 0 : !engines[i + 1])
			return engines[i];
		if (used < sizeof(names))
			used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s",
						 i > 0 ? ", " : "", engines[i]->name);
	}
	(void)tr_fail(err, "%s has no engine \"%.60s\"; expected auto, or one of %s",
		      fabric->kind->name, name, names);
	return NULL;
}

void fabric_close(struct fabric *fabric)
{
	free(fabric->params);
	free(fabric->text);
	*fabric = (struct fabric){0};
}
