/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Dates as other programs print them. Pure. */
#ifndef LM_FORMATS_DATES_H
#define LM_FORMATS_DATES_H

#include <stdbool.h>

#define LM_DATE_SIZE 32

/* "Fri Jun 24 00:28:01 2005", "24 Jun 2005 00:28:01 UTC", "2005-06-24 00:28:01": a day with its
 * month, year and time, the whole of text, becomes "2005-06-24T00:28:01", with Z when the zone is
 * told to be UTC. false, and out untouched, when it is none. */
bool lm_date_parse(const char *text, char out[LM_DATE_SIZE]);

#endif
