// Decodes one function: reads its statements one after the other, has the family of each opcode
// decode it, and appends the finished code to the program.
#pragma once

#include <cstdint>
#include <vector>

#include "emu/decode/code_builder.h"
#include "emu/decode/decode_async.h"
#include "emu/decode/decode_call.h"
#include "emu/decode/decode_control.h"
#include "emu/decode/decode_lane.h"
#include "emu/decode/decode_memory.h"
#include "emu/decode/decode_tensor.h"
#include "emu/decode/decode_texture.h"
#include "emu/decode/decode_video.h"
#include "emu/decode/decode_warp.h"
#include "emu/decode/function_frame.h"
#include "emu/decode/label_table.h"
#include "emu/decode/module_decoder.h"
#include "emu/decode/operand_reader.h"
#include "emu/decode/shared_objects.h"
#include "emu/decode/statement_reader.h"
#include "emu/program/program.h"
#include "emu/program/register_allocation.h"

namespace warpwright::emu {

class FunctionDecoder {
 public:
  FunctionDecoder(ModuleDecoder& module, const ParsedFunction& function, std::uint32_t index);
  FunctionDecoder(const FunctionDecoder&) = delete;
  FunctionDecoder& operator=(const FunctionDecoder&) = delete;

  void decode();

 private:
  void decode_statement();
  void finish();
  std::uint32_t object(const SharedVariable& which);
  void add_objects();
  [[nodiscard]] std::uint32_t object_set(const std::vector<SharedVariable>& variables);

  ModuleDecoder& module_;
  const ParsedFunction& function_;
  const std::uint32_t index_;
  FunctionFrame frame_;
  LabelTable labels_;
  StatementReader at_;
  CodeBuilder out_;
  OperandReader operands_;
  AsyncDecoder async_;
  MemoryDecoder memory_;
  ControlDecoder control_;
  CallDecoder call_;
  WarpDecoder warp_;
  TensorDecoder tensor_;
  VideoDecoder video_;
  TextureDecoder texture_;
  LaneDecoder lane_;
};

}  // namespace warpwright::emu
