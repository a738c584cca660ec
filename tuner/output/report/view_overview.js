// The first view: the tuned kernels and devices, the best of every problem, and the gain of tuning.

function plural(count, one) {
  return counted(count, one, `${one}s`);
}

function bestOf(board) {
  return board.entries.length ? board.entries[0] : null;
}

function limitText(board) {
  return board.limit && board.limit.cell && board.limit.cell !== "-" ? board.limit.cell : null;
}

function problemLink(board, text) {
  return element("a", { href: `#problem-${board.index}` }, text);
}

// If so, one badge at the heading covers all of them.
function oneKind(boards) {
  return new Set(boards.map((board) => `${board.kind} ${report.temperatureOf(board)}`)).size === 1;
}

// The words by which a search finds a board.
function boardWords(board) {
  const best = bestOf(board);
  return [board.kernel, board.problem_text, board.device.name, board.device.id, board.kind, best && report.configurationText(best)].filter(Boolean).join(" ");
}

function summaryColumns(boards) {
  const several = new Set(boards.map((board) => board.device.name)).size > 1;
  const columns = [
    { title: "Problem", value: (board) => `${board.kernel} ${board.problem_text}`, head: true,
      show: (board) => [element("span", { class: "kernel" }, board.kernel), " ", problemLink(board, board.problem_text)] },
    { title: "Best µs", numeric: true, time: true, value: (board) => bestOf(board)?.us, show: (board) => bestOf(board) && formatUs(bestOf(board).us) },
    { title: "Times are", value: (board) => board.kind, show: (board) => boardBadges(board), skip: oneKind(boards) },
    { title: "Device", value: (board) => board.device.name, skip: !several },
    { title: "95 % interval", numeric: true, value: (board) => bestOf(board) && bestOf(board).high - bestOf(board).low,
      show: (board) => bestOf(board) && formatHalfWidth(bestOf(board).us, bestOf(board).low, bestOf(board).high) },
    { title: "GB/s", numeric: true, best: "high", value: (board) => report.perSecond(board.work.bytes, bestOf(board)?.us),
      show: (board) => rateText(board.work.bytes, board) },
    { title: "% of limit", numeric: true, best: "high", value: (board) => board.limit?.fraction, show: limitText,
      help: "The shortest time that the device's ceilings allow / the best time", skip: !boards.some(limitText) },
    { title: "Ties", numeric: true, value: (board) => Math.max(0, board.counts.tied - 1),
      help: "Further configurations that tie with the best" },
    { title: "Slowest", numeric: true, best: "high", value: (board) => board.entries.at(-1)?.slowdown,
      show: (board) => board.entries.length ? formatRatio(board.entries.at(-1).slowdown) : null,
      help: "Time of the slowest configuration that passed / best time" },
    { title: "Timed", numeric: true, best: "high", value: (board) => board.counts.ranked, show: (board) => formatThousands(board.counts.ranked) },
    { title: "Failed", numeric: true, best: "high", value: (board) => board.counts.failed, show: (board) => formatThousands(board.counts.failed) },
  ];
  return columns.filter((column) => !column.skip);
}

function rateText(work, board) {
  const rate = report.perSecond(work, bestOf(board)?.us);
  return rate === null ? null : formatRate(rate);
}

function spansFigure(boards, label) {
  const rows = report.spanRows(boards, label);
  if (!rows.length) return "";
  const widest = rows.reduce((a, b) => (b.worst > a.worst ? b : a));
  const middle = rows.reduce((a, b) => (b.middle > a.middle ? b : a));
  return chartFigure({
    title: "What tuning decides",
    summary: `Each bar holds the middle half of a problem's configurations, its mark the median; the line ends at the ` +
      `slowest. A configuration taken blindly is ${formatRatio(middle.middle)} the best time in the median for ` +
      `${middle.label}; the slowest of ${widest.label} takes ${formatRatio(widest.worst)}.`,
    spec: (palette, width) => report.spansChart(boards, label, palette, width),
    table: () => [["problem", "times are", "a quarter within", "half within", "three quarters within", "slowest"],
      rows.map((row) => [row.label, row.kind, formatRatio(row.low), formatRatio(row.middle), formatRatio(row.high), formatRatio(row.worst)])],
    badges: oneKind(boards) ? boardBadges(boards[0]) : "", level: "h2",
  });
}

function runsTable(data) {
  const rows = data.databases.flatMap((database) => database.runs.map((run) => ({ ...run, database: database.name })));
  if (!rows.length) return "";
  const columns = [
    { title: "Database", value: (run) => run.database, skip: data.databases.length < 2 },
    { title: "Run", numeric: true, value: (run) => run.id },
    { title: "Sweep", value: (run) => run.config, head: true },
    { title: "Search", value: (run) => run.strategy },
    { title: "Budget", value: (run) => run.budget },
    { title: "Seed", value: (run) => run.seed },
    { title: "Program", value: (run) => run.program },
    { title: "NVRTC", value: (run) => run.nvrtc },
    { title: "Started (UTC)", value: (run) => run.started_utc },
    { title: "Ended", value: (run) => run.ended || "not yet, or killed" },
  ].filter((column) => !column.skip);
  return element("section", { class: "card" }, element("h2", {}, "Runs"), sortableTable({ label: "Runs", columns, rows, limit: 12 }));
}

function kindsLegend(boards) {
  const kinds = Object.keys(report.kindWords).filter((kind) => boards.some((board) => board.kind === kind));
  return element("ul", { class: "kinds" }, kinds.map((kind) => element("li", {}, badge(kind), ` ${report.kindWords[kind]}`)));
}

function overviewView(data, boards) {
  const sum = (name) => boards.reduce((total, board) => total + board.counts[name], 0);
  const devices = new Set(boards.map((board) => board.device.name));
  const head = element("div", { class: "head" }, element("h1", { tabindex: "-1" }, "Overview"),
    element("p", { class: "lead" }, `${plural(data.kernels.length, "kernel")}, ${plural(boards.length, "problem")} on ` +
      `${[...devices].join(", ") || "no device"}.`), kindsLegend(boards));
  if (!boards.length) {
    return [head, element("section", { class: "card" }, element("p", {}, "There are no trials here yet. Make some with "),
      element("pre", { tabindex: "0" }, "warpwright sweep configs/softmax_topk_quick.yaml"))];
  }
  return [
    head,
    element("dl", { class: "tiles" },
      tile("Configurations tried", formatThousands(sum("trials"))),
      tile("Validated and timed", formatThousands(sum("ranked"))),
      tile("Failed, with the reason", formatThousands(sum("failed"))),
      tile("Pruned or noisy", formatThousands(sum("pruned") + sum("noisy")))),
    data.left_out.length ? element("section", { class: "card warning" }, element("h2", {}, "Left out of this page"),
      element("ul", {}, data.left_out.map((text) => element("li", {}, text)))) : "",
    element("section", { class: "card whole" },
      element("div", { class: "title" }, element("h2", {}, "Best of every problem"), oneKind(boards) ? boardBadges(boards[0]) : ""),
      sortableTable({ label: "Best of every problem", columns: summaryColumns(boards), rows: boards, what: "problems", search: boardWords })),
    spansFigure(boards, report.boardLabel(data)),
    element("section", { class: "card" }, element("h2", {}, "Kernels"),
      element("dl", { class: "kernels" }, data.kernels.map((kernel) =>
        [element("dt", {}, kernel.name), element("dd", {}, kernel.summary || "–")]))),
    runsTable(data),
  ];
}
