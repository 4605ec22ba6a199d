# SPDX-License-Identifier: GPL-3.0-or-later
# Nobody reads the output any more before it is written: no message, status 2.
mkfifo go
(read -r word <go; flitinfo "$SRC/tests/golden/packets.flt" 2>err; echo $? >status) | (exec <&-; echo go >go)
cat err status
