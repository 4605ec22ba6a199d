# SPDX-License-Identifier: GPL-3.0-or-later
# Read by CPack before it starts: packages made from one commit have the same bytes. What they
# contain is dated by SOURCE_DATE_EPOCH (reproducible-builds.org), else by the commit, else, where
# there is none, by the changelog.
if(NOT DEFINED ENV{SOURCE_DATE_EPOCH})
	execute_process(COMMAND git -C "@CMAKE_SOURCE_DIR@" log -1 --format=%ct
		OUTPUT_VARIABLE epoch OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET
		RESULT_VARIABLE failed)
	if(failed)
		file(STRINGS "@CMAKE_SOURCE_DIR@/cmake/changelog.in" date REGEX "^ -- ")
		string(REGEX REPLACE ".*>  " "" date "${date}")
		execute_process(COMMAND date -d "${date}" +%s
			OUTPUT_VARIABLE epoch OUTPUT_STRIP_TRAILING_WHITESPACE
			COMMAND_ERROR_IS_FATAL ANY)
	endif()
	set(ENV{SOURCE_DATE_EPOCH} ${epoch})
endif()
