/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "formats/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

json_t *lm_json_text(const char *text)
{
	char *quoted;
	json_t *j;
	size_t size;

	if (!text)
		return json_null();
	j = json_string(text);
	if (j)
		return j;
	size = 4 * strlen(text) + 1;
	quoted = malloc(size);
	if (!quoted)
		return NULL;
	j = json_string(lm_text_quote(text, strlen(text), size, quoted, size));
	free(quoted);
	return j;
}

json_t *lm_json_number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}
