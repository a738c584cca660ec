// What all charts share. A chart is a function of data, palette and width that gives a Vega-Lite specification and
// touches no page, so that pictures can be made of it without a browser.

const font = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";

// More points than this are thinned for drawing; SVG gets slow, and nobody sees the difference.
const mostPoints = 1500;

// No logarithm without a range: a factor of three is seen well on a linear axis too.
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
      ...text, labelFontSize: 12, titleFontSize: 12, orient: "top", title: null, symbolStrokeWidth: 2, labelLimit: 200,
      columns: 3, symbolSize: 70,
    },
    mark: { color: palette.accent },
    point: { size: 30, filled: true },
    text: { fill: palette.text, font, fontSize: 12 },
    header: { ...text },
  };
}

// `width` is a number of pixels, or "container".
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

function logOrLinear(values) {
  const known = values.filter((value) => value > 0);
  const low = Math.min(...known), high = Math.max(...known);
  if (known.length && high / low >= logFrom) return { type: "log", nice: false };
  return { type: "linear", zero: false, nice: true };
}

// A value axis in a width of its own reads better with few ticks.
function usAxis(title) {
  return { title, tickCount: 6, format: "~g" };
}

const slowdownAxis = (title) => ({ title, tickCount: 6, labelExpr: "format(datum.value, '~g') + 'x'" });

function variantScale(variants, palette) {
  return {
    color: { domain: variants, range: variants.map((_, i) => palette.series[i % palette.series.length]) },
    shape: { domain: variants, range: variants.map((_, i) => shapes[i % shapes.length]) },
  };
}
