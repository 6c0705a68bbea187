/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef LM_BASE_CLOCK_H
#define LM_BASE_CLOCK_H

#include <stddef.h>
#include <stdint.h>
#include <sys/time.h>
#include <time.h>

/* Nanoseconds of CLOCK_MONOTONIC. */
static inline uint64_t lm_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Nanoseconds of a time that the kernel gives in microseconds, as in struct rusage. */
static inline uint64_t lm_timeval_ns(struct timeval t)
{
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_usec * 1000u;
}

/* The time of day, UTC: "2026-01-02T03:04:05Z". */
static inline void lm_now_text(char *buf, size_t size)
{
	time_t now = time(NULL);
	struct tm tm;

	if (strftime(buf, size, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &tm)) == 0)
		buf[0] = '\0';
}

/* A time of day as AIM7's files have it: "Jan  2 03:04:05 2026". */
static inline void lm_date_text(const struct tm *tm, char *buf, size_t size)
{
	if (strftime(buf, size, "%b %e %H:%M:%S %Y", tm) == 0)
		buf[0] = '\0';
}

/* The local time of day in that form. */
static inline void lm_now_date(char *buf, size_t size)
{
	time_t now = time(NULL);
	struct tm tm;

	lm_date_text(localtime_r(&now, &tm), buf, size);
}

/* "2026-01-02T03:04:05Z" in that form and in local time; without Z the zone is not known, and it
 * stays as it is. "" when it is not told in full. */
static inline void lm_iso_date(const char *iso, char *buf, size_t size)
{
	struct tm tm = { 0 }, local;
	const char *rest = strptime(iso, "%Y-%m-%dT%H:%M:%S", &tm);
	time_t when = rest && *rest == 'Z' ? timegm(&tm) : 0;

	buf[0] = '\0';
	if (rest && *rest == 'Z')
		lm_date_text(localtime_r(&when, &local), buf, size);
	else if (rest)
		lm_date_text(&tm, buf, size);
}

#endif
