/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers and sizes as text. Pure. */
#ifndef LM_BASE_UNITS_H
#define LM_BASE_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Parse a decimal number of min to max that is the whole of text: digits only, leading zeros
 * allowed. Returns false and leaves *out alone when it is not. */
bool lm_parse_uint(const char *text, uint64_t min, uint64_t max, uint64_t *out);

/* Parse seconds ("90", "1.5") above 0 and at most max, the whole of text, whatever the locale. */
bool lm_parse_seconds(const char *text, double max, double *out);

/* Parse a share in percent, "5%" or "5" or "0.5%", of min to max, the whole of text. */
bool lm_parse_percent(const char *text, double min, double max, double *out);

/* Parse a decimal number ("-0.5", "12", "1.5e-3") that is the whole of text and finite, whatever
 * the locale: "nan", "inf" and hexadecimal are none. */
bool lm_parse_number(const char *text, double *out);

/* Parse "512", "4K", "64M" or "1G" into bytes, the whole of text; false when it is no such number.
 */
bool lm_parse_bytes(const char *text, uint64_t *bytes);

/* "64K" for 65536, "512" for 512: the largest unit that is exact. Returns buf. */
const char *lm_format_bytes(uint64_t bytes, char *buf, size_t size);

/* Why a text is no size. */
enum lm_size_fault {
	LM_SIZE_OK,
	LM_SIZE_NO_NUMBER,
	LM_SIZE_NO_UNIT,
	LM_SIZE_BAD_UNIT,
	LM_SIZE_TOO_BIG
};

/* Parse "10M" into KiB: digits, then k, K, m, M, g or G; at most max_kib. */
enum lm_size_fault lm_parse_size_kib(const char *text, uint64_t max_kib, uint64_t *kib);

/* What was wrong, as the end of a sentence: "has no unit: write 10K, 10M or 10G". */
const char *lm_size_fault_text(enum lm_size_fault fault);

/* "10M" for 10240, "15K" for 15, "1.5G": the shortest form with at most one decimal that is
 * exact, else K. Returns buf. */
const char *lm_format_kib(uint64_t kib, char *buf, size_t size);

/* The same rounded to at most one decimal of the largest unit that fits: "79.8G", "75M". Returns
 * buf. */
const char *lm_format_about(uint64_t kib, char *buf, size_t size);

#endif
