#include "emu/decode/decode_texture.h"

#include <bit>

#include "emu/exec/exec.h"

namespace warpwright::emu {

std::vector<std::string> TextureDecoder::opcodes() { return {"tex"}; }

// tex{.level}.geom.v4.dtype.ctype d, [handle, {x{, y}}]{, level}; arrays without mipmaps only have
// level 0.
bool TextureDecoder::decode() {
  if (at_.parts()[0] != "tex") return false;
  const std::size_t level = at_.has_part("level") ? 1 : 0;
  if (at_.parts().size() != 5 + level || at_.parts()[level] != (level != 0 ? "level" : "tex"))
    return false;
  const std::string_view shape = at_.parts()[1 + level];
  const std::string_view type = at_.parts()[3 + level];
  const std::string_view coordinates = at_.parts()[4 + level];
  TextureForm form;
  form.dimensions = shape == "1d" ? 1 : shape == "2d" ? 2 : 0;
  form.floats = type == "f32";
  form.whole = coordinates == "s32";
  const bool known = form.dimensions != 0 && at_.parts()[2 + level] == "v4" &&
                     (type == "f32" || type == "u32" || type == "s32") &&
                     (coordinates == "f32" || (coordinates == "s32" && level == 0));
  if (!known || at_.current().operands.size() != 2 + level) return false;
  const Operand& results = at_.operand(0);
  const Operand& place = at_.operand(1);
  if (results.kind != Operand::Kind::kVector || results.list.size() != 4 ||
      place.kind != Operand::Kind::kAddress || place.list.size() != 2 ||
      place.list[1].kind != Operand::Kind::kVector || place.list[1].list.size() < form.dimensions)
    return false;
  const Literal literal = form.whole ? Literal::kBits : Literal::kFloat;
  const std::uint32_t handle = operands_.value(place.list[0], Shape::kWide, Literal::kBits);
  std::vector<std::uint32_t> values;
  for (std::size_t i = 0; i < form.dimensions; ++i)
    values.push_back(operands_.value(place.list[1].list[i], Shape::kRow, literal));
  out_.emit(&exec_texture, InstClass::kLoadStore).immediate = std::bit_cast<std::uint32_t>(form);
  out_.last().count = 4;
  out_.source_value(kSrc0, handle);
  for (std::size_t i = 0; i < values.size(); ++i)
    out_.source_value(static_cast<Field>(kSrc1 + i), values[i]);
  out_.begin_extra();
  for (const Operand& result : results.list) operands_.extra_result(result, Shape::kRow);
  return true;
}

}  // namespace warpwright::emu
