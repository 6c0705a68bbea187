/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values for JSON that JSON itself does not have. */
#ifndef LM_FORMATS_JSON_H
#define LM_FORMATS_JSON_H

#include <jansson.h>

/* Text from outside need not be UTF-8, which JSON must be: other bytes become \xNN. NULL is null.
 */
json_t *lm_json_text(const char *text);

/* null when it is no finite number. */
json_t *lm_json_number(double value);

#endif
