// Code shared by all charts. A chart is a function of data, palette and width that returns a Vega-Lite specification and does
// not touch the page, so that pictures can be made of it without a browser.

const font = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";

// Larger sets of points are thinned for drawing: SVG gets slow, and the difference is invisible.
const mostPoints = 1500;

// Below this width, as on a phone, labels take lines of their own.
const narrow = 560;

// A logarithmic axis needs a range: a factor of three is also clear on a linear axis.
const logFrom = 3;

function chartConfig(palette) {
  const text = { labelColor: palette.muted, titleColor: palette.text, labelFont: font, titleFont: font };
  return {
    font,
    aria: false,
    background: null,
    view: { stroke: null },
    axis: {
      ...text, labelFontSize: 12, titleFontSize: 12, titleFontWeight: 500, gridColor: palette.line,
      domainColor: palette.soft, tickColor: palette.soft, labelOverlap: "greedy", labelLimit: 220, titleLimit: 600,
    },
    legend: {
      ...text, labelFontSize: 12, titleFontSize: 12, orient: "top", title: null, symbolStrokeWidth: 2, labelLimit: 210,
      columns: 3, symbolSize: 70,
    },
    mark: { color: palette.accent },
    point: { size: 30, filled: true },
    text: { fill: palette.text, font, fontSize: 12 },
    header: { ...text },
  };
}

// `width` is the width of the whole chart in pixels.
function specification(palette, width, parts) {
  return {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    width,
    autosize: { type: "fit-x", contains: "padding" },
    padding: { left: 2, right: 6, top: 4, bottom: 2 },
    config: chartConfig(palette),
    ...parts,
  };
}

// "1,500", "2.645", without exponents.
const plainNumber = "format(datum.value, ',~r')";

// 1, 2, 5, 10, ... within the range, or only powers of ten if there are many.
function logTicks(low, high) {
  const decades = Math.log10(high / low);
  const steps = decades > 3 ? [1] : decades > 0.9 ? [1, 2, 5] : [1, 1.5, 2, 3, 4, 5, 6, 8];
  const ticks = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); ++power)
    ticks.push(...steps.map((step) => Number((step * 10 ** power).toPrecision(3))));
  return ticks.filter((tick) => tick >= low * 0.999 && tick <= high * 1.001);
}

// The {scale, axis} of a value axis over `values`; `more` is merged into the axis.
function valueAxis(values, more) {
  const known = values.filter((value) => value > 0);
  const low = Math.min(...known), high = Math.max(...known);
  if (known.length && high / low >= logFrom)
    return { scale: { type: "log", nice: false, padding: 6 }, axis: { values: logTicks(low, high), labelExpr: plainNumber, ...more } };
  return { scale: { type: "linear", zero: false, nice: false, padding: 6 }, axis: { tickCount: 5, labelExpr: plainNumber, ...more } };
}

function slowdownAxis(values, more) {
  return valueAxis(values, { labelExpr: `${plainNumber} + 'x'`, ...more });
}

// The number of legend columns that fit. The legend begins where the plot does, right of the axis and its numbers.
function legendFor(labels, width) {
  const axis = 150;
  const longest = Math.min(28, Math.max(...labels.map((label) => label.length)));
  return { columns: Math.max(1, Math.min(4, Math.floor(width / (longest * 7.5 + 34)))), labelLimit: Math.max(60, Math.min(210, width - axis)) };
}

function variantScale(variants, palette) {
  return {
    color: { domain: variants, range: variants.map((_, i) => palette.series[i % palette.series.length]) },
    shape: { domain: variants, range: variants.map((_, i) => shapes[i % shapes.length]) },
  };
}
