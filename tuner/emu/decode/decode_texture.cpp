// tex of one and two dimensions through a handle in a register, as generated for
// cudaTextureObject_t.
#include <bit>

#include "emu/decode/function_decoder.h"
#include "emu/exec/exec_data.h"

namespace warpwright::emu {

std::vector<std::string> FunctionDecoder::texture_opcodes() { return {"tex"}; }

// tex{.level}.geom.v4.dtype.ctype d, [handle, {x{, y}}]{, level}; arrays without mipmaps only have
// level 0.
bool FunctionDecoder::decode_texture() {
  if (parts_[0] != "tex") return false;
  const std::size_t level = has_part("level") ? 1 : 0;
  if (parts_.size() != 5 + level || parts_[level] != (level != 0 ? "level" : "tex")) return false;
  const std::string_view shape = parts_[1 + level];
  const std::string_view type = parts_[3 + level];
  const std::string_view coordinates = parts_[4 + level];
  TextureForm form;
  form.dimensions = shape == "1d" ? 1 : shape == "2d" ? 2 : 0;
  form.floats = type == "f32";
  form.whole = coordinates == "s32";
  const bool known = form.dimensions != 0 && parts_[2 + level] == "v4" &&
                     (type == "f32" || type == "u32" || type == "s32") &&
                     (coordinates == "f32" || (coordinates == "s32" && level == 0));
  if (!known || statement_->operands.size() != 2 + level) return false;
  const Operand& results = operand(0);
  const Operand& place = operand(1);
  if (results.kind != Operand::Kind::kVector || results.list.size() != 4 ||
      place.kind != Operand::Kind::kAddress || place.list.size() != 2 ||
      place.list[1].kind != Operand::Kind::kVector || place.list[1].list.size() < form.dimensions)
    return false;
  const Literal literal = form.whole ? Literal::kBits : Literal::kFloat;
  const std::uint32_t handle = prepare(place.list[0], Shape::kWide, Literal::kBits);
  std::vector<std::uint32_t> values;
  for (std::size_t i = 0; i < form.dimensions; ++i)
    values.push_back(prepare(place.list[1].list[i], Shape::kRow, literal));
  emit(&exec_texture, InstClass::kLoadStore).immediate = std::bit_cast<std::uint32_t>(form);
  code_.back().count = 4;
  prepared(kSrc0, handle);
  for (std::size_t i = 0; i < values.size(); ++i)
    prepared(static_cast<Field>(kSrc1 + i), values[i]);
  begin_extra();
  for (const Operand& result : results.list) extra(result, Shape::kRow, true);
  return true;
}

}  // namespace warpwright::emu
