# SPDX-License-Identifier: GPL-3.0-or-later
# Run by CPack when the files of the package stand in their folder.
set(share ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share)
file(GLOB_RECURSE documents ${share}/man/*.[1-7] ${share}/doc/flitline/changelog)
# A package's completions are a vendor's.
file(RENAME ${share}/zsh/site-functions ${share}/zsh/vendor-completions)
foreach(document ${documents})
	execute_process(COMMAND gzip -9nf ${document} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
