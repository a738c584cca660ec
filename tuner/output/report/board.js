// Decodes the columns of the document into configurations that charts and tables read.

const kindWords = {
  measured: "measured on the device's clock",
  modelled: "modelled by the emulator from counted instructions and bytes; no clock was involved",
  imported: "imported from another tool, as that tool measured it",
};

function problemOf(board) {
  return board.problem_text;
}

// "cold", "hot" or "": protocols are named <temperature>-<how>-<version>.
function temperatureOf(board) {
  const word = (board.protocol || "").split("-")[0];
  return word === "cold" || word === "hot" ? word : "";
}

function timeWord(board) {
  return board.kind === "modelled" ? "modelled time" : [temperatureOf(board), "median"].filter(Boolean).join(" ");
}

function valuesAt(board, columns, row) {
  const values = {};
  board.parameters.forEach((parameter, i) => {
    const at = columns.values[i][row];
    if (at >= 0) values[parameter.name] = parameter.values[at];
  });
  return values;
}

function configurationText(configuration) {
  const words = Object.entries(configuration.values).map(([name, value]) => `${name}=${value}`);
  return [configuration.variant, ...words].join(" ");
}

// A configuration as an option of `warpwright profile` and `bench`, quoted for a shell.
function configurationOption(configuration) {
  const words = Object.entries(configuration.values).map(([name, value]) => `${name}=${value}`);
  const text = [configuration.variant && `variant=${configuration.variant}`, ...words].filter(Boolean).join(" ");
  return `--configuration '${text.replaceAll("'", "'\\''")}'`;
}

function decodeEntries(board) {
  const columns = board.entries;
  // If something other than the time ranks the board, the first is not the fastest.
  const byTime = !board.goal || board.goal.by_time;
  const best = byTime ? columns.us[0] : Math.min(...columns.us);
  const objectives = board.goal ? columns.objectives : [], metrics = board.goal ? columns.metrics : [];
  return columns.trial.map((trial, row) => ({
    trial,
    order: columns.order[row],
    rank: columns.rank[row],
    us: columns.us[row],
    low: columns.low[row],
    high: columns.high[row],
    screened: columns.screened[row],
    tied: columns.tied[row] === 1,
    slowdown: best > 0 ? columns.us[row] / best : 1,
    registers: columns.registers[row],
    shared: columns.shared[row],
    spill: columns.spill[row],
    sameAs: columns.same_as[row],
    front: Boolean(board.goal) && columns.front[row] === 1,
    objectives: objectives.map((column) => column[row]),
    metrics: metrics.map((column) => column[row]),
    variant: board.variants[columns.variant[row]],
    version: columns.version ? columns.version[row] : "",
    values: valuesAt(board, columns, row),
    status: "ok",
  }));
}

function decodeUntimed(board) {
  const columns = board.untimed;
  return columns.trial.map((trial, row) => ({
    trial,
    order: columns.order[row],
    status: columns.status[row],
    atLeast: columns.at_least[row],
    variant: board.variants[columns.variant[row]],
    values: valuesAt(board, columns, row),
  }));
}

// The document's board with `entries` and `untimed` as lists of configurations.
function decodeBoard(document, index) {
  const board = document.boards[index];
  const device = board.device === null ? { name: "unknown device", id: "", details: {} } : document.devices[board.device];
  return {
    ...board,
    index,
    device,
    database: document.databases[board.database],
    entries: decodeEntries(board),
    untimed: decodeUntimed(board),
  };
}

// Bytes per µs are MB/s; a thousand of those are GB/s. The same holds for FLOP.
function perSecond(work, us) {
  return work > 0 && us > 0 ? work / us / 1e3 : null;
}

// A configuration in three lines, for tooltips.
function tipOf(board, configuration, first) {
  return `${first}\n${configurationText(configuration)}\ntrial ${configuration.trial}`;
}

function timeText(entry) {
  return [`${formatUs(entry.us)} µs`, formatHalfWidth(entry.us, entry.low, entry.high)].filter(Boolean).join(" ");
}
