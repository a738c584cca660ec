// The course of kernels over the runs of a database: the best time of every run, by date and commit.

function historyColumns(several) {
  const columns = [
    { title: "Run", numeric: true, head: true, value: (row) => row.run },
    { title: "Best µs", numeric: true, time: true, value: (row) => row.us, show: (row) => formatUs(row.us) },
    { title: "vs run before", numeric: true, value: (row) => row.change, show: (row) => isNumber(row.change) ? formatRatio(row.change) : null,
      help: "Time / that of the run before on this problem: below 1 is faster" },
    { title: "Started (UTC)", value: (row) => row.started, show: (row) => report.shortDate(row.started) },
    { title: "Commit", value: (row) => row.commit, show: (row) => row.commit && element("code", {}, row.commit) },
    { title: "Problem", skip: !several, value: (row) => row.board.problem_text, show: (row) => problemLink(row.board, row.board.problem_text) },
    { title: "Device", skip: !several, value: (row) => row.board.device.name },
    { title: "Timed", numeric: true, best: "high", value: (row) => row.timed, show: (row) => formatThousands(row.timed),
      help: "Configurations that this run timed itself; one that resumed may have timed few" },
    { title: "Sweep", value: (row) => row.sweep },
    { title: "Configuration", value: (row) => row.configuration, show: (row) => element("code", {}, row.configuration) },
  ];
  return columns.filter((column) => !column.skip);
}

const historyOf = (board) => report.historyRows(board).map((row) => ({ ...row, board }));

function historyWords(row) {
  return [`run ${row.run}`, row.started, row.commit, row.board.problem_text, row.board.device.name, row.sweep, row.configuration].join(" ");
}

// "from 5.10 to 4.20 µs over 3 runs"
function historySummary(rows) {
  const best = rows.reduce((a, b) => (b.us < a.us ? b : a));
  return `From ${formatUs(rows[0].us)} to ${formatUs(rows.at(-1).us)} µs over ${plural(rows.length, "run")}; best ${formatUs(best.us)} µs in run ${best.run}` +
    `${best.commit ? `, commit ${best.commit}` : ""}.`;
}

function historyFigure(board, title, level) {
  const rows = historyOf(board);
  return chartFigure({
    title, level, badges: boardBadges(board), kind: "history", summary: historySummary(rows),
    spec: (palette, width) => report.historyChart(board, palette, width),
    table: () => [["run", "best µs", "started (UTC)", "commit", "configuration"],
      rows.map((row) => [row.run, formatUs(row.us), report.shortDate(row.started), row.commit, row.configuration])],
  });
}

// Shown on a problem's own view; a single run shows no change over time.
function historySection(board) {
  if (board.history.length < 2) return "";
  return element("section", { class: "wide" }, element("div", { class: "title section" }, element("h2", {}, "History")),
    element("div", { class: "grid" }, historyFigure(board, "Best of every run", "h3")));
}

function kernelHistory(kernel, boards) {
  const charted = boards.filter((board) => board.history.length > 1);
  const rows = boards.flatMap(historyOf).sort((a, b) => a.board.database.name.localeCompare(b.board.database.name) || b.run - a.run);
  const several = new Set(boards.map((board) => board.device.name)).size > 1;
  const title = (board) => `${board.problem_text}${several ? `, ${board.device.name}` : ""}`;
  return element("section", { class: "wide" }, element("div", { class: "title section" }, element("h2", {}, kernel)),
    charted.length ? element("div", { class: "small-multiples" }, charted.map((board) => historyFigure(board, title(board), "h3"))) :
      element("p", { class: "note" }, "Each of its problems was timed by one run only; a chart takes two."),
    element("div", { class: "card" }, sortableTable({ label: `Runs of ${kernel}`, columns: historyColumns(true), rows, limit: 12, search: historyWords, what: "runs" })));
}

function historyView(data, boards) {
  const timed = boards.filter((board) => board.history.length);
  const kernels = [...new Set(timed.map((board) => board.kernel))];
  return [
    element("div", { class: "head" }, element("h1", { tabindex: "-1" }, "History"),
      element("p", { class: "lead" }, "The best time of every run on every problem, by date and commit, with sources that have changed since. " +
        "A run counts what it timed itself: one that resumed may have timed little.")),
    timed.length ? kernels.map((kernel) => kernelHistory(kernel, timed.filter((board) => board.kernel === kernel))) :
      element("p", { class: "card" }, "No run has timed anything yet."),
  ];
}
