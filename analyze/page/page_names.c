// SPDX-License-Identifier: GPL-3.0-or-later
#include "page/page.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define NAME_MOST 120u // characters of a name, without what tells it from others

// Where a title ends: what follows is an explanation or a value.
static size_t title_bytes(const char *title)
{
	static const char *const ends[] = {": ", ". ", " ("};
	size_t bytes = strlen(title);

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		const char *end = strstr(title, ends[i]);

		if (end && (size_t)(end - title) < bytes)
			bytes = (size_t)(end - title);
	}
	return bytes;
}

// Appends small letters and digits, and one "-" for all between them.
static void add_words(char name[NAME_MOST + 1], const char *title, size_t bytes)
{
	size_t used = strlen(name);
	bool parted = used > 0;

	for (size_t i = 0; i < bytes && used < NAME_MOST - 1; i++) {
		const char *micro = strncmp(title + i, "µ", strlen("µ")) == 0 ? "u" : NULL;
		const unsigned char byte = (unsigned char)(micro ? *micro : title[i]);

		if (byte >= 0x80 || !isalnum(byte)) {
			parted = used > 0;
			continue;
		}
		if (parted)
			name[used++] = '-';
		name[used++] = (char)tolower(byte);
		parted = false;
	}
	name[used] = '\0';
}

static void name_from_title(char name[NAME_MOST + 1], const char *title)
{
	*name = '\0';
	add_words(name, title ? title : "", title ? title_bytes(title) : 0);
}

bool page_is_title(const char *word, const char *title)
{
	char one[NAME_MOST + 1] = "", other[NAME_MOST + 1] = "";

	add_words(one, word, strlen(word));
	add_words(other, title, strlen(title));
	return *one != '\0' && strcmp(one, other) == 0;
}

static bool is_table(const struct block *block)
{
	return block->type == BLOCK_TABLE || block->type == BLOCK_FACTS;
}

static bool has_named_panel(const struct block *block, const char *name)
{
	for (size_t p = 0; block->figure && p < block->figure->panel_count; p++)
		if (block->figure->panels[p].name &&
		    strcmp(block->figure->panels[p].name, name) == 0)
			return true;
	return false;
}

// Whether a block of the kind, or a panel, has the name.
static bool is_name_taken(const struct page *page, const struct block *own, bool panel,
			  const char *name)
{
	for (size_t i = 0; i < page->count; i++) {
		const struct block *block = &page->blocks[i];

		if (panel ? has_named_panel(block, name)
			  : block->name &&
				    (block->type == own->type ||
				     (is_table(block) && is_table(own))) &&
				    strcmp(block->name, name) == 0)
			return true;
	}
	return false;
}

// The name, with "-2" and so on if it is taken; NULL where memory runs out.
static char *distinct(const struct page *page, const struct block *own, bool panel,
		      const char *name)
{
	char *made = NULL;

	for (unsigned n = 1; asprintf(&made, n > 1 ? "%s-%u" : "%s", name, n) >= 0; n++) {
		if (!is_name_taken(page, own, panel, made))
			return made;
		free(made);
	}
	return NULL;
}

static void name_block(struct page *page, struct block *block, const char *name)
{
	block->name = distinct(page, block, false, *name ? name : "unnamed");
	page->failed = page->failed || !block->name;
}

// A panel is called as its figure, or, beside others, by the section and its own title.
static void name_panels(struct page *page, struct block *block, const char *section)
{
	for (size_t p = 0; p < block->figure->panel_count; p++) {
		struct panel *panel = &block->figure->panels[p];
		char name[NAME_MOST + 1];

		name_from_title(name, block->figure->title);
		if (block->figure->panel_count > 1 && panel->title) {
			name_from_title(name, section);
			add_words(name, panel->title, title_bytes(panel->title));
		}
		panel->name = distinct(page, block, true, name);
		page->failed = page->failed || !panel->name;
	}
}

void page_set_names(struct page *page)
{
	const char *section = PAGE_SUMMARY;

	for (size_t i = 0; i < page->count; i++) {
		struct block *block = &page->blocks[i];
		char name[NAME_MOST + 1] = "";

		if (block->type == BLOCK_SECTION)
			name_from_title(name, section = block->text);
		else if (block->type == BLOCK_TABLE)
			name_from_title(name, table_title(block->table));
		else if (block->type == BLOCK_FACTS)
			name_from_title(name, "key numbers");
		else if (block->type == BLOCK_FIGURE)
			name_from_title(name, block->figure->title);
		else
			continue;
		name_block(page, block, name);
		if (block->figure)
			name_panels(page, block, section);
	}
}

static const char *label_of(const struct block *block)
{
	return is_table(block) ? "tab:" : block->type == BLOCK_FIGURE ? "fig:" : NULL;
}

static bool is_labelled(const struct block *block, const char *word)
{
	const char *label = label_of(block);

	return label && block->name && strncmp(word, label, strlen(label)) == 0 &&
	       strcmp(word + strlen(label), block->name) == 0;
}

bool page_keep_only(struct page *page, const char *word)
{
	const char *title = PAGE_SUMMARY;
	bool *kept = calloc(page->count + 1, sizeof(*kept)), any = false;
	size_t section = page->count;

	for (size_t i = 0; kept && i < page->count; i++) {
		const struct block *block = &page->blocks[i];
		const bool labelled = is_labelled(block, word);

		if (block->type == BLOCK_SECTION) {
			section = i;
			title = block->text;
		}
		kept[section] = kept[section] || labelled;
		kept[i] = kept[i] || labelled || page_is_title(word, title);
		any = any || kept[i];
	}
	if (any)
		page_keep(page, kept);
	page->narrowed = any;
	page->failed = page->failed || !kept;
	free(kept);
	return any || page->failed;
}

bool page_is_label(const char *word)
{
	return strncmp(word, "tab:", 4) == 0 || strncmp(word, "fig:", 4) == 0;
}

void page_list_names(const struct page *page, bool labels, FILE *out)
{
	const char *before = "";

	for (size_t i = 0; i < page->count; i++) {
		const struct block *block = &page->blocks[i];
		const bool begins = block->type == BLOCK_SECTION || i == 0;

		if (labels ? !label_of(block) : !begins)
			continue;
		(void)fputs(before, out);
		if (labels)
			(void)fprintf(out, "%s%s", label_of(block), block->name ? block->name : "");
		else
			(void)fputs(block->type == BLOCK_SECTION ? block->text : PAGE_SUMMARY, out);
		before = ", ";
	}
}
