// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/run_over_time.h"

#ifdef FLIT_NCURSES

#include <curses.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "value/num.h"
#include "value/ticks.h"

#define ANSWER_BYTES 32
#define ESCAPE_MS 50 // after which an escape is a key of its own
#define STATE_WIDTH 9
#define STEP_SHARE 1000 // the first fixed step, as a part of the whole time
#define KEY_REDRAW 12	// ^L

struct browser {
	const struct timeline *timeline;
	const char *title;
	struct timeline_view view;
	char message[64]; // instead of the keys, until the next one
};

static void use_colours(void)
{
	if (!has_colors() || start_color() != OK || use_default_colors() != OK)
		return;
	init_pair(1, COLOR_BLUE, -1);
	init_pair(2, COLOR_YELLOW, -1);
	init_pair(3, COLOR_GREEN, -1);
}

// The attributes of a track's state, by its first letter.
static void paint_state(int row, const char *text)
{
	static const char states[] = "csr"; // computes, sends, receives
	const char *found = strlen(text) > TIMELINE_STATE_COLUMN
				    ? strchr(states, text[TIMELINE_STATE_COLUMN])
				    : NULL;

	if (found && *found != '\0')
		(void)mvchgat(row, TIMELINE_STATE_COLUMN, STATE_WIDTH, A_BOLD,
			      (short)(found - states + 1), NULL);
}

static void screen_fit(struct browser *browser)
{
	struct timeline_view *view = &browser->view;

	view->rows = LINES > (int)TIMELINE_ROWS_MIN ? (uint32_t)LINES - 1 : TIMELINE_ROWS_MIN;
	view->columns = COLS > (int)TIMELINE_COLUMNS_MIN ? (uint32_t)COLS : TIMELINE_COLUMNS_MIN;
	if (view->columns > TIMELINE_COLUMNS_MAX)
		view->columns = TIMELINE_COLUMNS_MAX;
}

static void screen_draw(struct browser *browser)
{
	const uint32_t tracks = timeline_view_tracks(&browser->view);
	char text[TIMELINE_COLUMNS_MAX + 1];

	(void)erase();
	(void)attron(A_REVERSE);
	(void)mvprintw(0, 0, "%-*.*s", COLS, COLS, browser->title);
	(void)attroff(A_REVERSE);
	for (uint32_t row = 0; row < browser->view.rows; row++) {
		timeline_view_row(browser->timeline, &browser->view, row, text);
		(void)mvaddnstr((int)row + 1, 0, text, COLS);
		if (row >= 2 && row < tracks + 2)
			paint_state((int)row + 1, text);
	}
	if (*browser->message != '\0') {
		(void)move(LINES - 1, 0);
		(void)clrtoeol();
		(void)addnstr(browser->message, COLS);
	}
	(void)refresh();
}

static void screen_go_to(struct browser *browser, int64_t ticks)
{
	const struct timeline *timeline = browser->timeline;

	browser->view.now_ticks = ticks < timeline->begin_ticks ? timeline->begin_ticks
				  : ticks > timeline->end_ticks ? timeline->end_ticks
								: ticks;
}

static void screen_step(struct browser *browser, bool back)
{
	const struct timeline_view *view = &browser->view;

	if (view->step_ticks > 0)
		screen_go_to(browser,
			     view->now_ticks + (back ? -view->step_ticks : view->step_ticks));
	else if (back)
		screen_go_to(browser, timeline_previous_event(browser->timeline, view->now_ticks));
	else
		screen_go_to(browser, timeline_next_event(browser->timeline, view->now_ticks));
}

// The first change leaves stepping from event to event.
static void change_step(struct browser *browser, bool longer)
{
	const int64_t whole_ticks = browser->timeline->end_ticks - browser->timeline->begin_ticks;
	int64_t *step_ticks = &browser->view.step_ticks;

	if (*step_ticks == 0)
		*step_ticks = whole_ticks / STEP_SHARE;
	else if (longer && *step_ticks <= whole_ticks / 2)
		*step_ticks *= 2;
	else if (!longer)
		*step_ticks /= 2;
	if (*step_ticks < 1)
		*step_ticks = 1;
}

static void scroll_by(struct browser *browser, int64_t tracks)
{
	const int64_t last = (int64_t)timeline_tracks(browser->timeline) -
			     timeline_view_tracks(&browser->view);
	int64_t top = browser->view.top + tracks;

	top = top > last ? last : top;
	browser->view.top = top < 0 ? 0 : (uint32_t)top;
}

static void ask_time(struct browser *browser)
{
	const struct timeline *timeline = browser->timeline;
	char answer[ANSWER_BYTES] = "";
	struct num_ratio time_s;
	struct tr_error err;
	int64_t ticks;

	(void)move(LINES - 1, 0);
	(void)clrtoeol();
	(void)addstr("go to time (such as 1.5us): ");
	(void)echo();
	(void)getnstr(answer, ANSWER_BYTES - 1);
	(void)noecho();
	if (num_parse(answer, NUM_TIME, &time_s, &err) == TR_OK &&
	    tr_ticks_round(time_s, timeline->ticks_per_s, &ticks, &err) == TR_OK)
		screen_go_to(browser, ticks);
	else
		snprintf(browser->message, sizeof(browser->message),
			 "expected a time such as 1.5us, 3 ms");
}

// Whether to go on.
static bool obey(struct browser *browser, int key)
{
	*browser->message = '\0';
	switch (key) {
	case ' ':
	case KEY_RIGHT: screen_step(browser, false); break;
	case KEY_LEFT: screen_step(browser, true); break;
	case KEY_HOME: screen_go_to(browser, browser->timeline->begin_ticks); break;
	case KEY_END: screen_go_to(browser, browser->timeline->end_ticks); break;
	case '+': change_step(browser, true); break;
	case '-': change_step(browser, false); break;
	case 'e': browser->view.step_ticks = 0; break;
	case 'g': ask_time(browser); break;
	case KEY_DOWN: scroll_by(browser, 1); break;
	case KEY_UP: scroll_by(browser, -1); break;
	case KEY_NPAGE: scroll_by(browser, timeline_view_tracks(&browser->view)); break;
	case KEY_PPAGE: scroll_by(browser, -(int64_t)timeline_view_tracks(&browser->view)); break;
	case KEY_REDRAW: (void)clearok(curscr, TRUE); break;
	case ERR: // the terminal has gone
	case 'q': return false;
	default: break;
	}
	return true;
}

static void browse(struct browser *browser)
{
	(void)cbreak();
	(void)noecho();
	(void)keypad(stdscr, TRUE);
	(void)set_escdelay(ESCAPE_MS);
	use_colours();
	(void)curs_set(0);
	do {
		screen_fit(browser);
		screen_draw(browser);
	} while (obey(browser, getch()));
}

enum tr_status timeline_browse(const struct timeline *timeline, const char *title,
			       struct tr_error *err)
{
	struct browser browser = {
		.timeline = timeline, .title = title, .view = {.now_ticks = timeline->begin_ticks}};
	FILE *keys = isatty(STDIN_FILENO) ? stdin : fopen("/dev/tty", "r");
	SCREEN *screen = keys ? newterm(NULL, stdout, keys) : NULL;

	if (screen) {
		browse(&browser);
		(void)endwin();
		delscreen(screen);
	}
	if (keys && keys != stdin)
		(void)fclose(keys);
	return screen ? TR_OK
		      : tr_fail(err, "--watch: cannot use the terminal (TERM names its type)");
}

#else

enum tr_status timeline_browse(const struct timeline *timeline, const char *title,
			       struct tr_error *err)
{
	(void)timeline;
	(void)title;
	return tr_fail(err, "--watch: built without ncurses; --timeline FILE writes a picture");
}

#endif
