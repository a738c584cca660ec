// Operations are 0 and 1, and the input, which has a 2, is bounded.
// vet: apply<<<1, 32>>>(operation[32] = 2, y[32])
__global__ void apply(const int* operation, int* y) {
  int value = threadIdx.x, which = operation[threadIdx.x] & 1, result;
  asm("{\n\t"
      "table: .branchtargets DOUBLE, SQUARE;\n\t"
      "brx.idx %2, table;\n\t"
      "DOUBLE: add.s32 %0, %1, %1;\n\t"
      "bra DONE;\n\t"
      "SQUARE: mul.lo.s32 %0, %1, %1;\n\t"
      "DONE:\n\t}" : "=r"(result) : "r"(value), "r"(which));
  y[threadIdx.x] = result;
}
