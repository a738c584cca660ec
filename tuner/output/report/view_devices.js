// The devices: what they are and what they can reach.

const deviceWords = [
  ["arch", "Architecture"], ["sm_count", "Multiprocessors (SM)"], ["max_sm_clock_mhz", "SM clock, MHz"], ["memory_clock_mhz", "Memory clock, MHz"],
  ["memory_bus_bits", "Memory bus, bits"], ["global_bytes", "Memory", report.formatBytes], ["l2_bytes", "L2 cache", report.formatBytes],
  ["max_shared_per_block", "Shared memory per block", report.formatBytes], ["registers_per_sm", "Registers per SM"],
  ["max_threads_per_sm", "Threads per SM"], ["driver", "Driver"], ["uuid", "UUID"],
];

function deviceCard(device, boards) {
  const kind = device.modelled ? "modelled" : "measured";
  const value = (name) => device.details[name] ?? device[name];
  // 0 is what an emulated device has no figure for.
  const known = (name) => !isMissing(value(name)) && value(name) !== 0;
  const shown = (name, format) => (typeof value(name) === "number" ? (format || formatThousands)(value(name)) : String(value(name)));
  return element("section", { class: "card" },
    element("div", { class: "title" }, element("h2", {}, device.name), badge(kind, `times are ${kind}`)),
    element("p", {}, `${device.id}; ${plural(boards.filter((board) => board.device.fingerprint === device.fingerprint).length, "problem")} here.`),
    element("dl", { class: "facts" }, deviceWords.filter(([name]) => known(name)).map(([name, words, format]) =>
      element("div", {}, element("dt", {}, words), element("dd", {}, shown(name, format))))));
}

function devicesView(data, boards) {
  return [
    element("div", { class: "head" }, element("h1", { tabindex: "-1" }, "Devices"),
      element("p", { class: "lead" }, `${plural(data.devices.length, "device")} in ${plural(data.databases.length, "database")}: ` +
        `${data.databases.map((database) => `${database.name} (${plural(database.trials, "trial")})`).join(", ")}.`)),
    data.devices.map((device) => deviceCard(device, boards)),
  ];
}
