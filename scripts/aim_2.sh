#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# One job of shell_rtns_2; $1 is the number of tasks.
ls -l >/dev/null
