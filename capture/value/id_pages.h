// SPDX-License-Identifier: GPL-3.0-or-later
// Arrays indexed by ids that an input gives, whose memory follows the ids that are used: pages of
// 1,024 items, or 16 of more than 64 bytes, made when one of them is, and a directory of 8 bytes
// for each page up to the last.
#ifndef VALUE_ID_PAGES_H
#define VALUE_ID_PAGES_H

#include <stddef.h>
#include <stdint.h>

// Zero is a valid empty one.
struct tr_id_pages {
	void **pages; // NULL: no item of it is made
	uint32_t count;
	uint32_t page_items;
};

// Items of a page.
static inline uint32_t tr_id_page_items(size_t item_bytes)
{
	return item_bytes > 64 ? 16 : 1024;
}

// The item of an id, which is zero unless it was set; NULL if its page is not made. The same
// item_bytes in each call.
static inline void *tr_id_pages_at(const struct tr_id_pages *array, uint32_t id, size_t item_bytes)
{
	const uint32_t items = tr_id_page_items(item_bytes), page = id / items;

	return page < array->count && array->pages[page]
		       ? (char *)array->pages[page] + id % items * item_bytes
		       : NULL;
}

// The item of an id, made if it is not; it stays where it is. NULL if out of memory.
void *tr_id_pages_make(struct tr_id_pages *array, uint32_t id, size_t item_bytes);

// The first id from this one on whose page is made, UINT32_MAX if there is none.
uint32_t tr_id_pages_next(const struct tr_id_pages *array, uint32_t id);

// Frees what it holds; it is empty then.
void tr_id_pages_clear(struct tr_id_pages *array);

#endif
