/* What headers of tuned kernels have in common, beside them in one folder and the same for all:
   devices and their limits, a choice, a launch, its arguments, and the arithmetic of contracts.
   Written by `warpwright export KERNEL --format header`. C99, C++17 and NVRTC; includes nothing.

   A header KERNEL.h is used like this, in C++ too, where everything is constexpr:

     ww_device device = {"NVIDIA H200", "sm_90a", {0}};    // and its limits, see below
     ww_selection chosen = ww_KERNEL_select(device, problem);       // chosen.match says how
     // Compile ww_KERNEL_configurations[chosen.configuration].source by NVRTC with the options of
     // ww_KERNEL_compile_options(chosen, problem), --gpu-architecture=<the device's arch>, and
     // -I for each folder of ww_KERNEL_includes. From compute capability 9.0 on, the arch ends in
     // "a": "sm_90a"; without it, kernels that use the instructions of one architecture do not
     // compile. Launch 0 to launch_count - 1 in one stream, in this order:
     ww_launch_plan plan = ww_KERNEL_launch(chosen, problem, 0);

   What a plan wants of the driver:

     shared_bytes   above 48 KB they have to be opted in first:
                    cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, ...)
     cluster        one that is not 1 x 1 x 1 needs cuLaunchKernelEx with
                    CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION; one of more than 8 blocks also
                    cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1)
     arguments      the kernel's parameters, argument_count of them, by kind:
       WW_TENSOR       the address of tensor `index`: ww_KERNEL_tensor(chosen, problem, index)
       WW_SCALAR       the bytes at &plan.arguments[i].bits, the value in the type `dtype`
       WW_TENSOR_MAP   a CUtensorMap by value, encoded as ww_KERNEL_tensor_map(chosen, problem,
                       index) says; it holds an address and can be kept as long as that is the same

   Tensors are contiguous, their axes given outermost first. No pointer may be null. */
#ifndef WARPWRIGHT_SELECT_H
#define WARPWRIGHT_SELECT_H

/* A program may include headers of several exports: they must be of one version of this file. */
#define WARPWRIGHT_SELECT_VERSION 1

#if defined(__cplusplus)
#if defined(__CUDACC_RTC__) /* refuses functions and tables that are not said to be the device's \
                             */
#define WW_FN __host__ __device__ constexpr
#define WW_DATA __device__ constexpr
#else
#define WW_FN constexpr
#define WW_DATA inline constexpr
#endif
#define WW_INIT(...) = __VA_ARGS__
#define WW_ZERO \
  {}
#else
#define WW_FN static inline
#define WW_DATA static const
#define WW_INIT(...)
#define WW_ZERO \
  { 0 }
#endif

/* What a device can do. 0 is not known: it is then that of the tuned device of the same name and
   architecture, else the least that devices of the architecture have, which for sm_count is 4: give
   what the driver says. compute_capability follows from the arch, whatever is given. */
typedef struct ww_limits {
  long long max_shared WW_INIT(0);          /* bytes of a block that opts in; attribute 97 */
  long long max_threads WW_INIT(0);         /* of a block; attribute 1 */
  long long warp_size WW_INIT(0);           /* attribute 10 */
  long long sm_count WW_INIT(0);            /* attribute 16 */
  long long registers_per_sm WW_INIT(0);    /* attribute 82 */
  long long registers_per_block WW_INIT(0); /* attribute 12 */
  long long l2_bytes WW_INIT(0);            /* attribute 38 */
  long long compute_capability WW_INIT(0);  /* 90: 10 * attribute 75 + attribute 76 */
  long long global_bytes WW_INIT(0);        /* cuDeviceTotalMem */
} ww_limits;

/* The attributes above, for cuDeviceGetAttribute. */
enum {
  WW_ATTRIBUTE_MAX_THREADS = 1,
  WW_ATTRIBUTE_WARP_SIZE = 10,
  WW_ATTRIBUTE_REGISTERS_PER_BLOCK = 12,
  WW_ATTRIBUTE_SM_COUNT = 16,
  WW_ATTRIBUTE_L2_BYTES = 38,
  WW_ATTRIBUTE_CAPABILITY_MAJOR = 75,
  WW_ATTRIBUTE_CAPABILITY_MINOR = 76,
  WW_ATTRIBUTE_REGISTERS_PER_SM = 82,
  WW_ATTRIBUTE_MAX_SHARED = 97
};

typedef struct ww_device {
  const char *name WW_INIT(""); /* as the driver gives it: "NVIDIA H200" */
  const char *arch WW_INIT(""); /* "sm_90a" */
  ww_limits limits WW_INIT({});
} ww_device;

typedef enum {
  WW_MATCH_NONE,                /* the contract does not allow the problem, or nothing can run it */
  WW_MATCH_EXACT,               /* the winner of this very problem */
  WW_MATCH_NEAREST_SAME_DEVICE, /* tuned problems near it decided, of this device */
  WW_MATCH_NEAREST_SAME_ARCH,   /* of another device of the architecture */
  WW_MATCH_NEAREST_OTHER_CHOICE, /* of either, with other listed values: another dtype */
  WW_MATCH_DEFAULT               /* nothing tuned compares: the contract's defaults */
} ww_match;

typedef struct ww_selection {
  ww_match match WW_INIT(WW_MATCH_NONE);
  int configuration WW_INIT(-1); /* in the kernel's configurations; -1: none */
  int nearest WW_INIT(-1);       /* in the kernel's boards: the nearest that was asked; -1: none */
  double distance WW_INIT(0);    /* to it; 1 is a factor of two in one size */
  double score WW_INIT(0);       /* expected best time / time; 0 of a default */
  ww_limits limits WW_INIT({});  /* that it was made for, and launches are */
} ww_selection;

typedef enum {
  WW_F64,
  WW_F32,
  WW_F16,
  WW_BF16,
  WW_I64,
  WW_U64,
  WW_I32,
  WW_U32,
  WW_I16,
  WW_U16,
  WW_I8,
  WW_U8,
  WW_E4M3,
  WW_E5M2,
  WW_BOOL
} ww_dtype;

typedef enum { WW_TENSOR, WW_SCALAR, WW_TENSOR_MAP } ww_argument_kind;

typedef struct ww_argument {
  const char *name WW_INIT(0);
  ww_argument_kind kind WW_INIT(WW_TENSOR);
  int index WW_INIT(-1);              /* of the tensor or tensor map; -1 of a scalar */
  ww_dtype dtype WW_INIT(WW_F64);     /* of a scalar, or of the elements */
  unsigned long long bits WW_INIT(0); /* of a scalar: its bytes, little endian */
} ww_argument;

enum { WW_MOST_ARGUMENTS = 40 };

typedef struct ww_launch_plan {
  int ok WW_INIT(0); /* 0: no such launch, or its numbers cannot be computed */
  const char *entry WW_INIT(0);
  long long grid[3] WW_INIT({1, 1, 1});
  long long block[3] WW_INIT({1, 1, 1});
  long long cluster[3] WW_INIT({1, 1, 1});
  long long shared_bytes WW_INIT(0); /* dynamic */
  int argument_count WW_INIT(0);
  ww_argument arguments[WW_MOST_ARGUMENTS] WW_INIT({});
} ww_launch_plan;

typedef enum {
  WW_IN,       /* read only */
  WW_OUT,      /* written whole */
  WW_INOUT,    /* read and written */
  WW_WORKSPACE /* for the kernel's use; launches that may run at once must not share it */
} ww_role;

typedef struct ww_tensor {
  int ok WW_INIT(0); /* 0: no such tensor, or its shape cannot be computed */
  const char *name WW_INIT(0);
  ww_role role WW_INIT(WW_IN);
  int used WW_INIT(0); /* 0: the chosen variant does without; it needs no memory */
  ww_dtype dtype WW_INIT(WW_F64);
  int rank WW_INIT(0);
  long long shape[8] WW_INIT({});
  long long bytes WW_INIT(0);
  long long alignment WW_INIT(16); /* bytes, of the address */
  /* Of a workspace: what every element is before the first launch, after which each launch leaves
     it so; null: anything, before every launch. */
  const char *initial WW_INIT(0);
  unsigned long long initial_bits WW_INIT(0);
} ww_tensor;

/* A tensor map as cuTensorMapEncodeTiled takes it, without interleaving: dimension 0 is the
   innermost, and choices are the values of cuda.h. */
typedef struct ww_tensor_map {
  int ok WW_INIT(0); /* 0: no such map, or its numbers cannot be computed */
  const char *argument WW_INIT(0);
  int tensor WW_INIT(-1); /* whose address it is encoded for, after offset_bytes */
  long long offset_bytes WW_INIT(0);
  long long data_type WW_INIT(0); /* CUtensorMapDataType */
  long long rank WW_INIT(0);
  long long sizes[5] WW_INIT({});
  long long stride_bytes[4] WW_INIT({}); /* of dimensions 1 to 4 */
  long long box[5] WW_INIT({});
  long long element_strides[5] WW_INIT({});
  long long swizzle WW_INIT(0);      /* CUtensorMapSwizzle */
  long long l2_promotion WW_INIT(0); /* CUtensorMapL2promotion */
  long long fill WW_INIT(0);         /* CUtensorMapFloatOOBfill */
} ww_tensor_map;

/* A file that the kernel was tuned from, and the SHA-256 of its content. */
typedef struct ww_file {
  const char *path WW_INIT(0); /* "kernels/gemv/tma.cu" */
  const char *sha256 WW_INIT(0);
} ww_file;

/* ---- From here on nothing is for programs but ww_c_type and ww_dtype_bytes. ---- */

/* A value of the contract's expressions: a 64-bit integer (booleans are 0 and 1), a real, or a
   text. What cannot be evaluated (overflow, division by zero, a wrong type) is a fault, and so is
   everything made of it. */
typedef enum { WW_FAULT, WW_INTEGER, WW_REAL, WW_TEXT } ww_kind;
typedef struct ww_value {
  ww_kind kind WW_INIT(WW_FAULT);
  long long integer WW_INIT(0);
  double real WW_INIT(0);
  const char *text WW_INIT(0);
} ww_value;

WW_FN long long ww_largest(void) { return 9223372036854775807LL; }
WW_FN long long ww_lowest(void) { return -9223372036854775807LL - 1; }
WW_FN ww_value ww_fault(void) {
  const ww_value v = {WW_FAULT, 0, 0, 0};
  return v;
}
WW_FN ww_value ww_integer(long long integer) {
  const ww_value v = {WW_INTEGER, integer, 0, 0};
  return v;
}
WW_FN ww_value ww_real(double real) {
  const ww_value v = {WW_REAL, 0, real, 0};
  return real - real == 0 ? v : ww_fault();
}
WW_FN ww_value ww_text(const char *text) {
  const ww_value v = {WW_TEXT, 0, 0, text};
  return text != 0 ? v : ww_fault();
}
WW_FN int ww_number(ww_value v) { return v.kind == WW_INTEGER || v.kind == WW_REAL; }
WW_FN int ww_integers(ww_value a, ww_value b) {
  return a.kind == WW_INTEGER && b.kind == WW_INTEGER;
}
WW_FN int ww_numbers(ww_value a, ww_value b) { return ww_number(a) && ww_number(b); }
WW_FN double ww_as_real(ww_value v) { return v.kind == WW_REAL ? v.real : (double)v.integer; }
WW_FN int ww_holds(ww_value v) {
  return v.kind == WW_REAL ? v.real != 0 : v.kind == WW_INTEGER && v.integer != 0;
}
WW_FN int ww_same_text(const char *a, const char *b) {
  if (a == 0 || b == 0) return 0;
  while (*a != '\0' && *a == *b) {
    ++a;
    ++b;
  }
  return *a == *b;
}
WW_FN ww_value ww_add(ww_value a, ww_value b) {
  if (!ww_numbers(a, b)) return ww_fault();
  if (!ww_integers(a, b)) return ww_real(ww_as_real(a) + ww_as_real(b));
  if (b.integer > 0 ? a.integer > ww_largest() - b.integer : a.integer < ww_lowest() - b.integer)
    return ww_fault();
  return ww_integer(a.integer + b.integer);
}
WW_FN ww_value ww_subtract(ww_value a, ww_value b) {
  if (!ww_numbers(a, b)) return ww_fault();
  if (!ww_integers(a, b)) return ww_real(ww_as_real(a) - ww_as_real(b));
  if (b.integer < 0 ? a.integer > ww_largest() + b.integer : a.integer < ww_lowest() + b.integer)
    return ww_fault();
  return ww_integer(a.integer - b.integer);
}
WW_FN ww_value ww_negate(ww_value v) {
  return v.kind == WW_REAL ? ww_real(-v.real) : ww_subtract(ww_integer(0), v);
}
WW_FN ww_value ww_magnitude(ww_value v) {
  if (v.kind == WW_REAL) return ww_real(v.real < 0 ? -v.real : v.real);
  return v.kind == WW_INTEGER && v.integer >= 0 ? v : ww_subtract(ww_integer(0), v);
}
WW_FN ww_value ww_multiply(ww_value a, ww_value b) {
  const long long x = a.integer;
  const long long y = b.integer;
  if (!ww_numbers(a, b)) return ww_fault();
  if (!ww_integers(a, b)) return ww_real(ww_as_real(a) * ww_as_real(b));
  if (x == 0 || y == 0) return ww_integer(0);
  if (x > 0 ? (y > 0 ? x > ww_largest() / y : y < ww_lowest() / x)
            : (y > 0 ? x < ww_lowest() / y : y < ww_largest() / x))
    return ww_fault();
  return ww_integer(x * y);
}
WW_FN ww_value ww_divide(ww_value a, ww_value b) {
  if (!ww_numbers(a, b) || ww_as_real(b) == 0) return ww_fault();
  if (!ww_integers(a, b)) return ww_real(ww_as_real(a) / ww_as_real(b));
  if (b.integer == -1) return a.integer == ww_lowest() ? ww_fault() : ww_integer(-a.integer);
  return ww_integer(a.integer / b.integer);
}
WW_FN ww_value ww_remainder(ww_value a, ww_value b) {
  if (!ww_integers(a, b) || b.integer == 0) return ww_fault();
  return ww_integer(b.integer == -1 ? 0 : a.integer % b.integer);
}
WW_FN ww_value ww_ceil_div(ww_value a, ww_value b) {
  if (!ww_integers(a, b) || b.integer <= 0) return ww_fault();
  return ww_integer(a.integer / b.integer + (a.integer % b.integer > 0 ? 1 : 0));
}
WW_FN ww_value ww_align_up(ww_value a, ww_value b) { return ww_multiply(ww_ceil_div(a, b), b); }
WW_FN int ww_shiftable(ww_value a, ww_value b) {
  return ww_integers(a, b) && b.integer >= 0 && b.integer <= 63;
}
WW_FN ww_value ww_shift_left(ww_value a, ww_value b) {
  if (!ww_shiftable(a, b)) return ww_fault();
  const long long v = (long long)((unsigned long long)a.integer << b.integer);
  return (v >> b.integer) == a.integer ? ww_integer(v) : ww_fault();
}
WW_FN ww_value ww_shift_right(ww_value a, ww_value b) {
  return ww_shiftable(a, b) ? ww_integer(a.integer >> b.integer) : ww_fault();
}
WW_FN ww_value ww_bit_and(ww_value a, ww_value b) {
  return ww_integers(a, b) ? ww_integer(a.integer & b.integer) : ww_fault();
}
WW_FN ww_value ww_bit_or(ww_value a, ww_value b) {
  return ww_integers(a, b) ? ww_integer(a.integer | b.integer) : ww_fault();
}
WW_FN ww_value ww_bit_xor(ww_value a, ww_value b) {
  return ww_integers(a, b) ? ww_integer(a.integer ^ b.integer) : ww_fault();
}
WW_FN ww_value ww_invert(ww_value v) {
  return v.kind == WW_INTEGER ? ww_integer(~v.integer) : ww_fault();
}
WW_FN ww_value ww_is_pow2(ww_value v) {
  if (v.kind != WW_INTEGER) return ww_fault();
  return ww_integer(v.integer > 0 && (v.integer & (v.integer - 1)) == 0);
}
/* Integers compare as integers: as reals, neighbours beyond 2^53 would be equal. */
WW_FN ww_value ww_less(ww_value a, ww_value b) {
  if (!ww_numbers(a, b)) return ww_fault();
  return ww_integer(ww_integers(a, b) ? a.integer < b.integer : ww_as_real(a) < ww_as_real(b));
}
WW_FN ww_value ww_greater(ww_value a, ww_value b) { return ww_less(b, a); }
WW_FN ww_value ww_not(ww_value v) { return ww_number(v) ? ww_integer(!ww_holds(v)) : ww_fault(); }
WW_FN ww_value ww_less_equal(ww_value a, ww_value b) { return ww_not(ww_less(b, a)); }
WW_FN ww_value ww_greater_equal(ww_value a, ww_value b) { return ww_not(ww_less(a, b)); }
WW_FN ww_value ww_equal(ww_value a, ww_value b) {
  if (a.kind == WW_TEXT && b.kind == WW_TEXT) return ww_integer(ww_same_text(a.text, b.text));
  if (!ww_numbers(a, b)) return ww_fault();
  return ww_integer(ww_integers(a, b) ? a.integer == b.integer : ww_as_real(a) == ww_as_real(b));
}
WW_FN ww_value ww_not_equal(ww_value a, ww_value b) { return ww_not(ww_equal(a, b)); }
/* Nothing has side effects, so both sides may be evaluated; a fault on the side that a short
   circuit skips does not count. */
WW_FN ww_value ww_and(ww_value a, ww_value b) {
  if (!ww_number(a)) return ww_fault();
  if (!ww_holds(a)) return ww_integer(0);
  return ww_number(b) ? ww_integer(ww_holds(b)) : ww_fault();
}
WW_FN ww_value ww_or(ww_value a, ww_value b) {
  if (!ww_number(a)) return ww_fault();
  if (ww_holds(a)) return ww_integer(1);
  return ww_number(b) ? ww_integer(ww_holds(b)) : ww_fault();
}
WW_FN ww_value ww_choose(ww_value v, ww_value a, ww_value b) {
  return ww_number(v) ? (ww_holds(v) ? a : b) : ww_fault();
}
WW_FN ww_value ww_smaller(ww_value a, ww_value b) {
  if (!ww_numbers(a, b)) return ww_fault();
  if (ww_integers(a, b)) return b.integer < a.integer ? b : a;
  return ww_real(ww_as_real(b) < ww_as_real(a) ? ww_as_real(b) : ww_as_real(a));
}
WW_FN ww_value ww_larger(ww_value a, ww_value b) {
  if (!ww_numbers(a, b)) return ww_fault();
  if (ww_integers(a, b)) return a.integer < b.integer ? b : a;
  return ww_real(ww_as_real(a) < ww_as_real(b) ? ww_as_real(b) : ww_as_real(a));
}

/* Without <math.h>, so that everything is a constant expression and nothing has to be linked. */
WW_FN double ww_log2(double v) {
  int exponent = 0;
  for (; v >= 4294967296.0; v /= 4294967296.0) exponent += 32;
  for (; v >= 2; v /= 2) ++exponent;
  for (; v < 1; v *= 2) --exponent;
  if (v > 1.4142135623730951) {
    v /= 2;
    ++exponent;
  }
  const double t = (v - 1) / (v + 1);
  double sum = 0;
  for (int i = 23; i >= 1; i -= 2) sum = sum * t * t + 1.0 / i;
  return exponent + 2.885390081777927 * t * sum;
}
WW_FN double ww_root(double v) {
  double scale = 1;
  for (; v >= 4; v /= 4) scale *= 2;
  for (; v > 0 && v < 1; v *= 4) scale /= 2;
  double r = (1 + v) / 2;
  for (int i = 0; i < 6; ++i) r = (r + v / r) / 2;
  return v > 0 ? r * scale : 0;
}
/* log2(1 + |v|) with the sign of v. */
WW_FN double ww_size_scale(double v) { return v < 0 ? -ww_log2(1 - v) : ww_log2(1 + v); }
WW_FN ww_value ww_log2_of(ww_value v) {
  return ww_number(v) && ww_as_real(v) > 0 ? ww_real(ww_log2(ww_as_real(v))) : ww_fault();
}
WW_FN ww_value ww_root_of(ww_value v) {
  return ww_number(v) && ww_as_real(v) >= 0 ? ww_real(ww_root(ww_as_real(v))) : ww_fault();
}

/* The dtype that a contract calls so; -1: none. */
WW_FN int ww_dtype_of(const char *name) {
  const char *const names[] = {"f64", "f32", "f16", "bf16", "i64",  "u64",  "i32", "u32",
                               "i16", "u16", "i8",  "u8",   "e4m3", "e5m2", "bool"};
  for (int i = 0; i < 15; ++i) {
    if (ww_same_text(name, names[i])) return i;
  }
  return -1;
}
WW_FN int ww_dtype_bytes(ww_dtype dtype) {
  const int bytes[] = {8, 4, 2, 2, 8, 8, 4, 4, 2, 2, 1, 1, 1, 1, 1};
  return bytes[dtype];
}
/* As CUDA C++ spells it. */
WW_FN const char *ww_c_type(ww_dtype dtype) {
  const char *const types[] = {"double",        "float",
                               "__half",        "__nv_bfloat16",
                               "long long",     "unsigned long long",
                               "int",           "unsigned int",
                               "short",         "unsigned short",
                               "signed char",   "unsigned char",
                               "__nv_fp8_e4m3", "__nv_fp8_e5m2",
                               "bool"};
  return types[dtype];
}
WW_FN ww_value ww_bytes_of(ww_value v) {
  const int dtype = v.kind == WW_TEXT ? ww_dtype_of(v.text) : -1;
  return dtype >= 0 ? ww_integer(ww_dtype_bytes((ww_dtype)dtype)) : ww_fault();
}

/* The bits of a real in a binary format of IEEE 754, rounded to nearest, ties to even. */
WW_FN unsigned long long ww_real_bits(double v, int mantissa_bits, int exponent_bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const unsigned long long sign = v < 0 ? 1ULL << (mantissa_bits + exponent_bits) : 0;
  const unsigned long long infinity = ((1ULL << exponent_bits) - 1) << mantissa_bits;
  int exponent = 0;
  if (v < 0) v = -v;
  if (!(v > 0)) return 0;
  for (; v >= 2 && exponent <= bias; v /= 2) ++exponent;
  for (; v < 1 && exponent > 1 - bias; v *= 2) --exponent;
  if (exponent > bias) return sign | infinity;
  for (int i = 0; i < mantissa_bits; ++i) v *= 2;
  unsigned long long mantissa = (unsigned long long)v;
  const double rest = v - (double)mantissa;
  if (rest > 0.5 || (rest == 0.5 && (mantissa & 1) != 0)) ++mantissa;
  /* A subnormal has no leading one; one that rounds up to it becomes normal by the same sum. */
  return sign | (mantissa + ((unsigned long long)(exponent + bias - 1) << mantissa_bits));
}
WW_FN unsigned long long ww_bits(ww_dtype dtype, ww_value v) {
  switch (dtype) {
    case WW_F64:
      return ww_real_bits(ww_as_real(v), 52, 11);
    case WW_F32:
      return ww_real_bits(ww_as_real(v), 23, 8);
    case WW_F16:
      return ww_real_bits(ww_as_real(v), 10, 5);
    case WW_BF16:
      return ww_real_bits(ww_as_real(v), 7, 8);
    default:
      return (unsigned long long)v.integer;
  }
}

/* "sm_90a" is 90, and so is "sm_90"; 0: no architecture of CUDA. */
WW_FN int ww_capability_of(const char *arch) {
  int capability = 0;
  if (arch == 0 || arch[0] != 's' || arch[1] != 'm' || arch[2] != '_') return 0;
  for (arch += 3; *arch >= '0' && *arch <= '9' && capability < 1000; ++arch)
    capability = 10 * capability + (*arch - '0');
  while (*arch >= 'a' && *arch <= 'z') ++arch;
  return *arch == '\0' ? capability : 0;
}
/* "sm_90" and "sm_90a" are one architecture; what is none of CUDA's must be the same text. */
WW_FN int ww_same_arch(const char *a, const char *b) {
  if (a == 0 || b == 0) return 0;
  int a_length = 0;
  int b_length = 0;
  while (a[a_length] != '\0') ++a_length;
  while (b[b_length] != '\0') ++b_length;
  while (a_length > 0 && a[a_length - 1] >= 'a' && a[a_length - 1] <= 'z') --a_length;
  while (b_length > 0 && b[b_length - 1] >= 'a' && b[b_length - 1] <= 'z') --b_length;
  if (a_length != b_length) return 0;
  for (int i = 0; i < a_length; ++i) {
    if (a[i] != b[i]) return 0;
  }
  return 1;
}
WW_FN int ww_same_device(ww_device a, ww_device b) {
  return ww_same_text(a.name, b.name) && ww_same_arch(a.arch, b.arch);
}
/* The least that devices of an architecture have. */
WW_FN ww_limits ww_least_limits(int capability) {
  const int known[][2] = {{70, 98304},   {75, 65536},   {80, 166912},  {86, 101376},
                          {87, 166912},  {89, 101376},  {90, 232448},  {100, 232448},
                          {103, 232448}, {110, 232448}, {120, 101376}, {121, 101376}};
  ww_limits limits = WW_ZERO;
  limits.max_shared = 49152;
  for (int i = 0; i < 12; ++i) {
    if (known[i][0] == capability) limits.max_shared = known[i][1];
  }
  limits.max_threads = 1024;
  limits.warp_size = 32;
  limits.sm_count = 4;
  limits.registers_per_sm = 65536;
  limits.registers_per_block = 65536;
  limits.compute_capability = capability;
  return limits;
}
WW_FN ww_limits ww_fill_limits(ww_limits given, ww_limits other) {
  if (given.max_shared == 0) given.max_shared = other.max_shared;
  if (given.max_threads == 0) given.max_threads = other.max_threads;
  if (given.warp_size == 0) given.warp_size = other.warp_size;
  if (given.sm_count == 0) given.sm_count = other.sm_count;
  if (given.registers_per_sm == 0) given.registers_per_sm = other.registers_per_sm;
  if (given.registers_per_block == 0) given.registers_per_block = other.registers_per_block;
  if (given.l2_bytes == 0) given.l2_bytes = other.l2_bytes;
  if (given.compute_capability == 0) given.compute_capability = other.compute_capability;
  if (given.global_bytes == 0) given.global_bytes = other.global_bytes;
  return given;
}

WW_FN ww_selection ww_no_selection(void) {
  ww_selection none = WW_ZERO;
  none.configuration = -1;
  none.nearest = -1;
  return none;
}
WW_FN ww_launch_plan ww_no_launch(void) {
  ww_launch_plan none = WW_ZERO;
  for (int i = 0; i < 3; ++i) none.grid[i] = none.block[i] = none.cluster[i] = 1;
  return none;
}
WW_FN ww_tensor_map ww_no_tensor_map(void) {
  ww_tensor_map none = WW_ZERO;
  none.tensor = -1;
  return none;
}
WW_FN void ww_put_number(int *ok, long long *to, ww_value v) {
  if (v.kind == WW_INTEGER) *to = v.integer;
  if (v.kind != WW_INTEGER) *ok = 0;
}
WW_FN void ww_put_argument(ww_launch_plan *plan, const char *name, ww_argument_kind kind, int index,
                           int dtype) {
  ww_argument *argument = &plan->arguments[plan->argument_count++];
  if (dtype < 0) plan->ok = 0;
  argument->name = name;
  argument->kind = kind;
  argument->index = index;
  argument->dtype = (ww_dtype)(dtype < 0 ? 0 : dtype);
}
/* What does not fit the type is nothing that can be launched. */
WW_FN void ww_put_scalar(ww_launch_plan *plan, const char *name, int dtype, ww_value v) {
  const int real = dtype <= WW_BF16;
  if (real ? !ww_number(v) : v.kind != WW_INTEGER) plan->ok = 0;
  ww_put_argument(plan, name, WW_SCALAR, -1, dtype);
  if (dtype >= 0) plan->arguments[plan->argument_count - 1].bits = ww_bits((ww_dtype)dtype, v);
}
WW_FN void ww_put_tensor(ww_tensor *out, const char *name, ww_role role, int used, int dtype) {
  out->ok = dtype >= 0;
  out->name = name;
  out->role = role;
  out->used = used;
  out->dtype = (ww_dtype)(dtype < 0 ? 0 : dtype);
  out->bytes = ww_dtype_bytes(out->dtype);
  out->alignment = 16;
}
WW_FN void ww_put_axis(ww_tensor *out, ww_value extent) {
  long long *axis = &out->shape[out->rank++];
  const ww_value bytes = ww_multiply(ww_integer(out->bytes), extent);
  ww_put_number(&out->ok, axis, extent);
  if (*axis < 0) out->ok = 0;
  ww_put_number(&out->ok, &out->bytes, bytes);
}

#endif
