// Formats numbers for people, the same way the terminal prints them (output/text/table.h).

const isNumber = (value) => typeof value === "number" && Number.isFinite(value);

function formatThousands(value) {
  if (!isNumber(value)) return "n/a";
  return Math.round(value).toString().replace(/\B(?=(\d{3})+$)/g, ",");
}

// Decimals by magnitude, so that three or more digits are significant.
// A value of a sweep's own metric, whatever its unit.
function formatMetric(value) {
  return isNumber(value) ? String(Number(value.toPrecision(4))) : "n/a";
}

function formatUs(us) {
  if (!isNumber(us)) return "n/a";
  const size = Math.abs(us);
  if (size < 0.9995) return us.toFixed(3);
  if (size < 99.995) return us.toFixed(2);
  if (size < 999.95) return us.toFixed(1);
  return formatThousands(us);
}

// "±0.11 %", the interval's longer side; "" where there is no interval.
function formatHalfWidth(us, low, high) {
  if (!isNumber(low) || !isNumber(high) || !(us > 0)) return "";
  return `±${((100 * Math.max(high - us, us - low)) / us).toFixed(2)} %`;
}

// "1.00x", "0.045x", "16.8x"
function formatRatio(ratio) {
  if (!isNumber(ratio)) return "n/a";
  return `${ratio.toFixed(ratio < 0.0995 ? 3 : ratio < 9.995 ? 2 : ratio < 99.95 ? 1 : 0)}x`;
}

// "3.1 %", "51 %", "99.7 %": nearly all is not shown as all.
function formatPercent(fraction) {
  if (!isNumber(fraction)) return "n/a";
  const percent = 100 * fraction;
  return `${percent.toFixed(Math.abs(percent) < 9.95 || (percent >= 99 && percent < 100) ? 1 : 0)} %`;
}

// "4,425", "3.47": a rate in GB/s or GFLOP/s.
function formatRate(value) {
  if (!isNumber(value)) return "n/a";
  return value < 99.95 ? value.toFixed(value < 9.995 ? 2 : 1) : formatThousands(value);
}

// "139.8 GiB", "60 MiB", "227 KiB"
function formatBytes(bytes) {
  if (!isNumber(bytes)) return "n/a";
  const power = Math.min(3, Math.floor(Math.log2(Math.max(1, Math.abs(bytes))) / 10));
  const value = bytes / 1024 ** power;
  return `${Number(value.toFixed(1))} ${["B", "KiB", "MiB", "GiB"][power]}`;
}

function counted(count, one, many) {
  return `${formatThousands(count)} ${count === 1 ? one : many}`;
}

// The median of times in any order; the mean of the middle two if their number is even.
function medianOf(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

// At most `limit` elements of the list, evenly spaced, including the first and the last.
function spread(list, limit) {
  if (list.length <= limit) return list;
  return Array.from({ length: limit }, (_, i) => list[Math.floor((i * (list.length - 1)) / (limit - 1))]);
}
