// SPDX-License-Identifier: GPL-3.0-or-later
#include "stream/body_hash.h"

#include <stdlib.h>
#include <string.h>

#include "stream/name_index.h"
#include "stream/names.h"
#include "stream/record.h"
#include "value/little_endian.h"
#include "value/xxh3.h"

struct tr_body_hash {
	XXH3_state_t *state;
	const struct tr_kind_info *kind;
};

enum tr_status tr_body_hash_open(struct tr_body_hash **out, const struct tr_header *header,
				 struct tr_error *err)
{
	struct tr_body_hash *hash = calloc(1, sizeof(*hash));
	uint8_t head[32];

	*out = hash;
	if (hash)
		hash->state = XXH3_createState();
	if (!hash || !hash->state) {
		tr_body_hash_close(hash);
		*out = NULL;
		return tr_no_memory(err, "the hash of the records");
	}
	hash->kind = tr_kind_find(header->kind);
	tr_set_u64(head, header->kind);
	tr_set_u64(head + 8, header->ticks_per_s);
	tr_set_u64(head + 16, (uint64_t)header->origin_s);
	tr_set_u64(head + 24, header->origin_ns);
	(void)XXH3_64bits_reset(hash->state);
	(void)XXH3_64bits_update(hash->state, head, sizeof(head));
	return TR_OK;
}

void tr_body_hash_add(struct tr_body_hash *hash, const void *records, size_t stride_bytes,
		      size_t count)
{
	const uint8_t *at = records;
	size_t size_bytes = hash->kind->size_bytes;

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	if (stride_bytes == size_bytes) {
		(void)XXH3_64bits_update(hash->state, at, count * size_bytes);
		return;
	}
#endif
	for (; count; count--, at += stride_bytes) {
		uint8_t record[TR_RECORD_BYTES_MAX];

		memcpy(record, at, size_bytes);
		tr_records_swap(hash->kind, record, size_bytes, 1);
		(void)XXH3_64bits_update(hash->state, record, size_bytes);
	}
}

static void add_name(struct tr_body_hash *hash, const struct tr_name *name)
{
	uint8_t entry[TR_NAME_ENTRY_MAX];

	(void)XXH3_64bits_update(hash->state, entry, tr_name_encode(name, entry));
}

static void body_hash_add_table(struct tr_body_hash *hash, const struct tr_names *names,
				enum tr_name_kind kind, uint32_t count)
{
	struct tr_name name;

	for (uint32_t id = 0; (id = tr_name_next(names, kind, id)) < count; id++)
		if (tr_name_of(names, kind, id, &name))
			add_name(hash, &name);
}

uint64_t tr_body_hash_end(struct tr_body_hash *hash, const struct tr_names *names)
{
	body_hash_add_table(hash, names, TR_NAME_NODE, names->node_count);
	body_hash_add_table(hash, names, TR_NAME_FLOW, names->flow_count);
	body_hash_add_table(hash, names, TR_NAME_LINK, names->link_count);
	for (uint32_t i = 0; i < names->counter_count; i++)
		add_name(hash, &(struct tr_name){
				       .kind = TR_NAME_COUNTER,
				       .value = names->counters[i].value,
				       .text = names->counters[i].key,
				       .text_bytes = strlen(names->counters[i].key),
			       });
	return XXH3_64bits_digest(hash->state);
}

void tr_body_hash_close(struct tr_body_hash *hash)
{
	if (!hash)
		return;
	(void)XXH3_freeState(hash->state);
	free(hash);
}
