// SPDX-License-Identifier: GPL-3.0-or-later
#include "value/id_pages.h"

#include <stdlib.h>

#include "value/grow.h"

void *tr_id_pages_make(struct tr_id_pages *array, uint32_t id, size_t item_bytes)
{
	const uint32_t items = tr_id_page_items(item_bytes), page = id / items;

	if (!GROW_ZEROED(array->pages, array->count, page))
		return NULL;
	array->page_items = items;
	if (!array->pages[page])
		array->pages[page] = calloc(items, item_bytes);
	return tr_id_pages_at(array, id, item_bytes);
}

uint32_t tr_id_pages_next(const struct tr_id_pages *array, uint32_t id)
{
	uint32_t page = array->count ? id / array->page_items : 0;

	if (page < array->count && array->pages[page])
		return id;
	while (page < array->count && !array->pages[page])
		page++;
	return page < array->count ? page * array->page_items : UINT32_MAX;
}

void tr_id_pages_clear(struct tr_id_pages *array)
{
	for (uint32_t i = 0; i < array->count; i++)
		free(array->pages[i]);
	free(array->pages);
	*array = (struct tr_id_pages){.count = 0};
}
