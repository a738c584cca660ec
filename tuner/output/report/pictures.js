// Functions for the page's other scripts and for scripts/record/report_pictures.

function boardLabel(document) {
  const several = document.devices.length > 1;
  return (board) => `${board.kernel}  ${board.problem_text}${several ? `  ${board.device.name}` : ""}`;
}

// A label for places where the device is already named.
const problemLabel = (board) => `${board.kernel}  ${board.problem_text}`;

// The names of a matrix's boards: by device, with the database if one device is in several.
function placeNames(document, matrix) {
  const boards = matrix.boards.map((index) => document.boards[index]);
  const device = (board) => (board.device === null ? "unknown device" : document.devices[board.device].name);
  return boards.map((board) => {
    const name = device(board);
    const alone = boards.filter((other) => device(other) === name).length === 1;
    return alone ? name : `${name}, ${document.databases[board.database].name}`;
  }).map((name, i, all) => (all.indexOf(name) === i ? name : `${name} (${i + 1})`));
}

// The main charts of a document as [{name, title, spec}], for pictures. `width` in pixels.
function pictureSpecs(document, paletteName, width) {
  const palette = palettes[paletteName];
  const boards = document.boards.map((_, i) => decodeBoard(document, i));
  const label = boardLabel(document);
  const titled = (name, text, subtitle, spec) => ({
    name,
    spec: { ...spec, background: palette.card, padding: 14,
            title: { text, subtitle, anchor: "start", color: palette.text, subtitleColor: palette.muted, font, subtitleFont: font,
                     fontSize: 14, subtitleFontSize: 12, offset: 10 } },
  });
  const pictures = [];
  if (boards.some((board) => board.entries.length > 1))
    pictures.push(titled("overview", "How far apart the configurations of each problem lie",
                         "line: all of them; bar: the middle half; mark: the median", spansChart(boards, label, palette, width)));
  document.devices.forEach((device, i) => {
    const here = boards.filter((board) => board.device.fingerprint === device.fingerprint);
    const words = device.modelled ? "modelled" : "measured";
    if (rooflinePoints(here).length && device.ceilings.length)
      pictures.push(titled(`device-${i}-roofline`, "Roofline: the best of each problem", `${device.name}, ${words}`, rooflineChart(device, here, palette, width)));
    if (limitRows(here, problemLabel).length)
      pictures.push(titled(`device-${i}-limits`, "How near to the limit", `${device.name}, ${words}`, limitsChart(here, problemLabel, palette, width)));
  });
  document.matrices.forEach((matrix, i) => {
    pictures.push(titled(`matrix-${i}`, "What the best of one device reaches on another", `${matrix.kernel}, ${matrix.problem_text}`,
                         matrixChart(matrix, placeNames(document, matrix), palette, width)));
  });
  for (const board of boards) {
    if (!board.entries.length) continue;
    const name = (what) => `${board.kernel}-${board.index}-${what}`;
    const place = `${board.kernel}, ${board.problem_text}; ${[board.device.name, board.kind, temperatureOf(board)].filter(Boolean).join(", ")}`;
    pictures.push(titled(name("progress"), "Search progress", place, progressChart(board, palette, width)));
    if (hasFront(board)) pictures.push(titled(name("front"), "Pareto front", place, frontChart(board, palette, width)));
    pictures.push(titled(name("landscape"), "All configurations", place, landscapeChart(board, palette, width)));
    if (board.ranking)
      pictures.push(titled(name("ranking"), "Final ranking", place, rankingChart(board, palette, width)));
    const importance = board.importance?.variants.find((one) => one.parameters.length);
    if (importance) {
      pictures.push(titled(name("importance"), `What decides the time of ${importance.variant}`, place,
                           importanceChart(importance, palette, width)));
    }
    const pair = heatPair(board);
    if (pair) {
      pictures.push(titled(name("heat"), `Best µs over ${pair.x} and ${pair.y} of ${pair.variant}`, place,
                           heatMapChart(board, pair.variant, pair.x, pair.y, palette, width)));
    }
  }
  return pictures;
}

globalThis.warpwrightReport = {
  palettes, isNumber, formatUs, formatThousands, formatHalfWidth, formatRatio, formatPercent, formatRate, formatBytes, counted,
  medianOf, contrast, decodeBoard, boardLabel, configurationText, configurationOption, perSecond, kindWords, temperatureOf, timeText, timeWord,
  hasFront, frontRows, frontChart, objectiveTitle, formatMetric, progressRows, progressChart, courseRows, courseChart, landscapeChart, binRows, histogramChart, importanceRows, importanceChart, marginalChart,
  historyRows, historyChart, shortDate, commitOf, heatCells, heatPair, parametersOf, heatMapChart, sampleRows, samplesChart, rankingChart, spanRows, spansChart,
  rooflinePoints, roofsOf, roofText, rateText, rooflineChart, limitRows, limitsChart, matrixRows, matrixChart, placeNames, problemLabel,
  pictureSpecs,
};
