// The effects of a variant's parameters on one problem; another variant or pair of parameters can be chosen.

function marginalFigures(board, importance) {
  return importance.parameters.slice(0, 8).map((parameter) => {
    const best = parameter.values.reduce((a, b) => (b.best.us < a.best.us ? b : a));
    return chartFigure({
      title: parameter.name, level: "h4", kind: "small",
      summary: `Best with ${best.value}.`,
      spec: (palette, width) => report.marginalChart(parameter, importance.best.us, palette, width),
      table: () => [["value", "best µs", "median µs", "configurations", "pruned"], parameter.values.map((value) =>
        [String(value.value), formatUs(value.best.us), formatUs(value.median.us), value.configurations, value.pruned])],
    });
  });
}

function importanceFigure(board, importance) {
  if (importance.why_not || !importance.parameters.length) return element("p", { class: "card" }, `No shares for ${importance.variant}: ${importance.why_not || "nothing varies"}.`);
  const rows = report.importanceRows(importance);
  const trust = isNumber(importance.r_squared) ? `The forest behind the shares predicts ${formatPercent(Math.max(0, importance.r_squared))} of the ` +
    `variation of configurations it has not seen${importance.r_squared < 0.5 ? ": trust them little" : ""}.` : "";
  return chartFigure({
    title: "Which parameters decide the time", badges: boardBadges(board),
    summary: `${rows[0].name} explains ${formatPercent(rows[0].share)} of the variation of ${importance.variant}. ${trust}`,
    spec: (palette, width) => report.importanceChart(importance, palette, width),
    table: () => [["parameter", "what", "share"], rows.map((row) => [row.name, row.kind, formatPercent(row.share)])],
  });
}

function heatFigure(board, variant) {
  const holder = element("div", { class: "holder" });
  const names = report.parametersOf(board, variant);
  const pair = report.heatPair(board, variant);
  if (!pair) return "";
  let { x, y } = pair;
  function choose(axis, name) {
    // Choosing the same parameter twice swaps the two.
    if (axis === "x") { if (name === y) y = x; x = name; } else { if (name === x) x = y; y = name; }
    fill();
    holder.querySelector(`select[data-axis=${axis}]`).focus();
    announce(`Heat map over ${x} and ${y}`);
  }
  function axisBox(axis) {
    const box = select(axis === "x" ? "Across" : "Down", names, axis === "x" ? x : y, (name) => choose(axis, name));
    box.querySelector("select").dataset.axis = axis;
    return box;
  }
  function fill() {
    dropCharts(holder);
    const cells = report.heatCells(board, variant, x, y);
    const timed = cells.filter((cell) => cell.best).sort((a, b) => a.best.us - b.best.us);
    const [best, worst] = [timed[0], timed.at(-1)];
    holder.replaceChildren(chartFigure({
      title: `Best time over ${x} and ${y}`, badges: boardBadges(board), controls: [axisBox("x"), axisBox("y")],
      summary: timed.length ? `µs of the best configuration of ${variant} that has both values: ${formatUs(best.best.us)} at ${x}=${best.x} ${y}=${best.y}, ` +
        `up to ${formatUs(worst.best.us)} at ${x}=${worst.x} ${y}=${worst.y}.` : "No configuration passed.",
      spec: (palette, width) => report.heatMapChart(board, variant, x, y, palette, width),
      table: () => [[`${x}, ${y}`, "best µs", "timed", "pruned", "failed or noisy"], cells.map((cell) =>
        [`${cell.x}, ${cell.y}`, cell.best ? formatUs(cell.best.us) : null, cell.timed, cell.pruned, cell.failed])],
    }));
    startCharts();
  }
  fill();
  return holder;
}

function parametersSection(board) {
  const variants = [...new Set(board.entries.map((entry) => entry.variant))];
  if (!variants.length) return "";
  const content = element("div", { class: "parameters" });
  function fill(variant) {
    dropCharts(content);
    const importance = board.importance?.variants.find((one) => one.variant === variant);
    content.replaceChildren(...[
      element("div", { class: "grid" }, importance ? importanceFigure(board, importance) : "", heatFigure(board, variant)),
      importance && importance.parameters.length ? element("div", { class: "small-multiples" },
        element("p", { class: "note" }, "Time / best time of the variant over the values of one parameter, whatever the others are: dots are the best, diamonds the median."),
        marginalFigures(board, importance)) : "",
    ].filter(Boolean));
    startCharts();
  }
  const share = board.importance?.variant_share;
  const section = element("section", { class: "wide" },
    element("div", { class: "title section" }, element("h2", {}, "Parameters"),
      variants.length > 1 ? select("Variant", variants, variants[0], (variant) => { fill(variant); announce(`Parameters of ${variant}`); }) : ""),
    isNumber(share) ? element("p", {}, `Which variant is taken explains ${formatPercent(share)} of the variation of the whole board.`) : "",
    content);
  fill(variants[0]);
  return section;
}
