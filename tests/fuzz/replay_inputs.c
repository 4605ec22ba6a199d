// SPDX-License-Identifier: GPL-3.0-or-later
// The main of a fuzzing program without libFuzzer: runs each file given, and each file of each
// folder given, and also its first half, quarter and so on, so that every seed is also tested
// truncated. A file *.hex has an input in hexadecimal digits on each line (tests/fuzz/corpus makes
// them), run whole.
#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes);

static unsigned runs;

static void run_bytes(const uint8_t *data, size_t size_bytes)
{
	// An allocation of its own, so that a sanitizer sees the byte after the last.
	uint8_t *copy = calloc(1, size_bytes ? size_bytes : 1);

	if (!copy)
		exit(2);
	memcpy(copy, data, size_bytes);
	(void)LLVMFuzzerTestOneInput(copy, size_bytes);
	free(copy);
	runs++;
}

static int run_file(const char *path, size_t size_bytes)
{
	uint8_t *data = malloc(size_bytes + 1);
	FILE *file = fopen(path, "rb");

	if (!data || !file || fread(data, 1, size_bytes, file) != size_bytes) {
		(void)fprintf(stderr, "cannot read %s\n", path);
		return 2;
	}
	(void)fclose(file);
	for (size_t part = size_bytes; part > 0; part /= 2)
		run_bytes(data, part);
	run_bytes(data, 0);
	free(data);
	return 0;
}

static int digit(char c)
{
	const char *all = "0123456789abcdef", *at = c ? strchr(all, c) : NULL;

	return at ? (int)(at - all) : -1;
}

// Turns the digits of a line into bytes, in place. False where they are not pairs of digits.
static bool unpack(char *line, size_t *size_bytes)
{
	size_t length = strcspn(line, "\n");

	for (size_t i = 0; i < length / 2; i++) {
		const int high = digit(line[2 * i]), low = digit(line[2 * i + 1]);

		if (high < 0 || low < 0)
			return false;
		line[i] = (char)(16 * high + low);
	}
	*size_bytes = length / 2;
	return length % 2 == 0;
}

static int run_lines(const char *path)
{
	FILE *file = fopen(path, "r");
	size_t room = 0, size_bytes;
	char *line = NULL;
	int worst = file ? 0 : 2;

	while (worst == 0 && getline(&line, &room, file) > 0) {
		if (unpack(line, &size_bytes))
			run_bytes((const uint8_t *)line, size_bytes);
		else
			worst = 2;
	}
	if (worst)
		(void)fprintf(stderr, "cannot read %s\n", path);
	if (file)
		(void)fclose(file);
	free(line);
	return worst;
}

static int run_path(const char *path);

static int run_folder(const char *path)
{
	DIR *folder = opendir(path);
	const struct dirent *item;
	char inner[4096];
	int worst = folder ? 0 : 2;

	while (folder && (item = readdir(folder)) != NULL) {
		if (item->d_name[0] == '.')
			continue;
		(void)snprintf(inner, sizeof(inner), "%s/%s", path, item->d_name);
		if (run_path(inner) != 0)
			worst = 2;
	}
	if (folder)
		(void)closedir(folder);
	return worst;
}

static int run_path(const char *path)
{
	struct stat info;

	if (stat(path, &info) != 0) {
		(void)fprintf(stderr, "cannot read %s\n", path);
		return 2;
	}
	if (S_ISDIR(info.st_mode))
		return run_folder(path);
	const char *end = strrchr(path, '.');

	return end && strcmp(end, ".hex") == 0 ? run_lines(path)
					       : run_file(path, (size_t)info.st_size);
}

int main(int argc, char **argv)
{
	int worst = 0;

	run_bytes((const uint8_t *)"", 0);
	for (int i = 1; i < argc; i++)
		if (run_path(argv[i]) != 0)
			worst = 2;
	(void)printf("%u inputs\n", runs);
	return worst;
}
