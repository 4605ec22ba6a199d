# SPDX-License-Identifier: GPL-3.0-or-later
flitroute -o - | sed '1s/1/2/' >newer
flitroute newer
