/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What keeps a compiler from shortening the work of a kind. */
#ifndef LM_OPAQUE_H
#define LM_OPAQUE_H

/* Registers that hold floating-point numbers; where they have no name here, memory does. */
#if defined(__x86_64__)
#define REAL_REGISTER "x"
#elif defined(__aarch64__)
#define REAL_REGISTER "w"
#elif defined(__riscv_flen) || defined(__s390x__)
#define REAL_REGISTER "f"
#else
#define REAL_REGISTER "m"
#endif

/* The compiler must have x, an integer or a pointer, in a register here and knows nothing of its
 * value afterwards: an operation before it is carried out as written, is not merged with the next
 * and not vectorised. */
#define KEEP(x) __asm__ volatile("" : "+r"(x))

/* The same for a float or a double. */
#define KEEP_REAL(x) __asm__ volatile("" : "+" REAL_REGISTER(x))

/*
 * For a function that is nothing but operations: it stays one, and clang, told that size matters,
 * does not put a 32-bit division and a test for small operands before a 64-bit one.
 */
#if defined(__has_attribute) && __has_attribute(minsize)
#define AS_WRITTEN __attribute__((noinline, minsize))
#else
#define AS_WRITTEN __attribute__((noinline))
#endif

/* A function under test is called through such a pointer: the compiler can neither compute the
 * call in advance, nor merge, replace or drop it. */
#define VIA(function) static __typeof__(&function) volatile const call_##function = (function)

#endif
