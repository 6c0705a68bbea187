/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/cmd.h"
#include "jobs/jobs.h"

int main(int argc, char **argv)
{
	return lm_app_main(argc, argv, lm_jobs);
}
