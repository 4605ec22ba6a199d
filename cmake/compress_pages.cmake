# SPDX-License-Identifier: GPL-3.0-or-later
# Run by CPack when the files of the package stand in their folder.
file(GLOB_RECURSE pages ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share/man/*.[1-7])
foreach(page ${pages})
	execute_process(COMMAND gzip -9nf ${page} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
