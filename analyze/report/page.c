// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/page.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct block *add_block(struct page *page, enum block_type type)
{
	if (page->count == page->capacity) {
		size_t capacity = page->capacity ? 2 * page->capacity : 64;
		struct block *more = reallocarray(page->blocks, capacity, sizeof *more);

		if (!more) {
			page->failed = true;
			return NULL;
		}
		page->blocks = more;
		page->capacity = capacity;
	}
	page->blocks[page->count] = (struct block){.type = type};
	return &page->blocks[page->count++];
}

__attribute__((format(printf, 2, 0)))
static char *words(struct page *page, const char *format, va_list args)
{
	char *text;

	if (vasprintf(&text, format, args) >= 0)
		return text;
	page->failed = true;
	return NULL;
}

static void add_text(struct page *page, enum block_type type, char *text)
{
	struct block *block = text ? add_block(page, type) : NULL;

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

static struct grid *add_grid(struct page *page)
{
	struct grid *grid = calloc(1, sizeof *grid);
	struct block *block = grid ? add_block(page, BLOCK_GRID) : NULL;

	if (!block) {
		free(grid);
		page->failed = true;
		return &page->spare_grid;
	}
	block->grid = grid;
	return grid;
}

struct grid *page_grid(struct page *page, const char *format, ...)
{
	struct grid *grid = add_grid(page);
	va_list args;

	if (grid != &page->spare_grid)
		page->blocks[page->count - 1].number = ++page->grids;
	free(grid->caption);
	va_start(args, format);
	grid->caption = words(page, format, args);
	va_end(args);
	return grid;
}

struct grid *page_facts(struct page *page)
{
	struct grid *grid = add_grid(page);

	grid->facts = true;
	return grid;
}

struct figure *page_figure(struct page *page, unsigned across, const char *title)
{
	struct figure *figure = calloc(1, sizeof *figure);
	struct block *block = figure ? add_block(page, BLOCK_FIGURE) : NULL;

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

		whole = !(block->grid && block->grid->failed) &&
			!(block->figure && block->figure->failed);
	}
	return whole;
}

static void block_clear(struct block *block)
{
	if (block->grid)
		grid_clear(block->grid);
	if (block->figure)
		figure_clear(block->figure);
	free(block->grid);
	free(block->figure);
	free(block->text);
}

void page_clear(struct page *page)
{
	for (size_t i = 0; i < page->count; i++)
		block_clear(&page->blocks[i]);
	grid_clear(&page->spare_grid);
	figure_clear(&page->spare_figure);
	free(page->blocks);
	free(page->title);
	*page = (struct page){.title = NULL};
}
