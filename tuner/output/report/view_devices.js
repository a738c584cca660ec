// The devices: their properties and ceilings.

const deviceWords = [
  ["arch", "Architecture"], ["sm_count", "Multiprocessors (SM)"], ["max_sm_clock_mhz", "SM clock, MHz"], ["memory_clock_mhz", "Memory clock, MHz"],
  ["memory_bus_bits", "Memory bus, bits"], ["global_bytes", "Memory", report.formatBytes], ["l2_bytes", "L2 cache", report.formatBytes],
  ["max_shared_per_block", "Shared memory per block", report.formatBytes], ["registers_per_sm", "Registers per SM"],
  ["max_threads_per_sm", "Threads per SM"], ["driver", "Driver"], ["uuid", "UUID"],
];

function deviceCard(device, boards) {
  const kind = device.modelled ? "modelled" : "measured";
  const value = (name) => device.details[name] ?? device[name];
  // An emulated device has 0 for values without a figure.
  const known = (name) => !isMissing(value(name)) && value(name) !== 0;
  const shown = (name, format) => (typeof value(name) === "number" ? (format || formatThousands)(value(name)) : String(value(name)));
  return element("section", { class: "card whole" },
    element("div", { class: "title" }, element("h2", {}, device.name), badge(kind, `times are ${kind}`)),
    element("p", {}, `${device.id}; ${plural(boards.length, "problem")} here.`),
    element("dl", { class: "facts" }, deviceWords.filter(([name]) => known(name)).map(([name, words, format]) =>
      element("div", {}, element("dt", {}, words), element("dd", {}, shown(name, format))))), ceilingsTable(device));
}

function ceilingsTable(device) {
  if (!device.ceilings.length) {
    return element("p", { class: "note" }, device.modelled ? "No rates of its model are known here." :
      `No ceilings have been measured: `, device.modelled ? "" : element("code", {}, `warpwright calibrate --device ${device.id}`));
  }
  const rows = [...device.ceilings].sort((a, b) => a.unit.localeCompare(b.unit) || b.value - a.value);
  const columns = [
    { title: "Ceiling", value: (row) => row.name, head: true },
    { title: "Rate", numeric: true, best: "high", value: (row) => row.value, show: (row) => report.rateText(row) },
    { title: "95 % interval", numeric: true, value: (row) => (isNumber(row.low) ? (row.high - row.low) / row.value : null),
      show: (row) => formatHalfWidth(row.value, row.low, row.high) },
    { title: "Of datasheet", numeric: true, best: "high", skip: !isNumber(device.datasheet_gb_per_s),
      value: (row) => (row.unit === "GB/s" && row.name !== "l2_read" ? row.value / device.datasheet_gb_per_s : null),
      show: (row) => (row.unit === "GB/s" && row.name !== "l2_read" ? formatPercent(row.value / device.datasheet_gb_per_s) : null) },
    { title: "Protocol", value: (row) => row.protocol },
    { title: "Measured (UTC)", value: (row) => row.measured_utc },
  ].filter((column) => !column.skip);
  return [element("h3", {}, device.modelled ? "Rates of its model, not measured" : "Measured ceilings"),
          sortableTable({ label: `Ceilings of ${device.name}`, columns, rows, limit: 30 })];
}

function rooflineFigure(device, boards) {
  const points = report.rooflinePoints(boards);
  if (!points.length || !device.ceilings.length) return "";
  const kind = device.modelled ? "modelled" : "measured";
  const { memory, arithmetic } = report.roofsOf(device, boards);
  return chartFigure({
    title: `Roofline of ${device.name}`, level: "h2", badges: badge(kind),
    summary: `Each kernel's best on each problem, below what the device reaches at best: slopes are ${memory.map(report.roofText).join(" and ") || "not known"}, ` +
      `levels ${arithmetic.map(report.roofText).join(", ") || "not known"}.`,
    spec: (palette, width) => report.rooflineChart(device, boards, palette, width),
    table: () => [["kernel", "problem", "FLOP per byte", "GFLOP/s", "of the limit"], points.map(({ board, intensity, rate }) =>
      [board.kernel, board.problem_text, Number(intensity.toPrecision(3)), formatRate(rate), board.limit?.cell])],
  });
}

function limitsFigure(device, boards, label) {
  const rows = report.limitRows(boards, label);
  if (!rows.length) return "";
  const judged = rows.filter((row) => row.kind === "share of the limit").sort((a, b) => b.fraction - a.fraction);
  return chartFigure({
    title: `How near to the limit on ${device.name}`, level: "h2", badges: badge(device.modelled ? "modelled" : "measured"),
    summary: `The limit is the shortest time that the ceilings allow for a problem's bytes and operations. ` + (judged.length ?
      `Nearest is ${judged[0].label} with ${judged[0].cell}, farthest ${judged.at(-1).label} with ${judged.at(-1).cell}.` : "No time is long enough to be judged."),
    spec: (palette, width) => report.limitsChart(boards, label, palette, width),
    table: () => [["problem", "best µs", "limit µs", "bound by", "of the limit"], rows.map(({ board, label: name, cell }) =>
      [name, formatUs(board.entries[0].us), formatUs(board.limit.us), board.limit.ceiling, cell])],
  });
}

function deviceSection(device, boards) {
  const here = boards.filter((board) => board.device.fingerprint === device.fingerprint);
  return [deviceCard(device, here), rooflineFigure(device, here), limitsFigure(device, here, report.problemLabel)];
}

function matrixSection(data) {
  if (!data.matrices.length) return "";
  const content = element("div", { class: "holder" });
  const title = (matrix) => `${matrix.kernel} ${matrix.problem_text}`;
  function fill(name, focus) {
    dropCharts(content);
    const matrix = data.matrices.find((one) => title(one) === name);
    const names = report.placeNames(data, matrix);
    const rows = report.matrixRows(matrix, names);
    const others = rows.filter((row) => row.of !== row.on && isNumber(row.fraction)).sort((a, b) => a.fraction - b.fraction);
    content.replaceChildren(chartFigure({
      title: "The best of one device on another", level: "h2",
      badges: [...new Set(matrix.boards.map((index) => data.boards[index].kind))].map((kind) => badge(kind)),
      controls: data.matrices.length > 1 ? [select("Problem", data.matrices.map(title), name, (other) => fill(other, true))] : "",
      summary: `${name}: the fraction of the best time there that each device's best configuration reaches on the others. ` + (others.length ?
        `Least is ${formatPercent(others[0].fraction)}: the best of ${others[0].of} on ${others[0].on}.` : "No best configuration was timed elsewhere."),
      spec: (palette, width) => report.matrixChart(matrix, names, palette, width),
      table: () => [["the best of", "on", "reaches", "configuration"], rows.map((row) => [row.of, row.on, row.label, row.configuration])],
    }));
    startCharts();
    if (focus) content.querySelector("select").focus();
  }
  fill(title(data.matrices[0]), false);
  return content;
}

function devicesView(data, boards) {
  return [
    element("div", { class: "head" }, element("h1", { tabindex: "-1" }, "Devices"),
      element("p", { class: "lead" }, `${plural(data.devices.length, "device")} in ${plural(data.databases.length, "database")}: ` +
        `${data.databases.map((database) => `${database.name} (${plural(database.trials, "trial")})`).join(", ")}.`)),
    matrixSection(data),
    data.devices.map((device) => deviceSection(device, boards)),
  ];
}
