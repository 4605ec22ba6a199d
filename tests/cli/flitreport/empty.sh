# SPDX-License-Identifier: GPL-3.0-or-later
: >empty
flitreport -o page.html empty
status=$?
ls
exit $status
