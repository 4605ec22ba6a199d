// SPDX-License-Identifier: GPL-3.0-or-later
#include "page/page.h"
#include "value/grow.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct block *page_add_block(struct page *page, enum block_type type)
{
	if (!GROW(page->blocks, page->capacity, page->count)) {
		page->failed = true;
		return NULL;
	}
	page->blocks[page->count] = (struct block){.type = type};
	return &page->blocks[page->count++];
}

__attribute__((format(printf, 2, 0))) static char *words(struct page *page, const char *format,
							 va_list args)
{
	char *text;

	if (vasprintf(&text, format, args) >= 0)
		return text;
	page->failed = true;
	return NULL;
}

static void add_text(struct page *page, enum block_type type, char *text)
{
	struct block *block = text ? page_add_block(page, type) : NULL;

	if (!block) {
		free(text);
		page->failed = true;
		return;
	}
	block->text = text;
	if (type == BLOCK_SECTION)
		block->number = ++page->sections;
}

void page_title(struct page *page, const char *format, ...)
{
	va_list args;

	free(page->title);
	va_start(args, format);
	page->title = words(page, format, args);
	va_end(args);
}

void page_section(struct page *page, const char *title)
{
	add_text(page, BLOCK_SECTION, strdup(title));
}

void page_answer(struct page *page, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add_text(page, BLOCK_ANSWER, words(page, format, args));
	va_end(args);
}

void page_paragraph(struct page *page, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add_text(page, BLOCK_PARAGRAPH, words(page, format, args));
	va_end(args);
}

void page_quote(struct page *page, const char *text)
{
	add_text(page, BLOCK_QUOTE, strdup(text));
}

void page_beside(struct page *page)
{
	(void)page_add_block(page, BLOCK_BESIDE);
}

static struct table *page_add_table(struct page *page, enum block_type type, const char *caption)
{
	struct block *block = page_add_block(page, type);

	if (!block)
		return table_lost();
	block->table = table_new("", caption);
	table_set_for_people(block->table);
	if (type == BLOCK_TABLE)
		block->number = ++page->tables;
	return block->table;
}

struct table *page_table(struct page *page, const char *format, ...)
{
	struct table *table;
	va_list args;
	char *caption;

	va_start(args, format);
	caption = words(page, format, args);
	va_end(args);
	table = page_add_table(page, BLOCK_TABLE, caption ? caption : "");
	free(caption);
	return table;
}

void page_raw(struct page *page)
{
	if (page->count > 0 && page->blocks[page->count - 1].type == BLOCK_TABLE)
		page->blocks[page->count - 1].raw = true;
}

struct table *page_facts(struct page *page)
{
	return page_add_table(page, BLOCK_FACTS, NULL);
}

struct figure *page_figure(struct page *page, unsigned across, const char *title)
{
	struct figure *figure = calloc(1, sizeof(*figure));
	struct block *block = figure ? page_add_block(page, BLOCK_FIGURE) : NULL;

	if (!block) {
		free(figure);
		page->failed = true;
		return &page->spare_figure;
	}
	block->figure = figure;
	block->number = ++page->figures;
	figure->across = across;
	figure->title = strdup(title);
	figure->failed = !figure->title;
	return figure;
}

void page_caption(struct page *page, struct figure *figure, const char *format, ...)
{
	va_list args;

	free(figure->caption);
	va_start(args, format);
	figure->caption = words(page, format, args);
	va_end(args);
}

bool page_whole(const struct page *page)
{
	bool whole = !page->failed;

	for (size_t i = 0; i < page->count && whole; i++) {
		const struct block *block = &page->blocks[i];

		whole = !(block->table && table_failed(block->table)) &&
			!(block->figure && block->figure->failed);
	}
	return whole;
}

static void block_clear(struct block *block)
{
	table_free(block->table);
	if (block->figure)
		figure_clear(block->figure);
	free(block->figure);
	free(block->text);
	free(block->name);
}

void page_keep(struct page *page, const bool *kept)
{
	size_t count = 0;

	for (size_t i = 0; i < page->count; i++) {
		struct block block = page->blocks[i];

		if (kept[i])
			page->blocks[count++] = block;
		else
			block_clear(&block);
	}
	page->count = count;
}

void page_clear(struct page *page)
{
	for (size_t i = 0; i < page->count; i++)
		block_clear(&page->blocks[i]);
	figure_clear(&page->spare_figure);
	free(page->blocks);
	free(page->title);
	*page = (struct page){.title = NULL};
}
