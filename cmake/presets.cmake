# SPDX-License-Identifier: GPL-3.0-or-later
# Makes SOURCE, which holds the text of each preset FOLDER/KIND/NAME.* (replay/net/fabric.h).
function(flit_presets folder source)
	file(GLOB files CONFIGURE_DEPENDS ${folder}/*/*.*)
	set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files})
	set(rows "")
	foreach(file ${files})
		cmake_path(GET file STEM name)
		cmake_path(GET file PARENT_PATH parent)
		cmake_path(GET parent FILENAME kind)
		file(READ ${file} text)
		string(REPLACE "\\" "\\\\" text "${text}")
		string(REPLACE "\"" "\\\"" text "${text}")
		string(REPLACE "\n" "\\n\"\n\t \"" text "${text}")
		string(APPEND rows "\t{\"${kind}\", \"${name}\",\n\t \"${text}\"},\n")
	endforeach()
	file(CONFIGURE OUTPUT ${source} @ONLY CONTENT [[
// Made from the files in net/presets.
#include "net/fabric.h"

const struct key_preset net_presets[] = {
@rows@	{0},
};
]])
endfunction()
