// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file/outfile.h"

static int enter_folder(void **state)
{
	char folder[] = "/tmp/outfile-test-XXXXXX";

	if (!mkdtemp(folder) || chdir(folder) != 0)
		return -1;
	*state = strdup(folder);
	return *state ? 0 : -1;
}

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *at)
{
	(void)info;
	(void)type;
	(void)at;
	return remove(path);
}

static int leave_folder(void **state)
{
	int status = chdir("/") | nftw(*state, remove_one, 8, FTW_DEPTH | FTW_PHYS);

	free(*state);
	return status;
}

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static void assert_content(const char *path, const char *text)
{
	char got[64] = "";
	FILE *file = fopen(path, "r");

	assert_non_null(file);
	got[fread(got, 1, sizeof(got) - 1, file)] = '\0';
	assert_int_equal(fclose(file), 0);
	assert_string_equal(got, text);
}

// Number of matching names in the folder, including hidden ones.
static size_t count(const char *pattern)
{
	glob_t found;
	const int status = glob(pattern, GLOB_PERIOD, NULL, &found);
	const size_t names = status == 0 ? found.gl_pathc : 0;

	assert_true(status == 0 || status == GLOB_NOMATCH);
	globfree(&found);
	return names;
}

static struct tr_outfile *open_with(const char *path, const char *text,
				    const struct tr_outfile_options *options)
{
	struct tr_outfile *file;
	struct tr_error err = {""};

	assert_int_equal(tr_outfile_open(&file, path, options, &err), TR_OK);
	assert_true(fputs(text, tr_outfile_stream(file)) >= 0);
	assert_int_equal(fflush(tr_outfile_stream(file)), 0);
	return file;
}

static const struct tr_outfile_options plain = {.files = NULL};
static const struct tr_outfile_options grows = {.grows = true};
static const struct tr_outfile_options keeps = {.grows = true, .keep = true};

// ---- what is an input or another output

static void refuses(const char *input, const char *output)
{
	struct tr_files files = {NULL};
	struct tr_error err = {""};

	assert_int_equal(tr_files_read(&files, input, &err), TR_OK);
	assert_int_equal(tr_files_write(&files, output, &err), TR_ERROR);
	assert_non_null(strstr(err.text, output));
	assert_non_null(strstr(err.text, "input"));
	assert_int_equal(tr_files_allow(&files, output, &err), TR_ERROR);
	tr_files_clear(&files);
	// The output may be known first.
	assert_int_equal(tr_files_write(&files, output, &err), TR_OK);
	assert_int_equal(tr_files_read(&files, input, &err), TR_ERROR);
	tr_files_clear(&files);
}

static void an_input_is_no_output(void **state)
{
	char absolute[256];

	write_file("in", "in");
	assert_int_equal(link("in", "hard"), 0);
	assert_int_equal(symlink("in", "soft"), 0);
	assert_int_equal(symlink("soft", "softer"), 0);
	assert_int_equal(mkdir("folder", 0777), 0);
	(void)snprintf(absolute, sizeof(absolute), "%s/in", (const char *)*state);
	refuses("in", "in");
	refuses("in", "./in");
	refuses("in", absolute);
	refuses("in", "hard");
	refuses("hard", "in");
	refuses("in", "soft");
	refuses("softer", "hard");
	refuses("softer", "folder/../in");
	assert_content("in", "in");
}

static void other_files_are_allowed(void **state)
{
	struct tr_files files = {NULL};
	struct tr_error err = {""};

	(void)state;
	write_file("other-in", "same");
	write_file("other-out", "same");
	assert_int_equal(tr_files_read(&files, "other-in", &err), TR_OK);
	assert_int_equal(tr_files_read(&files, "other-in", &err), TR_OK);
	assert_int_equal(tr_files_write(&files, "other-out", &err), TR_OK);
	assert_int_equal(tr_files_write(&files, "other-new", &err), TR_OK);
	// Another process has replaced an output, and its file's number is another's.
	assert_int_equal(rename("other-out", "other-moved"), 0);
	write_file("other-out", "new");
	assert_int_equal(tr_files_write(&files, "other-moved", &err), TR_OK);
	assert_int_equal(tr_files_write(&files, "other-out", &err), TR_ERROR);
	assert_int_equal(tr_files_write(&files, "-", &err), TR_OK);
	assert_int_equal(tr_files_write(&files, "-", &err), TR_OK);
	tr_files_clear(&files);
}

// As ">>" has it.
static void standard_output_is_no_input(void **state)
{
	struct tr_files files = {NULL};
	struct tr_error err = {""};
	int kept, appended;

	(void)state;
	write_file("appended", "in");
	kept = dup(STDOUT_FILENO);
	appended = open("appended", O_WRONLY | O_APPEND);
	assert_true(kept >= 0 && appended >= 0);
	assert_int_equal(tr_files_read(&files, "appended", &err), TR_OK);
	(void)fflush(stdout);
	assert_int_equal(dup2(appended, STDOUT_FILENO), STDOUT_FILENO);
	const enum tr_status status = tr_files_allow_stdout(&files, &err);
	assert_int_equal(dup2(kept, STDOUT_FILENO), STDOUT_FILENO);
	assert_int_equal(status, TR_ERROR);
	assert_string_equal(err.text, "appended: is an input and also standard output");
	assert_int_equal(tr_files_allow_stdout(&files, &err), TR_OK);
	assert_int_equal(close(kept) | close(appended), 0);
	tr_files_clear(&files);
}

static void one_file_has_one_output(void **state)
{
	struct tr_files files = {NULL};
	struct tr_error err = {""};

	(void)state;
	assert_int_equal(symlink("two", "to-two"), 0); // where nothing is yet
	assert_int_equal(tr_files_write(&files, "two", &err), TR_OK);
	assert_int_equal(tr_files_write(&files, "two", &err), TR_ERROR);
	assert_string_equal(err.text, "two: two outputs to one file");
	assert_int_equal(tr_files_write(&files, "./two", &err), TR_ERROR);
	assert_int_equal(tr_files_write(&files, "to-two", &err), TR_ERROR);
	assert_int_equal(tr_files_allow(&files, "two", &err), TR_OK); // it is opened once
	assert_int_equal(tr_files_allow_another(&files, "two", &err), TR_ERROR);
	tr_files_clear(&files);
}

static void a_device_has_many(void **state)
{
	struct tr_files files = {NULL};
	struct tr_error err = {""};

	(void)state;
	assert_int_equal(tr_files_read(&files, "/dev/null", &err), TR_OK);
	assert_int_equal(tr_files_write(&files, "/dev/null", &err), TR_OK);
	assert_int_equal(tr_files_write(&files, "/dev/null", &err), TR_OK);
	assert_int_equal(tr_files_allow_another(&files, "/dev/null", &err), TR_OK);
	tr_files_clear(&files);
}

static void an_open_is_checked(void **state)
{
	struct tr_files files = {NULL};
	const struct tr_outfile_options options = {.files = &files};
	struct tr_outfile *file;
	struct tr_error err = {""};

	(void)state;
	write_file("checked", "in");
	assert_int_equal(tr_files_read(&files, "checked", &err), TR_OK);
	assert_int_equal(tr_outfile_open(&file, "checked", &options, &err), TR_ERROR);
	assert_null(file);
	assert_content("checked", "in");
	tr_files_clear(&files);
}

// ---- what becomes of the file

static void takes_its_name_when_whole(void **state)
{
	struct tr_outfile *file;
	struct tr_error err = {""};

	(void)state;
	write_file("whole", "old");
	file = open_with("whole", "new", &plain);
	assert_content("whole", "old");
	assert_int_equal(count(".whole.*.flitpart"), 1);
	assert_int_equal(tr_outfile_close(file, true, &err), TR_OK);
	assert_content("whole", "new");
	assert_int_equal(count("*whole*") + count(".whole*"), 1);
}

static void a_failure_leaves_the_old_one(void **state)
{
	struct tr_outfile *file;
	struct tr_error err = {""};

	(void)state;
	write_file("failed", "old");
	file = open_with("failed", "new", &plain);
	assert_int_equal(tr_outfile_close(file, false, &err), TR_OK);
	assert_content("failed", "old");
	assert_int_equal(count("*failed*") + count(".failed*"), 1);
	file = open_with("failed-new", "new", &plain);
	assert_int_equal(access("failed-new", F_OK), -1);
	assert_int_equal(tr_outfile_close(file, false, &err), TR_OK);
	assert_int_equal(count("failed-new*") + count(".failed-new*"), 0);
	file = open_with("failed", "new", &plain);
	tr_outfile_remove_all();
	assert_int_equal(count(".failed*"), 0);
	(void)tr_outfile_close(file, false, &err);
	assert_content("failed", "old");
}

static void keeps_mode_and_link(void **state)
{
	struct tr_error err = {""};
	struct stat info;

	(void)state;
	assert_int_equal(mkdir("elsewhere", 0777), 0);
	write_file("elsewhere/target", "old");
	assert_int_equal(chmod("elsewhere/target", 0640), 0);
	assert_int_equal(symlink("elsewhere/target", "link"), 0);
	assert_int_equal(tr_outfile_close(open_with("link", "new", &plain), true, &err), TR_OK);
	assert_content("elsewhere/target", "new");
	assert_int_equal(lstat("link", &info), 0);
	assert_true(S_ISLNK(info.st_mode));
	assert_int_equal(stat("elsewhere/target", &info), 0);
	assert_int_equal(info.st_mode & 07777, 0640);
	// A link that dangles is the name of what is made.
	assert_int_equal(symlink("elsewhere/made", "dangling"), 0);
	assert_int_equal(tr_outfile_close(open_with("dangling", "new", &plain), true, &err), TR_OK);
	assert_content("elsewhere/made", "new");
}

static void the_mask_holds_for_a_new_one(void **state)
{
	const mode_t mask = umask(027);
	struct tr_error err = {""};
	struct stat info;

	(void)state;
	assert_int_equal(tr_outfile_close(open_with("masked", "new", &plain), true, &err), TR_OK);
	(void)umask(mask);
	assert_int_equal(stat("masked", &info), 0);
	assert_int_equal(info.st_mode & 07777, 0640);
}

static void devices_are_written_as_they_are(void **state)
{
	struct tr_error err = {""};

	(void)state;
	assert_int_equal(tr_outfile_close(open_with("/dev/null", "new", &plain), true, &err),
			 TR_OK);
	assert_int_equal(mkfifo("pipe", 0666), 0);
	const int reading = open("pipe", O_RDONLY | O_NONBLOCK);
	assert_true(reading >= 0);
	assert_int_equal(tr_outfile_close(open_with("pipe", "new", &plain), false, &err), TR_OK);
	char got[8] = "";
	assert_int_equal(read(reading, got, sizeof(got) - 1), 3);
	assert_string_equal(got, "new");
	assert_int_equal(close(reading), 0);
	struct stat info;
	assert_int_equal(stat("pipe", &info), 0);
	assert_true(S_ISFIFO(info.st_mode));
}

// What grows has its own name from the start where there was none, and its part stays.
static void what_grows_is_seen(void **state)
{
	struct tr_outfile *file;
	struct tr_error err = {""};

	(void)state;
	file = open_with("growing", "part", &grows);
	assert_content("growing", "part");
	assert_int_equal(tr_outfile_close(file, false, &err), TR_OK);
	assert_content("growing", "part");
	file = open_with("growing", "new", &grows);
	assert_content("growing", "part");
	assert_int_equal(tr_outfile_close(file, false, &err), TR_OK);
	assert_content("growing", "part");
}

static void nothing_is_left_of_an_empty_one(void **state)
{
	struct tr_error err = {""};

	(void)state;
	assert_int_equal(tr_outfile_close(open_with("empty", "", &grows), false, &err), TR_OK);
	assert_int_equal(access("empty", F_OK), -1);
	assert_int_equal(tr_outfile_close(open_with("empty", "", &keeps), false, &err), TR_OK);
	assert_int_equal(count("empty*"), 0);
	assert_int_equal(symlink("empty-target", "empty-link"), 0);
	assert_int_equal(tr_outfile_close(open_with("empty-link", "", &grows), false, &err), TR_OK);
	assert_int_equal(access("empty-target", F_OK), -1);
	// One that is whole may be, and one that was there is not ours to remove.
	assert_int_equal(tr_outfile_close(open_with("empty", "", &grows), true, &err), TR_OK);
	assert_int_equal(access("empty", F_OK), 0);
	assert_int_equal(tr_outfile_close(open_with("empty", "", &grows), false, &err), TR_OK);
	assert_int_equal(access("empty", F_OK), 0);
}

static void what_is_kept_has_a_name_of_its_own(void **state)
{
	struct tr_outfile *file;
	struct tr_error err = {""};
	char part[256];

	(void)state;
	write_file("kept", "old");
	file = open_with("kept", "part", &keeps);
	assert_non_null(tr_outfile_part(file));
	(void)snprintf(part, sizeof(part), "%s", tr_outfile_part(file));
	assert_non_null(strstr(part, "/kept."));
	assert_string_equal(part + strlen(part) - 5, ".part");
	tr_outfile_remove_all(); // is for what is not kept
	assert_int_equal(tr_outfile_close(file, false, &err), TR_OK);
	assert_content("kept", "old");
	assert_content(part, "part");
	// Nothing in it: nothing to keep.
	assert_int_equal(tr_outfile_close(open_with("kept", "", &keeps), false, &err), TR_OK);
	assert_int_equal(count("kept.*.part"), 1);
	// Whole: no part.
	assert_int_equal(tr_outfile_close(open_with("kept", "new", &keeps), true, &err), TR_OK);
	assert_content("kept", "new");
	assert_int_equal(count("kept.*.part"), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_input_is_no_output),
		cmocka_unit_test(other_files_are_allowed),
		cmocka_unit_test(standard_output_is_no_input),
		cmocka_unit_test(one_file_has_one_output),
		cmocka_unit_test(a_device_has_many),
		cmocka_unit_test(an_open_is_checked),
		cmocka_unit_test(takes_its_name_when_whole),
		cmocka_unit_test(a_failure_leaves_the_old_one),
		cmocka_unit_test(keeps_mode_and_link),
		cmocka_unit_test(the_mask_holds_for_a_new_one),
		cmocka_unit_test(devices_are_written_as_they_are),
		cmocka_unit_test(what_grows_is_seen),
		cmocka_unit_test(nothing_is_left_of_an_empty_one),
		cmocka_unit_test(what_is_kept_has_a_name_of_its_own),
	};

	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
