# SPDX-License-Identifier: GPL-3.0-or-later
# The scaled models of datasets/models are what make-yates writes from the table.
mkdir again
"$DATA/models/make-yates" "$DATA/tables/scaled-traffic.csv" again
diff -r again "$DATA/models" | grep -v -e make-yates -e '^Only in [^ ]*models: [a-z]'
ls again | wc -l
