// A row of a table by its number, where numbers that the table does not have stand for a row of
// zeros.
#pragma once

#include "types.cuh"

template <typename T>
struct TableRow {
  const T* elements;
  bool exists;

  // Compared without a sign, a negative number is as large as any.
  __device__ __forceinline__ TableRow(const T* table, int number, int rows, int d)
      : exists(static_cast<u32>(number) < static_cast<u32>(rows)) {
    elements = table + (exists ? static_cast<i64>(number) * d : 0);
  }

  __device__ __forceinline__ float load(int column) const {
    return exists ? to_float(elements[column]) : 0.0f;
  }
};
