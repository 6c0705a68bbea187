/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/cmd.h"
#include "front/multitask.h"
#include "jobs/jobs.h"

int main(int argc, char **argv)
{
	return lm_program("multitask", argc, argv, lm_jobs, lm_multitask);
}
